import { isWholeNumber } from '../../base/text/whole-number.ts'
import type { SchemaColumn } from '../../contract/datasets.ts'
import type {
  EstimateRequest,
  Estimates,
  FurtherEstimate,
  OutcomeEstimate,
  SegmentEstimate,
} from '../../contract/estimates.ts'
import { MAX_ESTIMATE_OUTCOMES, MAX_ESTIMATED_LEVELS, MAX_ESTIMATED_SEGMENTS } from '../../contract/limits.ts'
import type {
  Estimates as EngineEstimates,
  EstimatedSegment,
  EstimatedSide,
} from '../../engine/estimates/estimate-differences.ts'
import type { EstimatedBase, EstimatedDifference } from '../../engine/estimates/figures.ts'
import type { EstimatedOutcome, RequestedOutcome } from '../../engine/estimates/outcome-estimates.ts'
import type { Feasibility } from '../../engine/scenario/scenario.ts'
import type { ServiceContext } from '../context/context.ts'
import { datasetNotReady, noSuchDataset } from '../datasets/dataset-problems.ts'
import { modelIdentity } from '../datasets/model-identity.ts'
import { storedSchemas } from '../datasets/stored-schemas.ts'
import { checkConditions } from '../generations/check-conditions.ts'
import { noFaults, problemOf, unknownColumn } from '../generations/condition-faults.ts'
import { shortfallOf } from '../generations/shortfall-record.ts'
import { ProblemError } from '../http/problem-error.ts'
import { WorkThreads } from '../jobs/processes/thread-pool.ts'
import { workerEntry } from '../jobs/processes/worker-entry.ts'
import { disclosureTask } from '../keys/disclosure-task.ts'
import { readDataset } from '../records/dataset-records.ts'
import type { CheckedConditions } from '../records/generation-records.ts'
import { checkFilters } from './check-filters.ts'
import type { EstimateResult, EstimateTask } from './estimate-worker.ts'
import { QuestionBudget } from './question-budget.ts'
import { TenantTurns } from './tenant-turns.ts'

export interface EstimateSubmission {
  readonly tenantId: string
  readonly clientId: string
  readonly datasetId: string
  readonly requestId: string
  readonly body: EstimateRequest
  /**
   * Ends the wait for the thread: the client has disconnected, or the service is closing. A running estimate ignores
   * it.
   */
  readonly signal: AbortSignal
}

/**
 * Answers requests for estimates in a separate thread, one at a time, with tenants in turn. The process that answers
 * HTTP may do no other work, and the thread that answers HTTP must not compute.
 */
export class Estimator {
  readonly #context: ServiceContext
  readonly #turns = new TenantTurns()
  readonly #budget: QuestionBudget
  #threads: WorkThreads<EstimateTask, EstimateResult> | null = null

  constructor(context: ServiceContext) {
    this.#context = context
    this.#budget = new QuestionBudget(context)
  }

