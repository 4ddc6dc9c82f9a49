import type { ReplicateSpread } from '../../records/manifest/comparisons.ts'
import type { OutcomeKindName } from '../../study/outcomes/outcome.ts'
import { roundRatio, roundStatistic } from '../arithmetic/figures.ts'
import { type Differences, withEachFigure } from '../arithmetic/figures-in.ts'
import type { PooledSide } from './compared-sides.ts'
import { type SharedTerms, sideFigureAt } from './differences.ts'

/**
 * The replicates of a scenario and how far its differences vary among them. The baseline is the same for all of them, so
 * a difference varies as the replicate's own figure does.
 */
export function replicateSpread(
  { replicates }: PooledSide,
  result: Differences,
  baseOf: SharedTerms['baseOf'],
): ReplicateSpread {
  const spread = withEachFigure(result, (figure) => {
    const base = baseOf(figure.column)
    const sd = deviation(replicates.map(({ side }) => sideFigureAt(figure, side.measured, base)))
    if (sd === null) return null
    return figure.level === null ? roundStatistic(sd) : roundRatio(sd)
  })
  return { ids: replicates.map(({ id }) => id), spread: spread as Pick<ReplicateSpread['spread'], OutcomeKindName> }
}

/** Of a sample; null with fewer than two figures. */
function deviation(all: readonly (number | null)[]): number | null {
  const known = all.filter((figure) => figure !== null)
  if (known.length < 2) return null
  const mean = known.reduce((total, figure) => total + figure, 0) / known.length
  const sd = Math.sqrt(known.reduce((total, figure) => total + (figure - mean) ** 2, 0) / (known.length - 1))
  return Number.isFinite(sd) ? sd : null
}
