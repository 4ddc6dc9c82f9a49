import type { Bins } from '../../base/bins.ts'
import type { Histogram } from '../../records/manifest/columns.ts'
import type { MeanDifference } from '../../records/manifest/differences.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { NumberSummary } from '../../records/state/measurements.ts'
import { areWhole } from './bin-edges.ts'

/** The distributions of both sides of a mean; neither when they are not counted in the same bins, or a side is empty. */
export function histogramsOf(
  scenario: NumberSummary | null,
  against: NumberSummary | null,
): { readonly scenario?: Histogram; readonly against?: Histogram } {
  const [a, b] = [scenario?.bins, against?.bins]
  if (a === undefined || b === undefined || !areEqual(a.edges, b.edges)) return {}
  const [after, before] = [histogramOf(a), histogramOf(b)]
  return after === null || before === null ? {} : { scenario: after, against: before }
}

export function areEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((edge, i) => edge === b[i])
}

function histogramOf({ edges, counts, below, above }: Bins): Histogram | null {
  const total = counts.reduce((sum, count) => sum + count, below + above)
  if (total === 0) return null
  const share = (count: number): number => Math.round((count / total) * 1e4) / 1e4
  return {
    edges,
    shares: counts.map(share),
    ...(areWhole(edges) && { whole: true as const }),
    ...(below > 0 && { below: share(below) }),
    ...(above > 0 && { above: share(above) }),
  }
}

/** Rounding each of 100 shares to 4 decimals adds up to less than this. */
const ROUNDING = 0.01

/**
 * The path of a histogram that its shape alone does not exclude and that cannot be drawn, or whose edges are not
 * those of the other side; null when there is none.
 */
export function findBadHistogram({ comparisons }: Pick<Manifest, 'comparisons'>): string | null {
  for (const [id, comparison] of Object.entries(comparisons)) {
    for (const [scenario, { means, segments = [] }] of Object.entries(comparison.scenarios)) {
      const place = `comparisons.${id}.scenarios.${scenario}`
      const found =
        badAmong(means, place) ??
        segments.map((one, i) => badAmong(one.means, `${place}.segments.${i}`)).find((at) => at !== null)
      if (found != null) return found
    }
  }
  return null
}

function badAmong(means: Readonly<Record<string, MeanDifference>>, place: string): string | null {
  for (const [column, mean] of Object.entries(means)) {
    for (const side of ['scenario', 'against'] as const) {
      const histogram = mean[side]?.histogram
      if (histogram !== undefined && !isDrawable(histogram)) return `${place}.means.${column}.${side}.histogram`
    }
    const [a, b] = [mean.scenario?.histogram, mean.against?.histogram]
    if (a !== undefined && b !== undefined && !areEqual(a.edges, b.edges))
      return `${place}.means.${column}.against.histogram`
  }
  return null
}

function isDrawable({ edges, shares, below = 0, above = 0 }: Histogram): boolean {
  const sum = shares.reduce((total, share) => total + share, below + above)
  const isAscending = edges.every((edge, i) => i === 0 || edge > edges[i - 1]!)
  return isAscending && edges.length === shares.length + 1 && sum <= 1 + ROUNDING
}
