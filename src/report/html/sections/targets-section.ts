import { nearestAllowed } from '../../../answers/arithmetic/figures.ts'
import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { MET_WITHIN, partsOff } from '../../../answers/words/mean-target-text.ts'
import { shareText, targetShareText } from '../../../answers/words/share-text.ts'
import { type Figure, figure, fold, paragraph, type Section } from '../../../base/document/block.ts'
import { html } from '../../../base/document/markup.ts'
import { words } from '../../../base/language/language.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
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
    title: words().sections.targets.title,
    blocks: [
      paragraph([
        ...[sharesSentence(shares, missed), rangesSentence(ranges, outside), meansSentence(means)],
        ...[rulesSentence(rules), withoutRows(manifest)],
      ]),
      missed.length > 0 && picture(missed),
      fold(words().sections.targets.all, targetTables(manifest, targets), 'figures'),
    ],
  }
}

/** Whether a share is a row or more off: less is rounding. */
const isRowOff = (distance: number, rows: number): boolean => Math.round(Math.abs(distance) * rows) >= 1

function meansSentence(means: Targets['means']): string {
  if (means.length === 0) return ''
  const met = means.filter((mean) => partsOff(mean) <= MET_WITHIN).length
  return words().sections.targets.means(met, means.length)
}

function rulesSentence(rules: Targets['rules']): string {
  if (rules.length === 0) return ''
  const broken = new Set(rules.filter(({ violations }) => violations > 0).map(({ rule }) => rule)).size
  return words().sections.targets.rules(broken, new Set(rules.map(({ rule }) => rule)).size)
}

function sharesSentence(targets: readonly ShareLine[], missed: readonly ShareLine[]): string {
  if (targets.length === 0) return ''
  const scenarios = new Set(targets.map(({ scenario }) => scenario)).size
  return words().sections.targets.shares(targets.length - missed.length, targets.length, scenarios)
}

const rangesSentence = (ranges: Targets['ranges'], outside: Targets['ranges']): string =>
  ranges.length === 0 ? '' : words().sections.targets.ranges(outside.length, ranges.length)

/** Scenarios that asked for something and have no rows to measure. */
function withoutRows({ scenarios }: Manifest): string {
  const count = Object.values(scenarios).filter(
    ({ rows, request }) => rows.counted === null && Object.keys(request?.conditions ?? {}).length > 0,
  ).length
  return count === 0 ? '' : words().sections.targets.withoutRows(count)
}

function picture(missed: readonly ShareLine[]): Figure {
  const off = ({ achieved, target }: ShareLine): number => Math.abs(achieved - nearestAllowed(achieved, target))
  const worst = [...missed].sort((a, b) => off(b) - off(a))
  const shown = worst.slice(0, MOST_LINES)
  const left = worst.length - shown.length
  const { scenario, column, level, target, achieved } = worst[0]!
  const { targets: say } = words().sections
  return figure({
    only: 'page',
    id: 'missed-targets',
    caption: `${say.caption(`${column} ${level}`, scenario, shareText(achieved), targetShareText(target))}${left > 0 ? say.drawn(shown.length, worst.length) : ''}`,
    picture: () =>
      html`${legend([
        [html`<path class="mark-baseline" d="M15 1V13"/>`, say.target],
        [html`<circle class="mark-scenario beyond" cx="15" cy="7" r="4"/>`, say.achieved],
        [html`<rect class="band" x="1" y="3" width="28" height="8"/>`, say.chance],
      ])}${targetLines(shown)}`,
    table: shareTable(shown),
  })
}
