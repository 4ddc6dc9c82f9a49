import { figuresIn } from '../../answers/arithmetic/figures-in.ts'
import { noEstimatesWords } from '../../answers/words/difference-text.ts'
import { whereWords } from '../../answers/words/where-text.ts'
import { countText, listText } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { wrapped } from '../../base/text/fit-text.ts'
import type { ServiceClient } from '../../client/service-client.ts'
import { realEnvironment } from '../../local/run-environment.ts'
import type { Connection } from '../../local/service-connection.ts'
import type { ExpectedComparison, ExpectedScenario, FeasibleRows } from '../../records/plan-estimates.ts'
import { foreseeDifferences } from '../../runner/estimates/foresee-differences.ts'
import { foreseeRows } from '../../runner/estimates/foresee-rows.ts'
import { locatedMessage } from '../../runner/interface/fault-text.ts'
import type { RunRequest } from '../../runner/interface/run-options.ts'
import type { DiskPlan } from '../../runner/plan-from-disk.ts'
import { withDatasetIds } from '../../runner/session/with-dataset-ids.ts'
import type { OutcomeKindName } from '../../study/outcomes/outcome.ts'
import { expectedTable, type Found } from '../output/expected-table.ts'
import type { Terminal } from '../output/terminal.ts'

/** Somebody is waiting for the plan. */
const LONGEST_MS = 30_000

export interface ExpectedDifferences {
  readonly comparisons: Readonly<Record<string, ExpectedComparison>>
  /** By scenario; absent where the service does not say it. */
  readonly rows: Readonly<Record<string, FeasibleRows>>
  /** Why the service could not be asked at all; for people. */
  readonly trouble: string | null
}

/**
 * Asks the service what a study's comparisons are expected to find, and how many rows its scenarios can have. The service is started,
 * or logged in to, only if a dataset is trained. The plan is complete without the answer.
 */
export async function expectedDifferences(
  request: RunRequest,
  { plan, facts }: Pick<DiskPlan, 'plan' | 'facts'>,
  { connection, signal, terminal }: { connection: Connection; signal: AbortSignal; terminal: Terminal },
): Promise<ExpectedDifferences> {
  const { study, options, projectRoot } = request
  const environment = realEnvironment({
    connection,
    projectRoot,
    lockTimeoutMs: LONGEST_MS,
    signal,
    onEvent: () => {},
    onService: (state) => {
      if (state === 'starting') terminal.stderr.write('starting the embedded service\n')
    },
  })
  let client: ServiceClient | null = null
  let trouble: string | null = null
  const open = async () => {
    if (client !== null || trouble !== null) return client
    try {
      client = await environment.client()
      return client
    } catch (error) {
      signal.throwIfAborted()
      trouble = locatedMessage(error)
      return null
    }
  }
  try {
    const call = { signal, deadlineMs: Date.now() + LONGEST_MS }
    const asked = withDatasetIds(study, options.datasetIds)
    const rows = await foreseeRows(asked, plan, { open, call, facts })
    const comparisons = await foreseeDifferences(asked, plan, { open, call, facts })
    return { comparisons, rows, trouble }
  } finally {
    await (client as ServiceClient | null)?.close()
  }
}

const NOTE =
  'The expected differences are the answers that the run will give: those of the seed, reweighted to both scenarios. They do not depend on the number of rows. Differences of shares are in points, those of dates in days, those of other means in the unit of their column.'

/** What the comparisons of a study are expected to find, for people. */
export function foreseenText(foreseen: Readonly<Record<string, ExpectedComparison>>, width: number): string {
  const comparisons = Object.entries(foreseen)
  if (comparisons.length === 0) return '\nexpected differences: none, because no comparison has selected scenarios\n'
  const parts = comparisons.map(([id, comparison]) => comparisonText(id, comparison, width))
  const isAnyKnown = comparisons.some(([, { scenarios }]) =>
    Object.entries(scenarios).some(([scenario, one]) => differencesOf(scenario, one).length > 0),
  )
  return `${parts.join('')}${isAnyKnown ? `\n${wrapped('', NOTE, width)}` : ''}`
}

