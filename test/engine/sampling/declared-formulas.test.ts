import { describe, expect, it } from 'vitest'
import type { Table, TableColumn } from '../../../src/engine/cleaning/table.ts'
import { generate } from '../../../src/engine/generate.ts'
import { derivedColumns } from '../../../src/engine/model/describe.ts'
import { decodeModel, encodeModel } from '../../../src/engine/model/model-file.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'

const ROWS = 800

/** 0 … 1, the same for the same numbers. */
function noise(row: number, column: number): number {
  const x = Math.sin(row * 12.9898 + column * 78.233) * 43758.5453
  return x - Math.floor(x)
}

const LEVELS = ['3', '4', '2', '5', '1']

function item(name: string, column: number, missing: number): TableColumn {
  const codes = Int32Array.from({ length: ROWS }, (_, row) => {
    if (noise(row, column + 50) < missing) return -1
    const answer = Math.round(1 + 4 * (0.6 * noise(row, 1) + 0.4 * noise(row, column)))
    return LEVELS.indexOf(String(answer))
  })
  return { kind: 'categorical', name, sourceName: name, missingShare: missing, levels: LEVELS, codes, integer: true }
}

function numeric(name: string, decimals: number, numberAt: (row: number) => number): TableColumn {
  const all = Array.from({ length: ROWS }, (_, row) => numberAt(row))
  const valid = Uint8Array.from(all, (value) => (Number.isNaN(value) ? 0 : 1))
  const values = Float64Array.from(all, (value) => (Number.isNaN(value) ? 0 : Number(value.toFixed(decimals))))
  const present = all.filter((value) => !Number.isNaN(value)).map((value) => Number(value.toFixed(decimals)))
  return {
    kind: 'numeric',
    name,
    sourceName: name,
    missingShare: 1 - present.length / ROWS,
    format: null,
    values,
    valid,
    integer: decimals === 0,
    decimals,
    min: Math.min(...present),
    max: Math.max(...present),
  }
}

const answer = (column: TableColumn, row: number): number =>
  column.kind === 'numeric'
    ? column.valid[row] === 0
      ? Number.NaN
      : column.values[row]!
    : Number(column.codes[row]! < 0 ? Number.NaN : column.levels[column.codes[row]!])

function meanOf(answers: readonly number[], least: number): number {
  const given = answers.filter((one) => !Number.isNaN(one))
  return given.length < least ? Number.NaN : given.reduce((sum, one) => sum + one, 0) / given.length
}

/** Items q1 to q3, their score; spending before and after, its growth; a group. */
function survey(): Table {
  const items = [item('q1', 2, 0.1), item('q2', 3, 0.1), item('q3', 4, 0.05)]
  const trust = numeric('trust', 4, (row) =>
    meanOf(
      items.map((one) => answer(one, row)),
      2,
    ),
  )
  const before = numeric('before', 2, (row) => 20 + 60 * noise(row, 7))
  const after = numeric('after', 2, (row) => answer(before, row) + 12 * noise(row, 8) - 4)
  const growth = numeric('growth', 2, (row) => answer(after, row) - answer(before, row))
  const group: TableColumn = {
    kind: 'categorical',
    name: 'group',
    sourceName: 'group',
    missingShare: 0,
    levels: ['a', 'b'],
    codes: Int32Array.from({ length: ROWS }, (_, row) => (noise(row, 1) > noise(row, 9) ? 1 : 0)),
    integer: false,
  }
  return {
    rowCount: ROWS,
    seedRows: ROWS,
    columns: [...items, trust, before, after, growth, group],
    formulas: [
      { target: 3, form: 'mean', of: [0, 1, 2], least: 2 },
      { target: 6, form: 'difference', of: [5, 4], least: 2 },
    ],
  }
}

const model = await trainModel(survey(), { threads: 1 })

/** Rows in which a column differs from what it is made of. */
async function disagreeing(scenario: RequestedConditions): Promise<{ rows: number; trust: number; growth: number }> {
  const { blocks } = await generate(model, { scenario, rowCount: 1_500, seed: 3, disclosure: 'exact', threads: 1 })
  let [rows, trust, growth] = [0, 0, 0]
  for await (const { rowCount, columns } of blocks) {
    const numberAt = (c: number, row: number): number => {
      const column = columns[c]!
      if ('codes' in column) return column.codes[row]! < 0 ? Number.NaN : Number(LEVELS[column.codes[row]!])
      return column.valid?.[row] === 0 ? Number.NaN : column.values[row]!
    }
    const differ = (a: number, b: number): boolean => (Number.isNaN(a) ? !Number.isNaN(b) : !(Math.abs(a - b) < 1e-4))
    for (let row = 0; row < rowCount; row++) {
      rows++
      const score = meanOf(
        [0, 1, 2].map((c) => numberAt(c, row)),
        2,
      )
      if (differ(score, numberAt(3, row))) trust++
      if (differ(numberAt(5, row) - numberAt(4, row), numberAt(6, row))) growth++
    }
  }
  return { rows, trust, growth }
}

describe('columns that the author of the seed made of others', () => {
  it('are described', () => {
    expect(derivedColumns(model)).toEqual([
      {
        column: 'trust',
        sources: ['q1', 'q2', 'q3'],
        formula: 'mean of those of q1, q2, q3 that have a value, at least 2',
        share: 1,
      },
      { column: 'growth', sources: ['after', 'before'], formula: 'after - before', share: 1 },
    ])
  })

  it.each([
    ['without conditions', { shares: [], ranges: [] }],
    ['under a share', { shares: [{ column: 'group', levels: new Map([['b', 0.8]]) }], ranges: [] }],
    ['under a share of an item', { shares: [{ column: 'q1', levels: new Map([['5', 0.4]]) }], ranges: [] }],
    [
      'under ranges of their own',
      {
        shares: [],
        ranges: [
          { column: 'trust', min: 3, max: 5 },
          { column: 'growth', min: 0, max: 6 },
        ],
      },
    ],
    ['under a mean of their own', { shares: [], ranges: [], means: [{ column: 'trust', min: 3.4, max: 3.4 }] }],
    [
      'under a mean of their own and a range of a part',
      {
        shares: [],
        ranges: [{ column: 'before', min: 30, max: 50 }],
        means: [{ column: 'growth', min: 3, max: 3 }],
      },
    ],
  ])('agree with their sources in every row %s', async (_, scenario) => {
    expect(await disagreeing(scenario as RequestedConditions)).toEqual({ rows: 1_500, trust: 0, growth: 0 })
  })

  it('are kept in the file of a model, in a version that older readers refuse', () => {
    const bytes = encodeModel(model)
    expect(new DataView(bytes.buffer).getUint32(8, true)).toBe(8)
    expect(decodeModel(bytes).derivations).toEqual(model.derivations)
  })
})
