import { type Answer, answerWords, SCALES } from '../../../answers/words/answer-text.ts'
import { percentText, shareText } from '../../../answers/words/share-text.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { words } from '../../../base/language/language.ts'
import { notesOf, outcomeText } from '../answer-cells.ts'
import { fitLabel } from '../fit-label.ts'
import { line, scaleLinear } from '../scales.ts'
import { apart, heading, labelWidth, type PlacedLabel, upwardAxis } from './axis.ts'
import { coordinate as at, CHART_WIDTH, chart, LETTERS, tipped } from './chart.ts'
import { tickText } from './tick-text.ts'

/** The outcome at the values of one axis, where all other axes are held. */
export interface Curve {
  readonly axis: string
  /** The values of the other axes: `region north`; empty when there are none. */
  readonly held: string
  readonly points: readonly CurvePoint[]
  /** Where the values of the axis are numbers: which. Null: they stand at even distances, and no line joins them. */
  readonly numbers: { readonly of: string; readonly isShare: boolean } | null
}

export interface CurvePoint {
  readonly value: string
  /** Place on the axis: the number of the value, else its place in the sequence. */
  readonly place: number
  readonly answer: Answer
}

const TOP = 26
const BOTTOM = 150
const LEFT = 46
const RIGHT = 306
/** Most points with figures in the drawing; with more points, figures are in tooltips and tables only. */
const MOST_FIGURES = 4
/** What a point takes besides its mark, on each side and above, and how far points stand off the ends of the axis. */
const WITH_FIGURE = { aside: 22, above: 20, inset: 34 }
const WITHOUT_FIGURE = { aside: 8, above: 6, inset: 14 }

/** The span of values that drawings of one outcome share, so that they compare: in the unit of `axisValue`. */
export function curveDomain(curves: readonly Curve[]): [low: number, high: number] {
  const values = curves
    .flatMap(({ points }) => points)
    .flatMap(({ answer }) => [answer.from, answer.to, ...intervalOf(answer), ...bandOf(answer)])
    .flatMap((value) => (value === null ? [] : [value]))
  const { answer } = curves[0]!.points[0]!
  const [low, high] = [axisValue(answer, Math.min(...values)), axisValue(answer, Math.max(...values))]
  return low === high ? [low - 1, high + 1] : [low, high]
}

/** The baseline of drawings of one outcome, with the digits that all of them are sure of. */
export const curveBaseline = (curves: readonly Curve[]): string =>
  curves
    .flatMap(({ points }) => points.map(({ answer }) => answerWords(answer).from))
    .reduce((shortest, text) => (text.length < shortest.length ? text : shortest))

/**
 * The outcome with 95 % intervals along an axis, and the baseline as a line.
 *
 * @param from The baseline's figure.
 */
export function responseCurve(curve: Curve, domain: readonly [low: number, high: number], from: string): Markup {
  const { points, held, axis, numbers } = curve
  const { answer } = points[0]!
  const drawn = points.filter(({ answer }) => answer.to !== null)
  const isNamed = drawn.length <= MOST_FIGURES
  const room = isNamed ? WITH_FIGURE : WITHOUT_FIGURE
  const up = scaleLinear()
    .domain(domain)
    .range([BOTTOM, TOP + 14])
    .nice(4)
  const places = points.map(({ place }) => place)
  const [first, last] = [Math.min(...places), Math.max(...places)]
  const across = scaleLinear()
    .domain(first === last ? [first - 1, last + 1] : [first, last])
    .range([LEFT + room.inset, RIGHT - room.inset])
  const x = (point: CurvePoint): number => at(across(point.place))
  const y = (value: number): number => at(up(axisValue(answer, value)))
  const path = line<CurvePoint>(x, ({ answer }) => y(answer.to!))(drawn)
  const text = (value: number): string =>
    `${answer.kind === 'date' && value > 0 ? '+' : ''}${tickText(value)}${axisUnit(answer.kind)}`
  const title = held === '' ? `${axis}` : held
  return chart({
    label: words().sections.responses.label(outcomeText(answer), axis, held),
    height: BOTTOM + 52,
    marks: html`${heading(title, CHART_WIDTH)}${upwardAxis({ scale: up, count: 4, text }, { left: LEFT, right: RIGHT })}${baseline(points, from, { x, y, room })}${numbers !== null && path !== null && html`<path class="curve" d="${path}"/>`}${drawn.map((point) => pointMarks(point, { x: x(point), y, isNamed }))}${underAxis(curve, x)}`,
  })
}

interface Room {
  readonly x: (point: CurvePoint) => number
  readonly y: (value: number) => number
  readonly room: typeof WITH_FIGURE
}

/** All points have one baseline. Its label stands where it covers no mark, as far as there is such a place. */
function baseline(points: readonly CurvePoint[], from: string, { x, y, room }: Room): Markup | null {
  const { answer } = points[0]!
  if (answer.from === null) return null
  const height = y(answer.from)
  const figure = figureText(answer, answer.from, from)
  const taken = points.flatMap((point) => {
    const { to } = point.answer
    if (to === null) return []
    const heights = [to, ...intervalOf(point.answer)].map(y)
    return [{ x: x(point), top: Math.min(...heights) - room.above, bottom: Math.max(...heights) + 4 }]
  })
  // Where the name has no place, the figure alone often has one: the key says what the line is.
  const places = [fitLabel(`${answer.against} ${figure}`, RIGHT - LEFT, LETTERS), figure].flatMap((text) => {
    const width = labelWidth(text)
    const [first, last] = [LEFT + 2, RIGHT - width]
    const lefts = [last, first, (first + last) / 2, ...[1, 2, 4, 5].map((i) => first + (i * (last - first)) / 6)]
    return [14, -5].flatMap((down) => lefts.map((left) => ({ text, width, left, line: height + down })))
  })
  const isFree = ({ left, width, line: at }: (typeof places)[number]): boolean =>
    at < BOTTOM &&
    taken.every(
      (one) => one.x + room.aside < left || one.x - room.aside > left + width || one.top > at || one.bottom < at - 11,
    )
  const { text, left, line: bottom } = places.find(isFree) ?? places[0]!
  return tipped(
    `${answer.against} ${answerWords(answer).from}`,
    html`<path class="mark-baseline line" d="M${LEFT} ${height}H${RIGHT}"/><text class="axis halo" x="${at(left)}" y="${at(bottom)}">${text}</text>`,
  )
}