function comparisonText(id: string, { against, by, where, scenarios }: ExpectedComparison, width: number): string {
  const all = Object.entries(scenarios)
  const found = all.flatMap(([scenario, one]) => differencesOf(scenario, one))
  const rows = whereWords(where)
  return [
    `\n${wrapped('', `comparison ${id}, against ${against}: expected differences`, width)}`,
    ...(rows === null
      ? []
      : [wrapped('  ', `counted in rows with ${escapeText(rows)}${effectiveRowsText(all)}`, width)]),
    ...(found.length === 0 ? [] : [`${expectedTable(found, width).join('\n')}\n`]),
    ...gapLines(all, gapText, width),
    ...(by === undefined ? [] : segmentsText(by, all, width)),
  ].join('')
}

/** ` (186 to 200 effective rows of the seed)`: the fewest and the most of a side; empty where none are told. */
function effectiveRowsText(all: readonly (readonly [string, ExpectedScenario])[]): string {
  const rows = all.flatMap(([, { effective_rows: pair }]) => (pair === undefined ? [] : [pair.scenario, pair.against]))
  if (rows.length === 0) return ''
  const [least, most] = [Math.min(...rows), Math.max(...rows)].map((count) => countText(Math.round(count)))
  return ` (${least === most ? least : `${least} to ${most}`} effective rows of the seed)`
}

/** Answers in segments that are printed for a comparison; the rest is counted. */
const MOST_IN_SEGMENTS = 40

function segmentsText(by: string, all: readonly (readonly [string, ExpectedScenario])[], width: number): string[] {
  const found = all.flatMap(([scenario, { segments = [] }]) =>
    segments.flatMap((segment) => differencesOf(`${scenario}, ${segment.level}`, segment)),
  )
  const gaps = gapLines(all, segmentGapText, width)
  if (found.length === 0 && gaps.length === 0) return []
  const more = found.length - MOST_IN_SEGMENTS
  return [
    wrapped('  ', escapeText(`in segments of ${by}`), width),
    ...(found.length === 0 ? [] : [`${expectedTable(found.slice(0, MOST_IN_SEGMENTS), width).join('\n')}\n`]),
    ...(more > 0 ? [wrapped('  ', `… and ${countText(more)} more (--json lists all)`, width)] : []),
    ...gaps,
  ]
}

/** Each reason once, with its scenarios unless it holds for all of them. */
function gapLines(
  all: readonly (readonly [string, ExpectedScenario])[],
  reasonOf: (scenario: ExpectedScenario) => string | null,
  width: number,
): string[] {
  const gaps = new Map<string, string[]>()
  for (const [scenario, one] of all) {
    const why = reasonOf(one)
    if (why !== null) gaps.set(why, [...(gaps.get(why) ?? []), scenario])
  }
  return [...gaps].map(([why, names]) =>
    wrapped('  ', names.length === all.length ? why : `${names.join(', ')}: ${why}`, width),
  )
}

const differencesOf = (scenario: string, expected: Pick<ExpectedScenario, OutcomeKindName>): Found[] =>
  figuresIn<Pick<ExpectedScenario, OutcomeKindName>>(expected).map(({ column, level, quantile, value: foreseen }) => ({
    scenario,
    column,
    level,
    quantile,
    foreseen,
  }))

/** Why a scenario has no expected differences; null where it has. */
function gapText(scenario: ExpectedScenario): string | null {
  const { no_estimates, effective_rows } = scenario
  if (no_estimates === 'not_trained')
    return 'not known: the dataset is not trained; whatif validate trains it and bills nothing'
  if (no_estimates !== undefined) return `not known: ${noEstimatesWords(no_estimates)}`
  if (scenario.no_quantiles !== undefined) return `quantiles not known: ${noEstimatesWords(scenario.no_quantiles)}`
  if (effective_rows === undefined) return 'not known: too few rows of the seed stand behind it'
  // A service does not report differences that few people make: one row more or less would show what they answered.
  return differencesOf('', scenario).length > 0
    ? null
    : 'not known: too few rows of the seed have a value or make the difference'
}

/** Why a scenario has no expected differences in segments. Levels with too few rows of the seed have no lines. */
function segmentGapText({ no_segment_estimates, segments = [] }: ExpectedScenario): string | null {
  if (no_segment_estimates !== undefined) return `not known: ${noEstimatesWords(no_segment_estimates)}`
  const empty = segments.filter((segment) => differencesOf('', segment).length === 0).map(({ level }) => level)
  return empty.length === 0 ? null : escapeText(`not known of ${listText(empty, 5)}: no rows of the seed, or too few`)
}
