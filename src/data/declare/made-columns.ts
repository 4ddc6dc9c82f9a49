import type { RawColumn } from '../../base/raw-table.ts'
import type { Declarations } from '../../study/declarations.ts'
import { bandColumn } from './bands.ts'
import type { Findings } from './declaration-error.ts'
import { scoreColumn } from './net-promoter-score.ts'
import { netColumn } from './nets.ts'
import { differenceOfColumns, scoreOfItems } from './scores.ts'

/**
 * Adds the columns that declarations make of others, which may be dropped ones: each after the last column that it is made of, and bands of
 * a score or a difference after that.
 */
export function withMadeColumns(
  columns: readonly RawColumn[],
  { bands = {}, nets = {}, nps = [], scores = {}, differences = {} }: Declarations,
  findings: Findings,
): RawColumn[] {
  const ofColumn = <V extends { readonly of: string }>(made: Readonly<Record<string, V>>, name: string) =>
    Object.entries(made).filter(([, { of }]) => of === name)
  const bandsOf = (column: RawColumn): RawColumn[] =>
    ofColumn(bands, column.name).flatMap(([name, { at }]) => bandColumn(name, column, at, findings) ?? [])
  const at = new Map(columns.map(({ name }, i) => [name, i]))
  /** Entries whose last column is this one. */
  const endingAt = <V>(made: Readonly<Record<string, V>>, partsOf: (entry: V) => readonly string[], i: number) =>
    Object.entries(made).filter(([, entry]) => Math.max(...partsOf(entry).map((name) => at.get(name)!)) === i)
  const named = (names: readonly string[]): RawColumn[] => names.map((name) => columns[at.get(name)!]!)
  return columns.flatMap((column, i) => [
    column,
    ...bandsOf(column),
    ...ofColumn(nets, column.name).flatMap(([name, { levels }]) => netColumn(name, column, levels, findings) ?? []),
    ...(nps.includes(column.name) ? [column] : []).flatMap((of) => scoreColumn(of, findings) ?? []),
    ...[
      ...endingAt(scores, ({ mean }) => mean, i).map(([name, score]) =>
        scoreOfItems(name, score, named(score.mean), findings),
      ),
      ...endingAt(differences, (of) => of, i).map(([name, of]) => differenceOfColumns(name, of, named(of), findings)),
    ].flatMap((made) => (made === null ? [] : [made, ...bandsOf(made)])),
  ])
}
