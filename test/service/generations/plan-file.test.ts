import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { partOfPlan, planRows, type RowPlan } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { bytesOfPart, layoutOf, readPlanOfPart, writePlan } from '../../../src/service/generations/plan-file.ts'
import { surveyTable } from '../../engine/survey-table.ts'

const SHARES = [{ column: 'region', levels: new Map([['north', 0.4]]) }]
const RANGES = [{ column: 'height', min: 165, max: 180 }]
const SCENARIOS: Record<string, RequestedConditions> = {
  'no conditions': { shares: [], ranges: [] },
  shares: { shares: SHARES, ranges: [] },
  'a share and a range': { shares: SHARES, ranges: RANGES },
  'a range': { shares: [], ranges: RANGES },
  'a share and a mean': { shares: SHARES, ranges: [], means: [{ column: 'visits', min: 4, max: 4 }] },
}
const PARTS = [
  { firstRow: 0, endRow: 700 },
  { firstRow: 700, endRow: 1_000 },
]

let folder: string
let model: Model
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plan-file-'))
  model = await trainModel(surveyTable(2_000), { threads: 1 })
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

async function planOf(scenario: RequestedConditions, rowCount: number): Promise<RowPlan> {
  const evidenceCap = { naturalShareFactor: 10, rowsPerSeedRow: 1_000_000 }
  const plan = await planRows(model, { rowCount, seed: 3, scenario, disclosure: 'exact', evidenceCap, threads: 1 })
  expect(plan.feasibility.rows).toBe(rowCount)
  return plan
}

describe('a plan in a file', () => {
  it.each(Object.entries(SCENARIOS))('says of each part what was planned: %s', async (name, scenario) => {
    const plan = await planOf(scenario, 1_000)
    const path = join(folder, name)
    await writePlan(path, plan, PARTS)
    const layout = layoutOf(plan)
    const bytes = await readFile(path)
    expect(bytes.length).toBe(bytesOfPart(layout, { firstRow: 0, endRow: 1_000 }).end)
    for (const part of PARTS) {
      const { start, end } = bytesOfPart(layout, part)
      const ofPart = `${path} ${part.firstRow}`
      await writeFile(ofPart, bytes.subarray(start, end))
      expect(await readPlanOfPart(ofPart, layout, part)).toEqual(partOfPlan(plan, part).settled)
      await writeFile(ofPart, bytes.subarray(start, end - 1))
      await expect(readPlanOfPart(ofPart, layout, part)).rejects.toThrow(
        `a plan has ${end - start - 1} bytes where ${end - start} are expected`,
      )
    }
  })

  it.each(Object.keys(SCENARIOS).filter((name) => !name.includes('mean')))(
    'has as many bytes for 200 million rows as for 2 million, with %s',
    async (name) => {
      const sizes: number[] = []
      for (const rows of [2_000_000, 200_000_000]) {
        const path = join(folder, `${name} ${rows}`)
        await writePlan(path, await planOf(SCENARIOS[name]!, rows), [{ firstRow: 0, endRow: rows }])
        sizes.push((await stat(path)).size)
      }
      expect(sizes[1]).toBe(sizes[0])
      expect(sizes[0]).toBeLessThan(200)
    },
  )
})
