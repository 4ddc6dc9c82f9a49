import { countText } from '../../base/text/amount-text.ts'
/**
 * The words of an explanation, and its bounds: a scenario may list thousands of levels of a kilobyte each, and nobody reads past the
 * first few.
 */
import { shortenedToBytes } from '../../base/text/fit-text.ts'
import { outermostOfDistinct, releasedRange } from '../disclosure/released-range.ts'
import type { EncodedNumeric } from '../model/model.ts'
import type { RangeCondition, ShareCondition } from './conditions.ts'
import type { Margins } from './margins.ts'
import type { BindingTarget, Feasibility } from './scenario.ts'

export type Shortfall = NonNullable<Feasibility['shortfall']>

/** Levels of a column that a sentence names, and that the report counts one by one. */
const NAMED_LEVELS = 10
export const COUNTED_LEVELS = 50
/** Entries of a report in all. */
const MAX_BINDING = 200
const MAX_NAME_BYTES = 120
const MAX_DETAIL_BYTES = 4096
const MOST_RULES = 3

/** A column with shares, or a table of cells. */
type NamedLevels = Pick<ShareCondition, 'listed'> & {
  readonly column: Pick<ShareCondition['column'], 'name' | 'levels' | 'missing'>
}

/** Levels as they are named: the first ones, and how many more there are. */
export function namedLevels(levels: readonly string[]): string[] {
  // One more level is as short as its count.
  if (levels.length <= NAMED_LEVELS + 1) return levels.map(shortName)
  const more = countText(levels.length - NAMED_LEVELS)
  return [...levels.slice(0, NAMED_LEVELS).map(shortName), `${more} more`]
}

export function shortName(name: string): string {
  return shortenedToBytes(name, MAX_NAME_BYTES)
}

export function boundedShortfall(detail: string, binding: readonly BindingTarget[]): Shortfall {
  return { detail: shortenedToBytes(detail, MAX_DETAIL_BYTES), binding: binding.slice(0, MAX_BINDING) }
}

/** Adds the rules that leave out rows or combinations. */
export function withRules({ detail, binding }: Shortfall, rules: readonly string[]): Shortfall {
  const different = [...new Set(rules)]
  if (different.length === 0) return { detail, binding }
  const named = different.slice(0, MOST_RULES).map((text) => `"${shortName(text)}"`)
  const more = different.length > named.length ? [`${countText(different.length - named.length)} more`] : []
  const which = different.length === 1 ? 'the rule' : 'the rules'
  return boundedShortfall(`${detail} What breaks ${which} ${listOf([...named, ...more])} does not count.`, binding)
}

/** The listed targets, as many as a report names. */
export function listedTargets(condition: NamedLevels, margins: Margins, wanted: readonly number[]): [number, number][] {
  return allListedTargets(condition, margins, wanted).slice(0, COUNTED_LEVELS)
}

/** Listed levels that a set of margins concerns: those in it, else those that it leaves out. */
function allListedTargets({ listed }: NamedLevels, margins: Margins, wanted: readonly number[]): [number, number][] {
  const inside = wanted.map((m) => margins.codes[m]!).filter((code) => code >= 0)
  const all = [...listed].sort(([a], [b]) => a - b)
  const named = inside.length === wanted.length ? all.filter(([code]) => inside.includes(code)) : []
  return named.length > 0 ? named : all.filter(([code, share]) => share > 0 && !inside.includes(code))
}

/** `Wife (relationship)`, `Wife or Husband (relationship)`, `other than Female (sex)`. */
export function describeLevels(condition: NamedLevels, margins: Margins, wanted: readonly number[]): string {
  const { column } = condition
  if (areListed(margins, wanted)) {
    const levels = wanted.map((m) => levelOf(condition, margins.codes[m]!))
    return `${namedLevels(levels).join(' or ')} (${shortName(column.name)})`
  }
  const excluded = allListedTargets(condition, margins, wanted).map(([code]) => levelOf(condition, code))
  return `other than ${namedLevels(excluded).join(', ')} (${shortName(column.name)})`
}

/** All levels of a column that may occur: the listed ones, or other than those whose share is 0. */
export function describeAllowed(condition: NamedLevels, margins: Margins, allowed: readonly number[]): string {
  if (areListed(margins, allowed)) return describeLevels(condition, margins, allowed)
  const excluded = [...condition.listed].filter(([, share]) => share === 0).map(([code]) => levelOf(condition, code))
  return `other than ${namedLevels(excluded).join(', ')} (${shortName(condition.column.name)})`
}

function areListed({ codes }: Margins, wanted: readonly number[]): boolean {
  return wanted.every((m) => codes[m]! >= 0)
}

export function levelOf({ column }: NamedLevels, code: number): string {
  return code < column.missing ? 'missing' : column.levels[code - column.missing]!
}

export function describeRange({ column, range }: RangeCondition): string {
  return `${shortName(column.name)} from ${valueText(range.min, column.format)} to ${valueText(range.max, column.format)}`
}

/** Whether the schema alone shows that a range holds no value: beyond the released range, or between two whole numbers. */
export function isBeyond({ column, range }: RangeCondition): boolean {
  const isBetween = column.integer && Math.ceil(range.min) > Math.floor(range.max)
  const released = releasedRangeOf(column)
  return range.max < released.min || range.min > released.max || isBetween
}

function releasedRangeOf(column: EncodedNumeric): { readonly min: number; readonly max: number } {
  return releasedRange(column, outermostOfDistinct(column.values, column.cumulative))
}

export function describeEmptyRange(condition: RangeCondition): string {
  const { column, range } = condition
  const released = releasedRangeOf(column)
  const extent = `${valueText(released.min, column.format)} to ${valueText(released.max, column.format)}`
  if (range.max < released.min || range.min > released.max)
    return `${describeRange(condition)} is outside its values, ${extent}`
  return `${describeRange(condition)} contains none of its values, whole numbers from ${extent}`
}

function valueText(value: number, format: 'date' | 'date-time' | null): string {
  if (format === null || !(Math.abs(value) <= 8.64e15)) return String(value)
  const text = new Date(value).toISOString()
  return format === 'date' ? text.slice(0, 10) : text
}

export function count(rows: number): string {
  return rows.toLocaleString('en-US')
}

export function shareText(share: number): string {
  return String(Number(share.toPrecision(4)))
}

export function listOf(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