/** Shares have one number of decimals in all drawings of an outcome. */
const figureText = (answer: Answer, value: number, words: string): string =>
  answer.level === null ? words : shareText(value)

interface PointPlace {
  readonly x: number
  readonly y: (value: number) => number
  readonly isNamed: boolean
}

function pointMarks({ value, answer }: CurvePoint, { x, y, isNamed }: PointPlace): Markup {
  const of = answerWords(answer)
  const { responses: say } = words().sections
  const ends = intervalOf(answer).map(y)
  const bandEnds = bandOf(answer).map(y)
  const state = answer.beyond === true ? ' beyond' : ''
  const isThin = answer.marks.includes('thin') || answer.basis === 'generation'
  const tip = [
    say.point(value, of.to, of.difference, answer.against),
    ...(of.interval === '' ? [] : [say.interval(of.interval)]),
    ...notesOf(answer),
  ].join(words().figures.comma)
  return tipped(
    tip,
    html`${bandEnds.length === 2 && html`<path class="band-ends" d="M${at(x - 4)} ${bandEnds[0]}H${at(x + 4)}M${at(x - 4)} ${bandEnds[1]}H${at(x + 4)}"/>`}${ends.length === 2 && html`<path class="interval${state}${isThin && ' thin'}" d="M${x} ${ends[0]}V${ends[1]}"/>`}<circle class="mark-scenario${state}" cx="${x}" cy="${y(answer.to!)}" r="4.5"/>${isNamed && html`<text class="value halo" x="${x}" y="${at(Math.min(y(answer.to!), ...ends) - 7)}" text-anchor="middle">${figureText(answer, answer.to!, of.to)}</text>`}`,
  )
}

/** The values, their numbers, and what the numbers are. Names that are too long for one line take turns on two. */
function underAxis({ points, axis, numbers, held }: Curve, x: (point: CurvePoint) => number): Markup {
  const below = (labels: ReturnType<typeof apart>, y: number) =>
    labels.map(
      (label) =>
        label && html`<text class="axis" x="${inside(label)}" y="${y}" text-anchor="middle">${label.text}</text>`,
    )
  const space = (RIGHT - LEFT) / points.length
  const named = (of: readonly CurvePoint[], room: number): PlacedLabel[] =>
    of.map((point) => ({ x: x(point), text: fitLabel(point.value, Math.max(40, room), LETTERS) }))
  const namesOf = (of: readonly CurvePoint[]) => {
    const one = apart(named(of, space))
    if (of.every(({ value }, i) => one[i]?.text === value)) return [one]
    return [0, 1].map((turn) =>
      apart(
        named(
          of.filter((_, i) => i % 2 === turn),
          2 * space,
        ),
      ),
    )
  }
  // A name stands above its number, or neither is shown.
  const withNumbers = (of: readonly CurvePoint[], { isShare }: { readonly isShare: boolean }) => {
    const values = named(of, space)
    const figures = of.map((point) => ({
      x: x(point),
      text: isShare ? percentText(point.place) : tickText(point.place),
    }))
    const isShown = apart(
      values.map((value, i) => (labelWidth(value.text) > labelWidth(figures[i]!.text) ? value : figures[i]!)),
    )
    return [values, figures].map((row) => row.map((label, i) => (isShown[i] === null ? null : label)))
  }
  const rows = numbers === null ? namesOf(points) : withNumbers(points, numbers)
  const names = numbers === null ? (held === '' ? '' : axis) : `${axis}: ${numbers.of}`
  return html`${rows.map((row, i) => below(row, BOTTOM + 16 + 15 * i))}<text class="label" x="${(LEFT + RIGHT) / 2}" y="${BOTTOM + 17 + 15 * rows.length}" text-anchor="middle">${fitLabel(names, RIGHT - LEFT, LETTERS)}</text>`
}

function inside({ x, text }: { readonly x: number; readonly text: string }): number {
  const half = labelWidth(text) / 2
  return at(Math.min(Math.max(x, half), CHART_WIDTH - half))
}

function axisUnit(kind: Answer['kind']): string {
  const { numbers, figures } = words()
  return kind === 'share' ? `${numbers.percent}%` : kind === 'date' ? figures.dayOfAxis : ''
}

/** Where a value lies on the axis: shares in percent, dates in days from the baseline, because a date is wider than the room for it. */
const axisValue = ({ kind, from }: Answer, value: number): number =>
  (kind === 'date' ? value - (from ?? 0) : value) * SCALES[kind]

/** The band of the difference, laid onto the baseline. */
const bandOf = ({ from, band }: Answer): number[] =>
  from === null || band === null ? [] : band.map((end) => from + end)

/** The interval of the difference, laid onto the baseline. */
const intervalOf = ({ from, interval }: Answer): number[] =>
  from === null || interval === null ? [] : interval.map((end) => from + end)
