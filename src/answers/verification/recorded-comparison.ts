import { momentOf } from '../../base/rfc3339.ts'
import type { ManifestComparison } from '../../records/manifest/comparisons.ts'
import { OUTCOME_KIND_NAMES, OUTCOME_KINDS, type Outcome } from '../../study/outcomes/outcome.ts'
import type { RowFilter } from '../../study/outcomes/row-filter.ts'
import type { Comparison } from '../../study/study.ts'

/** What is counted for a comparison: its outcomes and segments, and the rows that it is about. */
export type RecordedComparison = Pick<Comparison, 'against' | 'scenarios' | 'outcomes' | 'by' | 'where'>

/** A comparison as far as a manifest has it. Places in a study file are not used. */
export function recordedComparison(comparison: ManifestComparison): RecordedComparison {
  const results = Object.values(comparison.scenarios)
  const all = [...results, ...results.flatMap(({ segments = [] }) => segments)]
  const outcomes = OUTCOME_KIND_NAMES.flatMap((kind) => {
    const columns = new Map<string, Set<string>>()
    for (const result of all)
      for (const [column, own] of Object.entries(result[kind] ?? {}))
        columns.set(column, new Set([...(columns.get(column) ?? []), ...Object.keys(own)]))
    return [...columns].map(([column, names]) => ({
      ...{ kind, column },
      ...(OUTCOME_KINDS[kind].within === 'quantile' && { shares: [...names].map(Number) }),
    }))
  })
  return {
    against: comparison.against,
    scenarios: Object.keys(comparison.scenarios),
    outcomes: outcomes as unknown as readonly Outcome[],
    by: comparison.by ?? null,
    where: filtersOf(comparison),
  }
}

function filtersOf({ where = [] }: ManifestComparison): readonly RowFilter[] {
  return where.map(({ column, levels, min, max }) => {
    if (levels !== undefined) {
      const located = levels.map((value) => ({ value }))
      return { kind: 'levels', column, levels: located } as unknown as RowFilter
    }
    const end = (value: number | string | undefined, which: 'min' | 'max', open: number): number =>
      value === undefined ? open : typeof value === 'number' ? value : (momentOf(value, which) ?? Number.NaN)
    const ends = { min: end(min, 'min', Number.NEGATIVE_INFINITY), max: end(max, 'max', Number.POSITIVE_INFINITY) }
    return { kind: 'range', column, ...ends } as unknown as RowFilter
  })
}
