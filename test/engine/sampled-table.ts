import { createHash } from 'node:crypto'
import type { BlockColumn } from '../../src/base/output-table.ts'
import type { Table } from '../../src/engine/cleaning/table.ts'
import type { Model, Order } from '../../src/engine/model/model.ts'
import { sampleRows } from '../../src/engine/sampling/sample.ts'

interface Options {
  readonly rowCount: number
  readonly seed: number
  readonly threads?: number
  readonly order?: Order
  readonly preset?: readonly Uint16Array[]
  readonly ranges?: ReadonlyMap<number, { min: number; max: number }>
}

type Cell = string | number | null

/** All rows of a sampling, for looking at. */
export class SampledTable {
  readonly #cells: ReadonlyMap<string, readonly Cell[]>
  readonly rowCount: number

  constructor(cells: ReadonlyMap<string, readonly Cell[]>, rowCount: number) {
    this.#cells = cells
    this.rowCount = rowCount
  }

  cell(name: string, row: number): Cell {
    return this.#cells.get(name)![row]!
  }

  labels(name: string): (string | null)[] {
    return [...this.#cells.get(name)!] as (string | null)[]
  }

  numbers(name: string): (number | null)[] {
    return [...this.#cells.get(name)!] as (number | null)[]
  }

  shares(name: string): Map<Cell, number> {
    const shares = new Map<Cell, number>()
    for (const cell of this.#cells.get(name)!) shares.set(cell, (shares.get(cell) ?? 0) + 1 / this.rowCount)
    return shares
  }

  sharesOf(table: Table, name: string): Map<Cell, number> {
    return this.of(table).shares(name)
  }

  text(rows: number): string {
    return JSON.stringify([...this.#cells].map(([name, cells]) => [name, cells.slice(0, rows)]))
  }

  digest(): string {
    return createHash('sha256').update(this.text(this.rowCount)).digest('hex')
  }

  /** A seed table seen the same way. */
  of(table: Table): SampledTable {
    return new SampledTable(
      new Map(
        table.columns.map((column) => [
          column.name,
          column.kind === 'categorical' ? cellsOf(column, column.levels) : cellsOf(column, []),
        ]),
      ),
      table.rowCount,
    )
  }
}

function cellsOf(data: BlockColumn, levels: readonly string[]): Cell[] {
  if ('codes' in data) return Array.from(data.codes, (code) => (code < 0 ? null : levels[code]!))
  const { values, valid } = data
  return Array.from(values, (value, i) => (valid && valid[i] === 0 ? null : value))
}

export async function sampleTable(model: Model, options: Options): Promise<SampledTable> {
  const cells = new Map<string, Cell[]>(model.columns.map((column) => [column.name, []]))
  const { rowCount, seed, threads = 1, order = model.base, preset = [], ranges = new Map() } = options
  let rows = 0
  for await (const batch of sampleRows({ model, order, rowCount, seed, preset, ranges, threads })) {
    rows += batch.rowCount
    model.columns.forEach((column, c) => {
      const list = cells.get(column.name)!
      for (const cell of cellsOf(batch.columns[c]!, column.kind === 'categorical' ? column.levels : [])) list.push(cell)
    })
  }
  return new SampledTable(cells, rows)
}
