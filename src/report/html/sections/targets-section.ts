import { chanceOfShare, nearestAllowed } from '../../../answers/arithmetic/figures.ts'
import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { MET_WITHIN, meanTargetText, partsOff } from '../../../answers/words/mean-target-text.ts'
import { shareTargetsOf } from '../../../answers/words/share-targets.ts'
import { percentText, shareText, targetShareText } from '../../../answers/words/share-text.ts'
import { countText, plural } from '../../../base/text/amount-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { MeanResult, RuleResult } from '../../../records/manifest/scenarios.ts'
import { legend } from '../charts/legend.ts'
import { MOST_LINES, type TargetLine, targetLines } from '../charts/target-lines.ts'
import { html, type Markup } from '../markup.ts'
import { name, scenarioOrder } from '../names.ts'
import { figure, type Section } from '../section.ts'

/** Rows of the table of all targets. */
const MOST_ROWS = 400

/** How close the rows come to the shares, ranges and means that were asked for; null when nothing was. */
export function targetsSection({ manifest }: ReadManifest): Section | null {
  const targets = shareTargets(manifest)
  const ranges = rangeTargets(manifest)
  const means = meanTargets(manifest)
  const rules = ruleLines(manifest)
  if (targets.length + ranges.length + means.length + rules.length === 0) return null
  const missed = targets.filter(({ target, achieved, rows }) =>
    isRowOff(achieved - nearestAllowed(achieved, target), rows),
  )
  const outside = ranges.filter(({ outside: rows }) => rows > 0)
  return {
    id: 'targets',
    title: 'Targets and what was achieved',
    body: html`<p>${sharesSentence(targets, missed)}${rangesSentence(ranges, outside)}${meansSentence(means)}${rulesSentence(rules)}${withoutRows(manifest)}</p>
${missed.length > 0 && picture(missed)}<details class="figures"><summary>All targets</summary><div class="scroll" tabindex="0" role="group" aria-label="All targets">${targets.length > 0 && targetTable(targets)}${ranges.length > 0 && rangeTable(ranges)}${means.length > 0 && meanTable(means)}${rules.length > 0 && ruleTable(rules)}</div></details>
`,
  }
}

/** Whether a share is a row or more off: less is rounding. */
const isRowOff = (distance: number, rows: number): boolean => Math.round(Math.abs(distance) * rows) >= 1

function shareTargets(manifest: Manifest): TargetLine[] {
  return scenarioOrder(manifest).flatMap((scenario) => {
    const own = manifest.scenarios[scenario]!
    const rows = own.rows.counted ?? 0
    return shareTargetsOf(own).map(({ column, level, target, achieved }) => ({
      ...{ scenario, column, level, target, achieved, rows },
      chance: rows === 0 ? 0 : chanceOfShare(nearestAllowed(achieved, target), rows),
    }))
  })
}

interface RangeLine {
  readonly scenario: string
  readonly column: string
  readonly target: string
  readonly achieved: string
  /** Rows outside the range or without a value. */
  readonly outside: number
}

function rangeTargets(manifest: Manifest): RangeLine[] {
  type Span = { readonly min: number | string; readonly max: number | string } | null
  const span = (of: Span): string => (of === null ? '–' : `${of.min} to ${of.max}`)
  return scenarioOrder(manifest).flatMap((scenario) =>
    Object.entries(manifest.scenarios[scenario]!.ranges).map(
      ([column, { target, achieved, dates, outside_count: outside }]) => ({
        scenario,
        column,
        target: span(dates?.target ?? target),
        achieved: span(dates === undefined ? achieved : dates.achieved),
        outside,
      }),
    ),
  )
}

interface MeanLine extends MeanResult {
  readonly scenario: string
  readonly column: string
}

const meanTargets = (manifest: Manifest): MeanLine[] =>
  scenarioOrder(manifest).flatMap((scenario) =>
    Object.entries(manifest.scenarios[scenario]!.means ?? {}).map(([column, mean]) => ({ scenario, column, ...mean })),
  )

function meansSentence(means: readonly MeanLine[]): string {
  if (means.length === 0) return ''
  const met = means.filter((mean) => partsOff(mean) <= MET_WITHIN).length
  if (met === means.length) return means.length === 1 ? ' The mean is met.' : ` All ${countText(met)} means are met.`
  return ` ${countText(met)} of ${plural(means.length, 'mean')} ${means.length === 1 ? 'is' : 'are'} met to a thousandth.`
}

interface RuleLine extends RuleResult {
  readonly scenario: string
}

const ruleLines = (manifest: Manifest): RuleLine[] =>
  scenarioOrder(manifest).flatMap((scenario) =>
    (manifest.scenarios[scenario]!.rules ?? []).map((rule) => ({ scenario, ...rule })),
  )

function rulesSentence(rules: readonly RuleLine[]): string {
  if (rules.length === 0) return ''
  const broken = new Set(rules.filter(({ violations }) => violations > 0).map(({ rule }) => rule)).size
  const all = new Set(rules.map(({ rule }) => rule)).size
  if (broken > 0) return ` Some rows break ${countText(broken)} of ${plural(all, 'rule')}.`
  return all === 1
    ? ' Every row keeps the rule of the study.'
    : ` Every row keeps the ${countText(all)} rules of the study.`
}

