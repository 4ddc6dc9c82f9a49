/** A slide for the distribution of an outcome in a scenario, beside the baseline. */

import { isDateColumn } from '../../answers/words/answer-order.ts'
import { type Answer, type ComparisonAnswers, SCALES } from '../../answers/words/answer-text.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { shareText } from '../../answers/words/share-text.ts'
import { words } from '../../base/language/language.ts'
import { percentSign } from '../../base/language/local-number.ts'
import { capital } from '../../base/text/capital.ts'
import type { Histogram } from '../../records/manifest/columns.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { NumberSide } from '../html/charts/density.ts'
import { shortFigure } from '../html/charts/tick-text.ts'
import {
  comparedColumns,
  type DrawnColumn,
  drawnScenarios,
  fittingColumns,
  isAnswered,
  levelSides,
  numberSides,
} from '../html/sections/distribution-columns.ts'
import type { DeckChart } from './chart.ts'
import { titleOf } from './difference-slides.ts'
import { parts, partText, type Slide, type SlideTable } from './slide.ts'

interface Subject {
  readonly manifest: Manifest
  readonly column: DrawnColumn
  readonly scenario: string
  readonly name: string
  /** What the slide says. */
  readonly message: string
}

/** @param comparisons Of the manifest. */
export function distributionSlides(
  manifest: Manifest,
  comparisons: readonly ComparisonAnswers[],
  nameOf: (scenario: string) => string,
): Slide[] {
  return fittingColumns(comparedColumns(manifest)).flatMap((column) =>
    drawnScenarios(manifest, column).flatMap((scenario) => {
      const answers = comparisons
        .filter(({ id }) => id === column.comparison)
        .flatMap((one) => one.answers)
        .filter((one) => one.scenario === scenario && one.column === column.column && one.quantile === null)
        .filter(({ level }) => (level === null) === column.isNumber)
      if (!isTold(answers) || column.levels.length === 1) return []
      const name = nameOf(scenario)
      const of = { manifest, column, scenario, name, message: messageOf(answers, column, name, nameOf) }
      return column.isNumber ? numberSlide(of) : levelSlides(of)
    }),
  )
}

/** Where something is known about chance, only what it does not explain: the page has the others. */
const isTold = (answers: readonly Answer[]): boolean =>
  answers.some(({ beyond }) => beyond === true) || answers.every(({ beyond }) => beyond === null)

function messageOf(
  answers: readonly Answer[],
  { column, against }: DrawnColumn,
  name: string,
  nameOf: (scenario: string) => string,
): string {
  const strongest = answers.find(({ beyond }) => beyond === true)
  return strongest === undefined ? words().deck.distribution.title(column, name, against) : titleOf(strongest, nameOf)
}

function levelSlides({ manifest, column, scenario, name, message }: Subject): Slide[] {
  const all = parts(levelSides(manifest, column, scenario))
  const { deck, sections } = words()
  const sides = sections.distributions.label(column.column, column.against, name)
  return all.map((levels, i) => ({
    title: `${message}${partText(i, all.length)}`,
    body: {
      kind: 'chart' as const,
      chart: {
        kind: 'bars' as const,
        label: sides,
        rows: levels.map(({ level }) => level),
        series: [
          { name: column.against, look: 'baseline' as const, values: levels.map(({ before }) => before) },
          { name, look: 'scenario' as const, values: levels.map(({ after }) => after) },
        ],
        values: { format: '0.0%', ends: [0, Math.min(1, Math.ceil(longest(all.flat()) * 11) / 10)] as const },
      },
    },
    notes: [
      deck.distribution.shares({
        ...{ column: column.column, where: column.where, inRows: !isAnswered(manifest, column) },
        sides: [column.against, name].join(words().figures.comma),
      }),
    ],
  }))
}

const longest = (levels: readonly { readonly before: number | null; readonly after: number | null }[]): number =>
  Math.max(0.05, ...levels.flatMap(({ before, after }) => [before ?? 0, after ?? 0]))

