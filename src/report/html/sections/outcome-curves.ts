import { type Answer, comparisonAnswers } from '../../../answers/words/answer-text.ts'
import { replicatesOf } from '../../../answers/words/compared-scenario.ts'
import { words } from '../../../base/language/language.ts'
import type { ManifestAxis } from '../../../records/manifest/columns.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { own } from '../../scenario-names.ts'
import type { Curve, CurvePoint } from '../charts/response-curve.ts'
import { grouped } from '../grouped.ts'
import { type AxisNumbers, axisNumbers, type Matrix, matrices } from './matrix-axes.ts'

/** Curves that a report draws, and points in all of them. */
const MOST_DRAWINGS = 24
const MOST_POINTS = 240

/** The curves of one outcome of a comparison. */
export interface OutcomeCurves {
  readonly comparison: string
  readonly answer: Answer
  readonly curves: readonly Curve[]
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
export function drawnOutcomes(manifest: Manifest): { readonly shown: readonly OutcomeCurves[]; readonly left: number } {
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
      const held = others.map((other) => `${other.name} ${own(at, other.name) ?? '–'}`).join(words().figures.comma)
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
