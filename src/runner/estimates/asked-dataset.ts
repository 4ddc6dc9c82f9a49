import type { CallOptions, ServiceClient } from '../../client/service-client.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import type { SensitivityRecord } from '../../records/sensitivity.ts'
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
  /** The rows that a figure is counted in; absent: all. */
  readonly where?: CountedRows | undefined
  /** What shares are shares of; absent: see percentage-base.ts. */
  readonly base?: 'all' | 'valid' | undefined
}

/** Rows of a dataset, as a service is asked for them and as they are told. */
export interface CountedRows {
  readonly asked: NonNullable<EstimateRequest['where']>
  readonly told: NonNullable<SensitivityRecord['where']>
}

/** A dataset of a study, as far as the state knows it. */
export interface TrainedDataset extends AskedDataset {
  readonly study: Study
  readonly schema: readonly AnySchemaColumn[]
  /** By scenario: its request as the plan would send it; null while a seed is not drawn. */
  readonly bodies: ReadonlyMap<string, string | null>
}
