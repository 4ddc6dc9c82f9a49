import { momentOf, type RangeEnd } from '../../base/rfc3339.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { childNode, type LocatedNode } from '../yaml/located-node.ts'
import type { RangeCondition } from './condition.ts'
import type { LocatedEnd, ReportFault } from './condition-kind.ts'
import { endTexts } from './range-ends.ts'

/** The end under `key`; the shape has been checked before. */
export function childEnd(node: LocatedNode, key: RangeEnd): LocatedEnd | undefined {
  const child = childNode(node, key)
  if (child?.kind !== 'scalar') return undefined
  const { value, range } = child
  if (typeof value === 'number') return { value, range, isDate: false }
  const moment = typeof value === 'string' ? momentOf(value, key) : null
  return moment === null ? undefined : { value: moment, range, isDate: true }
}

/** A range as it is written; an end that is left out is infinite. Ends that were exchanged are reported. */
export function writtenRange(
  column: string,
  place: SourceRange,
  { min, max }: { readonly min: LocatedEnd | undefined; readonly max: LocatedEnd | undefined },
  report: ReportFault,
): Omit<RangeCondition, 'kind'> {
  const range = {
    column,
    min: min?.value ?? Number.NEGATIVE_INFINITY,
    max: max?.value ?? Number.POSITIVE_INFINITY,
    ...((min?.isDate || max?.isDate) && { areDates: true as const }),
    place,
  }
  if (range.min > range.max) {
    const ends = endTexts(range)
    report('S2002', {
      summary: `the range of column "${column}" has min ${ends.min} above max ${ends.max}`,
      range: place,
      detail: `write { min: ${ends.max}, max: ${ends.min} } if they were exchanged`,
    })
  }
  return range
}
