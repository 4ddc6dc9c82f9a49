/** What columns of numbers may mean beside numbers: codes for no answer, and dates. */

import type { RawColumn, RawNumberColumn } from '../../base/raw-table.ts'
import { noAnswerCodes } from '../scales/no-answer-values.ts'
import { stemOf } from './column-kinds.ts'

/**
 * The numbers of each column that may mean "no answer". A code of one item of a battery is one of the others, too: 9 beside 1 to 5 is
 * none of 2 to 5 either.
 *
 * @param columns those that are modelled.
 */
export function noAnswersOf(columns: readonly RawColumn[]): ReadonlyMap<RawNumberColumn, number[]> {
  const found = new Map<RawNumberColumn, number[]>()
  const items = new Map<string, RawNumberColumn[]>()
  for (const column of columns) {
    if ('codes' in column) continue
    found.set(column, noAnswerCodes(column))
    const stem = stemOf(column.name)
    items.set(stem, [...(items.get(stem) ?? []), column])
  }
  for (const battery of items.values()) {
    const mates = battery.filter((column) => found.get(column)!.length > 0)
    for (const column of battery) {
      if (found.get(column)!.length === 0) found.set(column, codesOfMates(column, mates))
    }
  }
  return found
}

function codesOfMates({ counts, decimals }: RawNumberColumn, mates: readonly RawNumberColumn[]): number[] {
  if (counts === null || decimals > 0) return []
  for (const mate of mates) {
    const codes = noAnswerCodes(mate)
    const scale = [...mate.counts!.keys()].filter((value) => !codes.includes(value))
    const [least, most] = [Math.min(...scale), Math.max(...scale)]
    const own = [...counts.keys()].filter((value) => codes.includes(value))
    const isPart = [...counts.keys()].every((value) => own.includes(value) || (value >= least && value <= most))
    if (own.length > 0 && own.length < counts.size && isPart) return own
  }
  return []
}

/** Fewer different numbers may be years or codes by chance. */
const MIN_DAYS = 8

/** No answer, among days. */
const NO_DAYS = new Set([0, 88_888_888, 99_999_999])

/** Whether all numbers but codes for no answer are days written as one number, 20240131. */
export function looksLikeDays({ type, counts, decimals }: RawNumberColumn): boolean {
  if (type !== 'number' || counts === null || decimals > 0) return false
  const days = [...counts.keys()].filter((value) => !NO_DAYS.has(value))
  if (days.length < MIN_DAYS) return false
  return days.every((value) => {
    if (value < 19_000_101 || value > 21_001_231) return false
    const [year, month, day] = [Math.floor(value / 10_000), Math.floor(value / 100) % 100, value % 100]
    return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  })
}
