import { expectedText, foundText } from '../../answers/words/gate-text.ts'
import { MET_WITHIN, partsOff } from '../../answers/words/mean-target-text.ts'
import { nearestMixLines, nearestMixWords } from '../../answers/words/nearest-mix-text.ts'
import { partText } from '../../answers/words/part-text.ts'
import { brokenRulesText } from '../../answers/words/rule-text.ts'
import { shareTargetsOf } from '../../answers/words/share-targets.ts'
import { trialText } from '../../answers/words/trial-text.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { wrappedLines } from '../../base/text/fit-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'
import { answerLines } from './answer-lines.ts'
import { backtestLines } from './backtest-lines.ts'
import { evidenceWarning } from './event-text.ts'

/** Above this many scenarios only those that need attention have a line. */
const MOST_LINES = 40
/** More scenarios than this that were not selected, or failed for one reason, share a line. Of those that did not begin, two share one. */
const MOST_ALIKE = 5

/**
 * The result of a run, for a person: a line per scenario with shortfalls and thin evidence, what the comparisons answer, failed
 * gates, totals, and where the results are.
 */
export function runSummary(
  manifest: Manifest,
  options: {
    readonly manifestPath: string
    /** Absent or null: the run wrote no page. */
    readonly reportPath?: string | null
    /** The manifest of an earlier run was kept, and `manifestPath` is the record of this one. */
    readonly isKept?: boolean
    /** Details of errors that the line above has explained. */
    readonly explained?: readonly string[]
    readonly width: number
    /** `embedded`, or the origin of the service, which a manifest does not hold. */
    readonly service: string
  },
): string {
  const all = Object.entries(manifest.scenarios)
  const isLarge = all.length > MOST_LINES
  const unselected = all.filter(([, s]) => isUnselected(s)).length
  const namesUnselected = !isLarge && unselected <= MOST_ALIKE
  const shown = all.filter(([, s]) => (isUnselected(s) ? namesUnselected : !isLarge || needsAttention(s)))
  const idWidth = Math.min(40, Math.max(0, ...shown.map(([id]) => id.length)))
  const alike = alikeWithoutRows(shown)
  const style: ScenarioStyle = { width: options.width, explained: new Set(options.explained) }
  const lines = shown.flatMap(([id, scenario]) =>
    alike.has(reasonOf(scenario)) ? [] : scenarioLines(id, scenario, idWidth, style),
  )
  for (const { scenario, count } of alike.values())
    lines.push(`✗ ${plural(count, 'scenario')} ${statusText(scenario)}`, ...errorLines(scenario, style))
  const good = all.length - shown.length - (namesUnselected ? 0 : unselected)
  if (good === all.length) lines.push(`✓ all ${plural(good, 'scenario')} as asked for`)
  else if (good > 0) lines.push(`✓ ${plural(good, shown.length === 0 ? 'scenario' : 'other scenario')} as asked for`)
  if (!namesUnselected && unselected > 0) lines.push(`- ${plural(unselected, 'scenario')} not selected`)
  const cautions = [trialText(manifest), partText(manifest)].filter((text) => text !== null)
  lines.push(
    ...answerLines(manifest, options.width),
    ...backtestLines(manifest, options.width),
    ...failedGates(manifest, options.width),
  )
  const { totals } = manifest
  const pending = pendingRows(manifest)
  const collected = manifest.run.rows_collected ?? 0
  lines.push(
    '',
    ...cautions.flatMap((text) => wrappedLines('', text, options.width)),
    `${countText(totals.rows_generated)} of ${countText(totals.rows_requested)} rows in ${plural(totals.ready + totals.partial, 'file')}`,
    `billed in this run: ${plural(manifest.run.rows_billable, 'row')} (${escapeText(options.service)}${options.service === 'embedded' ? ' service' : ''})`,
    ...(collected > 0 ? [`collected: ${plural(collected, 'row')} from requests before this run`] : []),
    ...(pending > 0
      ? [`still being generated at the service: up to ${plural(pending, 'row')} more, billed when done`]
      : []),
    ...(options.isKept
      ? [
          `record of this run: ${escapeText(options.manifestPath)}`,
          'nothing was generated or fetched, so manifest.json is still that of the run before',
        ]
      : [`manifest: ${escapeText(options.manifestPath)}`]),
    ...(options.reportPath == null ? [] : [`report: ${escapeText(options.reportPath)}`]),
  )
  return `${lines.join('\n')}\n`
}

