import { type Answer, answerWords, SCALES } from '../../../answers/words/answer-text.ts'
import { markWords } from '../../../answers/words/difference-text.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { words } from '../../../base/language/language.ts'
import { localNumber } from '../../../base/language/local-number.ts'
import { notesOf, outcomeText, withoutUnit } from '../answer-cells.ts'
import { fitLabel } from '../fit-label.ts'
import { scaleLinear } from '../scales.ts'
import type { Panel } from './choose-answers.ts'

/** One drawing of a panel: the page shows the one that its own width needs, so that letters keep their size. */
interface Layout {
  readonly name: 'wide' | 'medium' | 'narrow'
  readonly width: number
  /** Room for the label of a row. */
  readonly label: number
  readonly plot: readonly [from: number, to: number]
  /** Where columns of figures end; marks begin. Null: there is no such column. */
  readonly sides: number | null
  readonly difference: number
  readonly interval: number | null
  readonly marks: number | null
  /** The label has a line of its own above the mark. */
  readonly isStacked: boolean
  readonly rowHeight: number
}

const LAYOUTS: readonly Layout[] = [
  {
    name: 'wide',
    width: 1080,
    label: 262,
    plot: [275, 570],
    sides: 735,
    difference: 808,
    interval: 938,
    marks: 950,
    isStacked: false,
    rowHeight: 22,
  },
  {
    name: 'medium',
    width: 720,
    label: 210,
    plot: [218, 398],
    sides: null,
    difference: 456,
    interval: 584,
    marks: 592,
    isStacked: false,
    rowHeight: 24,
  },
  {
    name: 'narrow',
    width: 360,
    label: 360,
    plot: [6, 220],
    sides: null,
    difference: 360,
    interval: null,
    marks: null,
    isStacked: true,
    rowHeight: 42,
  },
]

const SIZE = 12.5
const HEADS = 20
const HEADING = 26
const AXIS = 24

/** Differences with their intervals, the outcomes one below the other, at three widths. */
export function forestPlot(panel: Panel, nameOf: (scenario: string) => string): Markup {
  return html`${LAYOUTS.map((layout) => drawing(panel, layout, nameOf))}`
}

export function panelTitle(panel: Panel): string {
  const { shares, numbers } = words().firstScreen
  if (panel.meanOf === null) return shares
  const outcome = outcomeText({ column: panel.meanOf, level: null, quantile: panel.quantile })
  return numbers(outcome, kindOf(panel) === 'date')
}

function drawing(panel: Panel, layout: Layout, nameOf: (scenario: string) => string): Markup {
  const { width, plot, name: size } = layout
  const scale = scaleLinear().domain(extentOf(panel)).range(plot).nice(5)
  const x = (value: number): number => round(scale(value * unitOf(panel)))
  let y = layout.isStacked ? 0 : HEADS
  const top = y
  const parts: Markup[] = []
  for (const group of panel.groups) {
    if (panel.meanOf === null) {
      y += HEADING
      parts.push(html`<text class="outcome" x="0" y="${y - 8}">${headingOf(group[0]!, width)}</text>`)
    }
    for (const answer of group) {
      parts.push(row(answer, { layout, x, y, nameOf }))
      y += layout.rowHeight
    }
  }
  const bottom = y + 4
  const ticks = scale.ticks(layout.isStacked ? 4 : 6)
  return html`<svg class="${size} forest" viewBox="0 0 ${width} ${bottom + AXIS}" role="img" aria-label="${panelTitle(panel)}" tabindex="0">
${!layout.isStacked && heads(layout)}${ticks.map((tick) => html`<path class="${tick === 0 ? 'zero' : 'grid'}" d="M${round(scale(tick))} ${top}V${bottom}"/><text class="axis" x="${round(scale(tick))}" y="${bottom + 15}" text-anchor="middle">${tickText(tick)}</text>`)}
${parts}</svg>
`
}

/** Shows the beginnings of a long column and its level, because the level says more than the end of the column. */
function headingOf({ column, level }: Answer, width: number): string {
  // Bold letters are wider.
  const size = 1.15 * (SIZE + 1)
  const whole = outcomeText({ column, level })
  if (level === null || fitLabel(whole, width, size) === whole) return fitLabel(whole, width, size)
  const room = fitLabel(level, width / 2, size)
  return `${fitLabel(column, width / 2, size)} ${room}`
}

function heads({ sides, difference, interval, plot }: Layout): Markup {
  const { firstScreen: say, answers } = words()
  const head = (x: number, text: string) => html`<text class="label" x="${x}" y="11" text-anchor="end">${text}</text>`
  return html`<text class="label" x="${plot[0]}" y="11">${say.less}</text>${head(plot[1], say.more)}${sides !== null && head(sides, say.sides)}${head(difference, sides === null ? say.shortDifference : say.difference)}${interval !== null && head(interval, answers.heads.interval)}`
}

