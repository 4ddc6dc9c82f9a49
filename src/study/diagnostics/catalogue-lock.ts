import type { CatalogueText } from './diagnostic.ts'

/** The lock file, and what changed since it was written. */
export const LOCK_CODES = {
  S2201: {
    title: 'Column gone since the lock',
    explanation:
      'The study uses a column that is in the lock file and no longer in the cleaned data: a header was renamed, or cleaning now drops the column. `columns` in the dataset\'s entry gives a renamed column its old name: `columns: { intent: "Q7 (2026)" }`. Otherwise change the condition or the seed file. Then run `whatif lock`. With `policy.drift: warn` this is a warning, and only the scenarios that need the column are refused.',
  },
  S2202: {
    title: 'Level gone since the lock',
    explanation:
      'The study uses a level that is in the lock file and no longer in the cleaned data: it was renamed, or it became rare and cleaning dropped it. `recode` in the dataset\'s entry gives a renamed level its old word: `recode: { buy: { "Ja": "Yes" } }`. Otherwise change the condition or the seed file. Then run `whatif lock`. With `policy.drift: warn` this is a warning, and only the scenarios that need the level are refused.',
  },
  S2203: {
    title: 'Kind of column changed since the lock',
    explanation:
      'The column was categorical when the lock was written and is numeric now, or the reverse, so the same condition would mean something else. The usual cause is a stray text among numbers, or its removal, or other codes than before. Where the cause is plain, the message has the line that keeps the kind in the entry of the dataset: `types: { q3: categorical }`, or `missing` for words that are no answer. Otherwise check the seed file. If the change is intended, adapt the conditions and run `whatif lock`.',
  },
  W2204: {
    title: 'New level since the lock',
    explanation:
      'A column with stated shares has a level that it did not have when the lock was written. The remainder of the shares is now divided among other levels than before. Check that the shares are still correct, then run `whatif lock`.',
  },
  W2205: {
    title: 'Column gone, drift only warns',
    explanation:
      'As S2201, softened by `policy.drift: warn`: scenarios that need the column are refused before any of their requests is sent, and the others run. A comparison that names it says that it is not compared, and a gate on it fails, because there is nothing to evaluate.',
  },
  W2206: {
    title: 'Level gone, drift only warns',
    explanation:
      'As S2202, softened by `policy.drift: warn`: scenarios that need the level are refused before any of their requests is sent, and the others run. A comparison that names it says that it is not compared, and a gate on it fails, because there is nothing to evaluate.',
  },
  N2207: {
    title: 'New level, drift only warns',
    explanation:
      'As W2204, softened by `policy.drift: warn`: the remainder of the shares is now divided among other levels than when the lock was written.',
  },
  N2208: {
    title: 'Changes since the lock that no condition uses',
    explanation:
      'The cleaned data differ from the lock file in columns or levels that the study does not use. You need not do anything; `whatif lock` records the new state.',
  },
  W2209: {
    title: 'Levels of a compared column changed since the lock',
    explanation:
      'A comparison or a backtest shows the levels of a column, and some are gone or new since the lock was written: an answer was renamed or added, or nobody gave it. The study runs, and compares the levels that there are now. `recode` in the dataset\'s entry gives a renamed level its old word, and the message has that line where it is plain: `recode: { buy: { "Ja": "Yes" } }`. `whatif lock` records the new levels.',
  },
  S2301: {
    title: 'Lock file not usable',
    explanation:
      'The lock file of the study is not a valid lock file: a merge left both sides in it, somebody edited it, or a newer version wrote it. `whatif lock` writes it again from the study and its data. Where a merge left its marks, run `whatif lock`. Otherwise delete the file first, and add `--hash-levels` if it had hashed levels.',
  },
  S2302: {
    title: 'No lock file',
    explanation:
      'With `--locked` a study runs only against the data that its lock file describes, and the study has no lock file. Run `whatif lock` and commit the file.',
  },
  S2303: {
    title: 'Lock file would change',
    explanation:
      'With `--locked` a study runs only against the data that its lock file describes. The study, its seed file or the cleaned data have changed in the fields that the message lists. If the change is intended, run `whatif lock`, review the difference and commit it.',
  },
  W2304: {
    title: 'Seed file changed since the lock',
    explanation:
      'The seed file, its cleaning or its declarations are not the ones that the lock file describes, so it may have other columns and levels than the ones that conditions are checked against here. Run `whatif lock` and commit the file.',
  },
  W2305: {
    title: 'Dataset not in the lock',
    explanation:
      'The lock file does not describe the dataset as the study defines it, so its conditions cannot be checked without the service. Run `whatif lock` and commit the file.',
  },
  N2306: {
    title: 'Seed file not compared with the lock',
    explanation:
      'The seed file cannot be read here, so it is unknown whether it is the file that the lock file describes. Conditions were checked against the lock anyway.',
  },
} as const satisfies Record<string, CatalogueText>
