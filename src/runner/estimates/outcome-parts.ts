import type { SeedEstimates } from '../../answers/comparisons/differences.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { RecordedEstimates } from '../../records/state/estimates.ts'
import { OUTCOME_KINDS, type OutcomeKindName } from '../../study/outcomes/outcome.ts'
import type { Comparison } from '../../study/study.ts'

/** What is asked for in questions apart: a service need not tell quantiles, and would refuse all figures with them. */
export type OutcomePart = 'figures' | 'quantiles'

export const partOf = (kind: OutcomeKindName): OutcomePart =>
  OUTCOME_KINDS[kind].within === 'quantile' ? 'quantiles' : 'figures'

/** The parts that a comparison has; one at least. */
export function partsOf({ outcomes }: Comparison): readonly OutcomePart[] {
  const parts = new Set(outcomes.map(({ kind }) => partOf(kind)))
  return (['figures', 'quantiles'] as const).filter((part) => parts.has(part))
}

/** Both parts as one. Why there are no quantiles stands beside the figures. */
export function withQuantiles(
  figures: RecordedEstimates | NoEstimates | null,
  quantiles: RecordedEstimates | NoEstimates | null,
): SeedEstimates | NoEstimates {
  if (figures === null) return quantiles ?? 'estimates_not_asked'
  if (quantiles === null || typeof figures === 'string') return figures
  if (typeof quantiles === 'string') return { ...figures, noQuantiles: quantiles }
  const named = new Set(figures.bases.map(([column]) => column))
  return {
    ...figures,
    bases: [...figures.bases, ...quantiles.bases.filter(([column]) => !named.has(column))],
    quantiles: quantiles.quantiles ?? [],
  }
}

type Segments = ReadonlyMap<string, RecordedEstimates> | NoEstimates

/** The same inside segments. */
export function mergedSegments(
  figures: Segments | null,
  quantiles: Segments | null,
): ReadonlyMap<string, SeedEstimates> | NoEstimates {
  const first = figures ?? quantiles ?? 'estimates_not_asked'
  if (typeof first === 'string') return first
  const merged = new Map<string, SeedEstimates>()
  for (const level of first.keys()) {
    const own = typeof quantiles === 'string' || quantiles === null ? quantiles : (quantiles.get(level) ?? null)
    const found = withQuantiles(
      figures === null || typeof figures === 'string' ? null : (figures.get(level) ?? null),
      own,
    )
    if (typeof found !== 'string') merged.set(level, found)
  }
  return merged
}
