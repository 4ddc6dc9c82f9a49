import { escapeText } from '../../base/text/escape-text.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { type Explored, figureOf, figuresOfOutcome, naturalOutcomes } from '../../explore/explored.ts'
import { exploredDataset } from '../../explore/explored-dataset.ts'
import type { AskedFigure, AskedOutcome } from '../../explore/wire/messages.ts'
import { SetupError } from '../../local/setup-error.ts'
import type { InspectedDataset } from '../../runner/datasets/inspect-dataset.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'

/** Columns of a page, and levels of a column in it: the most frequent ones. */
const MOST_COLUMNS = 100
const MOST_LEVELS = 20

/** @throws SetupError with exit code 4 for a name that the data do not have. */
export function knownColumns(schema: readonly AnySchemaColumn[], names: readonly string[]): void {
  const known = schema.map(({ name }) => name)
  for (const name of names) {
    if (known.includes(name)) continue
    const [near] = suggest(name, known)
    const hint = near === undefined ? 'list_columns names the columns.' : `Did you mean ${near}?`
    throw new SetupError(4, `the dataset has no column ${escapeText(name)}`, hint)
  }
}

/** A column stands for its natural figures. @throws SetupError with exit code 4 for what the data do not have. */
export function askedOutcomes(
  schema: readonly AnySchemaColumn[],
  outcomes: readonly (string | AskedOutcome)[],
): AskedOutcome[] {
  knownColumns(
    schema,
    outcomes.map((one) => (typeof one === 'string' ? one : one.column)),
  )
  return outcomes.flatMap((one) => {
    if (typeof one === 'string') return naturalOutcomes(schema, [one])
    if (figuresOfOutcome(schema, one).length === 0) throw noFigure(one.column)
    return [one]
  })
}

/** @throws SetupError with exit code 4 for a figure that the data do not have. */
export function knownFigure(schema: readonly AnySchemaColumn[], figure: AskedFigure): void {
  if (figureOf(schema, figure) === null) throw noFigure(figure.column)
}

const noFigure = (column: string): SetupError =>
  new SetupError(
    4,
    `column ${escapeText(column)} has no such figure`,
    'Levels have shares; numbers and dates have a mean and quantiles. list_columns says what a column holds.',
  )

/** The columns of a dataset from the one at `from` on; with `only`, that one with all of its levels. */
export function columnPage(
  { dataset, schema }: InspectedDataset,
  { name, study }: Explored,
  from: number,
  only: string | undefined,
): object {
  const rows = dataset.cleaning_summary?.clean_rows ?? null
  const { columns, first } = exploredDataset(name, study, rows, schema, null)
  if (only !== undefined) knownColumns(schema, [only])
  const labels = new Map(schema.map((column) => [column.name, column.label]))
  const shown =
    only === undefined ? columns.slice(from, from + MOST_COLUMNS) : columns.filter((one) => one.name === only)
  const next = from + MOST_COLUMNS
  return {
    dataset: name,
    rows,
    columns: shown.map((column) => {
      const levels = only === undefined ? (column.levels?.slice(0, MOST_LEVELS) ?? null) : column.levels
      const label = labels.get(column.name)
      const more = (column.levels?.length ?? 0) - (levels?.length ?? 0)
      return { ...column, ...(label !== undefined && { label }), levels, ...(more > 0 && { more_levels: more }) }
    }),
    of: schema.length,
    next: only === undefined && next < schema.length ? next : null,
    outcomes: [...new Set(first.outcomes.map(({ column }) => column))],
  }
}
