/** What a fault that this program itself found means: the word in brackets behind an error, `code` in a manifest. */
export interface FaultMeaning {
  /** A few words. */
  readonly title: string
  /** What happened and what to do. */
  readonly explanation: string
}

/**
 * Every fault of ours that ends a run, a dataset or a scenario. `RunRefusalError` and `WorkFailedError` take no other codes, so that
 * `whatif explain` knows all of them. The service's own codes are in `contract/errors.ts`.
 */
export const FAULT_MEANINGS = {
  artifact_damaged: {
    title: 'the downloaded file is not the announced one',
    explanation:
      'Size or SHA-256 of what arrived differ from what the service announced, on each try. The file was thrown away. Run again; if it stays so, something between you and the service changes the bytes.',
  },
  artifact_unreadable: {
    title: 'the downloaded file cannot be read',
    explanation:
      'The file is not a table in the format that was asked for. It was thrown away. Run again, and report it to whoever runs the service.',
  },
  budget: {
    title: 'over budget',
    explanation:
      'The most rows that the run could be billed for, or the datasets that it would train, exceed the budget of the study, or the lower one of --budget-rows. Nothing was sent. Select fewer scenarios, or raise the budget where it is set.',
  },
  column_missing: {
    title: 'the result lacks a column',
    explanation:
      'A column that the scenario sets a share or a range of is not in the file that came back. The result was thrown away. Report it to whoever runs the service.',
  },
  conditions: {
    title: 'conditions do not fit the data',
    explanation:
      'Scenarios name columns or levels that the cleaned data does not have. Each is reported with its place and a code. Nothing was generated.',
  },
  data_folder_in_use: {
    title: 'another process has the embedded service',
    explanation:
      'The embedded service of a project serves one process at a time, and another one held its data folder for as long as this one waited. Run again when it has ended, wait longer with --lock-timeout, or share one service between processes with whatif serve.',
  },
  dataset_gone: {
    title: 'the dataset is gone',
    explanation:
      'A dataset named by its id no longer exists at the service: trained datasets are kept for 7 days at most. Name a current one with --dataset NAME=DATASET_ID, or a seed file in the study.',
  },
  dataset_of_file: {
    title: 'the lock describes a seed file',
    explanation:
      'whatif lock records the seed file of a dataset, so --dataset cannot replace it there. Leave that out.',
  },
  dead_replay: {
    title: 'the service repeats an answer whose result is gone',
    explanation:
      'The service knows the request and answers it with work that it no longer has. Run with --scope LABEL: that makes it new work, which is billed.',
  },
  failed: {
    title: 'the work failed',
    explanation:
      'A training or a generation ended without a result. The words beside it say why, if the service gave a reason. Mend the cause, then run with --retry-failed, which is new work and counts against the budget. The run ends with exit code 7.',
  },
  file_changed: {
    title: 'a result was changed by hand',
    explanation:
      'The run would replace a result file that was changed since this study wrote it. Nothing was sent. Move the file away, or pass --overwrite.',
  },
  file_exists: {
    title: 'something is in the way of a result',
    explanation:
      'At the place of a result there is a folder, a seed file, or a file that this study did not write. Move it away and run again: what was generated is fetched and not paid twice. --overwrite replaces a file.',
  },
  generation_missing: {
    title: 'the service lost a generation',
    explanation:
      'The job has ended, and the service has no generation for it. --retry-failed asks for it anew; report it to whoever runs the service.',
  },
  invalid_study: {
    title: 'the study is invalid',
    explanation: 'The study file has faults. Each is reported with its place and a code. Nothing was sent.',
  },
  lock_unusable: {
    title: 'the lock file cannot be used',
    explanation: 'The lock file beside the study is not what whatif lock writes. Delete it and run whatif lock again.',
  },
  lock_unwritable: {
    title: 'the lock file cannot be written',
    explanation: 'The place of the lock file may not be written to. Change the rights of the file or its folder.',
  },
  locked: {
    title: 'the data are not those of the lock file',
    explanation:
      'With --locked a study runs only against the data that its lock file describes. Run whatif lock, review the difference, and commit it.',
  },
  name_taken: {
    title: 'another study has this name',
    explanation:
      'Results and state belong to the name of a study, and another file of this project has it. Give one of them another name.',
  },
  no_dataset_named: {
    title: 'which dataset is meant is open',
    explanation: 'The study has several datasets. Name one of them: whatif inspect FILE#DATASET.',
  },
  no_such_dataset: {
    title: 'the study has no such dataset',
    explanation: 'The name behind # is none of the datasets of the study. The message lists them.',
  },
  not_confirmed: {
    title: 'nobody agreed to the bill',
    explanation:
      'A run that is billed asks first. Answer yes, pass --yes, or give the study a budget (budget.rows_per_run). Nothing was sent.',
  },
  not_uploaded: {
    title: 'a dataset named by id cannot be trained again',
    explanation:
      '--force-dataset uploads a seed file again, and this dataset has none. --force generates anew from it.',
  },
  nothing_selected: {
    title: 'the selection matches nothing',
    explanation:
      '--select, --exclude or --force leave no scenario. whatif list prints all ids; --allow-empty makes an empty selection no error.',
  },
  path_hidden: {
    title: 'a path is hidden',
    explanation:
      'The study names a hidden file, something in a hidden folder, or a private key. Nothing was read. Put the data or the results elsewhere, or pass --allow-hidden.',
  },
  path_outside_project: {
    title: 'a path leads out of the project',
    explanation:
      'Seed files and results lie inside the project, links included. Move them there, or pass --allow-outside.',
  },
  place_taken: {
    title: 'results cannot be put in their places',
    explanation:
      'A folder or a file stands where a result would go. Nothing was sent. Move it away, or choose another name or output.dir.',
  },
  row_count_mismatch: {
    title: 'the result has other rows than the service says',
    explanation:
      'The file has more or fewer rows than the service reported. The result was thrown away. Report it to whoever runs the service.',
  },
  saved_plan_stale: {
    title: 'the saved plan does not hold any more',
    explanation:
      'Study, data, lock file, state or an action moved since whatif plan --save. Nothing was sent. Plan again, look, and run that.',
  },
  seed_file_missing: {
    title: 'a seed file is not there',
    explanation: 'The study names a seed file that does not exist. Paths are relative to the study file.',
  },
  seed_file_not_regular: {
    title: 'a seed file is no regular file',
    explanation: 'What the path names is a folder, a pipe or a device. Name a file.',
  },
  seed_file_too_large: {
    title: 'a seed file is too large',
    explanation: 'The service takes seed files of at most 500 MB.',
  },
  seed_file_unreadable: {
    title: 'a seed file cannot be opened',
    explanation: 'The file is there and cannot be opened; the message says why. Often its rights are the cause.',
  },
  seed_file_changed: {
    title: 'a seed file is not the pinned one',
    explanation: 'The study pins the SHA-256 of its seed file, and the file is another. Restore it, or change the pin.',
  },
  state_unreadable: {
    title: 'the recorded state cannot be read',
    explanation:
      'What whatif keeps about the study is damaged. Delete the folder that the message names and run again; nothing is lost by it.',
  },
  too_many_rows: {
    title: 'the result has more rows than asked for',
    explanation:
      'The file that came back has more rows than were requested. It was thrown away. Report it to whoever runs the service.',
  },
  unknown_dataset: {
    title: 'a flag names a dataset that the study does not have',
    explanation: '--dataset or --force-dataset names no dataset of the study. The message lists those that it has.',
  },
} as const satisfies Record<string, FaultMeaning>

export type FaultCode = keyof typeof FAULT_MEANINGS
