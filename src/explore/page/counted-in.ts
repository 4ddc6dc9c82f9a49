/** The rows that answers are counted in, as a person chooses them. */

import type { CountedIn, ExploredColumn } from '../wire/messages.ts'
import { isNumber } from './scenario.ts'

export interface RowChoice {
  readonly column: string
  /** Of a column with levels; none: all rows. */
  readonly levels: readonly string[]
  /** Of a number or date, as typed; empty: open. */
  readonly min: string
  readonly max: string
}

type Choices = readonly RowChoice[]

export const withRows = (choices: Choices, column: string): Choices =>
  column === '' || choices.some((one) => one.column === column)
    ? choices
    : [...choices, { column, levels: [], min: '', max: '' }]

export const withoutRows = (choices: Choices, column: string): Choices => choices.filter((one) => one.column !== column)

export const changedRows = (choices: Choices, column: string, change: Partial<RowChoice>): Choices =>
  choices.map((one) => (one.column === column ? { ...one, ...change } : one))

/** What is chosen, without what chooses nothing yet. */
export function countedIn(choices: Choices, columns: readonly ExploredColumn[]): CountedIn {
  return choices.flatMap(({ column, levels, min, max }): CountedIn => {
    const of = columns.find(({ name }) => name === column)
    if (of === undefined) return []
    if (of.levels !== null) return levels.length === 0 ? [] : [{ column, levels }]
    const [low, high] = [min, max].map((text) => endOf(text, of.isDate))
    if (low === undefined && high === undefined) return []
    return [{ column, ...(low !== undefined && { min: low }), ...(high !== undefined && { max: high }) }]
  })
}

/** What is no number bounds nothing. */
function endOf(text: string, isDate: boolean): number | string | undefined {
  if (text.trim() === '') return undefined
  return isDate ? text : isNumber(text) ? Number(text) : undefined
}

export const choicesOf = (where: CountedIn): Choices =>
  where.map(({ column, levels = [], min = '', max = '' }) => ({ column, levels, min: String(min), max: String(max) }))
