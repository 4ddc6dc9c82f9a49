import type { Declarations } from '../declarations.ts'
import type { CleanedColumn } from '../live-schema/cleaned-schema.ts'
import { starterLevers } from './starter-levers.ts'

export type DeclaredTypes = NonNullable<Declarations['types']>

/** A column of the cleaned schema, as far as it tells codes from amounts. */
export interface CodedColumn {
  readonly name: string
  readonly levels?: readonly string[] | undefined
  readonly min?: number | string | undefined
  readonly max?: number | string | undefined
  readonly integer?: boolean | undefined
  /** Its name in the file; absent: the same. */
  readonly source_name?: string | undefined
  /** The option of a question with several answers that the column holds; the file has no such column. */
  readonly source_option?: string | undefined
}

/** The largest code of an answer, and the fewest codes: yes and no are two, which no wave lacks. */
const MOST_CODE = 10
const FEWEST_CODES = 3

/**
 * The types that columns of codes have today, by their names in the file. Whether 1 to 10 are levels or numbers depends on the
 * codes that occur. Without a declaration, a later wave in which nobody ticked one of them may be read otherwise, and a study that
 * uses the column would no longer fit.
 */
export function codeTypes(columns: readonly CodedColumn[]): DeclaredTypes {
  return Object.fromEntries(
    columns.flatMap((column) => {
      const type = codeType(column)
      return type === null ? [] : [[column.source_name ?? column.name, type] as const]
    }),
  )
}

function codeType({ levels, integer, min, max, source_option }: CodedColumn): 'ordinal' | 'numeric' | null {
  if (source_option !== undefined) return null
  // Fewer than 10 may be a scale with a code for no answer, such as 9, which nobody declared yet.
  if (levels === undefined) return integer === true && isCode(min) && max === MOST_CODE ? 'numeric' : null
  return levels.length >= FEWEST_CODES && levels.map(codeOf).every(isCode) ? 'ordinal' : null
}

const codeOf = (level: string): number => (/^\d{1,2}$/.test(level) ? Number(level) : Number.NaN)
const isCode = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= MOST_CODE

/** Names of the columns that a starter study uses. */
export function usedColumns(columns: readonly CleanedColumn[]): ReadonlySet<string> {
  const { shared, ranged, outcomes } = starterLevers(columns)
  return new Set([shared?.column, ranged?.column, ...outcomes].filter((name) => name !== undefined))
}
