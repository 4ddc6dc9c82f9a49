import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { type Answer, answerWords, comparisonAnswers } from '../../../answers/words/answer-text.ts'
import { replicatesOf } from '../../../answers/words/compared-scenario.ts'
import { plural } from '../../../base/text/amount-text.ts'
import type { ManifestAxis } from '../../../records/manifest/columns.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { type Block, figure, note, only, type Section, type Table, table, worded } from '../../document/block.ts'
import { html, type Markup } from '../../document/markup.ts'
import { own } from '../../document/names.ts'
import { name } from '../../document/text.ts'
import { answerCells, answerHeads, outcomeText } from '../answer-cells.ts'
import { multiples } from '../charts/chart.ts'
import { legend } from '../charts/legend.ts'
import { type Curve, type CurvePoint, curveDomain, responseCurve } from '../charts/response-curve.ts'
import { grouped } from '../grouped.ts'
import { type AxisNumbers, axisNumbers, type Matrix, matrices } from './matrix-axes.ts'

/** Drawings of the section, and points in all of them. */
const MOST_DRAWINGS = 24
const MOST_POINTS = 240

/** The curves of one outcome of a comparison. */
interface OutcomeCurves {
  readonly comparison: string
  readonly answer: Answer
  readonly curves: readonly Curve[]
}

/** The outcomes along each axis of the matrices, where the other axes are held; null without a matrix. */
export function responseSection({ manifest }: ReadManifest): Section | null {
  const { shown, left } = drawnOutcomes(manifest)
  if (shown.length === 0) return null
  const isOne = Object.keys(manifest.comparisons).length === 1
  return {
    id: 'responses',
    title: 'Along the axes',
    blocks: [
      left > 0 && leftNote(left),
      key(),
      ...shown.map((one, i) =>
        figure({
          only: 'page',
          id: `response-${i + 1}`,
          caption: captionOf(one),
          picture:
            () => html`<h3 class="panel">${!isOne && html`${name(one.comparison)}: `}${name(outcomeText(one.answer))}</h3>
${drawings(one)}`,
          table: curveTable(one),
        }),
      ),
    ],
  }
}

/** The outcomes of comparisons with their answers, those with the strongest difference of a comparison first. */
function outcomesOf(manifest: Manifest): Answer[][] {
  return comparisonAnswers(manifest).flatMap(({ answers }) => [
    ...grouped(
      answers.filter(({ to }) => to !== null),
      ({ column, level }) => JSON.stringify([column, level]),
    ).values(),
  ])
}

/**
 * The outcomes with the strongest differences, as far as there is room; the first one in any case. Of two levels of a
 * column one is enough, because their shares add up to 1.
 *
 * @returns with the number of outcomes that are left out.
 */
function drawnOutcomes(manifest: Manifest): { readonly shown: readonly OutcomeCurves[]; readonly left: number } {
  const outcomes = outcomesOf(manifest)
  const columnOf = ([first]: readonly Answer[]): string =>
    JSON.stringify([first!.comparison, first!.column, first!.level === null, first!.quantile])
  const levels = grouped(outcomes, columnOf)
  const axes = matrices(manifest).flatMap(numberedAxes)
  const mirrored = new Set<string>()
  const shown: OutcomeCurves[] = []
  let room = MOST_DRAWINGS
  let pointsLeft = MOST_POINTS
  let left = 0
  for (const answers of outcomes) {
    const column = columnOf(answers)
    if (mirrored.has(column)) continue
    if (answers[0]!.level !== null && levels.get(column)?.length === 2) mirrored.add(column)
    const isFull = room === 0 || pointsLeft === 0
    const curves = isFull ? [] : curvesOf(axes, new Map(answers.map((one) => [scenarioOf(manifest, one), one])))
    if (!isFull && curves.length === 0) continue
    const fitting = shown.length === 0 ? firstCurves(curves) : curves
    const points = fitting.reduce((sum, one) => sum + one.points.length, 0)
    if (isFull || (shown.length > 0 && (fitting.length > room || points > pointsLeft))) left++
    else {
      shown.push({ comparison: answers[0]!.comparison, answer: answers[0]!, curves: fitting })
      room -= fitting.length
      pointsLeft = Math.max(0, pointsLeft - points)
    }
  }
  return { shown, left }
}

/** Several replicates that are compared as one lie where the first of them lies. */
function scenarioOf(manifest: Manifest, { scenario }: Answer): string {
  return replicatesOf(manifest, scenario)[0] ?? scenario
}

/** As many as there is room for, and at least one. */
function firstCurves(curves: readonly Curve[]): Curve[] {
  let points = 0
  return curves.slice(0, MOST_DRAWINGS).filter((curve, i) => {
    points += curve.points.length
    return i === 0 || points <= MOST_POINTS
  })
}

interface NumberedAxis {
  readonly matrix: Matrix
  readonly axis: ManifestAxis
  readonly numbers: AxisNumbers | null
}

/** Axes with numbers come first. */
function numberedAxes(matrix: Matrix): NumberedAxis[] {
  const all = matrix.axes.map((axis) => ({ matrix, axis, numbers: axisNumbers(matrix, axis) }))
  return [...all.filter(({ numbers }) => numbers !== null), ...all.filter(({ numbers }) => numbers === null)]
}

