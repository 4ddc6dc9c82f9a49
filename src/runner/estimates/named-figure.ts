import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { LEAST_QUANTILE } from '../../contract/limits.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'

/** A figure of a dataset: the share of a level, or the mean or a quantile of a number. */
export interface NamedFigure {
  readonly column: AnySchemaColumn
  /** Null: the mean, or the quantile. */
  readonly level: string | null
  /** The share of the rows up to the quantile; absent: no quantile. */
  readonly quantile?: number
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

/** The quantile of a number that a person names: `quantiles.spend.0.9`. Null: it names no quantile. */
export function quantileNamed(name: string, schema: readonly AnySchemaColumn[]): NamedFigure | string | null {
  const [, of] = /^quantiles\.(.+)$/.exec(name) ?? []
  if (of === undefined) return null
  const numbers = schema.filter(({ levels, format }) => levels === undefined && format === undefined)
  const column = numbers.find((one) => of.startsWith(`${one.name}.`))
  const example = `such as quantiles.${numbers[0]?.name ?? 'spend'}.0.5 for the median`
  if (column === undefined) {
    const [near] = suggest(
      of.replace(/\.(?:0?\.)?\d+$/, ''),
      numbers.map((one) => one.name),
    )
    const hint = near === undefined ? `expected one of a number, ${example}` : `did you mean quantiles.${near}.0.5?`
    return `${name}: the dataset has no number of this name; ${hint}`
  }
  const share = of.slice(column.name.length + 1)
  const quantile = /^0?\.\d+$/.test(share) ? Number(share) : Number.NaN
  if (quantile >= LEAST_QUANTILE && quantile <= 1 - LEAST_QUANTILE) return { column, level: null, quantile }
  return `${name}: ${share} is no share of the rows; expected ${LEAST_QUANTILE} to ${1 - LEAST_QUANTILE}, ${example}`
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
