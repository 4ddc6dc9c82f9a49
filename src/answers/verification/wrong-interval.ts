import type { DifferenceCertainty } from '../../records/manifest/differences.ts'
import { INTERVAL_CONFIDENCE, intervalOf } from '../arithmetic/intervals.ts'

/** A recorded difference. Of one without its certainty nothing is said. */
interface Recorded extends Partial<Pick<DifferenceCertainty, 'answer' | 'basis' | 'interval' | 'standard_error'>> {
  readonly delta: number | null
}

/** Each figure is rounded, degrees of freedom to six digits: so much of a standard error two of them may miss each other. */
const ROUNDING = 0.01

/**
 * Standard errors on each side of a 95 % interval whose degrees of freedom are not recorded: with 20 effective rows, the fewest that
 * have an interval, and without end. Rows alone can be as few as two.
 */
const WIDTHS = { effective_rows: [1.95, 2.1], generation: [1.95, 12.8] } as const

/**
 * What of an interval does not follow from the other figures of its difference, in words; null: nothing. It is as wide as the standard
 * error and the degrees of freedom make it, around the answer. An answer need not be the difference of its two sides: a service that
 * protects its seeds rounds each figure by itself.
 */
export function wrongInterval({ delta, answer, basis, interval, standard_error: error }: Recorded): string | null {
  const centre = answer?.difference ?? delta
  if (centre === null || interval == null || error == null) return null
  const isNear = (a: number, b: number) => Math.abs(a - b) <= ROUNDING * error + 2e-6 * Math.max(1, Math.abs(b))
  const [low, high] = interval
  if (!isNear((low + high) / 2, centre)) return 'interval: its middle is not the difference'
  if (answer === undefined) {
    const [narrowest, widest] = WIDTHS[basis === 'effective_rows' ? basis : 'generation']
    const reach = (high - low) / 2
    const isPossible = reach >= narrowest * error - 1e-6 && reach <= widest * error + 1e-6
    return isPossible ? null : 'interval: its width does not follow from its standard error'
  }
  const [least] = intervalOf(centre, error, answer.degrees_of_freedom ?? null, INTERVAL_CONFIDENCE, (figure) => figure)
  return isNear(low, least) ? null : 'interval: its width does not follow from its standard error'
}
