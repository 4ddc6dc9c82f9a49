import pLimit from 'p-limit'
import { type Figure, MEAN, QUANTILE, SHARE, type SidePair } from '../../answers/arithmetic/intervals.ts'
import { effectiveRowsOf, type SeedEstimates } from '../../answers/comparisons/differences.ts'
import { lacksColumn } from '../../answers/counts/known-names.ts'
import { dataRecord } from '../../base/data-record.ts'
import type { CallOptions, ServiceClient } from '../../client/service-client.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { ExpectedComparison, ExpectedScenario, ExpectedSegment } from '../../records/plan-estimates.ts'
import type { DatasetFacts } from '../../records/state/datasets.ts'
import type { RecordedEstimate, RecordedEstimates } from '../../records/state/estimates.ts'
import { recordedFilters } from '../../study/outcomes/row-filter.ts'
import { membersOf } from '../../study/replicates.ts'
import type { Comparison, Scenario, Study } from '../../study/study.ts'
import type { Plan } from '../plan/plan.ts'
import { askService, type EstimateAnswer, MOST_AT_ONCE, readEstimates, readSegments } from './ask-service.ts'
import { conditionsAdrift } from './conditions-adrift.ts'
import { type EstimateQuestion, filteredBy, lacksRows, outcomesOf } from './estimate-questions.ts'
import { foreseenDifference } from './foreseen-difference.ts'
import { mergedSegments, type OutcomePart, partsOf, withQuantiles } from './outcome-parts.ts'
import { plannedConditions } from './planned-conditions.ts'

/** What is told of both sides of a comparison, of all rows or of a segment. */
type ExpectedOutcomes = Omit<ExpectedSegment, 'level'>

/** How the service is asked, and what is known of its trained datasets by their names in the study. */
export interface Asking {
  readonly open: OpenClient
  readonly call: CallOptions
  readonly facts: ReadonlyMap<string, DatasetFacts>
}

/** Opens the client if a dataset is trained. Null: there is no service. */
export type OpenClient = () => Promise<ServiceClient | null>

/**
 * The expected differences of a study's comparisons, from the seed's estimates. Asks the service about trained
 * datasets; nothing is made, billed or written. Scenarios that were not selected are left out.
 */
export async function foreseeDifferences(
  study: Study,
  plan: Plan,
  { open, call, facts }: Asking,
): Promise<Record<string, ExpectedComparison>> {
  const scenarios = new Map(study.scenarios.map((s) => [s.id, s]))
  const selected = new Set(plan.scenarios.filter((s) => s.selected).map((s) => s.id))
  const bodies = new Map(plan.scenarios.map(({ id, body }) => [id, body]))
  // Replicates have the same conditions, and are compared with the rows of all of them.
  const sideOf = (name: string): ForeseenSide => {
    const members = membersOf(study, name).map((id) => scenarios.get(id)!)
    return {
      name,
      scenario: members[0]!,
      rows: members.reduce((sum, { rows }) => sum + rows, 0),
      body: bodies.get(members[0]!.id) ?? null,
    }
  }
  const trained = new Map(plan.datasets.map(({ id, datasetId }) => [id, datasetId]))
  const pairs = study.comparisons.flatMap((comparison) =>
    comparison.scenarios
      .filter((name) => membersOf(study, name).some((id) => selected.has(id)))
      .map((name): Pair => ({ comparison, scenario: sideOf(name), against: sideOf(comparison.against) })),
  )
  const foreseen = new Map<Pair, ExpectedScenario>()
  const adrift = conditionsAdrift(study, facts)
  const isAdrift = ({ scenario }: ForeseenSide) => adrift.has(scenario.id)
  for (const pair of pairs)
    if (isAdrift(pair.scenario) || isAdrift(pair.against)) foreseen.set(pair, unknown(pair, 'estimates_not_asked'))
  const isTrained = ({ against }: Pair) => trained.get(against.scenario.dataset) != null
  const [first, ...rest] = pairs.filter((pair) => isTrained(pair) && !foreseen.has(pair))
  if (first !== undefined) {
    const client = await open()
    const gone = new Set<string>()
    const ask = (pair: Pair): Promise<ExpectedScenario> =>
      client === null
        ? Promise.resolve(unknown(pair, 'estimates_failed'))
        : foresee(study, client, trained.get(pair.against.scenario.dataset)!, pair, { call, gone, facts })
    const answer = await ask(first)
    foreseen.set(first, answer)
    // A fault of the service holds for all questions.
    const gap = answer.no_estimates
    const isForAll = gap === 'no_estimates_operation' || gap === 'estimates_failed'
    const limit = pLimit(MOST_AT_ONCE)
    await Promise.all(
      rest.map((pair) => limit(async () => foreseen.set(pair, isForAll ? unknown(pair, gap) : await ask(pair)))),
    )
  }
  const comparisons = study.comparisons.flatMap((comparison) => {
    const found = pairs
      .filter((pair) => pair.comparison === comparison)
      .map((pair) => [pair.scenario.name, foreseen.get(pair) ?? unknown(pair, 'not_trained')] as const)
    return found.length === 0 ? [] : [[comparison.id, foreseenComparison(comparison, found)] as const]
  })
  return dataRecord(comparisons)
}