interface Row {
  readonly layout: Layout
  readonly x: (value: number) => number
  readonly y: number
  readonly nameOf: (scenario: string) => string
}

function row(answer: Answer, { layout, x, y, nameOf }: Row): Markup {
  const { difference, interval, beyond, marks } = answer
  const { comma } = words().figures
  const of = answerWords(answer)
  const text = layout.isStacked ? y + 13 : y + 15
  const mid = layout.isStacked ? y + 26 : y + 11
  const state = beyond === true ? ' beyond' : ''
  const [notesWidth, notesSize] = layout.isStacked
    ? [layout.width / 2, SIZE]
    : [layout.width - (layout.marks ?? 0), SIZE - 1]
  const notes = fitLabel(marks.map(markWords).join(comma), notesWidth, notesSize)
  const noteRoom = layout.isStacked && notes !== '' ? notes.length * SIZE * 0.56 + 8 : 0
  const name = fitLabel(nameOf(answer.scenario), layout.label - noteRoom, SIZE)
  const figure = withMinus(withoutUnit(of.difference))
  const [difference_, range] = layout.isStacked
    ? [`${figure}${of.interval && ` (${withMinus(of.interval)})`}`, null]
    : [figure, withMinus(of.interval)]
  const textY = layout.isStacked ? y + 30 : text
  const figures = html`${layout.sides !== null && html`<text class="axis" x="${layout.sides}" y="${text}" text-anchor="end">${withMinus(`${of.from} → ${of.to}`)}</text>`}<text class="value${state}" x="${layout.difference}" y="${textY}" text-anchor="end">${difference_}</text>${layout.interval !== null && html`<text class="axis" x="${layout.interval}" y="${text}" text-anchor="end">${range}</text>`}`
  const note =
    notes === ''
      ? null
      : layout.isStacked
        ? html`<text class="note" x="${layout.width}" y="${text}" text-anchor="end">${notes}</text>`
        : html`<text class="note" x="${layout.marks}" y="${text}">${notes}</text>`
  const isThin = answer.marks.includes('thin') || answer.basis === 'generation'
  return html`<g data-tip="${tipOf(answer, nameOf(answer.scenario))}"><title>${tipOf(answer, nameOf(answer.scenario))}</title><rect class="hit" x="0" y="${y}" width="${layout.width}" height="${layout.rowHeight}"/><text x="0" y="${text}">${name}</text>${interval && html`<path class="interval${state}${isThin && ' thin'}" d="M${x(interval[0])} ${mid}H${x(interval[1])}"/>`}${difference !== null && html`<circle class="mark-scenario${state}" cx="${x(difference)}" cy="${mid}" r="4"/>`}${figures}${note}</g>
`
}

/** The whole names and all figures, as a sentence. */
function tipOf(answer: Answer, name: string): string {
  const { from, to, difference, interval } = answerWords(answer)
  const id = name === answer.scenario ? name : `${name} (${answer.scenario})`
  const { figures, firstScreen: say } = words()
  const { beyondChance, withinChance, chanceNotKnown, comma } = figures
  const parts = [
    `${outcomeText(answer)}: ${from} → ${to}`,
    difference,
    ...(interval === '' ? [] : [say.intervalOf(interval)]),
    ...notesOf(answer),
    answer.beyond === true ? beyondChance : answer.beyond === false ? withinChance : chanceNotKnown,
  ]
  return say.tip(id, parts.join(comma))
}

/** A panel has answers of one kind. */
const kindOf = ({ groups }: Panel): Answer['kind'] => groups[0]?.[0]?.kind ?? 'number'

const unitOf = (panel: Panel): number => SCALES[kindOf(panel)]

/** The range of all drawn values and zero. */
function extentOf(panel: Panel): [number, number] {
  const values = panel.groups
    .flat()
    .flatMap(({ difference, interval }) => [difference ?? 0, ...(interval ?? [])])
    .filter(Number.isFinite)
    .map((value) => value * unitOf(panel))
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  return low === high ? [-1, 1] : [low, high]
}

/** A minus that takes the room of a plus, in pictures: tables are copied into spreadsheets, which want a hyphen. */
const withMinus = (text: string): string => text.replaceAll(/-(?=[\d.])/g, '\u2212')

/** Without the noise of binary fractions. */
const tickText = (value: number): string => {
  const text = localNumber(String(Number(value.toPrecision(6))))
  return value > 0 ? `+${text}` : withMinus(text)
}

const round = (value: number): number => Math.round(value * 10) / 10
