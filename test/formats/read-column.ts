import type { RawColumn, RawTable } from '../../src/base/raw-table.ts'

/** Values of a column as JavaScript values: numbers, texts, null; dates as ISO text. */
export function readColumn(table: RawTable, name: string): (string | number | null)[] {
  const column = columnOf(table, name)
  if ('codes' in column) return Array.from(column.codes, (code) => (code < 0 ? null : column.dictionary[code]!))
  return Array.from(column.values, (value, row) => {
    if (column.valid[row] === 0) return null
    if (column.type === 'number') return value
    const text = new Date(value).toISOString()
    return column.type === 'date' ? text.slice(0, 10) : text.replace('.000Z', '').replace('Z', '')
  })
}

export function columnOf(table: RawTable, name: string): RawColumn {
  const column = table.columns.find((candidate) => candidate.name === name)
  if (column === undefined) throw new Error(`no column ${name} in ${table.columns.map((c) => c.name).join(', ')}`)
  return column
}

/** Throws when the parts of a table do not agree with each other. */
export function checkConsistency(table: RawTable): void {
  for (const column of table.columns) {
    const length = 'codes' in column ? column.codes.length : column.values.length
    if (length !== table.sampleRows) throw new Error(`${column.name} has ${length} values of ${table.sampleRows}`)
    if (table.sampleRows < table.rowCount) continue
    const missing =
      'codes' in column ? column.codes.filter((c) => c < 0).length : column.valid.filter((v) => v === 0).length
    if (missing !== column.missing) throw new Error(`${column.name} has ${missing} missing, says ${column.missing}`)
    const counts = column.counts === null ? null : [...column.counts.values()]
    const counted = counts?.reduce((sum, n) => sum + n, 0) ?? table.rowCount - missing
    if (counted + missing !== table.rowCount) throw new Error(`${column.name} counts ${counted} values`)
    if (counts !== null && counts.length !== column.distinct)
      throw new Error(`${column.name} has ${column.distinct} distinct`)
  }
}
