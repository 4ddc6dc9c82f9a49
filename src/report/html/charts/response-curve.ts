import { type Answer, answerWords, SCALES } from '../../../answers/words/answer-text.ts'
import { percentText, shareText } from '../../../answers/words/share-text.ts'
import { words } from '../../../base/language/language.ts'
import { html, type Markup } from '../../document/markup.ts'
import { notesOf, outcomeText } from '../answer-cells.ts'
import { fitLabel } from '../fit-label.ts'
import { line, scaleLinear } from '../scales.ts'
import { apart, heading, labelWidth, upwardAxis } from './axis.ts'
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
/** Points stand off the ends of the axis. */
const INSET = 34
/** Most points with figures in the drawing; with more points, figures are in tooltips and tables only. */
const MOST_FIGURES = 4

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

/** The outcome with 95 % intervals along an axis, and the baseline as a line. */
export function responseCurve(curve: Curve, domain: readonly [low: number, high: number]): Markup {
  const { points, held, axis, numbers } = curve
  const { answer } = points[0]!
  const up = scaleLinear()
    .domain(domain)
    .range([BOTTOM, TOP + 14])
    .nice(4)
  const places = points.map(({ place }) => place)
  const [first, last] = [Math.min(...places), Math.max(...places)]
  const across = scaleLinear()
    .domain(first === last ? [first - 1, last + 1] : [first, last])
    .range([LEFT + INSET, RIGHT - INSET])
  const x = (point: CurvePoint): number => at(across(point.place))
  const y = (value: number): number => at(up(axisValue(answer, value)))
  const drawn = points.filter(({ answer }) => answer.to !== null)
  const path = line<CurvePoint>(x, ({ answer }) => y(answer.to!))(drawn)
  const text = (value: number): string =>
    `${answer.kind === 'date' && value > 0 ? '+' : ''}${tickText(value)}${axisUnit(answer.kind)}`
  const title = held === '' ? `${axis}` : held
  return chart({
    label: words().sections.responses.label(outcomeText(answer), axis, held),
    height: BOTTOM + 52,
    marks: html`${heading(title, CHART_WIDTH)}${upwardAxis({ scale: up, count: 4, text }, { left: LEFT, right: RIGHT })}${baseline(points, x, y)}${numbers !== null && path !== null && html`<path class="curve" d="${path}"/>`}${drawn.map((point) => pointMarks(point, { x: x(point), y, isNamed: drawn.length <= MOST_FIGURES }))}${underAxis(curve, x)}`,
  })
}

/** All points have one baseline. Its label stands where it covers no mark, as far as there is such a place. */
function baseline(
  points: readonly CurvePoint[],
  x: (point: CurvePoint) => number,
  y: (value: number) => number,
): Markup | null {
  const { answer } = points[0]!
  if (answer.from === null) return null
  const height = y(answer.from)
  const text = fitLabel(
    `${answer.against} ${figureText(answer, answer.from, answerWords(answer).from)}`,
    RIGHT - LEFT,
    LETTERS,
  )
  const width = labelWidth(text)
  const taken = points.flatMap((point) => {
    const { to } = point.answer
    if (to === null) return []
    const heights = [to, ...intervalOf(point.answer)].map(y)
    return [{ x: x(point), top: Math.min(...heights) - 20, bottom: Math.max(...heights) + 4 }]
  })
  const places = [14, -5].flatMap((down) =>
    [RIGHT - width, LEFT + 2, (LEFT + RIGHT - width) / 2].map((left) => ({ left, line: height + down })),
  )
  const isFree = ({ left, line: at }: { readonly left: number; readonly line: number }): boolean =>
    at < BOTTOM &&
    taken.every((one) => one.x + 22 < left || one.x - 22 > left + width || one.top > at || one.bottom < at - 11)
  const { left, line: bottom } = places.find(isFree) ?? places[0]!
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

/** The values, their numbers, and what the numbers are. */
function underAxis({ points, axis, numbers, held }: Curve, x: (point: CurvePoint) => number): Markup {
  const room = Math.max(40, (RIGHT - LEFT) / points.length)
  const values = apart(points.map((point) => ({ x: x(point), text: fitLabel(point.value, room, LETTERS) })))
  const figures =
    numbers === null
      ? []
      : apart(
          points.map((point) => ({
            x: x(point),
            text: numbers.isShare ? percentText(point.place) : tickText(point.place),
          })),
        )
  const below = (labels: ReturnType<typeof apart>, y: number) =>
    labels.map(
      (label) =>
        label && html`<text class="axis" x="${inside(label)}" y="${y}" text-anchor="middle">${label.text}</text>`,
    )
  const names = numbers === null ? (held === '' ? '' : axis) : `${axis}: ${numbers.of}`
  return html`${below(values, BOTTOM + 16)}${below(figures, BOTTOM + 31)}<text class="label" x="${(LEFT + RIGHT) / 2}" y="${BOTTOM + (numbers === null ? 33 : 47)}" text-anchor="middle">${fitLabel(names, RIGHT - LEFT, LETTERS)}</text>`
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
