import type { ScenarioStanding } from '../../answers/manifest/scenario-result.ts'
import { SCENARIO_STATUSES } from '../../answers/manifest/scenario-statuses.ts'
import { dataRecord } from '../../base/data-record.ts'
import type {
  Manifest,
  ManifestDiagnostic,
  ManifestOutcome,
  ManifestStatus,
  ManifestTotals,
} from '../../records/manifest/manifest.ts'
import type { ManifestScenario, ScenarioTrace } from '../../records/manifest/scenarios.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { knownBacktests } from '../backtests/study-backtests.ts'
import { schemaFindings } from '../datasets/check-schemas.ts'
import { knownStudy } from '../estimates/known-study.ts'
import { resultOf } from '../generations/scenario-results.ts'
import { endOfLife } from '../plan/study-state.ts'
import type { RunSoFar } from '../session/plan-run.ts'
import { isJudged, standingOfParts } from '../shards/missing-parts.ts'
import { datasetEntry, datasetTrace } from './dataset-entries.ts'
import { knownComparisons } from './known-comparisons.ts'
import { namedColumns } from './result-labels.ts'
import { scenarioDescription, studyOutline } from './study-outline.ts'

/** The input of a run's manifest at one moment. */
export interface ManifestMoment {
  readonly status: ManifestStatus
  readonly outcome: ManifestOutcome | null
  readonly finishedAt: string | null
}

/** The spelling of the file changes no result, so it must not change the digest that citations use. */
const OF_SPELLING: ReadonlySet<string> = new Set(['W1208', 'W3101'])

/** The manifest of a run at this moment. Comparisons are computed when the run is over. */
export function runManifest(run: RunSoFar, moment: ManifestMoment): Manifest {
  const { request, seedFiles, plan } = run
  const known = knownStudy(run)
  const { study, standings } = known
  const parts = standingOfParts(run)
  const judged = isJudged(study, parts)
  const results = study.scenarios.map((s) => {
    const found = resultOf(run, s.id, standings.get(s.id)!)
    const result = judged ? found : { ...found, gates: [] }
    const description = scenarioDescription(study, s)
    const { replicate } = s
    return [
      s.id,
      { ...result, ...(description !== undefined && { description }), ...(replicate && { replicate }) },
    ] as const
  })
  const isOver = moment.finishedAt !== null && study.shard === undefined
  const judgedOf = <R extends { readonly gates: readonly unknown[] }>(found: Record<string, R>) =>
    judged ? found : withoutGates(found)
  const comparisons = judgedOf(isOver ? knownComparisons(known) : {})
  const backtests = isOver ? knownBacktests(known) : undefined
  const used = new Set(study.scenarios.map((s) => s.dataset))
  const datasets = [...study.datasets.keys()].filter((name) => used.has(name))
  const fingerprints = new Map(plan?.datasets.map(({ id, fingerprint }) => [id, fingerprint]))
  const entryOf = (name: string) =>
    datasetEntry(
      study,
      name,
      { record: known.datasets.get(name), seed: seedFiles?.get(name), fingerprint: fingerprints.get(name) ?? null },
      namedColumns(name, results, comparisons),
    )
  return {
    manifest_version: 1,
    study: {
      name: study.name,
      version: 1,
      digest: plan?.study.digest ?? null,
      baseline: study.baseline,
      ...studyOutline(study),
    },
    status: moment.status,
    outcome: moment.outcome,
    totals: totalsOf(results.map(([, result]) => result)),
    datasets: dataRecord(datasets.map((name) => [name, entryOf(name)] as const)),
    scenarios: dataRecord(results),
    comparisons,
    ...(backtests !== undefined && { backtests: judgedOf(backtests) }),
    diagnostics: diagnosticsOf(run),
    trace: {
      datasets: dataRecord(datasets.map((name) => [name, datasetTrace(known.datasets.get(name))] as const)),
      scenarios: dataRecord([...standings].map(([id, standing]) => [id, scenarioTrace(standing)] as const)),
    },
    run: {
      id: run.runId,
      actions: dataRecord(study.scenarios.map((s) => [s.id, actionOf(run, s.id)] as const)),
      rows_billable: rowsOf(run, run.sent.bought),
      rows_collected: rowsOf(run, run.sent.collected),
      started_at: run.startedAt,
      finished_at: moment.finishedAt,
      ...request.provenance,
      scope: run.options.scope,
      ...(study.trial !== undefined && { trial: study.trial }),
      ...(study.shard !== undefined && { shard: study.shard }),
      ...(parts !== null && { parts }),
      service: request.service.kind,
    },
  }
}

function withoutGates<R extends { readonly gates: readonly unknown[] }>(
  results: Readonly<Record<string, R>>,
): Record<string, R> {
  return dataRecord(Object.entries(results).map(([id, result]) => [id, { ...result, gates: [] }]))
}

/** Findings of the study file, and of its conditions against every known schema. */
export function allDiagnostics(run: RunSoFar): Diagnostic[] {
  return [...run.request.diagnostics, ...schemaFindings(run)]
}

export function totalsOf(results: readonly ManifestScenario[]): ManifestTotals {
  const counts = SCENARIO_STATUSES.map((status) => [status, results.filter((r) => r.status === status).length])
  return {
    scenarios: results.length,
    ...(Object.fromEntries(counts) as Record<ManifestScenario['status'], number>),
    rows_requested: results.reduce((sum, r) => sum + r.rows.requested, 0),
    rows_generated: results.reduce((sum, r) => sum + (r.rows.counted ?? 0), 0),
  }
}

function scenarioTrace({ record }: ScenarioStanding): ScenarioTrace {
  const end = record === null ? null : endOfLife(record)
  return {
    generation_id: record?.generationId ?? null,
    job_id: record?.jobId ?? null,
    dataset_id: record?.datasetId ?? null,
    idempotency_key: record?.key ?? null,
    epoch: record?.epoch ?? null,
    attempts: record?.attempts ?? 0,
    request_ids: record?.requestIds ?? [],
    submitted_at: record?.submittedAt ?? null,
    completed_at: record?.completedAt ?? null,
    download_before: end === null ? null : new Date(end).toISOString(),
    ...(record?.model != null && { model_id: record.model.id }),
  }
}

function actionOf(run: RunSoFar, id: string): string {
  const end = run.progress.ends.get(id)
  if (end === undefined) return run.planned?.get(id)?.selected === false ? 'not_selected' : 'none'
  return end.kind === 'done' ? end.how : end.status
}

/**
 * Rows of ended work; each key once, however many scenarios share it. Counted when the service does not report them.
 */
function rowsOf(run: RunSoFar, keys: Iterable<string>): number {
  let rows = 0
  for (const key of keys) {
    const work = run.store.state.generations.get(key)
    rows += work?.rowsReported ?? work?.artifact?.measured.rows ?? 0
  }
  return rows
}

/** Sorted, because the sequence in the file does not affect the results. */
function diagnosticsOf(run: RunSoFar): ManifestDiagnostic[] {
  return allDiagnostics(run)
    .filter(({ code }) => !OF_SPELLING.has(code))
    .map(({ severity, code, summary, detail, suggestions }) => ({ severity, code, summary, detail, suggestions }))
    .map((finding) => [JSON.stringify([finding.code, finding.summary, finding.detail]), finding] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, finding]) => finding)
}