function ruleTable(rules: readonly RuleLine[]): Markup {
  const left = rules.length - MOST_ROWS
  return html`<table>
<thead><tr><th scope="col">Scenario</th><th scope="col" class="t">Rule</th><th scope="col">Rows that it is about</th><th scope="col">Rows that break it</th></tr></thead><tbody>${rules
    .slice(0, MOST_ROWS)
    .map(
      ({ scenario, rule, rows, violations }) =>
        html`<tr><th scope="row">${name(scenario)}</th><td class="t">${name(rule)}</td><td>${countText(rows)}</td><td>${countText(violations)}</td></tr>
`,
    )}</tbody></table>${left > 0 && html`<p class="note">${countText(left)} further rules stand in the manifest.</p>`}`
}

function sharesSentence(targets: readonly TargetLine[], missed: readonly TargetLine[]): string {
  if (targets.length === 0) return ''
  const scenarios = plural(new Set(targets.map(({ scenario }) => scenario)).size, 'scenario')
  const all = targets.length === 1 ? 'The one share' : `All ${countText(targets.length)} shares`
  if (missed.length === 0)
    return `${all} that ${scenarios} asked for ${targets.length === 1 ? 'is' : 'are'} met to the row. `
  return `${countText(targets.length - missed.length)} of ${plural(targets.length, 'share')} that ${scenarios} asked for are met to the row. `
}

function rangesSentence(ranges: readonly RangeLine[], outside: readonly RangeLine[]): string {
  if (ranges.length === 0) return ''
  if (outside.length === 0)
    return ranges.length === 1
      ? 'Every row lies in the range.'
      : `Every row lies in its ranges (${countText(ranges.length)} in all).`
  return `${countText(outside.length)} of ${plural(ranges.length, 'range')} ${outside.length === 1 ? 'has' : 'have'} rows outside.`
}

/** Scenarios that asked for something and have no rows to measure. */
function withoutRows({ scenarios }: Manifest): string {
  const count = Object.values(scenarios).filter(
    ({ rows, request }) => rows.counted === null && Object.keys(request?.conditions ?? {}).length > 0,
  ).length
  if (count === 0) return ''
  return ` ${plural(count, 'further scenario')} ${count === 1 ? 'has' : 'have'} no rows to measure.`
}

function picture(missed: readonly TargetLine[]): Markup {
  const off = ({ achieved, target }: TargetLine): number => Math.abs(achieved - nearestAllowed(achieved, target))
  const worst = [...missed].sort((a, b) => off(b) - off(a))
  const shown = worst.slice(0, MOST_LINES)
  const left = worst.length - shown.length
  const { scenario, column, level, target, achieved } = worst[0]!
  return figure({
    id: 'missed-targets',
    caption: `The largest distance is that of ${column} ${level} in ${scenario}: ${shareText(achieved)} instead of ${targetShareText(target)}.${left > 0 ? ` Drawn are the ${shown.length} largest of ${countText(worst.length)}.` : ''}`,
    picture: html`${legend([
      [html`<path class="mark-baseline" d="M15 1V13"/>`, 'target'],
      [html`<circle class="mark-scenario beyond" cx="15" cy="7" r="4"/>`, 'achieved'],
      [html`<rect class="band" x="1" y="3" width="28" height="8"/>`, 'what chance alone does in so many rows'],
    ])}${targetLines(shown)}`,
    table: targetTable(shown),
  })
}

const targetTable = (targets: readonly TargetLine[]): Markup => {
  const left = targets.length - MOST_ROWS
  return html`<table>
<thead><tr><th scope="col">Scenario</th><th scope="col" class="t">Share of</th><th scope="col">Target</th><th scope="col">Achieved</th><th scope="col">Rows</th></tr></thead>
<tbody>${targets.slice(0, MOST_ROWS).map(
    (
      one,
    ) => html`<tr><th scope="row">${name(one.scenario)}</th><td class="t">${name(one.column)} ${name(one.level)}</td><td>${targetShareText(one.target)}</td><td>${percentText(one.achieved)}</td><td>${countText(one.rows)}</td></tr>
`,
  )}</tbody></table>${left > 0 && html`<p class="note">${countText(left)} further targets stand in the manifest.</p>`}`
}

const rangeTable = (ranges: readonly RangeLine[]): Markup => {
  const left = ranges.length - MOST_ROWS
  return html`<table>
<thead><tr><th scope="col">Scenario</th><th scope="col" class="t">Range of</th><th scope="col">Target</th><th scope="col">Achieved</th><th scope="col">Rows outside</th></tr></thead>
<tbody>${ranges.slice(0, MOST_ROWS).map(
    (
      one,
    ) => html`<tr><th scope="row">${name(one.scenario)}</th><td class="t">${name(one.column)}</td><td>${one.target}</td><td>${one.achieved}</td><td>${countText(one.outside)}</td></tr>
`,
  )}</tbody></table>${left > 0 && html`<p class="note">${countText(left)} further ranges stand in the manifest.</p>`}`
}

const meanTable = (means: readonly MeanLine[]): Markup => {
  const left = means.length - MOST_ROWS
  return html`<table>
<thead><tr><th scope="col">Scenario</th><th scope="col" class="t">Mean of</th><th scope="col">Target</th><th scope="col">Achieved</th><th scope="col">Values</th></tr></thead>
<tbody>${means.slice(0, MOST_ROWS).map(
    (
      one,
    ) => html`<tr><th scope="row">${name(one.scenario)}</th><td class="t">${name(one.column)}</td><td>${meanTargetText(one.target)}</td><td>${one.achieved === null ? '–' : String(Number(one.achieved.toPrecision(8)))}</td><td>${countText(one.values)}</td></tr>
`,
  )}</tbody></table>${left > 0 && html`<p class="note">${countText(left)} further means stand in the manifest.</p>`}`
}
