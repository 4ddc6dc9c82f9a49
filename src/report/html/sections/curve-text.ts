import { type Answer, answerWords } from '../../../answers/words/answer-text.ts'
import { outcomeText } from '../answer-cells.ts'
import type { Curve, CurvePoint } from '../charts/response-curve.ts'

/** What a curve shows: from its first point to its last or, where no numbers order the values, its ends. Not escaped. */
export function curveText(answer: Answer, { axis, held, points, numbers }: Curve): string {
  const where = held === '' ? '' : ` at ${held}`
  const change = numbers === null ? extremesText(points) : changeText(points)
  return `Along ${axis}${where}, ${answer.level === null ? 'the ' : ''}${outcomeText(answer)}${answer.where === null ? '' : ` in rows with ${answer.where}`} ${change}; in ${answer.against} it is ${answerWords(points[0]!.answer).from}`
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
