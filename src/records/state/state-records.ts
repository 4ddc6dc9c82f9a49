/**
 * The records in `state.json` and `journal.ndjson`, by their list: anybody who can write there must not be able to crash a run.
 */

import { ExistingRecord, UploadRecord } from './datasets.ts'
import { EstimateRecord } from './estimates.ts'
import { GenerationRecord, ScenarioRecord } from './generations.ts'

export const STATE_RECORDS = {
  uploads: UploadRecord,
  generations: GenerationRecord,
  existing: ExistingRecord,
  scenarios: ScenarioRecord,
  estimates: EstimateRecord,
}
