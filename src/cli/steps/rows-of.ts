import { escapeText } from '../../base/text/escape-text.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { SetupError } from '../../local/setup-error.ts'
import type { CountedRows } from '../../runner/estimates/asked-dataset.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'

const FORM = 'expected COLUMN=LEVEL, such as region=North, or COLUMN=FROM..TO of a number, such as age=18..34'

type RowFilter = CountedRows['told'][number]

/** For the help of a command. */
export const WHERE_FORMS =
  'count the figure in these rows alone: region=North, or age=18..34; several levels and columns by repeating it'

/** For a command that reads `--where` several times. */
export const collected = (text: string, before: readonly string[] = []): string[] => [...before, text]

/**
 * The rows that options `--where` name: those that have one of the levels of each column, and a value between the ends of each number.
 * Undefined: all rows.
 *
 * @throws SetupError with exit code 4 for a column or level that the data do not have, and 2 for another form.
 */
export function rowsOf(texts: readonly string[] = [], schema: readonly AnySchemaColumn[]): CountedRows | undefined {
  const filters = new Map<string, RowFilter>()
  for (const text of texts) {
    const column = schema
      .filter(({ name }) => text.startsWith(`${name}=`))
      .sort((a, b) => b.name.length - a.name.length)[0]
    if (column === undefined) throw noColumn(text, schema)
    const value = text.slice(column.name.length + 1)
    const before = filters.get(column.name)
    if (column.levels !== undefined) {
      const levels = new Set([...(before?.levels ?? []), levelOf(text, value, column)])
      filters.set(column.name, { column: column.name, levels: [...levels] })
      continue
    }
    if (column.format !== undefined) throw fault(4, text, `${column.name} has dates, which --where does not take`)
    if (before !== undefined) throw fault(2, text, `${column.name} has ends already`)
    filters.set(column.name, { column: column.name, ...endsOf(text, value) })
  }
  if (filters.size === 0) return undefined
  const told = [...filters.values()]
  return { asked: askedOf(told), told }
}

function noColumn(text: string, schema: readonly AnySchemaColumn[]): SetupError {
  const [name = '', value] = text.split('=')
  if (value === undefined) return fault(2, text, FORM)
  const [near] = suggest(
    name,
    schema.map((one) => one.name),
  )
  return fault(4, text, 'the dataset has no column of this name', near)
}

function levelOf(text: string, value: string, { levels = [] }: AnySchemaColumn): string {
  if (levels.includes(value)) return value
  const [near] = suggest(value, levels)
  throw fault(4, text, 'the column has no such level', near)
}

function endsOf(text: string, value: string): { min?: number; max?: number } {
  const [, from = '', to = ''] = /^(-?[\d.]*?)\.\.(-?[\d.]*)$/.exec(value) ?? []
  const ends = {
    ...(from !== '' && { min: Number(from) }),
    ...(to !== '' && { max: Number(to) }),
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = ends
  if (Object.keys(ends).length === 0 || Number.isNaN(min) || Number.isNaN(max)) throw fault(2, text, FORM)
  if (min > max) throw fault(2, text, `${min} is above ${max}`)
  return ends
}

function askedOf(filters: CountedRows['told']): CountedRows['asked'] {
  const categorical = filters.flatMap(({ column, levels }) =>
    levels === undefined ? [] : [[column, [...levels]] as [string, string[]]],
  )
  const numeric = filters.flatMap(({ column, levels, min, max }) =>
    levels === undefined
      ? [[column, { ...(typeof min === 'number' && { min }), ...(typeof max === 'number' && { max }) }] as const]
      : [],
  )
  return {
    ...(categorical.length > 0 && { categorical: Object.fromEntries(categorical) }),
    ...(numeric.length > 0 && { numeric: Object.fromEntries(numeric) }),
  }
}

function fault(exitCode: 2 | 4, text: string, why: string, near?: string): SetupError {
  return new SetupError(
    exitCode,
    `--where ${escapeText(text)}: ${escapeText(why)}`,
    near === undefined ? null : `Did you mean ${escapeText(near)}?`,
  )
}
