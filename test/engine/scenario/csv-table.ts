import { readFileSync } from 'node:fs'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

/**
 * One of the shared data sets as a table, without any cleaning: a column is numeric when all its values are, and empty
 * is missing. The files have bare commas, and quotes only around whole fields.
 */
export function readCsvTable(path: string): Table {
  const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split(/\r?\n/)
  const rows = lines.map(fieldsOf)
  return tableOf(
    fieldsOf(header!).map((name, c) => {
      const texts = rows.map((row) => row[c]!)
      const present = texts.filter((text) => text !== '')
      if (!present.every((text) => Number.isFinite(Number(text)))) {
        return categorical(
          name,
          texts.map((text) => (text === '' ? null : text)),
        )
      }
      const decimals = present.reduce((most, text) => Math.max(most, text.split('.')[1]?.length ?? 0), 0)
      return numeric(
        name,
        texts.map((text) => (text === '' ? null : Number(text))),
        decimals,
      )
    }),
  )
}

function fieldsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, unquoted]) => quoted?.replaceAll('""', '"') ?? unquoted!,
  )
}
