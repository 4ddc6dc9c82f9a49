/** Columns made anew from their values. n  rows held, which are all rows of the file. */
import type { RawColumn, RawNumberColumn, RawTextColumn } from '../../base/raw-table.ts'
import { MAX_COUNTS, numberColumn, TextCodes, textColumn } from '../../formats/columns/build-column.ts'

/** What a column keeps when its values change. */
type Kept = Pick<RawColumn, 'name' | 'label' | 'declaredType' | 'declaredOrder'>

export function keptOf({ name, label, declaredType, declaredOrder }: RawColumn): Kept {
  return {
    name,
    ...(label !== undefined && { label }),
    ...(declaredType !== undefined && { declaredType }),
    ...(declaredOrder !== undefined && { declaredOrder }),
  }
}

/** What a column of texts keeps when it stays one. */
export function keptTextsOf(column: RawTextColumn): Kept & Pick<RawTextColumn, 'decimalMark'> {
  const { decimalMark } = column
  return { ...keptOf(column), ...(decimalMark !== undefined && { decimalMark }) }
}

/** @param values length n, NaN = missing; kept, and changed. */
export function ofNumbers(kept: Kept, type: RawNumberColumn['type'], values: Float64Array): RawNumberColumn {
  // NaN comes last.
  const sorted = values.slice().sort()
  let present = sorted.length
  while (present > 0 && Number.isNaN(sorted[present - 1]!)) present--
  let distinct = 0
  let decimals = 0
  let counts: Map<number, number> | null = new Map()
  for (let i = 0; i < present; i++) {
    const value = sorted[i]! + 0
    if (i === 0 || value !== sorted[i - 1]) {
      distinct++
      if (type === 'number') decimals = Math.max(decimals, decimalsOf(value))
      if (distinct > MAX_COUNTS) counts = null
    }
    counts?.set(value, (counts.get(value) ?? 0) + 1)
  }
  const [min, max] = present === 0 ? [0, 0] : [sorted[0]!, sorted[present - 1]!]
  const facts = { type, name: kept.name, missing: values.length - present, distinct, min, max, decimals, counts }
  return { ...numberColumn(facts, values), ...kept }
}

const MAX_DECIMALS = 12

function decimalsOf(value: number): number {
  if (Number.isInteger(value)) return 0
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const places = mantissa.split('.')[1]?.length ?? 0
  return Math.min(MAX_DECIMALS, Math.max(0, places - Number(exponent)))
}

/** @param textOf length n: the text of a row; null = missing. */
export function ofTexts(
  kept: Kept & Pick<RawTextColumn, 'decimalMark'>,
  type: RawTextColumn['type'],
  rows: number,
  textOf: (row: number) => string | null,
): RawTextColumn {
  const texts = new TextCodes()
  const codes = new Int32Array(rows)
  let missing = 0
  for (let row = 0; row < rows; row++) {
    codes[row] = texts.codeFor(textOf(row))
    if (codes[row]! < 0) missing++
  }
  const counts = new Float64Array(texts.size)
  for (const code of codes) if (code >= 0) counts[code]!++
  return { ...textColumn({ type, name: kept.name, missing, distinct: texts.size }, texts, codes, counts), ...kept }
}

/** The number of each row, NaN where missing. */
export function numbersOf({ values, valid }: RawNumberColumn): Float64Array {
  return Float64Array.from(values, (value, row) => (valid[row] === 0 ? Number.NaN : value))
}

/** A value as the text that a level has: numbers in their shortest form, dates as 2024-12-31 or 2024-12-31T23:59:59. */
export function levelText(column: RawColumn, row: number): string | null {
  if ('codes' in column) return column.codes[row]! < 0 ? null : column.dictionary[column.codes[row]!]!
  if (column.valid[row] === 0) return null
  const value = column.values[row]!
  if (column.type === 'number') return String(value + 0)
  const text = new Date(value).toISOString()
  // Years beyond 9999 have six digits and a sign.
  return column.type === 'date' ? text.slice(0, text.indexOf('T')) : text.replace(/(\.000)?Z$/, '')
}

/** The same column with the texts of its levels. */
export function asTexts(column: RawColumn): RawTextColumn {
  if ('codes' in column) return column
  return ofTexts(keptOf(column), 'text', column.values.length, (row) => levelText(column, row))
}

/** Rows of the column, whatever its type. */
export function rowsOf(column: RawColumn): number {
  return 'codes' in column ? column.codes.length : column.values.length
}
