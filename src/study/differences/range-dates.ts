import type { CanonicalValue } from '../../base/canonical-json.ts'
import { momentTexts } from '../../base/rfc3339.ts'
import { conditionsOf } from '../conditions/condition.ts'
import type { Study } from '../study.ts'
import type { Difference } from './tree-differences.ts'

/** Where trees of scenarios have ranges: resolved studies, and requests as they were sent. */
const RANGES: readonly (readonly string[])[] = [['ranges'], ['request', 'conditions', 'numeric']]

/** The same differences, with dates for the ends of the ranges that one of the studies writes as dates. */
export function withRangeDates(differences: readonly Difference[], studies: readonly Study[]): readonly Difference[] {
  const dates = new Set<string>()
  for (const { scenarios } of studies)
    for (const scenario of scenarios)
      for (const { column, areDates } of conditionsOf(scenario, 'range')) if (areDates) dates.add(column)
  return dates.size === 0 ? differences : differences.map((difference) => shownWithDates(difference, dates))
}

function shownWithDates(difference: Difference, dates: ReadonlySet<string>): Difference {
  const { path, before, after } = difference
  const [group, , ...fields] = path
  const place = RANGES.find((names) => names.every((name, i) => fields[i] === name))
  if (group !== 'scenarios' || place === undefined) return difference
  const [column, end] = fields.slice(place.length)
  if (column === undefined || !dates.has(column)) return difference
  return { path, before: shown(before, end), after: shown(after, end) }
}

/** A range, or the end of one. */
function shown(value: CanonicalValue | undefined, end: string | undefined): CanonicalValue | undefined {
  const open = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }
  if (typeof value === 'number' && (end === 'min' || end === 'max'))
    return momentTexts({ ...open, [end]: value })[end] ?? value
  if (end !== undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { min, max } = momentTexts({ ...open, ...withoutOpen(value as { min?: number; max?: number }) })
  return { min: min ?? undefined, max: max ?? undefined }
}

function withoutOpen({ min, max }: { readonly min?: number; readonly max?: number }): { min?: number; max?: number } {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}
