import { describe, expect, it } from 'vitest'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { encodeColumn } from '../../../src/engine/encoding/encode.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { ScoreFitting } from '../../../src/engine/scores/fit-scores.ts'
import { GroupScores } from '../../../src/engine/scores/group-scores.ts'
import { Screening } from '../../../src/engine/scores/screening.ts'
import { trainingData } from '../../../src/engine/scores/training-data.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { type SampledTable, sampleTable } from '../sampled-table.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

/** Among members y rises with all four x, among others it falls, or as given; how many rows are members is given. */
function population(rows: number, members: number, seed: number, effectOnOthers = -1): Table {
  const random = new RandomStream(seed, PURPOSE.value)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.real())) * Math.cos(2 * Math.PI * random.real())
  const isMember = Array.from({ length: rows }, (_, i) => i % 1_000 < (1_000 * members) / rows)
  const x = Array.from({ length: 4 }, () => isMember.map(normal))
  const y = isMember.map((member, i) => {
    const sum = x.reduce((total, column) => total + column[i]!, 0)
    return (member ? sum : effectOnOthers * sum) + normal()
  })
  return tableOf([
    categorical(
      'member',
      isMember.map((member) => (member ? 'yes' : 'no')),
    ),
    ...x.map((values, j) => numeric(`x${j}`, values, 3)),
    numeric('y', y, 3),
  ])
}

const dataOf = (table: Table) => {
  const parts = table.columns.map(encodeColumn)
  return trainingData(
    parts.map(({ column }) => column),
    parts.map(({ codes }) => codes),
  )
}

const scoresOf = (table: Table, target = 5, candidates = [0, 1, 2, 3, 4]) => {
  const data = dataOf(table)
  const both = new ScoreFitting(data)
  const [at, groups] = [Int32Array.from(candidates), new GroupScores(data, new Screening(data), both)]
  return groups.fit(target, at, both.regress(target, at))
}

describe('effects that differ between two groups', () => {
  it('give each group a separate score, with opposite signs if the effects are opposite', () => {
    const scores = scoresOf(population(2_000, 1_000, 1))
    expect(scores.map(({ columns }) => [...columns])).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ])
    const [first, second] = scores.map(({ at, effects }) => effects.subarray(at[0], at[1]))
    const rises = (effects: Float64Array) => effects.at(-1)! > effects[0]!
    expect(rises(first!)).not.toBe(rises(second!))
  })

  it('are searched for only if both groups have 200 rows and the target has more than a few codes', () => {
    expect(scoresOf(population(2_000, 200, 1))).toHaveLength(2)
    expect(scoresOf(population(2_000, 198, 1))).toEqual([])
    const table = population(2_000, 1_000, 1)
    expect(scoresOf(table, 0, [1, 2, 3, 4, 5])).toEqual([])
    expect(scoresOf(table, 5, [1, 2, 3, 4])).toEqual([])
  })

  it('are not found if the effects are the same', () => {
    expect(scoresOf(population(2_000, 1_000, 1, 1))).toEqual([])
    expect(scoresOf(population(8_000, 2_000, 3, 1))).toEqual([])
  })

  it('appear in generated rows: y rises with the sum of x in one group and falls with it in the other', async () => {
    const table = population(2_000, 1_000, 2)
    const model = await trainModel(table, { threads: 1 })
    const generated = await sampleTable(model, { rowCount: 4_000, seed: 5 })
    expect(correlation(generated, 'yes')).toBeGreaterThan(0.9 * correlation(generated.of(table), 'yes'))
    expect(correlation(generated, 'no')).toBeLessThan(0.9 * correlation(generated.of(table), 'no'))
  })
})

/** Correlation of y and the sum of the four x within a group. */
function correlation(rows: SampledTable, group: string): number {
  const inGroup = rows.labels('member').flatMap((label, i) => (label === group ? [i] : []))
  const y = rows.numbers('y')
  const x = [0, 1, 2, 3].map((j) => rows.numbers(`x${j}`))
  const pairs = inGroup.map((i) => [x.reduce((sum, column) => sum + column[i]!, 0), y[i]!] as const)
  const mean = (of: (pair: readonly [number, number]) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length
  const [meanX, meanY] = [mean(([a]) => a), mean(([, b]) => b)]
  const covariance = mean(([a, b]) => (a - meanX) * (b - meanY))
  return covariance / Math.sqrt(mean(([a]) => (a - meanX) ** 2) * mean(([, b]) => (b - meanY) ** 2))
}
