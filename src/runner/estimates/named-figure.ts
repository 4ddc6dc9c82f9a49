import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'

/** A figure of a dataset: the share of a level, or the mean of a number. */
export interface NamedFigure {
  readonly column: AnySchemaColumn
  /** Null: the mean. */
  readonly level: string | null
}

/**
 * The figure that a person names: `purchase.intent.Yes`, or `age` for a mean; also with `shares.` or `means.` in front. Names of
 * columns may have dots, so that the schema decides where one ends. A text says why it names none.
 */
export function figureNamed(name: string, schema: readonly AnySchemaColumn[]): NamedFigure | string {
  const found = figureOf(name, schema) ?? figureOf(name.replace(/^(?:shares|means)\./, ''), schema)
  if (found !== null) return found
  const column = schema
    .filter((one) => name === one.name || name.startsWith(`${one.name}.`))
    .sort((a, b) => b.name.length - a.name.length)[0]
  const names = (column === undefined ? schema : [column]).flatMap(figureNames)
  const [near] = suggest(name, names)
  const of = column === undefined ? 'the dataset has no column of this name' : `${column.name} has no such figure`
  const others = column === undefined ? schema.map((one) => one.name) : names
  const hint = near === undefined ? `it has: ${list(others)}` : `did you mean ${near}?`
  return `${name}: ${of}; ${hint}`
}

function figureOf(name: string, schema: readonly AnySchemaColumn[]): NamedFigure | null {
  for (const column of schema) {
    if (column.levels === undefined) {
      if (name === column.name) return { column, level: null }
      continue
    }
    const level = column.levels.find((one) => name === `${column.name}.${one}`)
    if (level !== undefined) return { column, level }
  }
  return null
}

const figureNames = ({ name, levels }: AnySchemaColumn): string[] =>
  levels === undefined ? [name] : levels.map((level) => `${name}.${level}`)

const MOST = 8
const list = (names: readonly string[]): string =>
  `${names.slice(0, MOST).join(', ')}${names.length > MOST ? ', ...' : ''}`
