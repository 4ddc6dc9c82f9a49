import type { ComparedSide } from '../../answers/comparisons/compared-sides.ts'
import { compareScenarios } from '../../answers/comparisons/comparisons.ts'
import { manifestColumns, sequenceOf, usedColumns, withOutcomes } from '../../answers/counts/natural-columns.ts'
import { modelQuality } from '../../answers/manifest/model-quality.ts'
import type { ScenarioStanding } from '../../answers/manifest/scenario-result.ts'
import { hasRows, SCENARIO_STATUSES } from '../../answers/manifest/scenario-statuses.ts'
import { dataRecord } from '../../base/data-record.ts'
import type { DatasetTrace, ManifestDataset } from '../../records/manifest/datasets.ts'
import type {
  Manifest,
  ManifestDiagnostic,
  ManifestOutcome,
  ManifestStatus,
  ManifestTotals,
} from '../../records/manifest/manifest.ts'
import type { ManifestScenario, ScenarioTrace } from '../../records/manifest/scenarios.ts'
import type { UploadRecord } from '../../records/state/datasets.ts'
import type { GenerationRecord } from '../../records/state/generations.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { membersOf } from '../../study/replicates.ts'
import type { Comparison } from '../../study/study.ts'
import { knownBacktests } from '../backtests/study-backtests.ts'
import { schemaFindings } from '../datasets/check-schemas.ts'
import { knownEstimates, knownSegments } from '../estimates/estimate-questions.ts'
import { resultOf, standingOf } from '../generations/scenario-results.ts'
import { endOfLife } from '../plan/study-state.ts'
import { datasetRecord, schemaOfDataset } from '../session/dataset-records.ts'
import type { RunSoFar } from '../session/plan-run.ts'
import { isJudged, standingOfParts } from '../shards/missing-parts.ts'
import { labelsOf, namedColumns } from './result-labels.ts'
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
  const { study, request } = run
  const judged = isJudged(run)
  const standings = new Map(study.scenarios.map((s) => [s.id, standingOf(run, s.id)]))
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
  const used = new Set(study.scenarios.map((s) => s.dataset))
  const datasets = [...study.datasets.keys()].filter((name) => used.has(name))
  const compared =
    moment.finishedAt === null || study.shard !== undefined
      ? {}
      : withOutcomes(
          study,
          compareScenarios(
            study,
            sidesOf(run, standings),
            (c, id) => knownEstimates(run, c, id),
            (c, id) => ({ estimates: knownSegments(run, c, id), order: segmentOrder(run, c) }),
          ),
          (name) => datasetRecord(run, datasetNameOf(run, name))?.schema ?? [],
        )
  const comparisons = judged ? compared : withoutGates(compared)
  const known = moment.finishedAt === null || study.shard !== undefined ? undefined : knownBacktests(run)
  const backtests = known === undefined || judged ? known : withoutGates(known)
  const datasetRecords = datasets.map(
    (name) => [name, datasetOf(run, name, namedColumns(name, results, comparisons))] as const,
  )
  return {
    manifest_version: 1,
    study: {
      name: study.name,
      version: 1,
      digest: run.plan?.study.digest ?? null,
      baseline: study.baseline,
      ...studyOutline(study),
    },
    status: moment.status,
    outcome: moment.outcome,
    totals: totalsOf(results.map(([, result]) => result)),
    datasets: dataRecord(datasetRecords),
    scenarios: dataRecord(results),
    comparisons,
    ...(backtests !== undefined && { backtests }),
    diagnostics: diagnosticsOf(run),
    trace: {
      datasets: dataRecord(datasets.map((name) => [name, datasetTrace(run, name)] as const)),
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
      ...(request.parts !== undefined && { parts: standingOfParts(run, request.parts) }),
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

/** @param named the columns that results name. */
function datasetOf(run: RunSoFar, name: string, named: ReadonlySet<string>): ManifestDataset {
  const source = run.study.datasets.get(name)
  const seed = run.seedFiles?.get(name)
  const record = datasetRecord(run, name)
  const cleaning = record?.cleaning ?? null
  const labels = labelsOf(record?.schema ?? [], named)
  const columns = manifestColumns(record?.schema ?? [], usedColumns(run.study, name))
  return {
    fingerprint: run.plan?.datasets.find((d) => d.id === name)?.fingerprint ?? null,
    schema_sha256: record?.schemaSha256 ?? null,
    source: source?.kind === 'file' ? source.file : null,
    sha256: seed?.fileSha256 ?? null,
    ...(seed !== undefined && { bytes: seed.fileBytes }),
    ...(seed !== undefined && seed.remarks !== null && { sent: { bytes: seed.bytes, sha256: seed.sha256 } }),
    cleaning:
      cleaning === null
        ? null
        : {
            input_rows: cleaning.inputRows,
            clean_rows: cleaning.cleanRows,
            input_columns: cleaning.inputColumns,
            clean_columns: cleaning.cleanColumns,
            dropped_columns: cleaning.dropped.map(({ name: column, reason }) => ({ name: column, reason })),
          },
    ...(record?.schema && { cleaned_columns: record.schema.map((column) => column.name) }),
    ...(labels !== undefined && { labels }),
    ...(columns !== undefined && { columns }),
    ...(record?.quality != null && { quality: modelQuality(record.quality) }),
  }
}

function datasetTrace(run: RunSoFar, name: string): DatasetTrace {
  const record = datasetRecord(run, name)
  const upload = record !== null && 'key' in record ? (record as UploadRecord) : null
  return {
    dataset_id: record?.datasetId ?? null,
    trained_at: record?.trainedAt ?? null,
    expires_at: record?.expiresAt ?? null,
    idempotency_key: upload?.key ?? null,
    request_ids: record?.requestIds ?? [],
    ...(record?.model != null && { model_id: record.model.id }),
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

/** Levels of the column that divides a comparison, in the sequence of the data. */
function segmentOrder(run: RunSoFar, { by, against }: Comparison): readonly string[] {
  const column = datasetRecord(run, datasetNameOf(run, against))?.schema?.find(({ name }) => name === by)
  return column === undefined ? [] : sequenceOf(column)
}

/** Of a scenario by its name in comparisons. */
const datasetNameOf = ({ study, scenarios }: RunSoFar, name: string): string =>
  scenarios.get(membersOf(study, name)[0] ?? name)?.dataset ?? ''

function sidesOf(run: RunSoFar, standings: ReadonlyMap<string, ScenarioStanding>): Map<string, ComparedSide> {
  return new Map(
    [...standings].map(([id, { status, record }]) => {
      const isDone = hasRows(status)
      return [
        id,
        {
          measured: isDone ? (record?.artifact?.measured ?? null) : null,
          datasetId: record?.datasetId ?? null,
          modelId: record?.model?.id ?? null,
          schema: schemaOfDataset(run, record?.datasetId ?? null),
          effectiveRows: evidenceRows(record),
          selected: run.planned?.get(id)?.selected ?? true,
        },
      ]
    }),
  )
}

/** Null as well for a value that is not a number of rows, because nothing can be bounded by it. */
function evidenceRows(record: GenerationRecord | null): number | null {
  const rows = record?.evidence?.effective_rows ?? 0
  return rows >= 1 ? rows : null
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
