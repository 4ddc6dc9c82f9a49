import { columnEntries } from './column-entries.ts'
import type { ConditionKind } from './condition-kind.ts'
import { boundOf, endsOf, endTexts, isOpen } from './range-ends.ts'
import { childEnd, writtenRange } from './written-range.ts'

const ENDS = ['min', 'max'] as const

/** A column's values lie between two ends; an end that is left out is where the data end. */
export const rangeKind: ConditionKind<'range'> = {
  word: 'ranges',
  noun: 'a range',
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
    return { kind: 'range', ...writtenRange(column, place, { min, max }, report) }
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
