import { beforeAll, describe, expect, it } from 'vitest'
import { BLOCK_ROWS, type Model, type Order } from '../../../src/engine/model/model.ts'
import { encodeOrder } from '../../../src/engine/model/model-file.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { BatchSampler } from '../../../src/engine/sampling/sample-tree.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { trainOrder } from '../../../src/engine/training/train-order.ts'
import { sampleTable } from '../sampled-table.ts'
import { categorical, surveyTable, tableOf } from '../survey-table.ts'

const THREADS = { threads: 1 }

describe('the order of a scenario', () => {
  const table = surveyTable(2500)
  let model: Model
  const index = (name: string) => table.columns.findIndex((column) => column.name === name)
  const namesOf = (order: Order) => [...order.columns].map((c) => table.columns[c]!.name)

  beforeAll(async () => {
    model = await trainModel(table, THREADS)
  })

  it('starts with conditioned levels and ranged numbers, and follows the base order after them', async () => {
    const order = await trainOrder(
      model,
      [index('spend'), index('district'), index('visits'), index('region')],
      THREADS,
    )
    expect(namesOf(order).slice(0, 4)).toEqual(['region', 'district', 'visits', 'spend'])
    const rest = namesOf(model.base).filter((name) => !['region', 'district', 'visits', 'spend'].includes(name))
    expect(namesOf(order).slice(4)).toEqual(rest)
    expect(order.conditioned).toBe(4)
  })

  it('depends on the set of columns, not on their sequence', async () => {
    const one = await trainOrder(model, [index('visits'), index('region')], THREADS)
    const two = await trainOrder(model, [index('region'), index('visits')], THREADS)
    expect(Buffer.compare(encodeOrder(one), encodeOrder(two))).toBe(0)
  })

  it('is the base order if no column is conditioned', async () => {
    expect(await trainOrder(model, [], THREADS)).toBe(model.base)
  })

  it.each([
    { what: 'after the last conditioned column', names: ['region', 'price'], some: true },
    {
      what: 'not where other columns come before the same position',
      names: ['region', 'district', 'visits'],
      some: false,
    },
  ])('reuses trees with the same columns before them: $what', async ({ names, some }) => {
    const conditioned = names.map(index)
    const order = await trainOrder(model, conditioned, THREADS)
    order.trees.forEach((tree, i) => {
      const before = new Set(order.columns.subarray(0, i))
      const there = model.base.columns.indexOf(tree.target)
      const same = there === i && [...model.base.columns.subarray(0, i)].every((c) => before.has(c))
      const cell = conditioned.includes(tree.target) && table.columns[tree.target]!.kind === 'categorical'
      // Scores would give mass to cells that no row has.
      expect(tree === model.base.trees[i]).toBe(same && !(cell && model.base.trees[i]!.scores.length > 0))
      if (cell) expect(tree.scores).toEqual([])
      expect([...tree.candidates].every((c) => before.has(c))).toBe(true)
    })
    expect(order.trees.some((tree) => model.base.trees.includes(tree))).toBe(some)
  })

  it('keeps conditioned columns among the candidates of every later tree that depends on them', async () => {
    const random = new RandomStream(6, PURPOSE.value)
    const rows = 800
    const lean = Array.from({ length: rows }, () => random.real())
    const answer = (x: number) => `answer ${Math.floor(3 * (0.5 * x + 0.5 * random.real()))}`
    // One in four of 40 questions is answered at random.
    const wide = tableOf(
      Array.from({ length: 40 }, (_, q) =>
        categorical(
          `question ${q}`,
          lean.map((x) => answer(q % 4 === 0 ? random.real() : x)),
        ),
      ),
    )
    const wideModel = await trainModel(wide, THREADS)
    const { columns, trees } = wideModel.base
    expect(trees.at(-1)!.candidates.length).toBe(16)
    const droppedBy = (at: number) => trees.filter((tree, i) => i > at && !tree.candidates.includes(columns[at]!))
    const at = [1, 2, 3, 5, 6, 7, 9].reduce((most, next) =>
      droppedBy(next).length > droppedBy(most).length ? next : most,
    )
    // All columns behind it keep their predecessors.
    const conditioned = columns[at]!
    expect(conditioned % 4).not.toBe(0)
    const dropped = droppedBy(at)
    expect(dropped.length).toBeGreaterThan(5)
    const order = await trainOrder(wideModel, [conditioned], THREADS)
    let anew = 0
    let reused = 0
    order.trees.forEach((tree, i) => {
      if (i <= at) return
      expect(tree.candidates.length).toBeLessThanOrEqual(16)
      if (!dropped.includes(trees[i]!)) {
        expect(tree).toBe(trees[i])
        return
      }
      const depends = tree.target % 4 !== 0
      if (depends) expect(tree.candidates).toContain(conditioned)
      else if (tree === trees[i]) reused++
      else anew++
    })
    // The dice say no to a dependence all but one time in forty.
    expect(reused).toBeGreaterThan(anew)
  })

  it('predicts the columns of the cells without scores, and other columns with scores', async () => {
    const random = new RandomStream(3, PURPOSE.value)
    const answers = Array.from({ length: 2000 }, () => Array.from({ length: 8 }, () => random.below(2)))
    const passed = answers.map((row) => row.reduce((sum, right) => sum + right, random.below(2)) > 4)
    const names = (list: readonly (number | boolean)[]) => list.map((one) => (one ? 'yes' : 'no'))
    const exam = tableOf([
      ...Array.from({ length: 8 }, (_, i) => categorical(`answer ${i}`, names(answers.map((row) => row[i]!)))),
      categorical('passed', names(passed)),
    ])
    const examModel = await trainModel(exam, THREADS)
    expect(examModel.base.trees[8]!.scores).toHaveLength(1)
    const without = (column: number) => [0, 1, 2, 3, 4, 5, 6, 7, 8].filter((c) => c !== column)
    for (const conditioned of [without(9), without(0)]) {
      const order = await trainOrder(examModel, conditioned, THREADS)
      order.trees.slice(0, conditioned.length).forEach((tree) => {
        expect(tree.scores).toEqual([])
      })
    }
    const rest = await trainOrder(examModel, without(8), THREADS)
    expect(rest.trees[8]!.scores).toHaveLength(1)
  })

  it('gives the same joint distribution as the base order', async () => {
    const order = await trainOrder(model, [index('member'), index('spend')], THREADS)
    const share = async (which: Order) => {
      const sampled = await sampleTable(model, { rowCount: 20_000, seed: 4, order: which })
      const [region, visits] = [sampled.labels('region'), sampled.numbers('visits')]
      return region.filter((label, i) => label === 'north' && visits[i]! > 4).length / 20_000
    }
    // Two standard errors of a share near 0.1 in 20,000 rows are 0.004; two models of the same data differ a little more.
    expect(Math.abs((await share(order)) - (await share(model.base)))).toBeLessThan(0.012)
  })

  it('samples the other columns given preset codes, which stay unchanged', async () => {
    const order = await trainOrder(model, [index('region'), index('spend')], THREADS)
    const rowCount = 2 * BLOCK_ROWS + 17
    const south = model.columns[index('region')] as { levels: readonly string[]; missing: number }
    const code = south.levels.indexOf('south') + south.missing
    const spend = model.columns[index('spend')]!
    const spendCodes = Uint16Array.from({ length: rowCount }, (_, i) => 40 + (i % 60))
    const sampled = await sampleTable(model, {
      rowCount,
      seed: 9,
      order,
      preset: [new Uint16Array(rowCount).fill(code), spendCodes],
    })
    expect(sampled.labels('region').every((label) => label === 'south')).toBe(true)
    expect(spend.missing).toBe(1)
    expect(sampled.numbers('spend').every((value) => value !== null)).toBe(true)
    // Only members have a spend, and districts of the south have numbers 2, 6, 10 …
    expect(sampled.labels('member').every((label) => label === 'yes')).toBe(true)
    const fitting = sampled.labels('district').filter((name) => Number(name!.split(' ')[1]) % 4 === 2)
    expect(fitting.length / rowCount).toBeGreaterThan(0.8)
  })

  it('draws the values of ranged columns inside their range', async () => {
    const order = await trainOrder(model, [index('height')], THREADS)
    const height = model.columns[index('height')]!
    expect(height.kind).toBe('numeric')
    if (height.kind !== 'numeric') return
    const { rangeFractions } = await import('../../../src/engine/sampling/decode.ts')
    const range = { min: 165.3, max: 171.8 }
    const inside = [...rangeFractions(height, range).entries()].filter(([, f]) => f > 0).map(([code]) => code)
    const rowCount = 5000
    const sampled = await sampleTable(model, {
      rowCount,
      seed: 2,
      order,
      preset: [Uint16Array.from({ length: rowCount }, (_, i) => inside[i % inside.length]!)],
      ranges: new Map([[index('height'), range]]),
    })
    expect(sampled.numbers('height').every((value) => value! >= range.min && value! <= range.max)).toBe(true)
  })

  it.each([
    { what: 'a column that does not exist', conditioned: [99] },
    { what: 'a column twice', conditioned: [1, 1] },
  ])('refuses $what', async ({ conditioned }) => {
    await expect(trainOrder(model, conditioned, THREADS)).rejects.toThrow(RangeError)
  })

  it.each([
    {
      what: 'preset codes of another length',
      preset: [new Uint16Array(3)],
      ranges: new Map(),
      message: 'preset column 0 has 3 rows, the request 5',
    },
    {
      what: 'a range on a column that is not preset',
      preset: [],
      ranges: new Map([[6, { min: 1, max: 2 }]]),
      message: 'column 6 is ranged but not preset',
    },
    {
      what: 'a range on levels',
      preset: [],
      ranges: new Map([[0, { min: 1, max: 2 }]]),
      message: 'column 0 is not numeric',
    },
  ])('is not sampled with $what', async ({ preset, ranges, message }) => {
    await expect(sampleTable(model, { rowCount: 5, seed: 1, preset, ranges })).rejects.toThrow(message)
  })

  it('samples batches that depend on the seed, their position and the preset codes only', () => {
    const one = new BatchSampler(model.base)
    const two = new BatchSampler(model.base)
    one.startBatch(1, 5)
    one.sample(1, 5, 100, 0)
    two.startBatch(1, 4)
    two.sample(1, 4, BLOCK_ROWS, 0)
    two.startBatch(1, 5)
    two.sample(1, 5, 100, 0)
    for (let c = 0; c < model.columns.length; c++) {
      const at = c * BLOCK_ROWS
      expect([...two.codes.subarray(at, at + 100)]).toEqual([...one.codes.subarray(at, at + 100)])
    }
  })
})
