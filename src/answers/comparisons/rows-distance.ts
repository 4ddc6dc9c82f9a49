/** How far the rows of a scenario are from the answers: a figure of the rows' quality, in which chance has its part. */

import type { ComparisonResult, RowsDistance } from '../../records/manifest/comparisons.ts'
import type { DifferenceCertainty } from '../../records/manifest/differences.ts'
import { roundRatio, roundStatistic } from '../arithmetic/figures.ts'

/** A distance of more than so many standard errors of the answer is counted. */
const FAR = 2

const POINTS = 100

/** The field `rows_distance` of a scenario of a comparison; absent where no difference has an answer with a standard error. */
export function rowsDistance({
  shares,
  means,
  quantiles = {},
}: Pick<ComparisonResult, 'shares' | 'means' | 'quantiles'>): { readonly rows_distance?: RowsDistance } {
  const ofShares = Object.values(shares).flatMap((levels) => Object.values(levels).flatMap(distanceOf))
  const ofQuantiles = Object.values(quantiles).flatMap((own) => Object.values(own).flatMap(distanceOf))
  const all = [...ofShares, ...Object.values(means).flatMap(distanceOf), ...ofQuantiles]
  if (all.length === 0) return {}
  const found: RowsDistance = {
    outcomes: all.length,
    beyond_two_errors: all.filter(({ errors }) => errors > FAR).length,
    ...(ofShares.length > 0 && {
      largest_points: roundRatio(POINTS * ofShares.reduce((most, { distance }) => Math.max(most, distance), 0)),
    }),
    rms_errors: roundStatistic(Math.sqrt(all.reduce((sum, { errors }) => sum + errors ** 2, 0) / all.length)),
  }
  return { rows_distance: found }
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