function foreseenComparison(
  { against, by, where }: Comparison,
  scenarios: readonly (readonly [string, ExpectedScenario])[],
): ExpectedComparison {
  return {
    against,
    ...(by !== null && { by }),
    ...(where.length > 0 && { where: recordedFilters(where) }),
    scenarios: dataRecord(scenarios),
  }
}

interface Pair {
  readonly comparison: Comparison
  readonly scenario: ForeseenSide
  readonly against: ForeseenSide
}

interface ForeseenSide {
  readonly name: string
  /** The first of replicates. */
  readonly scenario: Scenario
  /** Of all replicates. */
  readonly rows: number
  /** As the plan would send it; null while a seed is not drawn. */
  readonly body: string | null
}

const rowsOf = ({ scenario, against }: Pair): SidePair => ({ scenario: scenario.rows, against: against.rows })

const unknown = (pair: Pair, why: ExpectedScenario['no_estimates'] & string): ExpectedScenario => ({
  rows: rowsOf(pair),
  no_estimates: why,
  shares: {},
  means: {},
})

async function foresee(
  study: Study,
  client: ServiceClient,
  datasetId: string,
  pair: Pair,
  { call, gone, facts }: Pick<Asking, 'call' | 'facts'> & { readonly gone: Set<string> },
): Promise<ExpectedScenario> {
  const schema = facts.get(pair.against.scenario.dataset)?.schema ?? null
  const { by } = pair.comparison
  if (lacksRows(schema, pair.comparison)) return unknown(pair, 'estimates_not_asked')
  const common = {
    scenario: plannedConditions(pair.scenario.scenario, pair.scenario.body),
    against: plannedConditions(pair.against.scenario, pair.against.body),
    ...filteredBy(pair.comparison),
    datasetIds: [datasetId],
    modelId: null,
  }
  /** Null: the comparison has nothing of it. A service may refuse a part, or segments, and know the rest. */
  const ask = async (part: OutcomePart, inside: Pick<EstimateQuestion, 'by'> = {}): Promise<Asked> => {
    if (!partsOf(pair.comparison).includes(part)) return null
    const outcomes = outcomesOf(study, pair.comparison, schema, part)
    if (outcomes.length === 0) return 'estimates_not_asked'
    return await askService(client, { ...common, outcomes, ...inside }, call, gone)
  }
  const figures = wholeOf(await ask('figures'))
  const estimates = withQuantiles(figures, typeof figures === 'string' ? null : wholeOf(await ask('quantiles')))
  if (typeof estimates === 'string') return unknown(pair, estimates)
  const whole = { rows: rowsOf(pair), ...foreseenOf(estimates, schema) }
  if (by === null) return whole
  if (lacksColumn(schema, by, 'segments')) return { ...whole, no_segment_estimates: 'estimates_not_asked' }
  const segments = mergedSegments(insideOf(await ask('figures', { by })), insideOf(await ask('quantiles', { by })))
  if (typeof segments === 'string') return { ...whole, no_segment_estimates: segments }
  return { ...whole, segments: [...segments].map(([level, found]) => ({ level, ...foreseenOf(found, schema) })) }
}

/** Null: there is nothing to ask. */
type Asked = EstimateAnswer | 'estimates_not_asked' | null

function wholeOf(answer: Asked): RecordedEstimates | NoEstimates | null {
  if (answer === null || typeof answer === 'string') return answer
  if (answer.kind === 'none') return answer.why
  return readEstimates(answer.parts) ?? 'estimates_unreadable'
}

function insideOf(answer: Asked): ReadonlyMap<string, RecordedEstimates> | NoEstimates | null {
  if (answer === null || typeof answer === 'string') return answer
  if (answer.kind === 'none') return answer.why
  const segments = readSegments(answer.parts)
  return segments == null ? (segments === null ? 'estimates_unreadable' : 'no_segment_estimates') : new Map(segments)
}

function foreseenOf(estimates: SeedEstimates, schema: DatasetFacts['schema']): ExpectedOutcomes {
  const dates = new Set(schema?.flatMap(({ name, format }) => (format === undefined ? [] : [name])))
  const effectiveRows = effectiveRowsOf({ estimates, evidence: null })
  const found = (estimate: RecordedEstimate, figure: Figure) => foreseenDifference(estimate, estimates, figure)
  return {
    ...(effectiveRows === undefined ? {} : { effective_rows: effectiveRows }),
    shares: inOrder(
      estimates.shares.map(([column, levels]) => [
        column,
        inOrder(levels.map(([level, estimate]) => [level, found(estimate, SHARE)])),
      ]),
    ),
    means: inOrder(
      estimates.means.map(([column, estimate]) => [
        column,
        { ...found(estimate, MEAN), ...(dates.has(column) && { kind: 'date' as const }) },
      ]),
    ),
    ...(estimates.noQuantiles !== undefined && { no_quantiles: estimates.noQuantiles }),
    ...(estimates.quantiles && {
      quantiles: inOrder(
        estimates.quantiles.map(([column, own]) => [
          column,
          inOrder(
            own.map(([share, estimate]) => [
              share,
              { ...found(estimate, QUANTILE), ...(dates.has(column) && { kind: 'date' as const }) },
            ]),
          ),
        ]),
      ),
    }),
  }
}

/** Sorted by name, like the columns and levels of manifests. */
const inOrder = <V>(entries: readonly (readonly [string, V])[]): Record<string, V> =>
  dataRecord([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
