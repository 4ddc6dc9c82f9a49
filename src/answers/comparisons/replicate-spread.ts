import { dataRecord } from '../../base/data-record.ts'
import type { ComparisonResult, ReplicateSpread } from '../../records/manifest/comparisons.ts'
import type { Measurement } from '../../records/state/measurements.ts'
import { roundRatio, roundStatistic } from '../arithmetic/figures.ts'
import type { PooledSide } from './compared-sides.ts'

/** The figures of one replicate; null: it has none. */
interface Figures {
  readonly share: (measured: Measurement, column: string, level: string) => number | null
  readonly mean: (measured: Measurement, column: string) => number | null
  readonly quantile: (measured: Measurement, column: string, share: string) => number | null
}

/**
 * The replicates of a scenario and how far its differences vary among them. The baseline is the same for all of them, so
 * a difference varies as the replicate's own figure does.
 */
export function replicateSpread(
  { replicates }: PooledSide,
  { shares, means, quantiles }: Pick<ComparisonResult, 'shares' | 'means' | 'quantiles'>,
  figures: Figures,
): ReplicateSpread {
  const over = (figure: (measured: Measurement) => number | null): number | null =>
    deviation(replicates.map(({ side }) => figure(side.measured)))
  return {
    ids: replicates.map(({ id }) => id),
    spread: {
      shares: mapped(shares, (levels, column) =>
        mapped(levels, (_, level) => {
          const sd = over((measured) => figures.share(measured, column, level))
          return sd === null ? null : roundRatio(sd)
        }),
      ),
      means: mapped(means, (_, column) => {
        const sd = over((measured) => figures.mean(measured, column))
        return sd === null ? null : roundStatistic(sd)
      }),
      ...(quantiles && {
        quantiles: mapped(quantiles, (own, column) =>
          mapped(own, (_, share) => {
            const sd = over((measured) => figures.quantile(measured, column, share))
            return sd === null ? null : roundStatistic(sd)
          }),
        ),
      }),
    },
  }
}

/** Of a sample; null with fewer than two figures. */
function deviation(all: readonly (number | null)[]): number | null {
  const known = all.filter((figure) => figure !== null)
  if (known.length < 2) return null
  const mean = known.reduce((total, figure) => total + figure, 0) / known.length
  const sd = Math.sqrt(known.reduce((total, figure) => total + (figure - mean) ** 2, 0) / (known.length - 1))
  return Number.isFinite(sd) ? sd : null
}

const mapped = <V, W>(record: Readonly<Record<string, V>>, map: (value: V, key: string) => W): Record<string, W> =>
  dataRecord(Object.entries(record).map(([key, value]) => [key, map(value, key)] as const))
