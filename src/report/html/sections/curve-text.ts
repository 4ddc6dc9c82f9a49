import { type Answer, answerWords } from '../../../answers/words/answer-text.ts'
import { words } from '../../../base/language/language.ts'
import { outcomeText } from '../answer-cells.ts'
import type { Curve, CurvePoint } from '../charts/response-curve.ts'

/** What a curve shows: from its first point to its last or, where no numbers order the values, its ends. Not escaped. */
export function curveText(answer: Answer, { axis, held, points, numbers }: Curve): string {
  return words().sections.responses.caption({
    ...{ axis, held, outcome: outcomeText(answer), isShare: answer.level !== null, where: answer.where },
    what: numbers === null ? extremesText(points) : changeText(points),
    against: answer.against,
    from: answerWords(points[0]!.answer).from,
  })
}

function changeText(points: readonly CurvePoint[]): string {
  const { atBothEnds, mayBeChance, changes } = words().sections.responses
  const [first, last] = [points[0]!, points[points.length - 1]!]
  const [from, to] = [answerWords(first.answer).to, answerWords(last.answer).to]
  if (last.answer.to === first.answer.to) return atBothEnds(to)
  if (!areApart(first, last)) return mayBeChance(from, first.value, to, last.value)
  return changes(last.answer.to! > first.answer.to!, from, first.value, to, last.value)
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
  const { atEveryValue, between, extremes } = words().sections.responses
  const lowest = points.reduce((a, b) => (b.answer.to! < a.answer.to! ? b : a))
  const highest = points.reduce((a, b) => (b.answer.to! > a.answer.to! ? b : a))
  const [low, high] = [answerWords(lowest.answer).to, answerWords(highest.answer).to]
  if (lowest.answer.to === highest.answer.to) return atEveryValue(low)
  if (!areApart(lowest, highest)) return between(low, high)
  return extremes(lowest.value, low, highest.value, high)
}
