import { chanceOfShare, nearestAllowed } from '../../../answers/arithmetic/figures.ts'
import { shareText, targetShareText } from '../../../answers/words/share-text.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { words } from '../../../base/language/language.ts'
import type { ShareLine } from '../../tables/target-tables.ts'
import { fitLabel } from '../fit-label.ts'
import { scaleLinear } from '../scales.ts'
import { rightwardAxis } from './axis.ts'
import { coordinate as at, CHART_WIDTH, chart, LETTERS, tipped } from './chart.ts'
import { tickText } from './tick-text.ts'

/** Lines of the drawing. */
export const MOST_LINES = 24

const ROW = 34
const TOP = 4

/** A line for each share: a stroke at the target, a dot at what was achieved, in percent. */
export function targetLines(targets: readonly ShareLine[]): Markup {
  const across = scaleLinear()
    .domain([0, 100])
    .range([16, CHART_WIDTH - 20])
  const bottom = TOP + targets.length * ROW
  const x = (share: number): number => at(across(Math.min(1, Math.max(0, share)) * 100))
  return chart({
    label: words().sections.targets.picture,
    height: bottom + 20,
    marks: html`${rightwardAxis({ scale: across, count: 5, text: (tick) => `${tickText(tick)}${words().numbers.percent}%` }, { top: TOP, bottom })}${targets.map(
      (one, i) => {
        const y = TOP + i * ROW
        const mid = y + 24
        const wanted = targetShareText(one.target)
        const figures = `${wanted} → ${shareText(one.achieved)}`
        const end = nearestAllowed(one.achieved, one.target)
        const chance = one.rows === 0 ? 0 : chanceOfShare(end, one.rows)
        return tipped(
          words().sections.targets.tip(
            `${one.scenario}, ${one.column} ${one.level}`,
            wanted,
            shareText(one.achieved),
            one.rows,
          ),
          html`<text class="halo" x="0" y="${y + 13}">${fitLabel(`${one.column} ${one.level}, ${one.scenario}`, 210, LETTERS)}</text><text class="value halo" x="${CHART_WIDTH}" y="${y + 13}" text-anchor="end">${figures}</text><rect class="band" x="${x(end - chance)}" y="${mid - 4}" width="${at(x(end + chance) - x(end - chance))}" height="8"/><path class="interval" d="M${x(end)} ${mid}H${x(one.achieved)}"/><path class="mark-baseline" d="M${x(end)} ${mid - 7}V${mid + 7}"/><circle class="mark-scenario beyond" cx="${x(one.achieved)}" cy="${mid}" r="4"/>`,
        )
      },
    )}`,
  })
}
