import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Block } from '../../../src/base/output-table.ts'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { type GeneratedTable, generate } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { sampleRows } from '../../../src/engine/sampling/sample.ts'
import { ownRows, tiltOfOrder } from '../../../src/engine/sampling/tilted-order.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import type { Tilt } from '../../../src/engine/tilting/tilt.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { rowsOf, scenario } from '../scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

/** Threads run compiled code; `npm test` builds it first. */
const built = existsSync(new URL('../../../dist/engine/thread-worker.js', import.meta.url))

const SEED_ROWS = 600
const ROWS = 6_000

/** Members who answer and spend otherwise, places, two visits of which the second is never earlier, and their sum. */
function visitors(rows: number) {
  const random = new RandomStream(5, PURPOSE.testTable)
  const each = <T>(make: (i: number) => T) => Array.from({ length: rows }, (_, i) => make(i))
  const member = each(() => random.real() < 0.3)
  const place = each(() => ['north', 'east', 'south'][random.below(3)]!)
  const answer = each((i) => (random.real() < 0.1 ? null : random.real() < (member[i] ? 0.6 : 0.35) ? 'yes' : 'no'))
  const first = each(() => 1 + random.below(40))
  const second = each((i) => first[i]! + random.below(30))
  const sum = each((i) => first[i]! + second[i]!)
  const spend = each((i) =>
    random.real() < 0.4 ? 0 : Math.round((member[i] ? 60 : 40) * (0.2 + random.real() ** 3 * 4)),
  )
  return tableOf([
    categorical(
      'member',
      each((i) => (member[i] ? 'in' : 'out')),
    ),
    categorical('place', place),
    categorical('answer', answer),
    numeric('first', first),
    numeric('second', second),
    numeric('sum', sum),
    numeric('spend', spend),
  ])
}

const MEMBERS = scenario({ member: { in: 0.7, out: 0.3 } })

let model: Model
beforeAll(async () => {
  model = await trainModel(visitors(SEED_ROWS), { threads: 1 })
})

const DRAW = { rowCount: ROWS, seed: 9, threads: 1 }

const generated = (wanted: RequestedConditions, rowCount = ROWS, threads = 1): Promise<GeneratedTable> =>
  generate(model, { ...DRAW, rowCount, threads, scenario: wanted })

type Cells = readonly (string | number | null)[]
const shareOf = (cells: Cells, level: string | null) => cells.filter((cell) => cell === level).length / cells.length
const meanOf = (cells: Cells) => (cells as number[]).reduce((sum, value) => sum + value, 0) / cells.length

/** What the seed's weighted rows have: the share of a level, the mean of a number. */
async function weightedSeed(wanted: RequestedConditions) {
  const { weights, effectiveRows } = (await weighSeed(model, wanted))!
  const columnOf = (name: string) => visitors(SEED_ROWS).columns.find((column) => column.name === name)!
  return {
    effectiveRows,
    share(name: string, level: string | null): number {
      const column = columnOf(name)
      if (column.kind !== 'categorical') throw new Error(`${name} has no levels`)
      const code = level === null ? -1 : column.levels.indexOf(level)
      return weights.reduce((sum, weight, row) => sum + (column.codes[row] === code ? weight : 0), 0)
    },
    mean(name: string): number {
      const column = columnOf(name)
      if (column.kind !== 'numeric') throw new Error(`${name} has no mean`)
      return weights.reduce((sum, weight, row) => sum + weight * column.values[row]!, 0)
    },
  }
}

