/** How far the rows of a scenario are from the answers: a figure of the rows' quality, in which chance has its part. */

import type { RowsDistance } from '../../records/manifest/comparisons.ts'
import type { DifferenceCertainty } from '../../records/manifest/differences.ts'
import { roundRatio, roundStatistic } from '../arithmetic/figures.ts'
import { type Differences, figuresIn } from '../arithmetic/figures-in.ts'

/** A distance of more than so many standard errors of the answer is counted. */
const FAR = 2

const POINTS = 100

/** The field `rows_distance` of a scenario of a comparison; absent where no difference has an answer with a standard error. */
export function rowsDistance(result: Differences): { readonly rows_distance?: RowsDistance } {
  const found = figuresIn(result).map(({ kind, value }) => ({ kind, distances: distanceOf(value) }))
  const all = found.flatMap(({ distances }) => distances)
  const ofShares = found.flatMap(({ kind, distances }) => (kind === 'shares' ? distances : []))
  if (all.length === 0) return {}
  const distance: RowsDistance = {
    outcomes: all.length,
    beyond_two_errors: all.filter(({ errors }) => errors > FAR).length,
    ...(ofShares.length > 0 && {
      largest_points: roundRatio(POINTS * ofShares.reduce((most, { distance }) => Math.max(most, distance), 0)),
    }),
    rms_errors: roundStatistic(Math.sqrt(all.reduce((sum, { errors }) => sum + errors ** 2, 0) / all.length)),
  }
  return { rows_distance: distance }
}

interface Distance {
  readonly distance: number
  /** The same in standard errors of the answer. */
  readonly errors: number
}

/** Nothing where the scenarios alone decide the answer: its error is 0. */
function distanceOf({
  delta,
  answer,
  standard_error: error,
}: Partial<DifferenceCertainty> & { readonly delta: number | null }): Distance[] {
  if (delta === null || answer === undefined || error == null || error === 0) return []
  const distance = Math.abs(delta - answer.difference)
  return [{ distance, errors: distance / error }]
}
