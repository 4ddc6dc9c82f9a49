import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../../src/base/output-table.ts'
import {
  generate,
  type PlannedPart,
  partOfPlan,
  planRows,
  type RowPlan,
  rowsOfPart,
} from '../../../src/engine/generate.ts'
import { BATCH_ROWS, LEAST_PARTED_ROWS, type RowPart } from '../../../src/engine/sampling/batches.ts'
import type { GenerateOptions, RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { surveyTable } from '../survey-table.ts'

const ROWS = LEAST_PARTED_ROWS + BATCH_ROWS + 5
/** The last is shorter than a block. */
const PARTS: readonly RowPart[] = [
  { firstRow: 0, endRow: 11 * BATCH_ROWS },
  { firstRow: 11 * BATCH_ROWS, endRow: 32 * BATCH_ROWS },
  { firstRow: 32 * BATCH_ROWS, endRow: ROWS },
]

const SCENARIOS: Record<string, RequestedConditions> = {
  'no conditions': { shares: [], ranges: [] },
  'a share and a range': {
    shares: [{ column: 'region', levels: new Map([['north', 0.4]]) }],
    ranges: [{ column: 'height', min: 165, max: 180 }],
  },
  'three ranges': {
    shares: [],
    ranges: [
      { column: 'height', min: 165, max: 180 },
      { column: 'price', min: 2, max: 4 },
      { column: 'visits', min: 1, max: 8 },
    ],
  },
  'a share and a mean': {
    shares: [{ column: 'region', levels: new Map([['north', 0.4]]) }],
    ranges: [],
    means: [{ column: 'visits', min: 4, max: 4 }],
  },
}

/** Hashes blocks as they come: a million rows need not be in memory. */
async function digest(...tables: readonly AsyncIterable<Block>[]): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256')
  let rows = 0
  for (const table of tables) {
    for await (const { rowCount, columns } of table) {
      rows += rowCount
      for (const column of columns) {
        hash.update('codes' in column ? column.codes : column.values)
        if ('valid' in column && column.valid !== null) hash.update(column.valid)
      }
    }
  }
  return { rows, sha256: hash.digest('hex') }
}

/** What a worker of its own knows of the plan: what is settled about the rows of its part. */
function partOf(plan: RowPlan, part: RowPart): PlannedPart {
  const { weighted: _, draws: _of, ...known } = partOfPlan(plan, part)
  return known
}

describe('parts of a generation', () => {
  it.each(Object.keys(SCENARIOS))('have the rows of the whole, with %s', async (name) => {
    const model = await trainModel(surveyTable(2_000), { threads: 1 })
    const scenario = SCENARIOS[name]!
    const options: GenerateOptions = { rowCount: ROWS, seed: 3, scenario, disclosure: 'exact', threads: 1 }
    const evidenceCap = { naturalShareFactor: 10, rowsPerSeedRow: 10_000 }
    const whole = await generate(model, { ...options, evidenceCap })
    const expected = await digest(whole.blocks)
    expect(expected.rows).toBe(ROWS)
    const plan = await planRows(model, { ...options, evidenceCap })
    const parts = PARTS.map(async (part) => await rowsOfPart(model, options, partOf(plan, part)))
    expect(await digest(...(await Promise.all(parts)))).toEqual(expected)
    expect(plan.targetCounts).toEqual(whole.targetCounts)
  })

  it.each([
    [ROWS, { firstRow: 1_024, endRow: ROWS }],
    [ROWS, { firstRow: 0, endRow: BATCH_ROWS + 1_024 }],
    [LEAST_PARTED_ROWS, { firstRow: 0, endRow: BATCH_ROWS }],
  ])('of %i rows are refused where a batch would be another one: %o', async (rows, part) => {
    const model = await trainModel(surveyTable(200), { threads: 1 })
    const options: GenerateOptions = { rowCount: rows, seed: 3, scenario: { shares: [], ranges: [] }, threads: 1 }
    const settled = { codes: [], values: new Map() }
    const blocks = await rowsOfPart(model, options, { ...part, feasibility: { rows }, settled })
    await expect(digest(blocks)).rejects.toThrow(
      `rows ${part.firstRow} to ${part.endRow} are no part of a table of ${rows} rows`,
    )
  })
})
