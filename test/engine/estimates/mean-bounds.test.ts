import { expect, it } from 'vitest'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { MeanTarget } from '../../../src/engine/scenario/scenario.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

const ROWS = 120
const NAMES = ['a', 'b', 'c']

/** Numbers that go together, and bounds of their means, some of which the rows meet by themselves. */
async function drawn(seed: number) {
  const random = new RandomStream(seed, PURPOSE.value)
  const people = Array.from({ length: ROWS }, () => NAMES.map(() => random.real()))
  const columns = NAMES.map((_, j) => people.map((own) => Math.round(60 * own[j]! + 40 * own[(j + 1) % NAMES.length]!)))
  const groups = people.map(([first, second]) => (first! + second! > 1 ? 'high' : 'low'))
  const bounds = columns.map((values, j): MeanTarget => {
    const min = values.reduce((sum, each) => sum + each, 0) / ROWS + 20 * (random.real() - 0.6)
    return { column: NAMES[j]!, min, max: min + 10 * random.real() }
  })
  const shares = [{ column: 'group', levels: new Map([['high', 0.4 + 0.3 * random.real()]]) }]
  const table = tableOf([categorical('group', groups), ...columns.map((values, j) => numeric(NAMES[j]!, values))])
  const model = await encodeTable(table, { threads: 1 })
  const weigh = async (means: readonly MeanTarget[]) =>
    (await weighSeed(model, { shares, ranges: [], means }, 'exact'))?.weights ?? null
  const meets = (weights: Float64Array): boolean =>
    bounds.every(({ min, max }, j) => {
      const mean = columns[j]!.reduce((sum, value, row) => sum + weights[row]! * value, 0)
      return mean >= min - 1e-7 && mean <= max + 1e-7
    })
  return { bounds, weigh, meets }
}

/** Every choice of which means are free, at their least or at their greatest value. */
const choices = (bounds: readonly MeanTarget[]): MeanTarget[][] =>
  bounds.reduce<MeanTarget[][]>(
    (before, { column, min, max }) =>
      before.flatMap((chosen) => [
        chosen,
        [...chosen, { column, min, max: min }],
        [...chosen, { column, min: max, max }],
      ]),
    [[]],
  )

const SEEDS = Array.from({ length: 12 }, (_, seed) => seed)

it.each(SEEDS)(
  'weights within bounds of means are those of the choice of ends that changes least: draw %i',
  async (seed) => {
    const { bounds, weigh, meets } = await drawn(seed)
    const natural = (await weigh([]))!
    const divergence = (weights: Float64Array): number =>
      weights.reduce((sum, w, row) => sum + (w > 0 ? w * Math.log(w / natural[row]!) : 0), 0)
    const possible = (await Promise.all(choices(bounds).map(weigh))).filter(
      (weights) => weights !== null && meets(weights),
    )
    const found = await weigh(bounds)
    expect(found !== null).toBe(possible.length > 0)
    if (found === null) return
    expect(meets(found)).toBe(true)
    expect(divergence(found)).toBeCloseTo(Math.min(...possible.map((weights) => divergence(weights!))), 9)
  },
)
