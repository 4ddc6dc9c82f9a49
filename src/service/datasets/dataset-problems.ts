import { ProblemError } from '../http/problem-error.ts'
import type { DatasetRow } from '../records/dataset-records.ts'

/** 404 for an unknown identifier, another tenant's dataset, and a deleted or expired one alike. */
export function noSuchDataset(): ProblemError {
  return new ProblemError('svc_not_found', 'There is no such dataset.')
}

/** 409 for a dataset in training. */
export function datasetNotReady(row: Pick<DatasetRow, 'job_id'>): ProblemError {
  return new ProblemError('svc_dataset_not_ready', `The dataset is in training; poll job ${row.job_id}.`, {
    headers: { 'retry-after': '2' },
  })
}
