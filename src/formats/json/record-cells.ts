import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import type { JsonRecord } from './json-records.ts'

/** What the values of a column are; `lists`: of texts, numbers or truth values; `nested`: of records or lists. */
export type CellKind = 'number' | 'boolean' | 'text' | 'lists' | 'nested'

/** A value of a record. `path`: the names that lead to it. */
export type TakeCell = (path: readonly string[], kind: CellKind, text: string) => void

/** More digits are no number of JavaScript; an id of so many would become another one. */
const LONG_NUMBER = /("(?:[^"\\]|\\.)*")|(-?\d{16,})(?![\d.eE])/g
/** Values that MongoDB writes as a record of their type. */
const TYPED = new Set(['$oid', '$date', '$numberInt', '$numberLong', '$numberDouble', '$numberDecimal'])

/**
 * Takes a record apart: records within it become names of several parts, lists of single values one text, as
 * `["tea","milk"]`. What is null, empty or absent has no cell.
 *
 * @throws {UnreadableFileError} when the record is no JSON.
 */
export function takeCells(record: JsonRecord, take: TakeCell): void {
  takeFields(parse(record), [], take)
}

function parse({ text, number, line }: JsonRecord): Readonly<Record<string, unknown>> {
  const exact = /\d{16}/.test(text) ? text.replace(LONG_NUMBER, (_, quoted, digits) => quoted ?? `"${digits}"`) : text
  try {
    return JSON.parse(exact) as Record<string, unknown>
  } catch {
    throw new UnreadableFileError(
      `Record ${number}, which begins on line ${line}, is no JSON: a name without quotation marks, a comma too many or a value such as NaN. Export the file again.`,
    )
  }
}

function takeFields(fields: Readonly<Record<string, unknown>>, above: readonly string[], take: TakeCell): void {
  for (const [name, value] of Object.entries(fields)) takeValue(value, [...above, name], take)
}

function takeValue(value: unknown, path: readonly string[], take: TakeCell): void {
  if (value === null || value === '') return
  if (typeof value === 'string') take(path, 'text', value)
  else if (typeof value === 'number') take(path, Number.isFinite(value) ? 'number' : 'text', String(value))
  else if (typeof value === 'boolean') take(path, 'boolean', String(value))
  else if (Array.isArray(value)) takeList(value, path, take)
  else {
    const [first, ...others] = Object.keys(value as object)
    const fields = value as Readonly<Record<string, unknown>>
    if (first !== undefined && others.length === 0 && TYPED.has(first)) takeValue(fields[first], path, take)
    else takeFields(fields, path, take)
  }
}

function takeList(list: readonly unknown[], path: readonly string[], take: TakeCell): void {
  const isNested = list.some((value) => typeof value === 'object' && value !== null)
  take(path, isNested ? 'nested' : 'lists', isNested ? '' : JSON.stringify(list.filter((value) => value !== null)))
}
