import type { RawColumn, RawTable } from '../../base/raw-table.ts'
import { cleanedName } from '../../study/cleaned-name.ts'
import { DeclarationError, quoted } from './declaration-error.ts'
import { keptOf, keptTextsOf, levelText, numbersOf, ofNumbers, ofTexts } from './raw-values.ts'

/** The rows of a level, as the cleaned schema names both. */
export interface LeftOutRows {
  readonly column: string
  /** The header in the file, where the service tells it. */
  readonly sourceName: string | null
  readonly level: string
}

/**
 * The table without the rows of a level. A column keeps what is declared about it, and its profile is that of the rows that are left.
 *
 * @param table all rows of the file, as the study declares it.
 * @throws {DeclarationError} where no row has the level, or all rows do: what cleaning calls a level may not be a value of the file.
 */
export function leaveOutRows(table: RawTable, { column, sourceName, level }: LeftOutRows): RawTable {
  const source = sourceOf(table.columns, column, sourceName)
  if (source === null) {
    throw new DeclarationError([
      `no column of the file is ${quoted(column)} alone: cleaning made it of several answers, and rows cannot be left out by it`,
    ])
  }
  const kept: number[] = []
  for (let row = 0; row < table.sampleRows; row++) if (levelText(source, row)?.trim() !== level) kept.push(row)
  const left = table.sampleRows - kept.length
  if (left === 0 || kept.length === 0) {
    const found = left === 0 ? 'no row of the file has' : 'all rows of the file have'
    throw new DeclarationError([`${found} ${quoted(level)} in ${quoted(source.name)}`])
  }
  const columns = table.columns.map((one) => rowsOfColumn(one, kept))
  return { ...table, columns, rowCount: kept.length, sampleRows: kept.length }
}

function sourceOf(columns: readonly RawColumn[], name: string, sourceName: string | null): RawColumn | null {
  const exact = columns.find((one) => one.name === (sourceName ?? name))
  if (exact !== undefined) return exact
  const [likely, ...others] = columns.filter((one) => cleanedName(one.name) === name)
  return likely !== undefined && others.length === 0 ? likely : null
}

function rowsOfColumn(column: RawColumn, rows: readonly number[]): RawColumn {
  const formula = column.declaredFormula !== undefined && { declaredFormula: column.declaredFormula }
  if ('codes' in column) {
    const textOf = (row: number): string | null => levelText(column, rows[row]!)
    return { ...ofTexts(keptTextsOf(column), column.type, rows.length, textOf), ...formula }
  }
  const values = numbersOf(column)
  return {
    ...ofNumbers(
      keptOf(column),
      column.type,
      Float64Array.from(rows, (row) => values[row]!),
    ),
    ...formula,
  }
}
