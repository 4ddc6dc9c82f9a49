import { escapeText } from '../../base/text/escape-text.ts'
import type { CurvePoint, SolutionRecord } from '../../records/solution.ts'
import { type AnswerWords, answerWords, SCALES, unitText } from './answer-text.ts'
import { differenceMarks } from './difference-text.ts'

/** Which value of a lever moves a figure by so much. */
export type Solved = Omit<SolutionRecord, 'study' | 'scenario'>

/** Which value of the lever gives the wanted difference, or why none does. */
export function solutionSentence(found: Solved): string {
  const name = escapeText(`${found.lever.column} ${found.lever.level}`)
  const { solution, by, curve } = found
  const wanted = wantedText(found)
  if (solution === null) {
    const far = curve.reduce<CurvePoint | null>(
      (most, point) =>
        most === null || point.difference * Math.sign(by) > most.difference * Math.sign(by) ? point : most,
      null,
    )
    if (far === null) return `${wanted} is not known: too few rows of the seed stand behind every share`
    return `${wanted} is out of reach: ${name} moves it by ${curveWords(found, far).difference} at most, at ${leverPercent(far.value)}`
  }
  const { value, low, high } = solution
  const ends = `${low === undefined ? 'no lower end' : leverPercent(low)} to ${high === undefined ? 'no upper end' : leverPercent(high)}`
  const marks = differenceMarks({ support: solution.support })
  return `${wanted} at ${name} ${leverPercent(value)} (95 % interval ${ends})${marks.map((mark) => `, ${mark}`).join('')}`
}

/** From which value on chance does not explain the difference. */
export function chanceSentence({ leaves_chance: { below, above } }: Solved): string {
  if (below === undefined && above === undefined) return 'the difference does not leave chance at any share'
  const ends = [
    ...(below === undefined ? [] : [`from ${leverPercent(below)} down`]),
    ...(above === undefined ? [] : [`from ${leverPercent(above)} up`]),
  ]
  return `the difference leaves chance ${ends.join(' and ')}`
}

export const leverPercent = (share: number): string => `${(share * 100).toFixed(1)} %`

const kindOf = ({ level, kind }: Solved['figure']): 'share' | 'number' | 'date' =>
  level === undefined ? (kind ?? 'number') : 'share'

/** As it was asked: +5 points. */
function wantedText({ by, figure }: Solved): string {
  const kind = kindOf(figure)
  return `${by > 0 ? '+' : ''}${Number((by * SCALES[kind]).toPrecision(12))}${unitText(kind)}`
}

/** A point of the curve, rounded to what its interval supports. */
export function curveWords({ figure }: Pick<Solved, 'figure'>, point: Partial<CurvePoint>): AnswerWords {
  const { column, level = null, quantile, value: from } = figure
  const { scenario: to = null, difference = null, interval = null } = point
  const standardError = interval === null ? null : (interval[1] - interval[0]) / 4
  return answerWords({
    column,
    level,
    ...(quantile !== undefined && { quantile: String(quantile) }),
    kind: kindOf(figure),
    from,
    to,
    difference,
    interval,
    inRows: null,
    standardError,
  })
}
