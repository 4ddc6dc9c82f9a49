import type { UploadRecord } from '../../records/state/datasets.ts'
import { askedTypes } from '../../study/live-schema/asked-types.ts'
import type { FileDataset } from '../../study/study.ts'
import { cleanedSchema, currentUpload } from '../session/dataset-records.ts'
import type { RunSoFar } from '../session/plan-run.ts'

/** A trained dataset, and the types that it is to be trained again with. */
export interface OtherTypes {
  readonly trained: UploadRecord
  readonly types: NonNullable<UploadRecord['types']>
}

/**
 * Null where the dataset is not trained, or fits the study's use, or was trained with these types and its service still takes the
 * columns for something else.
 */
export function otherTypes(run: RunSoFar, dataset: FileDataset): OtherTypes | null {
  const trained = currentUpload(run, dataset)
  if (trained?.status !== 'ready' || trained.schema === null) return null
  const asked = [...askedTypes(run.study, dataset, cleanedSchema(trained, ''))]
  if (asked.every(([column, type]) => trained.types?.[column] === type)) return null
  return { trained, types: { ...trained.types, ...Object.fromEntries(asked) } }
}
