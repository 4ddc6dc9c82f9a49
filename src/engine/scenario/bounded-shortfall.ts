/**
 * How much an explanation names: a scenario may list thousands of levels of a kilobyte each, and nobody reads on after the
 * first few.
 */
import { cutToBytes } from '../cleaning/size-bounds.ts'
import type { BindingTarget, Feasibility } from './scenario.ts'

export type Shortfall = NonNullable<Feasibility['shortfall']>

/** Levels of a column that a sentence names, and that the report counts one by one. */
const NAMED_LEVELS = 10
export const COUNTED_LEVELS = 50
/** Entries of a report in all. */
const MAX_BINDING = 200
const MAX_NAME_BYTES = 120
const MAX_DETAIL_BYTES = 4096

/** Levels as they are named: the first ones, and how many more there are. */
export function namedLevels(levels: readonly string[]): string[] {
  // One more is as short as its count.
  if (levels.length <= NAMED_LEVELS + 1) return levels.map(shortName)
  const more = (levels.length - NAMED_LEVELS).toLocaleString('en-US')
  return [...levels.slice(0, NAMED_LEVELS).map(shortName), `${more} more`]
}

export function shortName(name: string): string {
  return cut(name, MAX_NAME_BYTES)
}

export function boundedShortfall(detail: string, binding: readonly BindingTarget[]): Shortfall {
  return { detail: cut(detail, MAX_DETAIL_BYTES), binding: binding.slice(0, MAX_BINDING) }
}

function cut(text: string, maxBytes: number): string {
  const short = cutToBytes(text, maxBytes)
  return short === text ? text : `${short}…`
}
