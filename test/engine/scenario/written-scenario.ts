import type { GeneratedTable } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'

type Shares = Readonly<Record<string, Readonly<Record<string, number>>>>
type Ranges = Readonly<Record<string, { readonly min: number; readonly max: number }>>

/** A scenario as it is written: column → level → share, column → bounds. */
export function scenario(shares: Shares, ranges: Ranges = {}): RequestedConditions {
  return {
    shares: Object.entries(shares).map(([column, levels]) => ({ column, levels: new Map(Object.entries(levels)) })),
    ranges: Object.entries(ranges).map(([column, bounds]) => ({ column, ...bounds })),
  }
}

/** All rows of a generation: column → cells, null = missing. */
export async function rowsOf({ columns, blocks }: GeneratedTable): Promise<Record<string, (string | number | null)[]>> {
  const cells = columns.map((): (string | number | null)[] => [])
  for await (const block of blocks) {
    block.columns.forEach((data, c) => {
      const column = columns[c]!
      for (let i = 0; i < block.rowCount; i++) {
        if ('codes' in data) {
          const levels = column.kind === 'categorical' ? column.levels : []
          cells[c]!.push(data.codes[i]! < 0 ? null : levels[data.codes[i]!]!)
        } else {
          cells[c]!.push(data.valid !== null && data.valid[i] === 0 ? null : data.values[i]!)
        }
      }
    })
  }
  return Object.fromEntries(columns.map(({ name }, c) => [name, cells[c]!]))
}

export function countOf(cells: readonly (string | number | null)[], level: string | number | null): number {
  return cells.reduce<number>((count, cell) => count + (cell === level ? 1 : 0), 0)
}

export function columnIndex(model: Model, name: string): number {
  return model.columns.findIndex((column) => column.name === name)
}
