import { countText } from '../base/text/amount-text.ts'
import { escapeText } from '../base/text/escape-text.ts'
import type { CallOptions } from '../client/service-client.ts'
import { ServiceError } from '../client/service-error.ts'
import type { AnySchemaColumn } from '../contract/datasets.ts'
import type { AskedDataset } from '../runner/estimates/asked-dataset.ts'
import type { NamedFigure } from '../runner/estimates/named-figure.ts'
import { areCodes } from '../study/outcomes/outcome.ts'
import { countedRows } from './counted-rows.ts'
import type { Asked, AskedFigure, AskedOutcome, Conditions, Refused } from './wire/messages.ts'

/** What is asked about: a trained dataset, and how its service is called. */
export interface Explored extends Omit<AskedDataset, 'call'> {
  readonly schema: readonly AnySchemaColumn[]
  /** A fresh time limit for each question. */
  readonly call: () => CallOptions
}

export const asked = (
  explored: Explored,
  { where, base }: Pick<Asked, 'where' | 'base'>,
): AskedDataset & Pick<Explored, 'schema'> => ({
  ...explored,
  call: explored.call(),
  where: countedRows(where),
  base,
})

/** Null: the dataset has no such figure. */
export function figureOf(
  schema: readonly AnySchemaColumn[],
  { column: name, level, quantile }: AskedFigure,
): NamedFigure | null {
  const column = schema.find((one) => one.name === name)
  if (column === undefined) return null
  if (level !== null) return column.levels?.includes(level) === true ? { column, level } : null
  if (quantile !== undefined) return column.levels === undefined ? { column, level, quantile } : null
  return column.levels === undefined || areCodes(column.levels) ? { column, level } : null
}

/** Columns that a scenario sets. */
export const setColumns = ({ cells = [], ...byColumn }: Conditions): ReadonlySet<string> =>
  new Set([
    ...Object.values(byColumn).flatMap((columns) => Object.keys(columns ?? {})),
    ...cells.flatMap(({ columns }) => columns),
  ])

/** Levels of a column whose figures are shown: nobody reads those of hundreds of towns. */
const MOST_LEVELS = 20

/** The mean, or the shares of the most frequent levels. */
export const figuresOf = (column: AnySchemaColumn): NamedFigure[] =>
  column.levels === undefined
    ? [{ column, level: null }]
    : column.levels.slice(0, MOST_LEVELS).map((level) => ({ column, level }))

/** For each column whose rarer levels are left out of the shares, a sentence about it. */
export const levelsLeftOut = (schema: readonly AnySchemaColumn[], outcomes: readonly AskedOutcome[]): string[] =>
  outcomes.flatMap(({ column: name, of }) => {
    const count = of === 'shares' ? (schema.find((one) => one.name === name)?.levels?.length ?? 0) : 0
    return count > MOST_LEVELS
      ? [`Of ${escapeText(name)} the ${MOST_LEVELS} most frequent of ${countText(count)} levels are told.`]
      : []
  })

/** The shares or the mean of each column, by its kind. */
export const naturalOutcomes = (schema: readonly AnySchemaColumn[], columns: readonly string[]): AskedOutcome[] =>
  columns.flatMap((name) =>
    schema
      .filter((column) => column.name === name)
      .map(({ levels }): AskedOutcome => ({ column: name, of: levels === undefined ? 'mean' : 'shares' })),
  )

/** The figures of an outcome; none where the column has no such. */
export function figuresOfOutcome(
  schema: readonly AnySchemaColumn[],
  { column: name, of }: AskedOutcome,
): NamedFigure[] {
  const column = schema.find((one) => one.name === name)
  if (column === undefined) return []
  if (of === 'shares') return column.levels === undefined ? [] : figuresOf(column)
  const figure = figureOf(schema, { column: name, level: null, ...(of !== 'mean' && { quantile: of }) })
  return figure === null ? [] : [figure]
}

/** What went wrong at the service, in its words; other errors are thrown. */
export function refusal(error: unknown): Refused {
  if (!(error instanceof ServiceError)) throw error
  const isPassing = ['server', 'network', 'deadline', 'auth'].includes(error.kind)
  return { kind: 'refused', message: isPassing ? `the service gave no answer: ${error.message}` : error.message }
}
