/** Shares of levels of two columns together, as a person types them. */

export interface CellTable {
  readonly columns: readonly [string, string]
  /** By `cellKey`: the shares that are held. Others take the rest. */
  readonly shares: ReadonlyMap<string, number>
}

type Tables = readonly CellTable[]

export const cellKey = (levels: readonly [string, string]): string => JSON.stringify(levels)

const isOf = (table: CellTable, columns: CellTable['columns']): boolean =>
  table.columns.every((column, i) => column === columns[i])

/** An empty table beside the others, unless there is one of these columns. */
export const withTable = (tables: Tables, columns: CellTable['columns']): Tables =>
  tables.some((table) => isOf(table, columns) || isOf(table, [columns[1], columns[0]]))
    ? tables
    : [...tables, { columns, shares: new Map() }]

export const withoutTable = (tables: Tables, columns: CellTable['columns']): Tables =>
  tables.filter((table) => !isOf(table, columns))

/** @param share Null: the cell is not held any more. At most what the others leave. */
export const withCell = (
  tables: Tables,
  columns: CellTable['columns'],
  levels: readonly [string, string],
  share: number | null,
): Tables =>
  tables.map((table) => {
    if (!isOf(table, columns)) return table
    const shares = new Map(table.shares)
    shares.delete(cellKey(levels))
    const left = 1 - [...shares.values()].reduce((sum, one) => sum + one, 0)
    if (share !== null) shares.set(cellKey(levels), Number(Math.min(Math.max(0, share), Math.max(0, left)).toFixed(4)))
    return { ...table, shares }
  })