  /**
   * Checks the dataset, the scenario, the baseline, the outcomes and the client's questions of today in this sequence. Throws the
   * faults of the first one that has any.
   */
  async estimate({ tenantId, clientId, datasetId, requestId, body, signal }: EstimateSubmission): Promise<Estimates> {
    const { db, blobs, keys, settings, now } = this.#context
    const dataset = await readDataset(db, tenantId, datasetId, now())
    if (dataset === null) throw noSuchDataset()
    const modelBlob = dataset.model_blob
    if (dataset.status === 'processing' || modelBlob === null) throw datasetNotReady(dataset)
    const schema = await (await storedSchemas(db).read(tenantId, datasetId))?.columns()
    if (schema === undefined) throw noSuchDataset()
    const { disclosure } = settings
    const scenario = await checkConditions(body.scenario, schema, { disclosure, root: 'scenario' })
    const baseline = await checkConditions(body.baseline, schema, { disclosure, root: 'baseline' })
    const together: CheckedConditions[] = []
    for (const [i, conditions] of (body.together ?? []).entries())
      together.push(await checkConditions(conditions, schema, { disclosure, root: `together.${i}` }))
    const further: { scenario: CheckedConditions; baseline: CheckedConditions }[] = []
    for (const [i, pair] of (body.further ?? []).entries())
      further.push({
        scenario: await checkConditions(pair.scenario, schema, { disclosure, root: `further.${i}.scenario` }),
        baseline: await checkConditions(pair.baseline, schema, { disclosure, root: `further.${i}.baseline` }),
      })
    const where = body.where && checkFilters(body.where, schema)
    const outcomes = checkColumns(body, schema)
    if (disclosure !== 'exact' && outcomes.some(({ quantiles }) => quantiles !== undefined)) throw quantilesNotOffered()
    await this.#budget.count({ datasetId, clientId, scenarios: [scenario, baseline, ...together], by: body.by, where })
    for (const pair of further)
      await this.#budget.count({ datasetId, clientId, scenarios: [pair.scenario, pair.baseline], where })
    const segments = body.by === undefined ? {} : { by: body.by, maxSegmentLevels: segmentLevels(outcomes.length) }
    this.#threads ??= new WorkThreads(workerEntry('estimates/estimate-worker.js'), 1)
    const threads = this.#threads
    try {
      const {
        estimates,
        further: others,
        feasibility,
        seedRows,
        keptRows,
        modelSha256,
      } = await blobs.withLocalFile(
        modelBlob,
        async (modelPath) =>
          await this.#turns.take(
            tenantId,
            signal,
            async () =>
              await threads.run(
                {
                  ...{ modelBlob, modelPath, scenario, baseline, together, further, outcomes, where, ...segments },
                  maxLevels: MAX_ESTIMATED_LEVELS,
                  maxFurtherLevels: furtherLevels(further.length * outcomes.length),
                  disclosure: disclosureTask(settings, keys.rowKeys),
                  rows: body.rows,
                  evidenceCap: settings.evidenceCap,
                },
                { signal, affinity: modelBlob, onProgress: () => {} },
              ),
          ),
      )
      return {
        dataset_id: datasetId,
        model_id: modelIdentity(modelSha256, settings, keys.rowKeys),
        seed_rows: seedRows,
        sampled_share: keptRows / seedRows,
        ...(body.where && { where: body.where }),
        scenario: sideRecord(estimates.scenario),
        baseline: sideRecord(estimates.baseline),
        outcomes: estimates.outcomes.map(outcomeRecord),
        ...(body.further && { further: others.map(furtherRecord) }),
        ...(feasibility && feasibleRows(feasibility)),
        ...(estimates.segments && { segments: estimates.segments.map(segmentRecord) }),
        request_id: requestId,
      }
    } catch (error) {
      // The dataset was deleted meanwhile, with its model.
      if ((await readDataset(db, tenantId, datasetId, now())) === null) throw noSuchDataset()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#threads?.close()
  }
}

function quantilesNotOffered(): ProblemError {
  return new ProblemError(
    'svc_quantiles_not_offered',
    'This service protects its seeds and tells no quantiles, because each is the value of some row; ask for means, or for shares of bands of the column.',
  )
}

function feasibleRows(feasibility: Feasibility): Pick<Estimates, 'feasible_rows' | 'shortfall'> {
  const shortfall = shortfallOf(feasibility)
  return { feasible_rows: feasibility.rows, ...(shortfall && { shortfall }) }
}

function sideRecord({ effectiveRows, support, lowSupport }: EstimatedSide): Estimates['scenario'] {
  return effectiveRows === null || support === null
    ? { status: 'too_few_rows', low_support: true }
    : { status: 'estimated', effective_rows: effectiveRows, support, low_support: lowSupport }
}

function furtherRecord({ scenario, baseline, outcomes }: EngineEstimates): FurtherEstimate {
  return { scenario: sideRecord(scenario), baseline: sideRecord(baseline), outcomes: outcomes.map(outcomeRecord) }
}

function segmentRecord({ level, status, scenario, baseline, outcomes }: EstimatedSegment): SegmentEstimate {
  return {
    level,
    status,
    scenario: sideRecord(scenario),
    baseline: sideRecord(baseline),
    outcomes: outcomes.map(outcomeRecord),
  }
}

