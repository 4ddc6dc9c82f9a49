import type { RawColumn, RawTable } from '../../../src/base/raw-table.ts'

/** A raw number column of these values; null is missing. */
export function numbers(
  name: string,
  values: readonly (number | null)[],
  type: 'number' | 'date' | 'date-time' = 'number',
): RawColumn {
  const present = values.filter((value) => value !== null)
  const counts = new Map<number, number>()
  for (const value of [...present].sort((a, b) => a - b)) counts.set(value, (counts.get(value) ?? 0) + 1)
  const decimals = Math.max(0, ...present.map((value) => String(value).split('.')[1]?.length ?? 0))
  return {
    type,
    name,
    missing: values.length - present.length,
    distinct: counts.size,
    values: Float64Array.from(values, (value) => value ?? 0),
    valid: Uint8Array.from(values, (value) => (value === null ? 0 : 1)),
    min: Math.min(...present),
    max: Math.max(...present),
    decimals,
    counts: counts.size > 4_096 ? null : counts,
  }
}

/** A raw text column of these values; null is missing. */
export function texts(name: string, values: readonly (string | null)[], type: 'text' | 'boolean' = 'text'): RawColumn {
  const dictionary = [...new Set(values.filter((value) => value !== null))].sort()
  const counts = new Float64Array(dictionary.length)
  const codes = Int32Array.from(values, (value) => (value === null ? -1 : dictionary.indexOf(value)))
  for (const code of codes) if (code >= 0) counts[code]!++
  const words = dictionary.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
  return {
    type,
    name,
    missing: values.filter((value) => value === null).length,
    distinct: dictionary.length,
    codes,
    dictionary,
    counts,
    meanWords: words / Math.max(1, dictionary.length),
  }
}

export function table(...columns: RawColumn[]): RawTable {
  const first = columns[0]!
  const rowCount = 'codes' in first ? first.codes.length : first.values.length
  return { rowCount, sampleRows: rowCount, columns, droppedRows: { empty: 0, repeatedHeader: 0 }, notes: [] }
}

/** `rows` values, of which `of(i)` is the i-th. */
export function rows<T>(count: number, of: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => of(i))
}
