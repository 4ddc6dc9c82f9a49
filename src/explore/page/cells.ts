/** Shares of levels of two columns together, as a person types them. */

import type { Scenario } from './scenario.ts'

export interface CellTable {
  readonly columns: readonly [string, string]
  /** By `cellKey`: the shares that are held. Others take the rest. */
  readonly shares: ReadonlyMap<string, number>
}

export const cellKey = (levels: readonly [string, string]): string => JSON.stringify(levels)

const isOf = (table: CellTable, columns: CellTable['columns']): boolean =>
  table.columns.every((column, i) => column === columns[i])

/** An empty table beside the others, unless there is one of these columns. */
export const withCells = (scenario: Scenario, columns: CellTable['columns']): Scenario =>
  scenario.cells.some((table) => isOf(table, columns) || isOf(table, [columns[1], columns[0]]))
    ? scenario
    : { ...scenario, cells: [...scenario.cells, { columns, shares: new Map() }] }

export const withoutCells = (scenario: Scenario, columns: CellTable['columns']): Scenario => ({
  ...scenario,
  cells: scenario.cells.filter((table) => !isOf(table, columns)),
})

/** @param share Null: the cell is not held any more. At most what the others leave. */
export function withCell(
  scenario: Scenario,
  columns: CellTable['columns'],
  levels: readonly [string, string],
  share: number | null,
): Scenario {
  const key = cellKey(levels)
  const cells = scenario.cells.map((table) => {
    if (!isOf(table, columns)) return table
    const shares = new Map(table.shares)
    shares.delete(key)
    const left = 1 - [...shares.values()].reduce((sum, one) => sum + one, 0)
    if (share !== null) shares.set(key, Number(Math.min(Math.max(0, share), Math.max(0, left)).toFixed(4)))
    return { ...table, shares }
  })
  return { ...scenario, cells }
}