function numberSlide({ manifest, column, scenario, name, message }: Subject): Slide[] {
  const { before, after } = numberSides(manifest, column, scenario)
  if (before?.histogram === undefined && after?.histogram === undefined) return []
  const isDate = isDateColumn(manifest, column.against, column.column)
  const sides: [string, 'baseline' | 'scenario', NumberSide | null][] = [
    [column.against, 'baseline', before],
    [name, 'scenario', after],
  ]
  const drawn = sides.flatMap(([of, look, side]) =>
    side?.histogram === undefined ? [] : [{ name: of, look, histogram: side.histogram }],
  )
  return [
    {
      title: message,
      body: {
        kind: 'chart',
        chart: stepsChart(column, drawn, isDate),
        below: quantileTable(sides, isDate),
      },
      notes: [
        words().deck.distribution.steps(column.column, column.where, isDate),
        ...drawn.flatMap((one) => beyondText(one.name, one.histogram)),
      ],
    },
  ]
}

function beyondText(name: string, { below = 0, above = 0 }: Histogram): string[] {
  if (below + above === 0) return []
  return [words().deck.distribution.beyondSteps(name, shareText(below), shareText(above))]
}

interface Drawn {
  readonly name: string
  readonly look: 'baseline' | 'scenario'
  readonly histogram: Histogram
}

/** Bins need not have one width: a step is as high as the share per unit. Each edge has a point before and a point behind it. */
function stepsChart(column: DrawnColumn, drawn: readonly Drawn[], isDate: boolean): DeckChart {
  const { distribution: say } = words().deck
  const unit = isDate ? SCALES.date : 1
  const edges = [...new Set(drawn.flatMap(({ histogram }) => histogram.edges))].sort((a, b) => a - b)
  const heightIn = ({ edges: own, shares }: Histogram, at: number): number => {
    const bin = own.findIndex((edge, i) => i < shares.length && edge <= at && at < own[i + 1]!)
    return bin < 0 ? 0 : shares[bin]! / ((own[bin + 1]! - own[bin]!) * unit)
  }
  const points = edges.flatMap((edge, i) => [
    { edge, inside: i === 0 ? null : (edges[i - 1]! + edge) / 2 },
    { edge, inside: i === edges.length - 1 ? null : (edge + edges[i + 1]!) / 2 },
  ])
  return {
    kind: 'curves',
    label: say.label(column.column),
    rows: points.map(() => ''),
    at: points.map(({ edge }) => edge * unit),
    series: drawn.map(({ name, look, histogram }) => ({
      name,
      look,
      values: points.map(({ inside }) => (inside === null ? 0 : heightIn(histogram, inside))),
      isJoined: true,
    })),
    values: { format: '0.####', title: say.perUnit },
    across: {
      format: isDate ? '0' : '#,##0.####',
      title: isDate ? say.days(column.column) : column.column,
      ends: [edges[0]! * unit, edges.at(-1)! * unit],
    },
  }
}

const QUANTILES = [
  ['0.05', 'q05'],
  ['0.25', 'q25'],
  ['0.5', 'q50'],
  ['0.75', 'q75'],
  ['0.95', 'q95'],
] as const

const quantileHead = (share: string): string =>
  share === '0.5' ? capital(numberWord(share)) : percentSign(String(100 * Number(share)))

function quantileTable(sides: readonly [string, string, NumberSide | null][], isDate: boolean): SlideTable {
  return {
    columns: [
      { head: words().deck.distribution.inRows, width: 0.4 },
      ...QUANTILES.map(([share]) => ({ head: quantileHead(share), width: 0.12, align: 'right' as const })),
    ],
    rows: sides.map(([name, , side]) => [
      name,
      ...QUANTILES.map(([, key]) => {
        const value = side?.[key] ?? null
        return value === null ? '–' : shortFigure(value, isDate)
      }),
    ]),
  }
}
