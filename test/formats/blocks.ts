import type { Block, BlockColumn, OutputColumn } from '../../src/base/output-table.ts'

/** One column of each kind. */
export const COLUMNS: readonly OutputColumn[] = [
  {
    name: 'región',
    kind: 'categorical',
    levels: ['North', 'Süd, "old"', '=1+1', '🦆\nline', ' edge '],
    integer: false,
  },
  { name: 'q1', kind: 'categorical', levels: ['5', '1', '3'], integer: true },
  { name: 'big', kind: 'categorical', levels: ['9007199254740991', '-3000000000'], integer: true },
  { name: 'visits', kind: 'numeric', integer: true, decimals: 0 },
  { name: 'spend', kind: 'numeric', integer: false, decimals: 2 },
  { name: 'born', kind: 'date' },
  { name: 'seen', kind: 'date-time' },
]

const DAY = 86_400_000

/** The values in the rows of `makeBlock`; dates as ISO text. */
export type RowValues = readonly (string | number | null)[]

export function rowValues(i: number): RowValues {
  const level = (levels: readonly string[]) => levels[i % levels.length]!
  const [region, q1, big] = COLUMNS.slice(0, 3).map((column) => ('levels' in column ? level(column.levels) : ''))
  return [
    i % 7 === 3 ? null : region!,
    i % 7 === 4 ? null : Number(q1),
    Number(big),
    i % 5 === 1 ? null : i * 1_000_003 - 5_000_000_000,
    i % 5 === 2 ? null : Math.round(i * 12.5 - 100) / 100,
    i % 5 === 3 ? null : new Date((i * 37 - 9_000) * DAY).toISOString().slice(0, 10),
    i % 5 === 4 ? null : new Date(i * 123_456_789 - 10_000_000_000_000 + (i % 3)).toISOString().replace('Z', ''),
  ]
}

export function makeBlock(start: number, rowCount: number): Block {
  const rows = Array.from({ length: rowCount }, (_, i) => rowValues(start + i))
  return {
    rowCount,
    columns: COLUMNS.map((column, c): BlockColumn => {
      const cells = rows.map((row) => row[c] ?? null)
      if (column.kind === 'categorical') {
        return { codes: Int32Array.from(cells, (cell) => (cell === null ? -1 : column.levels.indexOf(String(cell)))) }
      }
      const number = (cell: string | number) =>
        typeof cell === 'number' ? cell : Date.parse(`${cell}${cell.length > 10 ? 'Z' : ''}`)
      const valid = Uint8Array.from(cells, (cell) => (cell === null ? 0 : 1))
      return {
        values: Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : number(cell))),
        valid: valid.includes(0) ? valid : null,
      }
    }),
  }
}