/** The gates of comparisons and backtests that did not pass; those of scenarios stand below their scenario. */
function failedGates({ comparisons, backtests = {} }: Manifest, width: number): string[] {
  const owners = [
    ...Object.entries(comparisons).map(([id, { gates }]) => ({ of: 'comparison', id, gates })),
    ...Object.entries(backtests).map(([id, { gates }]) => ({ of: 'backtest', id, gates })),
  ]
  const lines = owners.flatMap(({ of, id, gates }) =>
    gates
      .filter(({ passed }) => !passed)
      .flatMap((gate) =>
        wrappedLines(
          '  ',
          `${gate.level === 'fail' ? 'FAILED' : 'warning'}: ${of} ${id}, gate ${gate.id}: expected ${expectedText(gate)}, found ${foundText(gate)}`,
          width,
        ),
      ),
  )
  return lines.length === 0 ? [] : ['', ...lines]
}

/** How a line of the summary is written. */
interface ScenarioStyle {
  readonly width: number
  readonly explained: ReadonlySet<string>
}

/**
 * How and why a scenario has no result; empty for scenarios with rows, or outside the selection. For scenarios that did not begin
 * the code adds nothing: the same fault may have stopped them at different places.
 */
function reasonOf({ status, error, rows }: ManifestScenario): string {
  if (error === undefined || rows.counted !== null) return ''
  return JSON.stringify([status, error.detail, status === 'not_started' ? '' : error.code])
}

/** One scenario of each reason that many share, with their number: one line stands for all of them. */
function alikeWithoutRows(
  scenarios: readonly (readonly [string, ManifestScenario])[],
): Map<string, { readonly scenario: ManifestScenario; readonly count: number }> {
  const found = new Map<string, { readonly scenario: ManifestScenario; readonly count: number }>()
  for (const [, scenario] of scenarios) {
    const reason = reasonOf(scenario)
    if (reason === '') continue
    const before = found.get(reason)
    // The code of one that met the fault says more than that of one that was spared it.
    const isMet = before !== undefined && before.scenario.error?.code !== 'not_started'
    found.set(reason, { scenario: isMet ? before.scenario : scenario, count: (before?.count ?? 0) + 1 })
  }
  const mostLines = ({ status }: ManifestScenario) => (status === 'not_started' ? 1 : MOST_ALIKE)
  return new Map([...found].filter(([, { scenario, count }]) => count > mostLines(scenario)))
}

/**
 * Most rows that the service may still make, and bill, for requests of this run or an earlier one. They include a failed scenario
 * whose end was never seen: the service accepted the work, and its later reply was unreadable.
 */
export function pendingRows({ scenarios, trace }: Manifest): number {
  return Object.entries(scenarios).reduce((sum, [id, { status, rows, error }]) => {
    if (rows.reported !== null || rows.counted !== null) return sum
    const work = trace.scenarios[id]
    const endWasSeen = work == null || work.submitted_at === null || work.completed_at !== null
    const isOpen = status === 'interrupted' || (status === 'failed' && !endWasSeen && error?.code !== 'dead_replay')
    return isOpen ? sum + rows.requested : sum
  }, 0)
}

/** A scenario that did not begin for any other reason has an error. */
function isUnselected({ status, error }: ManifestScenario): boolean {
  return status === 'not_started' && error === undefined
}

