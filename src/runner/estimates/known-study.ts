import type { ScenarioStanding } from '../../answers/manifest/scenario-result.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { EstimateRecord } from '../../records/state/estimates.ts'
import type { Scenario, Study } from '../../study/study.ts'
import { standingOf } from '../generations/scenario-results.ts'
import type { ScenarioPlan } from '../plan/plan.ts'
import { type DatasetRecord, datasetRecord } from '../session/dataset-records.ts'
import type { RunSoFar } from '../session/plan-run.ts'

/** What is known of a study at one moment: what its manifest and the questions about its seeds are made of. */
export interface KnownStudy {
  readonly study: Study
  /** Of the study, by id. */
  readonly scenarios: ReadonlyMap<string, Scenario>
  /** By scenario. */
  readonly standings: ReadonlyMap<string, ScenarioStanding>
  /** By scenario; empty before the first plan. */
  readonly planned: ReadonlyMap<string, Pick<ScenarioPlan, 'body' | 'selected'>>
  /** By name in the study: the datasets that have a record. */
  readonly datasets: ReadonlyMap<string, DatasetRecord>
  /** Cleaned schemas, by the id of the dataset at the service. */
  readonly schemas: ReadonlyMap<string, readonly AnySchemaColumn[]>
  /** Answers of the service, by the key of the question. They grow as questions are asked. */
  readonly answers: ReadonlyMap<string, EstimateRecord>
  /** Keys of questions without an answer in this run. */
  readonly unanswered: ReadonlySet<string>
}

export function knownStudy(run: RunSoFar): KnownStudy {
  const { study, scenarios, store, known, planned = new Map() } = run
  const { uploads, existing, estimates } = store.state
  const datasets = new Map<string, DatasetRecord>()
  for (const name of study.datasets.keys()) {
    const record = datasetRecord(run, name)
    if (record !== null) datasets.set(name, record)
  }
  const schemas = new Map<string, readonly AnySchemaColumn[]>()
  for (const { datasetId, schema } of [...uploads.values(), ...existing.values()])
    if (datasetId !== null && schema !== null && !schemas.has(datasetId)) schemas.set(datasetId, schema)
  return {
    study,
    scenarios,
    standings: new Map(study.scenarios.map(({ id }) => [id, standingOf(run, id)])),
    planned,
    datasets,
    schemas,
    answers: estimates,
    unanswered: known.unanswered,
  }
}
