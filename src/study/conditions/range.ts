import { momentOf, type RangeEnd } from '../../base/rfc3339.ts'
import { childNode, type LocatedNode } from '../yaml/located-node.ts'
import { columnEntries } from './column-entries.ts'
import type { RangeCondition } from './condition.ts'
import type { ConditionKind, LocatedEnd } from './condition-kind.ts'
import { boundOf, endsOf, endTexts, isOpen } from './range-ends.ts'

const ENDS = ['min', 'max'] as const

/** A column's values lie between two ends; an end that is left out is where the data end. */
export const rangeKind: ConditionKind<'range'> = {
  word: 'ranges',
  isOfLevels: false,
  goesWith: ['mean'],
  settable: ENDS.map((end) => [end]),
  entries: (fields) =>
    columnEntries(fields, 'ranges', (column, node) => ({
      ...{ column, min: childEnd(node, 'min'), max: childEnd(node, 'max') },
    })),
  merge: (below, above) => ({ column: above.column, min: above.min ?? below?.min, max: above.max ?? below?.max }),
  paths: (written) => ENDS.filter((end) => written[end] !== undefined).map((end) => [end]),
  resolve(column, { column: place, min, max }, report) {
    const condition: RangeCondition = {
      kind: 'range',
      column,
      min: min?.value ?? Number.NEGATIVE_INFINITY,
      max: max?.value ?? Number.POSITIVE_INFINITY,
      ...((min?.isDate || max?.isDate) && { areDates: true as const }),
      place,
    }
    if (condition.min > condition.max) {
      const ends = endTexts(condition)
      report('S2002', {
        summary: `the range of column "${column}" has min ${ends.min} above max ${ends.max}`,
        range: place,
        detail: `write { min: ${ends.max}, max: ${ends.min} } if they were exchanged`,
      })
    }
    return condition
  },
  sentIn: ({ numeric = {} }) => numeric,
  texts({ min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }, now) {
    const texts = endTexts({ ...now, min, max })
    return ENDS.flatMap((end) => (texts[end] === null ? [] : [[end, texts[end]] as const]))
  },
  canonical: endsOf,
  sent: (condition) => ({ numeric: rangeKind.canonical(condition) }),
  extensions: () => [],
  closed(condition, columns) {
    if (!isOpen(condition)) return condition
    const column = columns?.find(({ name }) => name === condition.column)
    const filled = {
      ...condition,
      min: condition.min === Number.NEGATIVE_INFINITY ? (boundOf(column, 'min') ?? condition.min) : condition.min,
      max: condition.max === Number.POSITIVE_INFINITY ? (boundOf(column, 'max') ?? condition.max) : condition.max,
    }
    return isOpen(filled) ? null : filled
  },
  asSent(condition, { numeric = {} }) {
    const ends = Object.hasOwn(numeric, condition.column) ? numeric[condition.column] : undefined
    return rangeKind.closed(condition, ends ? [{ name: condition.column, ...ends }] : null)
  },
  names: ({ column, place }) => [{ column, level: null, place }],
}

/** The end under `key`; the shape has been checked before. */
function childEnd(node: LocatedNode, key: RangeEnd): LocatedEnd | undefined {
  const child = childNode(node, key)
  if (child?.kind !== 'scalar') return undefined
  const { value, range } = child
  if (typeof value === 'number') return { value, range, isDate: false }
  const moment = typeof value === 'string' ? momentOf(value, key) : null
  return moment === null ? undefined : { value: moment, range, isDate: true }
}