function needsAttention(scenario: ManifestScenario): boolean {
  return (
    scenario.status !== 'ready' ||
    scenario.evidence?.low_support === true ||
    scenario.gates.some((gate) => !gate.passed)
  )
}

function scenarioLines(id: string, scenario: ManifestScenario, idWidth: number, style: ScenarioStyle): string[] {
  const { width } = style
  const { rows, status } = scenario
  const mark = status === 'ready' ? '✓' : status === 'partial' ? '◐' : isUnselected(scenario) ? '-' : '✗'
  const parts =
    rows.counted === null
      ? [isUnselected(scenario) ? 'not selected' : statusText(scenario)]
      : [
          `${countText(rows.counted)} of ${plural(rows.requested, 'row')}`,
          worstShare(scenario),
          outside(scenario),
          worstMean(scenario),
          brokenRulesText(scenario),
        ]
  const lines = [`${mark} ${escapeText(id).padEnd(idWidth)}  ${parts.filter(Boolean).join(' · ')}`]
  lines.push(...errorLines(scenario, style))
  if (scenario.shortfall && scenario.error === undefined) lines.push(...wrap(scenario.shortfall.detail, width))
  lines.push(...nearestMix(scenario, style))
  const thin = evidenceWarning(scenario)
  if (thin !== null) lines.push(...wrap(`warning: ${thin}`, width))
  for (const gate of scenario.gates)
    if (!gate.passed)
      lines.push(
        ...wrap(
          `${gate.level === 'fail' ? 'gate failed' : 'warning'}: ${gate.id}: expected ${expectedText(gate)}, found ${foundText(gate)}`,
          width,
        ),
      )
  return lines
}

/** Lines that can be pasted into a study are not broken. Where many scenarios fail for one reason, each has its own mix. */
function nearestMix({ shortfall }: ManifestScenario, { width }: ScenarioStyle): string[] {
  const mix = shortfall?.nearest_mix
  if (mix === undefined) return []
  return [...wrap(nearestMixWords(mix), width), ...nearestMixLines(mix).map((line) => `      ${escapeText(line)}`)]
}

const statusText = ({ status }: ManifestScenario): string => status.replace('_', ' ')

function errorLines({ error }: ManifestScenario, { width, explained }: ScenarioStyle): string[] {
  if (error === undefined) return []
  return wrap(`${explained.has(error.detail) ? 'for the reason above' : error.detail} [${error.code}]`, width)
}

/** Largest distance between a target share and the achieved one. Half of a tenth of a point is no distance to anybody. */
function worstShare(scenario: ManifestScenario): string {
  const deltas = shareTargetsOf(scenario).map(({ delta }) => Math.abs(delta))
  if (deltas.length === 0) return ''
  const points = 100 * Math.max(...deltas)
  return points < 0.05 ? 'shares met' : `shares within ${points.toFixed(1)} points`
}

function outside(scenario: ManifestScenario): string {
  const ranges = Object.values(scenario.ranges)
  if (ranges.length === 0) return ''
  const rows = ranges.reduce((sum, range) => sum + range.outside_count, 0)
  return rows === 0 ? 'in range' : `${plural(rows, 'row')} out of range`
}

/** The mean that is furthest from its target, relative to it. */
function worstMean({ means = {} }: ManifestScenario): string {
  const missed = Object.entries(means).map(([column, mean]) => ({
    column,
    achieved: mean.achieved,
    far: partsOff(mean),
  }))
  const [worst] = missed.sort((a, b) => b.far - a.far)
  if (worst === undefined) return ''
  if (worst.far <= MET_WITHIN) return missed.length === 1 ? 'mean met' : 'means met'
  return worst.achieved === null
    ? `${escapeText(worst.column)} has no value`
    : `mean of ${escapeText(worst.column)} ${Number(worst.achieved.toPrecision(4))}`
}

/** Lines indented under their scenario. */
const wrap = (text: string, width: number): string[] => wrappedLines('    ', text, Math.max(width, 40))