function outcomeRecord(outcome: EstimatedOutcome): OutcomeEstimate {
  const { column } = outcome
  const bases = { scenario_base: baseRecord(outcome.scenarioBase), baseline_base: baseRecord(outcome.baselineBase) }
  if (outcome.kind === 'shares') {
    const levels = outcome.levels.map(({ level, ...figures }) => ({ level, ...figureRecord(figures) }))
    return { column, statistic: 'shares', base: outcome.base, ...bases, levels }
  }
  if (outcome.kind === 'quantiles') {
    const quantiles = outcome.quantiles.map(({ share, ...figures }) => ({ quantile: share, ...figureRecord(figures) }))
    return { column, statistic: 'quantiles', ...bases, quantiles }
  }
  if (outcome.mean === null) return { column, statistic: 'mean', ...bases, mean: null }
  const { scenarioSd, baselineSd, ...figures } = outcome.mean
  const mean = { ...figureRecord(figures), scenario_sd: scenarioSd, baseline_sd: baselineSd }
  return { column, statistic: 'mean', ...bases, mean }
}

const figureRecord = ({
  scenario,
  baseline,
  difference,
  standardError,
  degreesOfFreedom,
  simultaneousQuantile,
}: EstimatedDifference) => ({
  scenario,
  baseline,
  difference,
  standard_error: standardError,
  ...(degreesOfFreedom !== null && { degrees_of_freedom: degreesOfFreedom }),
  ...(simultaneousQuantile !== undefined && { simultaneous_quantile: simultaneousQuantile }),
})

const baseRecord = ({ rows, effectiveRows }: EstimatedBase) => ({
  ...(rows !== null && { rows }),
  ...(effectiveRows !== null && { effective_rows: effectiveRows }),
})

/** Further differences share out the levels of one reply likewise. */
function furtherLevels(outcomes: number): number {
  const most = MAX_ESTIMATE_OUTCOMES * MAX_ESTIMATED_LEVELS
  return Math.max(1, Math.min(MAX_ESTIMATED_LEVELS, Math.floor(most / Math.max(1, outcomes))))
}

/** Segments share out the levels of one reply, whose size is bounded. */
function segmentLevels(outcomes: number): number {
  return Math.floor((MAX_ESTIMATE_OUTCOMES * MAX_ESTIMATED_LEVELS) / (MAX_ESTIMATED_SEGMENTS * outcomes))
}

/**
 * The requested outcomes.
 *
 * @throws ProblemError with all faults: `svc_unknown_condition_column` with a schema hint if a column is not in the
 * schema, `svc_invalid_field` for a statistic that does not fit its column, and for a `by` that has no segments or too
 * many.
 */
function checkColumns({ outcomes, by }: EstimateRequest, schema: readonly SchemaColumn[]): RequestedOutcome[] {
  const faults = noFaults()
  const columns = new Map(schema.map((column) => [column.name, column]))
  for (const [i, { column: name, statistic, quantiles }] of outcomes.entries()) {
    if ((statistic === 'quantiles') !== (quantiles !== undefined))
      faults.errors.push({ field: `outcomes.${i}.quantiles`, message: 'must go with the statistic quantiles' })
    const column = columns.get(name)
    if (column === undefined) {
      unknownColumn(columns, name, `outcomes.${i}.column`, faults)
      continue
    }
    const fitting = column.type === 'categorical' ? 'shares' : 'mean'
    if (statistic === undefined || statistic === fitting) continue
    if (statistic === 'quantiles' && column.type === 'numeric') continue
    if (statistic === 'mean' && column.type === 'categorical' && column.levels.every(isWholeNumber)) continue
    const levels = column.type === 'categorical' && statistic === 'mean' ? ', and its levels are no whole numbers' : ''
    faults.errors.push({
      field: `outcomes.${i}.statistic`,
      message: `must be ${fitting}: ${column.name} is a ${column.type} column${levels}`,
    })
  }
  if (by !== undefined) {
    const column = columns.get(by)
    if (column === undefined) unknownColumn(columns, by, 'by', faults)
    else if (column.type !== 'categorical')
      faults.errors.push({ field: 'by', message: `must be a categorical column: ${by} is a ${column.type} column` })
    else if (column.levels.length > MAX_ESTIMATED_SEGMENTS)
      faults.errors.push({
        field: 'by',
        message: `must be a column of at most ${MAX_ESTIMATED_SEGMENTS} levels: ${by} has ${column.levels.length}`,
      })
  }
  if (faults.errors.length > 0) throw problemOf(faults)
  return outcomes.map(({ column, base = 'all', statistic, quantiles }) => ({
    ...{ column, base, isMean: statistic === 'mean' },
    ...(quantiles && { quantiles }),
  }))
}
