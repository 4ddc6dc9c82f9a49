/** Answers that a program can read: the first items of long lists, and how many are left out. */

import { dataRecord } from '../../base/data-record.ts'
import { cutText } from '../../base/text/fit-text.ts'

/** Bytes of the JSON of an answer. */
const MOST_BYTES = 60_000
const MOST_TEXT = 2000
const LIST_SIZES = [500, 200, 100, 50, 20, 10, 5, 2, 1] as const

export interface Bounded {
  readonly data: unknown
  /** Where something is left out: the path of a list or a map, and how many of its items. */
  readonly left_out: readonly { readonly at: string; readonly items: number }[]
}

/** The most of a value that fits. A list keeps its beginning, and so does a text. */
export function bounded(value: unknown): Bounded {
  let smallest: Bounded = { data: null, left_out: [{ at: '', items: 1 }] }
  for (const size of LIST_SIZES) {
    const left: { at: string; items: number }[] = []
    const data = cut(value, size, '', left)
    smallest = { data, left_out: left.slice(0, 50) }
    if (Buffer.byteLength(JSON.stringify(smallest)) <= MOST_BYTES) return smallest
  }
  return { data: null, left_out: [{ at: '', items: 1 }] }
}

function cut(value: unknown, size: number, at: string, left: { at: string; items: number }[]): unknown {
  if (typeof value === 'string') return value.length <= MOST_TEXT ? value : `${cutText(value, MOST_TEXT)}…`
  if (typeof value !== 'object' || value === null) return value
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  if (entries.length > size) left.push({ at: at === '' ? '/' : at, items: entries.length - size })
  const kept = entries
    .slice(0, size)
    .map(([key, item]) => [key, cut(item, size, `${at}/${key.slice(0, 100)}`, left)] as const)
  if (isList) return kept.map(([, item]) => item)
  return dataRecord(kept)
}
