import { readFileSync } from 'node:fs'
import type { Table, TableColumn } from '../../../src/engine/table.ts'

/**
 * Reads one of the shared data sets (plain commas, quotes only around whole fields) as a table, without any cleaning:
 * a column is numeric when all its values are, and empty is missing.
 */
export function readCsvTable(path: string): Table {
  const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split(/\r?\n/)
  const names = fieldsOf(header!)
  const rows = lines.map(fieldsOf)
  const columns = names.map(
    (name, c): TableColumn =>
      columnOf(
        name,
        rows.map((row) => row[c]!),
      ),
  )
  return { rowCount: rows.length, seedRows: rows.length, columns }
}

function fieldsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
  )
}

function columnOf(name: string, texts: readonly string[]): TableColumn {
  const present = texts.filter((text) => text !== '')
  const base = { name, sourceName: name, missingShare: 1 - present.length / texts.length }
  if (present.every((text) => Number.isFinite(Number(text)))) {
    const values = Float64Array.from(texts, (text) => (text === '' ? 0 : Number(text)))
    const decimals = present.reduce((most, text) => Math.max(most, text.split('.')[1]?.length ?? 0), 0)
    return {
      ...base,
      kind: 'numeric',
      format: null,
      values,
      valid: Uint8Array.from(texts, (text) => (text === '' ? 0 : 1)),
      integer: decimals === 0,
      decimals,
      min: present.reduce((least, text) => Math.min(least, Number(text)), Number.POSITIVE_INFINITY),
      max: present.reduce((most, text) => Math.max(most, Number(text)), Number.NEGATIVE_INFINITY),
    }
  }
  const levels = [...new Set(present)].sort()
  return {
    ...base,
    kind: 'categorical',
    levels,
    integer: false,
    codes: Int32Array.from(texts, (text) => levels.indexOf(text)),
  }
}
