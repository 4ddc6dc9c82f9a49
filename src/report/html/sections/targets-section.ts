import { nearestAllowed } from '../../../answers/arithmetic/figures.ts'
import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { MET_WITHIN, partsOff } from '../../../answers/words/mean-target-text.ts'
import { shareText, targetShareText } from '../../../answers/words/share-text.ts'
import { countText, plural } from '../../../base/text/amount-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { type Figure, figure, fold, paragraph, type Section } from '../../document/block.ts'
import { html } from '../../document/markup.ts'
import { type ShareLine, shareTable, type Targets, targetsOf, targetTables } from '../../tables/target-tables.ts'
import { legend } from '../charts/legend.ts'
import { MOST_LINES, targetLines } from '../charts/target-lines.ts'

/** How close the rows come to the shares, ranges and means that were asked for; null when nothing was. */
export function targetsSection({ manifest }: ReadManifest): Section | null {
  const targets = targetsOf(manifest)
  const { shares, ranges, means, rules } = targets
  if (shares.length + ranges.length + means.length + rules.length === 0) return null
  const missed = shares.filter(({ target, achieved, rows }) =>
    isRowOff(achieved - nearestAllowed(achieved, target), rows),
  )
  const outside = ranges.filter(({ outside_count: rows }) => rows > 0)
  return {
    id: 'targets',
    title: 'Targets and what was achieved',
    blocks: [
      paragraph([
        ...[sharesSentence(shares, missed), rangesSentence(ranges, outside), meansSentence(means)],
        ...[rulesSentence(rules), withoutRows(manifest)],
      ]),
      missed.length > 0 && picture(missed),
      fold('All targets', targetTables(manifest, targets), 'figures'),
    ],
  }
}

/** Whether a share is a row or more off: less is rounding. */
const isRowOff = (distance: number, rows: number): boolean => Math.round(Math.abs(distance) * rows) >= 1

function meansSentence(means: Targets['means']): string {
  if (means.length === 0) return ''
  const met = means.filter((mean) => partsOff(mean) <= MET_WITHIN).length
  if (met === means.length) return means.length === 1 ? ' The mean is met.' : ` All ${countText(met)} means are met.`
  return ` ${countText(met)} of ${plural(means.length, 'mean')} ${means.length === 1 ? 'is' : 'are'} met to a thousandth.`
}

function rulesSentence(rules: Targets['rules']): string {
  if (rules.length === 0) return ''
  const broken = new Set(rules.filter(({ violations }) => violations > 0).map(({ rule }) => rule)).size
  const all = new Set(rules.map(({ rule }) => rule)).size
  if (broken > 0) return ` Some rows break ${countText(broken)} of ${plural(all, 'rule')}.`
  return all === 1
    ? ' Every row keeps the rule of the study.'
    : ` Every row keeps the ${countText(all)} rules of the study.`
}

function sharesSentence(targets: readonly ShareLine[], missed: readonly ShareLine[]): string {
  if (targets.length === 0) return ''
  const scenarios = plural(new Set(targets.map(({ scenario }) => scenario)).size, 'scenario')
  const all = targets.length === 1 ? 'The one share' : `All ${countText(targets.length)} shares`
  if (missed.length === 0)
    return `${all} that ${scenarios} asked for ${targets.length === 1 ? 'is' : 'are'} met to the row. `
  return `${countText(targets.length - missed.length)} of ${plural(targets.length, 'share')} that ${scenarios} asked for are met to the row. `
}

function rangesSentence(ranges: Targets['ranges'], outside: Targets['ranges']): string {
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

function picture(missed: readonly ShareLine[]): Figure {
  const off = ({ achieved, target }: ShareLine): number => Math.abs(achieved - nearestAllowed(achieved, target))
  const worst = [...missed].sort((a, b) => off(b) - off(a))
  const shown = worst.slice(0, MOST_LINES)
  const left = worst.length - shown.length
  const { scenario, column, level, target, achieved } = worst[0]!
  return figure({
    only: 'page',
    id: 'missed-targets',
    caption: `The largest distance is that of ${column} ${level} in ${scenario}: ${shareText(achieved)} instead of ${targetShareText(target)}.${left > 0 ? ` Drawn are the ${shown.length} largest of ${countText(worst.length)}.` : ''}`,
    picture: () =>
      html`${legend([
        [html`<path class="mark-baseline" d="M15 1V13"/>`, 'target'],
        [html`<circle class="mark-scenario beyond" cx="15" cy="7" r="4"/>`, 'achieved'],
        [html`<rect class="band" x="1" y="3" width="28" height="8"/>`, 'what chance alone does in so many rows'],
      ])}${targetLines(shown)}`,
    table: shareTable(shown),
  })
}