describe('the rows of a scenario', () => {
  it('have the margins of the weighted seed, as far as its effective rows say', async () => {
    const seed = await weightedSeed(MEMBERS)
    const table = await generated(MEMBERS)
    const rows = await rowsOf(table)
    const left = 1 - seed.effectiveRows / (seed.effectiveRows + 50)
    for (const level of ['yes', 'no', null]) {
      const error = Math.sqrt(0.25 / seed.effectiveRows)
      expect(Math.abs(shareOf(rows.answer!, level) - seed.share('answer', level))).toBeLessThan(
        left * 1.5 * error + 0.001,
      )
    }
    const { columns } = visitors(SEED_ROWS)
    const spend = columns.find(({ name }) => name === 'spend')
    const values = spend?.kind === 'numeric' ? [...spend.values] : []
    const sd = Math.sqrt(meanOf(values.map((value) => (value - meanOf(values)) ** 2)))
    expect(Math.abs(meanOf(rows.spend!) - seed.mean('spend'))).toBeLessThan(0.3 * (sd / Math.sqrt(seed.effectiveRows)))
  })

  it('without conditions have the margins of the seed itself', async () => {
    const seed = await weightedSeed(scenario({}))
    for (const rowCount of [ROWS, SEED_ROWS]) {
      const table = await generated(scenario({}), rowCount)
      const rows = await rowsOf(table)
      // Leaves deal whole rows, a fraction of one too many or too few each.
      const tolerance = 4 / rowCount + 0.0005
      for (const place of ['north', 'east', 'south']) {
        expect(Math.abs(shareOf(rows.place!, place) - seed.share('place', place))).toBeLessThan(tolerance)
      }
      for (const answer of ['yes', 'no', null]) {
        expect(Math.abs(shareOf(rows.answer!, answer) - seed.share('answer', answer))).toBeLessThan(tolerance)
      }
    }
  })

  it('follow the seed where the trees have another margin', async () => {
    const answer = model.columns.findIndex(({ name }) => name === 'answer')
    const column = model.columns[answer]!
    if (column.kind !== 'categorical') throw new Error('answer has levels')
    const yes = column.levels.indexOf('yes') + column.missing
    const codes = model.codes.map((own, c) => (c === answer ? own.map((code, row) => (row % 4 > 0 ? code : yes)) : own))
    const shareOfYes = async (from: Model, wanted: RequestedConditions) =>
      shareOf((await rowsOf(await generate(from, { ...DRAW, scenario: wanted }))).answer!, 'yes')
    for (const wanted of [scenario({}), MEMBERS]) {
      // A quarter of the rows say yes in place of what they said: about .15 more do.
      const more = (await shareOfYes({ ...model, codes }, wanted)) - (await shareOfYes(model, wanted))
      expect(more).toBeGreaterThan(0.1)
      expect(more).toBeLessThan(0.2)
    }
  })

  it('keep computed columns and orders in every row', async () => {
    for (const wanted of [scenario({}), MEMBERS, scenario({ answer: { yes: 0.7 } })]) {
      const { first, second, sum } = (await rowsOf(await generated(wanted))) as Record<string, number[]>
      const broken = first!.filter((value, i) => value > second![i]! || value + second![i]! !== sum![i]!)
      expect(broken).toEqual([])
    }
  })

  it('keep the conditions exactly, which are not tilted', async () => {
    const rows = await rowsOf(await generated(MEMBERS))
    expect(shareOf(rows.member!, 'in')).toBe(0.7)
  })

  it('take levels from the leaves alone, and the values that the seed has', async () => {
    const { answer, spend } = await rowsOf(await generated(MEMBERS))
    expect(new Set(answer)).toEqual(new Set(['yes', 'no', null]))
    const column = visitors(SEED_ROWS).columns.find(({ name }) => name === 'spend')
    if (column?.kind !== 'numeric') throw new Error('spend is a number')
    for (const value of spend as number[]) {
      expect(value).toBeGreaterThanOrEqual(column.min)
      expect(value).toBeLessThanOrEqual(column.max)
    }
  })

  it.skipIf(!built)('are the same with one thread and with two, over several batches', async () => {
    const digest = async (threads: number) => {
      const hash = createHash('sha256')
      const table = await generated(MEMBERS, 80_000, threads)
      hash.update(JSON.stringify(await rowsOf(table)))
      return hash.digest('hex')
    }
    expect(await digest(2)).toEqual(await digest(1))
  })
})

describe('nothing is tilted', () => {
  it('towards fewer than 20 effective rows of the seed', async () => {
    const column = visitors(SEED_ROWS).columns.find(({ name }) => name === 'spend')
    if (column?.kind !== 'numeric') throw new Error('spend is a number')
    const largest = column.values.toSorted().reverse()
    const few = scenario({}, { spend: { min: largest[15]!, max: largest[0]! } })
    const seed = (await weighSeed(model, few))!
    expect(seed.effectiveRows).toBeGreaterThan(10)
    expect(seed.effectiveRows).toBeLessThan(20)
    expect(tiltOfOrder(model, model.base, 1, seed)).toBeNull()
    expect((await generated(few)).feasibility.rows).toBe(ROWS)
  })

  it('in files of fewer than 50 rows', async () => {
    const tilt = tiltOfOrder(model, model.base, 0, ownRows(model))!
    expect(tilt).not.toBeNull()
    expect(await sampledRows(49, tilt)).toEqual(await sampledRows(49, null))
    expect(await sampledRows(50, tilt)).not.toEqual(await sampledRows(50, null))
  })
})

async function sampledRows(rowCount: number, tilt: Tilt | null): Promise<Block[]> {
  const { base: order } = model
  const request = { model, order, rowCount, seed: 9, preset: [], ranges: new Map(), tilt, threads: 1 }
  const blocks: Block[] = []
  for await (const block of sampleRows(request)) blocks.push(block)
  return blocks
}
