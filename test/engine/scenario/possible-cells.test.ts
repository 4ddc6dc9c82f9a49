import { expect, it } from 'vitest'
import { assessScenario } from '../../../src/engine/generate.ts'
import { keptRelations } from '../../../src/engine/model/describe.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { numeric, tableOf } from '../survey-table.ts'
import { scenario } from './written-scenario.ts'

const ROWS = 1_000
/** Rows with 0.9 of one part and 0.1 of the other, whose sum in binary is not quite 1. */
const AT_LIMIT = 40

/** Two parts of a whole, in tenths. */
function parts() {
  const random = new RandomStream(5, PURPOSE.value)
  const one = Array.from({ length: ROWS }, (_, i) => (i < AT_LIMIT ? 9 : random.below(10)))
  const other = one.map((tenths, i) => (i < AT_LIMIT || random.real() < 0.3 ? 10 - tenths : random.below(11 - tenths)))
  const inTenths = (name: string, tenths: readonly number[]) =>
    numeric(
      name,
      tenths.map((value) => value / 10),
      1,
    )
  return tableOf([inTenths('one', one), inTenths('other', other)])
}

it('a range that touches the limit of a sum is possible', async () => {
  const model = await trainModel(parts(), { threads: 1 })
  expect(keptRelations(model).map(({ text }) => text)).toEqual(['one + other <= 1'])
  const ranges = { one: { min: 0.9, max: 1 }, other: { min: 0.1, max: 1 } }
  const { rows, inRangeShare, effectiveRows } = await assessScenario(model, scenario({}, ranges), 500, { threads: 1 })
  expect(rows).toBe(500)
  expect(inRangeShare).toBeGreaterThanOrEqual(AT_LIMIT / ROWS)
  expect(effectiveRows).toBeGreaterThanOrEqual(20)
})
