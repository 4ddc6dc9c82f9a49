/** The figures that results of a comparison have by kind of outcome and column, so that what is done with each of them is written once. */

import { dataRecord } from '../../base/data-record.ts'
import type { ComparisonResult } from '../../records/manifest/comparisons.ts'
import { OUTCOME_KIND_NAMES, OUTCOME_KINDS, type OutcomeKindName } from '../../study/outcomes/outcome.ts'

type Within = { readonly [K in OutcomeKindName]: (typeof OUTCOME_KINDS)[K]['within'] }

/** By column, and by level or quantile where a column has several. A kind without figures may be absent. */
export type ByOutcome = { readonly [K in OutcomeKindName]?: Readonly<Record<string, unknown>> | undefined }

type ValueOf<T> = T extends Readonly<Record<string, infer V>> ? V : never

/** Differences, by kind of outcome and column. */
export type Differences = Pick<ComparisonResult, OutcomeKindName>

/** A figure with its place. */
export type FigureIn<R extends ByOutcome> = {
  [K in OutcomeKindName]: {
    readonly kind: K
    readonly column: string
    readonly level: Within[K] extends 'level' ? string : null
    /** The share of the rows up to it, as a manifest writes it. */
    readonly quantile: Within[K] extends 'quantile' ? string : null
    readonly value: Within[K] extends null ? ValueOf<R[K]> : ValueOf<ValueOf<R[K]>>
    /** How many figures of this kind the column has. */
    readonly siblings: number
  }
}[OutcomeKindName]

/** Its place alone. */
export type FigurePlace = Pick<FigureIn<ByOutcome>, 'kind' | 'column' | 'level' | 'quantile'>

/** By kind, in the sequence of `OUTCOME_KINDS`. */
export function figuresIn<R extends ByOutcome>(result: R): readonly FigureIn<R>[] {
  const found: unknown[] = []
  for (const kind of OUTCOME_KIND_NAMES) {
    const { within } = OUTCOME_KINDS[kind]
    for (const [column, own] of Object.entries(result[kind] ?? {})) {
      if (within === null) {
        found.push({ kind, column, level: null, quantile: null, value: own, siblings: 1 })
        continue
      }
      const several = Object.entries(own as Readonly<Record<string, unknown>>)
      const siblings = several.length
      for (const [name, value] of several)
        found.push({ kind, column, level: null, quantile: null, [within]: name, value, siblings })
    }
  }
  return found as readonly FigureIn<R>[]
}

/** The same with the figures of columns that have only one at the end. */
export const severalFirst = <F extends FigurePlace>(figures: readonly F[]): readonly F[] =>
  figures.toSorted((a, b) => Number(isAlone(a)) - Number(isAlone(b)))

const isAlone = ({ level, quantile }: FigurePlace): boolean => level === null && quantile === null

/** `region North`, `age`, `age quantile 0.5`; not escaped. */
export const figureName = ({ column, level, quantile }: FigurePlace): string =>
  `${column}${level === null ? '' : ` ${level}`}${quantile === null ? '' : ` quantile ${quantile}`}`

/** The figure of another result at a place; undefined where it has none. */
export function figureAt(result: ByOutcome, { kind, column, level, quantile }: FigurePlace): unknown {
  const own = valueIn(result[kind], column)
  const name = level ?? quantile
  return name === null ? own : valueIn(own as Readonly<Record<string, unknown>> | undefined, name)
}

/** Names come from data, so `constructor` is one only if the record itself has it. */
const valueIn = (record: Readonly<Record<string, unknown>> | undefined, name: string): unknown =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined

/** Another value in place of each figure, of a type that the caller knows. Kinds that are absent stay so. */
export function withEachFigure<R extends ByOutcome>(result: R, of: (figure: FigureIn<R>) => unknown): ByOutcome {
  const made = new Map<OutcomeKindName, Map<string, unknown>>()
  for (const kind of OUTCOME_KIND_NAMES) {
    const columns = result[kind]
    if (columns === undefined) continue
    const several = OUTCOME_KINDS[kind].within !== null
    made.set(kind, new Map(Object.keys(columns).map((column) => [column, several ? new Map<string, unknown>() : null])))
  }
  for (const figure of figuresIn(result)) {
    const columns = made.get(figure.kind)!
    const name = figure.level ?? figure.quantile
    if (name === null) columns.set(figure.column, of(figure))
    else (columns.get(figure.column) as Map<string, unknown>).set(name, of(figure))
  }
  const written = (value: unknown): unknown => (value instanceof Map ? dataRecord([...value]) : value)
  return Object.fromEntries(
    [...made].map(([kind, columns]) => [
      kind,
      dataRecord([...columns].map(([column, own]) => [column, written(own)] as const)),
    ]),
  )
}
