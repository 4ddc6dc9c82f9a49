/** What a run writes beside its manifest, so that somebody else can check what it used and what it made. */

import { z } from 'zod'
import type { Written } from './manifest/written.ts'
import { byName, count, moment, sha256, text } from './values/common-values.ts'

const digest = { bytes: count, sha256 }

const FileDigest = z.object(digest).meta({ id: 'digest' })

const RecordedFile = z.object({ path: text.describe('Relative to this file, with `/`.'), ...digest }).meta({
  id: 'file',
})

const SourceFile = z
  .object({
    path: text.nullable().describe('Relative to the root of the project; null for one outside it.'),
    ...digest,
  })
  .meta({ id: 'source' })

const RecordedDataset = z
  .object({
    source: text.nullable().describe('As written in the study; null for a dataset named by its id.'),
    file: FileDigest.nullable().describe('The seed file as it lies there; null where this run did not read it.'),
    sent: FileDigest.nullable().describe(
      'What was sent: the file, or what the declarations made of it; null where this run did not read it.',
    ),
    declarations: sha256.nullable().describe('Of what the study declares about the file; null: nothing.'),
    fingerprint: sha256.nullable(),
    model_id: text.nullable().describe('Identity of the trained model; null when the service does not tell.'),
  })
  .meta({ id: 'dataset' })

const RecordedScenario = z
  .object({
    result: RecordedFile.describe('The rows in the form that the study asks for.'),
    received: RecordedFile.nullable().describe('What the service sent; null if that is the result itself.'),
  })
  .meta({ id: 'scenario' })

/** The content of `run-record.json`, version 1. docs/verify.md says which terms are those of PROV and RO-Crate. */
export const RunRecord = z.object({
  record_version: z.literal(1),
  folder: text.nullable().describe('Of this file, relative to the root of the project; null outside it.'),
  run: z.object({ id: text, startedAtTime: moment, endedAtTime: moment.nullable() }),
  used: z.object({
    study: SourceFile.nullable().describe('The text of the study file; null where the caller gave none.'),
    lock: SourceFile.nullable().describe('The lock file of the study; null: there was none.'),
    datasets: byName(RecordedDataset),
  }),
  generated: z.object({
    manifest: z.object({
      path: text,
      ...digest,
      digest: sha256.describe('Of the results: everything but `run` and `trace`.'),
    }),
    report: RecordedFile.nullable().describe('The page of this run; null: it wrote none.'),
    scenarios: byName(RecordedScenario),
  }),
  environment: z.object({
    tool: text.describe('Version of whatif.'),
    engine: text.nullable().describe('Version of the engine; null for a remote service.'),
    node: text,
    platform: text.describe('Operating system and architecture, as Node names them.'),
    service: z.enum(['embedded', 'remote']),
  }),
})

export type RunRecord = Written<z.infer<typeof RunRecord>>
export type RecordedFile = Written<z.infer<typeof RecordedFile>>
export type FileDigest = Written<z.infer<typeof FileDigest>>
