import type { CatalogueText } from './diagnostic.ts'

/** The lock file, and what changed since it was written. */
export const LOCK_CODES = {
  S2201: {
    title: 'Column gone since the lock',
    explanation:
      'The study uses a column that the lock file has and the cleaned data no longer have: a header was renamed, or cleaning drops the column now. Change the condition or the seed file, then run `whatif lock`. With `policy.drift: warn` this is a warning and only the scenarios that need the column are refused.',
  },
  S2202: {
    title: 'Level gone since the lock',
    explanation:
      'The study uses a level that the lock file has and the cleaned data no longer have: it was renamed, or it became rare and cleaning dropped it. Change the condition or the seed file, then run `whatif lock`. With `policy.drift: warn` this is a warning and only the scenarios that need the level are refused.',
  },
  S2203: {
    title: 'Kind of column changed since the lock',
    explanation:
      'The column was categorical when the lock was written and is numeric now, or the reverse, so the same condition would mean something else. Often a stray text among numbers, or its removal, is the cause. Check the seed file; when the change is meant, adapt the conditions and run `whatif lock`.',
  },
  W2204: {
    title: 'New level since the lock',
    explanation:
      'A column whose shares are stated has a level that it did not have when the lock was written. What the shares leave open is now divided among other levels than before. Look whether the shares still say what is meant, then run `whatif lock`.',
  },
  W2205: {
    title: 'Column gone, drift only warns',
    explanation:
      'As S2201, softened by `policy.drift: warn`: scenarios that need the column are refused before anything is sent for them, and the others go on.',
  },
  W2206: {
    title: 'Level gone, drift only warns',
    explanation:
      'As S2202, softened by `policy.drift: warn`: scenarios that need the level are refused before anything is sent for them, and the others go on.',
  },
  N2207: {
    title: 'New level, drift only warns',
    explanation:
      'As W2204, softened by `policy.drift: warn`: what the shares leave open is now divided among other levels than when the lock was written.',
  },
  N2208: {
    title: 'Changes since the lock that no condition uses',
    explanation:
      'The cleaned data differ from the lock file in columns or levels that the study does not use. Nothing has to be done; `whatif lock` records the new state.',
  },
  S2301: {
    title: 'Lock file not usable',
    explanation:
      'The lock file beside the study is not what `whatif lock` writes: a merge left both sides in it, somebody edited it, or it was written by a newer version. It is made from the study and its data and holds nothing of its own, so delete it and run `whatif lock` (with `--hash-levels` if it had hashed levels).',
  },
  S2302: {
    title: 'No lock file',
    explanation:
      'With `--locked` a study runs only against the data that its lock file describes, and there is none beside the study. Run `whatif lock` and commit the file.',
  },
  S2303: {
    title: 'Lock file would change',
    explanation:
      'With `--locked` a study runs only against the data that its lock file describes. The study, its seed file or the cleaned data are others now, in the fields that the message lists. When the change is meant, run `whatif lock`, look at the difference and commit it.',
  },
  W2304: {
    title: 'Seed file changed since the lock',
    explanation:
      'The seed file is not the one that the lock file describes, so its columns and levels may be others than those that conditions are held against here. Run `whatif lock` and commit the file.',
  },
  W2305: {
    title: 'Dataset not in the lock',
    explanation:
      'The lock file does not describe the dataset as the study has it, so its conditions cannot be checked without the service. Run `whatif lock` and commit the file.',
  },
  N2306: {
    title: 'Seed file not compared with the lock',
    explanation:
      'The seed file cannot be read here, so nobody knows whether it is the one that the lock file describes. Conditions were held against the lock all the same.',
  },
} as const satisfies Record<string, CatalogueText>
