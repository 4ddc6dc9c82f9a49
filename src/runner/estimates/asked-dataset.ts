import type { CallOptions, ServiceClient } from '../../client/service-client.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { Study } from '../../study/study.ts'

/** A trained dataset, and how its service is asked. */
export interface AskedDataset {
  /** Its name in the study, or that of its file. */
  readonly name: string
  /** Null: it is of a file alone. */
  readonly study: Study | null
  readonly datasetId: string
  readonly client: ServiceClient
  readonly call: CallOptions
}

/** A dataset of a study, as far as the state knows it. */
export interface TrainedDataset extends AskedDataset {
  readonly study: Study
  readonly schema: readonly AnySchemaColumn[]
  /** By scenario: its request as the plan would send it; null while a seed is not drawn. */
  readonly bodies: ReadonlyMap<string, string | null>
}
