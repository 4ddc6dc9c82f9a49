/** The meaning of a fault that this program found: the word in brackets after an error, `code` in a manifest. */
export interface FaultMeaning {
  /** A few words. */
  readonly title: string
  /** What happened, and the remedy. */
  readonly explanation: string
}

/**
 * Every fault of this program that ends a run, a dataset or a scenario. `RunRefusalError` and `WorkFailedError` accept
 * no other codes, so that `whatif explain` knows all of them. The service's own codes are in `contract/errors.ts`.
 */
export const FAULT_MEANINGS = {
  artifact_damaged: {
    title: 'the downloaded file does not match its announcement',
    explanation:
      'On each try, the size or SHA-256 of the downloaded file differed from the values that the service announced. The file was discarded. Run again; if it happens again, something between you and the service changes the bytes.',
  },
  artifact_unreadable: {
    title: 'the downloaded file cannot be read',
    explanation:
      'The file is not a table in the requested format. It was discarded. Run again, and report it to the operator of the service.',
  },
  bounds_not_offered: {
    title: 'the service takes no bounds of shares',
    explanation:
      'A scenario states the least or the greatest share of a level, and the OpenAPI document of the service does not have `bounds`: it is another or an older service, or it protects the seeds of its datasets, whose shares a bound would tell where it begins to bind. Nothing was sent. State the share itself, or use the service on this machine.',
  },
  budget: {
    title: 'over budget',
    explanation:
      'The most rows that the run could be billed for, or the datasets that it would train, exceed the budget of the study, or the lower one of --budget-rows. Nothing was sent. Select fewer scenarios, or raise the budget.',
  },
  cells_not_offered: {
    title: 'the service takes no cells',
    explanation:
      'A scenario states `cells`, and the OpenAPI document of the service does not have them: it is another or an older service, or it protects the seeds of its datasets, of which a cell would tell whether anybody is in it. Nothing was sent. State shares of the columns, or use the service on this machine.',
  },
  column_missing: {
    title: 'the result lacks a column',
    explanation:
      'The result lacks a column for which the scenario sets a share, a range or a mean. The result was discarded. Report it to the operator of the service.',
  },
  conditions: {
    title: 'conditions do not fit the data',
    explanation:
      'Scenarios name columns or levels that the cleaned data do not have. Each is reported with its place and a code. Nothing was generated.',
  },
  data_folder_in_use: {
    title: 'another process uses the embedded service',
    explanation:
      'The embedded service of a project serves one process at a time, and another process held its data folder until the timeout. Run again when that process has ended, wait longer with --lock-timeout, or share one service between processes with whatif serve.',
  },
  dataset_gone: {
    title: 'the dataset is gone',
    explanation:
      'A dataset named by its id no longer exists at the service: trained datasets are kept for 7 days at most. Name a current one with --dataset NAME=DATASET_ID, or a seed file in the study.',
  },
  dataset_of_file: {
    title: 'the lock describes a seed file',
    explanation:
      'whatif lock records the seed file of a dataset, so --dataset cannot replace it there. Omit --dataset.',
  },
  dead_replay: {
    title: 'the service repeats an answer whose result is gone',
    explanation:
      'The service knows the request and answers it with work that it no longer has. Run with --scope LABEL, which makes it new work and is billed.',
  },
  declarations: {
    title: 'the seed file does not fit its declarations',
    explanation:
      'The study declares something about the columns of a seed file that its rows contradict. Each contradiction is reported with the column, what was found and what to write instead. Nothing was sent.',
  },
  export_failed: {
    title: 'the result file cannot be made',
    explanation:
      'The rows have arrived and are kept in the folder "received" of the output. The file in the form that the study asks for (`format: sav`, `names: original`) could not be made of them. Run again: nothing is requested or billed for it. If it happens again, report it to the makers of whatif.',
  },
  failed: {
    title: 'the work failed',
    explanation:
      'A training or a generation ended without a result. The text next to the code has the reason, if the service gave one. Remove the cause, then run with --retry-failed, which is new work and counts against the budget. The run ends with exit code 7.',
  },
  file_changed: {
    title: 'a result was changed by hand',
    explanation:
      'The run would replace a result file that was changed since this study wrote it. Nothing was sent. Move the file away, or pass --overwrite.',
  },
  file_exists: {
    title: 'a file or folder blocks a result',
    explanation:
      'The path of a result holds a folder, a seed file, or a file that this study did not write. Move it away and run again: the generated rows are fetched and not billed twice. --overwrite replaces a file.',
  },
  generation_missing: {
    title: 'the service lost a generation',
    explanation:
      'The job has ended, and the service has no generation for it. --retry-failed requests it again; report it to the operator of the service.',
  },
  invalid_study: {
    title: 'the study is invalid',
    explanation: 'The study file has faults. Each is reported with its place and a code. Nothing was sent.',
  },
  lock_unusable: {
    title: 'the lock file cannot be used',
    explanation:
      'The lock file next to the study is not a valid lock file. Run whatif lock, which makes it again from the study and its data.',
  },
  lock_unwritable: {
    title: 'the lock file cannot be written',
    explanation: 'The path of the lock file is not writable. Change the rights of the file or its folder.',
  },
  locked: {
    title: 'the data differ from the lock file',
    explanation:
      'With --locked a study runs only against the data that its lock file describes. Run whatif lock, review the difference, and commit it.',
  },
  means_not_offered: {
    title: 'the service takes no means',
    explanation:
      'A scenario states `means`, and the OpenAPI document of the service does not have them: it is another or an older service, or it protects the seeds of its datasets, whose largest values a mean would tell. Nothing was sent. Use ranges, or shares of bands of the column, or the service on this machine.',
  },
  name_taken: {
    title: 'another study has this name',
    explanation:
      'Results and state belong to the name of a study, and another file of this project has the same name. Give one of them another name.',
  },
  no_dataset_named: {
    title: 'the dataset is ambiguous',
    explanation: 'The study has several datasets. Name one of them: whatif inspect FILE#DATASET.',
  },
  no_such_dataset: {
    title: 'the study has no such dataset',
    explanation: 'The name after # is not a dataset of the study. The message lists the datasets.',
  },
  not_confirmed: {
    title: 'nobody confirmed the bill',
    explanation:
      'A billed run asks for confirmation first. Answer yes, pass --yes, or give the study a budget (budget.rows_per_run). Nothing was sent.',
  },
  not_uploaded: {
    title: 'a dataset named by id cannot be trained again',
    explanation:
      '--force-dataset uploads a seed file again, and this dataset has none. --force generates from it again.',
  },
  nothing_selected: {
    title: 'the selection matches nothing',
    explanation:
      '--select, --exclude or --force leave no scenario. whatif list prints all ids; --allow-empty permits an empty selection.',
  },
  part_missing: {
    title: 'no part has rows of the scenario',
    explanation:
      'whatif merge makes one result of the parts of a study and submits nothing. The part to which the scenario belongs is not there, its run has not ended, or it was run with another version of the study or of its data. Run that part again with whatif run --shard, and merge again; parts that are complete stay as they are.',
  },
  parts_unusable: {
    title: 'the parts cannot be merged',
    explanation:
      'whatif merge found no part where it looked, a part that is damaged, or parts that do not belong together: of another study, another number of parts, another service, another --scope or another --rows. Nothing was written. The message names the part and the remedy.',
  },
  path_hidden: {
    title: 'a path is hidden',
    explanation:
      'The study names a hidden file, something in a hidden folder, or a private key. Nothing was read. Put the data or the results elsewhere, or pass --allow-hidden.',
  },
  path_outside_project: {
    title: 'a path is outside the project',
    explanation:
      'Seed files and results must be inside the project, including the targets of links. Move them there, or pass --allow-outside.',
  },
  place_taken: {
    title: 'results cannot be put in their places',
    explanation:
      'A folder or a file is at the path of a result. Nothing was sent. Move it away, or choose another name or output.dir.',
  },
  row_count_mismatch: {
    title: 'the number of rows differs from the service’s report',
    explanation:
      'The file has more or fewer rows than the service reported. The result was discarded. Report it to the operator of the service.',
  },
  saved_plan_stale: {
    title: 'the saved plan is stale',
    explanation:
      'The study, the data, the lock file, the state or an action changed since whatif plan --save. Nothing was sent. Plan again, review the plan, and run that.',
  },
  seed_bucket: {
    title: 'a bucket that studies may not read',
    explanation:
      'A dataset names an object in a bucket that WHATIF_SEED_BUCKETS of this machine does not name. Nothing was read. Add the bucket if you trust the study with it.',
  },
  seed_object: {
    title: 'an object in a bucket cannot be read',
    explanation:
      'A dataset names an object in a bucket, and the storage refuses it, cannot be reached or needs credentials; or the program reads no buckets. The message says which, and what to do.',
  },
  seed_file_missing: {
    title: 'a seed file does not exist',
    explanation:
      'The study names a seed file or an object in a bucket that does not exist. Paths are relative to the study file.',
  },
  seed_file_not_regular: {
    title: 'a seed file is not a regular file',
    explanation: 'The path names a folder, a pipe or a device. Name a file.',
  },
  seed_file_too_large: {
    title: 'a seed file is too large',
    explanation: 'The service accepts seed files of at most 500 MB.',
  },
  seed_file_unreadable: {
    title: 'a seed file cannot be opened',
    explanation: 'The file exists and cannot be opened; the message has the reason. Often its rights are the cause.',
  },
  seed_file_not_data: {
    title: 'a seed file is not yet the data',
    explanation:
      'A pointer of Git LFS, DVC or git-annex lies where the table should be, or the file has marks of an unresolved merge. The message says how to get the data, or names the lines.',
  },
  seed_file_changed: {
    title: 'a seed file does not match its pin',
    explanation:
      'The study pins the SHA-256 of its seed file, and the file has another one. Restore the file, or change the pin.',
  },
  shared_state: {
    title: 'the shared state cannot be used',
    explanation:
      'WHATIF_STATE names a bucket for the state of the studies, and it cannot be reached, refuses the credentials, or does not keep to conditional writes (If-None-Match, If-Match), without which two machines could overwrite each other; or --scope and --reads do not fit it. The message says which. Nothing was sent to the service.',
  },
  state_unreadable: {
    title: 'the recorded state cannot be read',
    explanation:
      'The state that whatif keeps about the study is damaged. Delete the folder that the message names and run again; nothing is lost.',
  },
  too_many_rows: {
    title: 'the result has more rows than requested',
    explanation:
      'The file has more rows than were requested. It was discarded. Report it to the operator of the service.',
  },
  unconfirmed_design: {
    title: 'the service ignores how the rows were drawn',
    explanation:
      'The study declares the design of a survey (strata, clusters or replicate weights), and the service does not confirm that it knows it (`design` of the training summary). Its standard errors would be those of rows drawn one by one, and too small. Nothing was generated. Use a service that knows survey designs, or take `design` out of the study.',
  },
  unconfirmed_rules: {
    title: 'the service does not keep rules',
    explanation:
      'The study declares rules that rows follow, and the service does not confirm that its rows keep them (`rules` of the training summary). Nothing was generated. Use a service that keeps rules, or take `rules` out of the study.',
  },
  unconfirmed_weight: {
    title: 'the service does not weight the rows',
    explanation:
      'The study declares the weights of a survey, and the service does not confirm that it trained with them (`weight_column` of the training summary). Its results would describe the unweighted respondents. Nothing was generated. Use a service that weights, or take `weight` out of the study.',
  },
  unknown_dataset: {
    title: 'a flag names a dataset that the study does not have',
    explanation: '--dataset or --force-dataset names no dataset of the study. The message lists the datasets.',
  },
} as const satisfies Record<string, FaultMeaning>

export type FaultCode = keyof typeof FAULT_MEANINGS
