/** What is remembered of generations, and of the scenarios whose artifacts they made. */

import { z } from 'zod'
import type { DeepReadonly } from '../../base/deep-readonly.ts'
import { count, number, text, texts } from '../values/common-values.ts'
import { NearestMix } from '../values/nearest-mix.ts'
import { BindingTarget } from '../values/service-account.ts'
import { Measurement } from './measurements.ts'
import { RecordedModel, requestFields } from './requests.ts'

/** The parts of a dataset's fingerprint, to explain changes. */
const DatasetInputs = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    fileSha256: text,
    autoClean: z.boolean(),
    /** `declarationsDigest`; absent when the study declares nothing about the file. */
    declarations: text.optional(),
    /** Of the seed file, where declarations make another one of it; absent in states of older versions. */
    seedSha256: text.optional(),
  }),
  z.object({ kind: z.literal('existing'), datasetId: text, schemaSha256: text }),
])

const RecordedShortfall = z.object({
  detail: text,
  binding: z.array(BindingTarget),
  /** Absent in states of earlier versions, and where the service knows none. */
  nearest_mix: NearestMix.optional(),
})

/** The service's account of the seed data behind the rows; absent values are unknown. */
const RecordedEvidence = z.object({
  effective_rows: number,
  exact: z.boolean().optional(),
  largest_tilt: number,
  in_range_share: number.optional(),
  low_support: z.boolean().optional(),
  converged: z.boolean().optional(),
})

const StoredArtifact = z.object({ sha256: text, bytes: count, measured: Measurement })

export const GenerationRecord = z.object({
  ...requestFields,
  /** Scenario it was first submitted for. */
  scenario: text,
  fingerprint: text,
  /** Name in the study. */
  dataset: text,
  datasetFingerprint: text,
  datasetInputs: DatasetInputs,
  datasetId: text,
  /** Canonical body, byte for byte as sent. */
  body: text,
  /** As of uploads; `processing`: accepted; `ready` and `partial`: done at the service. */
  status: z.enum(['prepared', 'processing', 'ready', 'partial', 'failed', 'refused', 'gone']),
  generationId: text.nullable(),
  /** The service's `rows_generated`. */
  rowsReported: count.nullable(),
  shortfall: RecordedShortfall.nullable(),
  /** Null when the service does not report it; absent in states of earlier versions. */
  evidence: RecordedEvidence.nullable().optional(),
  model: RecordedModel.nullable().optional(),
  /** Set once the artifact was downloaded and verified. */
  artifact: StoredArtifact.nullable(),
})

/** The result file that was made of an artifact, when the study asks for another form. */
const ExportedRecord = z.object({
  /** As the artifact's. */
  path: text,
  bytes: count,
  sha256: text,
  /** Hash of everything that the file is made of. */
  recipe: text,
  notes: texts,
})

export const ScenarioRecord = z.object({
  scenario: text,
  key: text,
  fingerprint: text,
  /** Relative to the folder that holds `.whatif`, with `/`. */
  path: text,
  sha256: text,
  /** If it is absent, the file is made again. */
  exported: ExportedRecord.optional().catch(undefined),
})

export type DatasetInputs = DeepReadonly<z.infer<typeof DatasetInputs>>
export type RecordedShortfall = DeepReadonly<z.infer<typeof RecordedShortfall>>
export type RecordedEvidence = DeepReadonly<z.infer<typeof RecordedEvidence>>
export type StoredArtifact = DeepReadonly<z.infer<typeof StoredArtifact>>
export type GenerationRecord = DeepReadonly<z.infer<typeof GenerationRecord>>
export type GenerationStatus = GenerationRecord['status']
export type ExportedRecord = DeepReadonly<z.infer<typeof ExportedRecord>>
export type ScenarioRecord = DeepReadonly<z.infer<typeof ScenarioRecord>>
