import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { isDateColumn } from '../../../answers/words/answer-order.ts'
import { type Block, figure, note, type Section } from '../../../base/document/block.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { name, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { scenarioNames } from '../../scenario-names.ts'
import { multiples } from '../charts/chart.ts'
import { densityAxes, densityChart, isDrawn, type NumberSide } from '../charts/density.ts'
import { legend } from '../charts/legend.ts'
import { levelBars } from '../charts/level-bars.ts'
import {
  comparedColumns,
  type DrawnColumn,
  drawnScenarios,
  fittingColumns,
  isAnswered,
  levelSides,
  numberSides,
} from './distribution-columns.ts'
import { levelsTable, numbersTable } from './distribution-tables.ts'

/** The distribution of each outcome, baseline against scenario; null when nothing is compared. */
export function distributionSection({ manifest }: ReadManifest): Section | null {
  const all = comparedColumns(manifest)
  if (all.length === 0) return null
  const shown = fittingColumns(all)
  const isOne = Object.keys(manifest.comparisons).length === 1
  const nameOf = scenarioNames(manifest)
  return {
    id: 'distributions',
    title: words().sections.distributions.title,
    blocks: [
      leftNote(all, shown),
      key(),
      ...shown.map((one, i) =>
        figure({
          id: `distribution-${i + 1}`,
          caption: captionOf(manifest, one),
          picture: () => html`<h3 class="panel">${!isOne && html`${name(one.comparison)}: `}${name(one.column)}</h3>
${one.isNumber ? numberDrawings(manifest, one, nameOf) : levelDrawings(manifest, one, nameOf)}`,
          table: one.isNumber ? numbersTable(manifest, one) : levelsTable(manifest, one),
        }),
      ),
    ],
  }
}

function leftNote(all: readonly DrawnColumn[], shown: readonly DrawnColumn[]): Block {
  const count = (of: readonly DrawnColumn[]) => of.reduce((sum, { scenarios }) => sum + scenarios.length, 0)
  const left = count(all) - count(shown)
  if (left === 0) return null
  return note(words().sections.distributions.left(left))
}

const key = (): Markup =>
  legend([
    [html`<rect class="bar-baseline" x="1" y="2" width="28" height="10"/>`, words().sections.distributions.baseline],
    [html`<rect class="bar-scenario" x="1" y="2" width="28" height="10"/>`, words().sections.distributions.scenario],
  ])

function levelDrawings(manifest: Manifest, one: DrawnColumn, nameOf: (id: string) => string): Markup {
  const drawn = drawnScenarios(manifest, one).map((id) => ({ id, bars: levelSides(manifest, one, id) }))
  const longest = Math.max(
    ...drawn.flatMap(({ bars }) => bars.flatMap(({ before, after }) => [before ?? 0, after ?? 0])),
  )
  return multiples(
    drawn.map(({ id, bars }) =>
      levelBars({
        title: nameOf(id),
        label: words().sections.distributions.label(one.column, one.against, nameOf(id)),
        bars,
        longest,
      }),
    ),
  )
}

function numberDrawings(manifest: Manifest, one: DrawnColumn, nameOf: (id: string) => string): Markup {
  const drawn = drawnScenarios(manifest, one)
    .map((id) => ({ id, ...numberSides(manifest, one, id) }))
    .filter(({ before, after }) => isDrawn(before) || isDrawn(after))
  const axes = densityAxes(drawn.flatMap(({ before, after }): (NumberSide | null)[] => [before, after]))
  const isDate = isDateColumn(manifest, one.against, one.column)
  return multiples(
    drawn.map(({ id, before, after }) =>
      densityChart({
        title: nameOf(id),
        label: words().sections.distributions.label(one.column, one.against, nameOf(id)),
        before,
        after,
        isDate,
        ...axes,
      }),
    ),
  )
}

function captionOf(manifest: Manifest, one: DrawnColumn): Text {
  const { shares, numbers } = words().sections.distributions
  const [column, against] = [name(one.column), name(one.against)]
  const where: Text = one.where === null ? null : name(one.where)
  if (!one.isNumber) return shares<Text>(column, where, !isAnswered(manifest, one), against)
  const first = numberSides(manifest, one, one.scenarios[0]!)
  const isCut = one.scenarios.some((id) => {
    const { before, after } = numberSides(manifest, one, id)
    return [before, after].some((side) => (side?.histogram?.below ?? 0) + (side?.histogram?.above ?? 0) > 0)
  })
  return numbers<Text>({
    ...{ column, where, against, isCut },
    hasBins: first.after?.histogram !== undefined,
    hasQuantiles: first.after?.q50 !== null && first.before?.q50 !== null,
  })
}