function curvesOf(axes: readonly NumberedAxis[], answers: ReadonlyMap<string, Answer>): Curve[] {
  return axes.flatMap(({ matrix, axis, numbers }): Curve[] => {
    const others = matrix.axes.filter((other) => other !== axis)
    const points = matrix.scenarios.flatMap(([id, { axes: at }]) => {
      const answer = answers.get(id)
      const value = own(at, axis.name)
      if (answer === undefined || value === undefined) return []
      const place = numbers === null ? axis.values.indexOf(value) : numbers.at.get(value)
      if (place === undefined) return []
      const held = others.map((other) => `${other.name} ${own(at, other.name) ?? '–'}`).join(', ')
      return [{ held, point: { value, place, answer } satisfies CurvePoint }]
    })
    return [...grouped(points, ({ held }) => held)].flatMap(([held, of]) => {
      const sorted = of.map(({ point }) => point).sort((a, b) => a.place - b.place)
      return new Set(sorted.map(({ place }) => place)).size < 2
        ? []
        : [{ axis: axis.name, held, points: sorted, numbers }]
    })
  })
}

const leftNote = (left: number): Block =>
  only(
    'page',
    note(
      `Drawn are the outcomes with the strongest differences. The tables of the comparisons hold ${plural(left, 'further outcome')}.`,
    ),
  )

const key = (): Markup =>
  legend([
    [
      html`<path class="interval beyond" d="M15 1V13"/><circle class="mark-scenario beyond" cx="15" cy="7" r="4"/>`,
      'with 95 % interval, beyond chance',
    ],
    [html`<path class="band-ends" d="M11 1H19M11 13H19"/>`, 'ends of intervals that hold for all points together'],
    [
      html`<path class="interval" d="M15 1V13"/><circle class="mark-scenario" cx="15" cy="7" r="4"/>`,
      'within chance or not known',
    ],
    [html`<path class="mark-baseline line" d="M1 7H29"/>`, 'baseline'],
  ])

/** The drawings of an axis share a grid. */
function drawings({ curves }: OutcomeCurves): Markup {
  const domain = curveDomain(curves)
  return html`${[...grouped(curves, ({ axis }) => axis).values()].map((of) =>
    multiples(of.map((curve) => responseCurve(curve, domain))),
  )}`
}

/** What the first curve shows: from its first point to its last or, where no numbers order the values, its ends. */
function captionOf({ answer, curves }: OutcomeCurves): string {
  const { axis, held, points, numbers } = curves[0]!
  const where = held === '' ? '' : ` at ${held}`
  const change = numbers === null ? extremesText(points) : changeText(points)
  return `Along ${axis}${where}, ${answer.level === null ? 'the ' : ''}${outcomeText(answer)}${answer.where === null ? '' : ` in rows with ${answer.where}`} ${change}; in ${answer.against} it is ${answerWords(points[0]!.answer).from}. The bars are 95 % intervals of the difference from ${answer.against}.${answer.kind === 'date' ? ` The axis counts days from ${answer.against}.` : ''}`
}

function changeText(points: readonly CurvePoint[]): string {
  const [first, last] = [points[0]!, points[points.length - 1]!]
  const [from, to] = [answerWords(first.answer).to, answerWords(last.answer).to]
  if (last.answer.to === first.answer.to) return `is ${to} at both ends`
  if (!areApart(first, last)) return `is ${from} at ${first.value} and ${to} at ${last.value}, which chance may explain`
  return `${last.answer.to! > first.answer.to! ? 'rises' : 'falls'} from ${from} (${first.value}) to ${to} (${last.value})`
}

/**
 * Whether a caption may claim a direction between two points: one of them differs from the baseline beyond chance, and each lies
 * outside of the interval of the other.
 */
function areApart({ answer: one }: CurvePoint, { answer: other }: CurvePoint): boolean {
  if (one.beyond !== true && other.beyond !== true) return false
  const isOutside = ({ difference }: Answer, of: Answer): boolean => {
    const range = of.band ?? of.interval
    return difference !== null && range !== null && (difference < range[0] || difference > range[1])
  }
  return isOutside(one, other) && isOutside(other, one)
}

function extremesText(points: readonly CurvePoint[]): string {
  const lowest = points.reduce((a, b) => (b.answer.to! < a.answer.to! ? b : a))
  const highest = points.reduce((a, b) => (b.answer.to! > a.answer.to! ? b : a))
  const [low, high] = [answerWords(lowest.answer).to, answerWords(highest.answer).to]
  if (lowest.answer.to === highest.answer.to) return `is ${low} at every value`
  if (!areApart(lowest, highest)) return `lies between ${low} and ${high}, which chance may explain`
  return `is lowest at ${lowest.value} (${low}) and highest at ${highest.value} (${high})`
}

const curveTable = ({ answer, curves }: OutcomeCurves): Table =>
  table(
    outcomeText(answer),
    [...['Axis', worded('Held'), worded('Value'), 'Number'], ...answerHeads(answer.level === null ? null : 'points')],
    curves.flatMap(({ axis, held, numbers, points }) =>
      points.map((point) => [
        ...[name(axis), name(held), name(point.value), numbers === null ? '–' : point.place],
        ...answerCells(point.answer),
      ]),
    ),
  )
