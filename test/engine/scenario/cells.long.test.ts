import { beforeAll, describe, expect, it } from 'vitest'
import type { Model, Order } from '../../../src/engine/model/model.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { CellIndex } from '../../../src/engine/scenario/cell-index.ts'
import { enumerateCells } from '../../../src/engine/scenario/cells.ts'
import { inOrder, resolveConditions } from '../../../src/engine/scenario/conditions.ts'
import { settleScenario } from '../../../src/engine/scenario/feasibility.ts'
import { type Margins, marginsOf } from '../../../src/engine/scenario/margins.ts'
import type { CellTable } from '../../../src/engine/scenario/sampled-cells.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { trainOrder } from '../../../src/engine/training/train-order.ts'
import { categorical, numeric, surveyTable, tableOf } from '../survey-table.ts'
import { laidCodes } from './laid-codes.ts'
import { referenceCells } from './reference-cells.ts'
import { columnIndex, scenario } from './written-scenario.ts'

type Shares = Record<string, Record<string, number>>

interface Conditioned {
  readonly model: Model
  readonly order: Order
  readonly columns: readonly number[]
  readonly margins: Margins
}

/** Columns that are named but have no level listed are conditioned with all their levels as one group. */
async function conditioned(model: Model, listed: Shares): Promise<Conditioned> {
  const indices = Object.keys(listed).map((name) => columnIndex(model, name))
  const order = await trainOrder(model, indices, { threads: 1 })
  const columns = [...order.columns.subarray(0, indices.length)]
  const margins = marginsOf(
    columns.map((c) => {
      const column = model.columns[c]!
      if (column.kind !== 'categorical') throw new TypeError(`${column.name} has no levels`)
      const levels = Object.entries(listed[column.name]!)
      return {
        codeCount: column.codeCount,
        listed: new Map(levels.map(([level, share]) => [column.levels.indexOf(level) + column.missing, share])),
      }
    }),
  )
  return { model, order, columns, margins }
}

const cellsOf = (
  { model, order, margins }: Conditioned,
  limits: { maxCells?: number; maxSampledCells?: number } = {},
) => enumerateCells(model, order, { margins, ...limits })

const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0)

/** Cells of the sample's rows, those with a code that must not occur left out. */
function sampleCells({ model, columns, margins }: Conditioned): Int32Array[] {
  const cells = Array.from({ length: model.rowCount }, (_, row) =>
    Int32Array.from(columns, (c) => model.codes[c]![row]!),
  )
  return cells.filter((cell) => cell.every((code, d) => margins.ofCode[d]![code]! >= 0))
}

function indexOf({ codes }: CellTable, D: number): CellIndex {
  return new CellIndex(D, codes)
}

/** Answers of a questionnaire that hang together: every respondent leans one way or the other. */
function questionnaire(rows: number, questions: number, answers: number, missing = 0.05) {
  const random = new RandomStream(5, PURPOSE.value)
  const lean = Array.from({ length: rows }, () => random.real())
  return tableOf(
    Array.from({ length: questions }, (_, q) =>
      categorical(
        `question ${q}`,
        lean.map((x) => {
          const answer = Math.floor(answers * (0.6 * x + 0.4 * random.real()))
          return random.real() < missing ? null : `answer ${answer}`
        }),
      ),
    ),
  )
}

let survey: Model

beforeAll(async () => {
  survey = await trainModel(surveyTable(3000), { threads: 1 })
})

describe('cells of the conditioned columns', () => {
  it.each<{ what: string; listed: Shares }>([
    { what: 'one column', listed: { region: {} } },
    { what: 'columns of few, missing and many levels', listed: { region: {}, district: {}, member: {} } },
    { what: 'levels that must not occur', listed: { region: { north: 0 }, district: {}, member: { yes: 0 } } },
    { what: 'levels that take everything', listed: { region: { north: 0.5, south: 0.5 }, district: {} } },
  ])('equal those of a direct enumeration, with the same probabilities: $what', async ({ listed }) => {
    const of = await conditioned(survey, listed)
    const { codes, probabilities, sampledShare } = cellsOf(of)
    const expected = referenceCells(of.model, of.order, of.margins)
    expect([...codes]).toEqual(expected.codes.flat())
    expect([...probabilities]).toEqual(expected.probabilities)
    expect(sampledShare).toBe(0)
  })

  it('have probabilities that sum to 1, and contain every row of the sample once', async () => {
    const of = await conditioned(survey, { region: {}, district: {}, member: {} })
    const cells = cellsOf(of)
    expect(sum(cells.probabilities)).toBeCloseTo(1, 10)
    const index = indexOf(cells, 3)
    expect(index.size).toBe(cells.probabilities.length)
    for (const cell of sampleCells(of)) expect(index.find(cell)).toBeGreaterThanOrEqual(0)
  })

  it('number one, of probability 1, if no categorical column is conditioned', () => {
    const margins = marginsOf([])
    expect(enumerateCells(survey, survey.base, { margins })).toEqual({
      codes: new Int32Array(0),
      probabilities: Float64Array.of(1),
      sampledShare: 0,
    })
  })

  it('need an order that begins with the conditioned columns', async () => {
    const { margins } = await conditioned(survey, { district: {} })
    expect(() => enumerateCells(survey, survey.base, { margins })).toThrow('column 0 of the order is not')
  })
})

describe('cells that are too many to enumerate', () => {
  /** 8 columns of 5 answers and missing: 28,000 cells of positive probability. */
  let of: Conditioned
  let all: CellTable
  let some: CellTable

  beforeAll(async () => {
    const { columns, rowCount } = questionnaire(1500, 8, 5)
    // A column with a different value in each row prevents stricter trees, which would have ten times as many cells.
    const minutes = numeric('minutes', [...Array(rowCount).keys()])
    const model = await trainModel(tableOf([...columns, minutes]), { threads: 1 })
    const listed = Object.fromEntries(columns.map(({ name }) => [name, { 'answer 4': 0.5 }]))
    of = await conditioned(model, listed)
    all = cellsOf(of, { maxCells: 2_000_000 })
    some = cellsOf(of, { maxCells: 5000, maxSampledCells: 4000 })
  })

  it('are sampled without repetition, up to the maximum number', () => {
    expect(all.sampledShare).toBe(0)
    expect(all.probabilities.length).toBeGreaterThan(20_000)
    expect(some.sampledShare).toBeGreaterThan(0.1)
    expect(some.sampledShare).toBeLessThan(1)
    expect(some.probabilities.length).toBeLessThanOrEqual(4001)
    expect(indexOf(some, 8).size).toBe(some.probabilities.length)
  })

  it('have probabilities that sum to the probability of all cells', () => {
    expect(sum(some.probabilities)).toBeCloseTo(sum(all.probabilities), 10)
  })

  it('include the cells of seed rows with their own probability, as far as there is room', () => {
    const index = indexOf(some, 8)
    const exact = indexOf(all, 8)
    const cells = sampleCells(of)
    expect(new Set(cells.map((cell) => cell.join())).size).toBeLessThan(2000)
    for (const cell of cells) {
      const at = index.find(cell)
      expect(at).toBeGreaterThanOrEqual(0)
      expect(some.probabilities[at]).toBeCloseTo(all.probabilities[exact.find(cell)]!, 12)
    }
  })

  it('have margins close to those of all cells', () => {
    const margin = ({ codes, probabilities }: CellTable, d: number, code: number) =>
      probabilities.reduce((total, p, c) => total + (codes[c * 8 + d] === code ? p : 0), 0)
    for (let d = 0; d < 8; d++) {
      for (let code = 0; code < 6; code++) {
        // Margins up to 0.3 from some 3,000 sampled cells of unequal weight: a standard error of about 0.01, and 48 of them.
        expect(Math.abs(margin(some, d, code) - margin(all, d, code))).toBeLessThan(0.04)
      }
    }
  })

  it('are dense where the scenario needs many rows', () => {
    const wanted = ({ codes }: CellTable) => {
      let count = 0
      for (let c = 0; c < codes.length / 8; c++) {
        if (of.margins.ofCode.every((marginOf, d) => of.margins.codes[marginOf[codes[c * 8 + d]!]!]! >= 0)) count++
      }
      return count
    }
    const share = (cells: CellTable) => wanted(cells) / cells.probabilities.length
    expect(share(some)).toBeGreaterThan(2 * share(all))
  })

  it('keep the seed rows with the most wanted levels if there is no room for all', () => {
    const few = cellsOf(of, { maxCells: 500, maxSampledCells: 400 })
    expect(few.probabilities.length).toBeLessThanOrEqual(401)
    const index = indexOf(few, 8)
    const level = (d: number) => of.margins.ofCode[d]!.findIndex((m) => of.margins.codes[m]! >= 0)
    const kept = (rows: readonly Int32Array[]) => rows.filter((cell) => index.find(cell) >= 0).length / rows.length
    const rows = sampleCells(of)
    const wanted = rows.filter((cell) => cell.filter((code, d) => code === level(d)).length >= 4)
    expect(wanted.length).toBeGreaterThan(10)
    expect(kept(wanted)).toBeGreaterThan(2 * kept(rows))
  })

  it('are the same each time', () => {
    const again = cellsOf(of, { maxCells: 5000, maxSampledCells: 4000 })
    expect(again).toEqual(some)
  })
})

describe('scenarios on many columns and levels', () => {
  /** Settles the scenario and lays out its rows; holds every listed level's count against its share. */
  async function deliver(model: Model, listed: Shares, rowCount: number) {
    const conditions = resolveConditions(model, scenario(listed))
    const order = await trainOrder(
      model,
      conditions.shares.map(({ index }) => index),
      { threads: 1 },
    )
    const settlement = await settleScenario(model, order, conditions, rowCount)
    const { rows } = settlement.feasibility
    const codes = await laidCodes(model, settlement, 1)
    for (const [d, { column, listed: of }] of inOrder(conditions.shares, order.columns).entries()) {
      for (const [code, share] of of) {
        const count = codes[d]!.reduce((total, one) => total + (one === code ? 1 : 0), 0)
        expect(Math.abs(count - rows * share), `${column.name} ${code}`).toBeLessThan(1)
      }
    }
    return settlement.feasibility
  }

  const every = (model: Model, levels: Record<string, number>): Shares =>
    Object.fromEntries(model.columns.map(({ name }) => [name, levels]))

  it('have exact counts with a column of 1,600 levels and two others', async () => {
    const random = new RandomStream(8, PURPOSE.value)
    const parish = Array.from({ length: 12_000 }, () => Math.floor(1600 * random.real()))
    const model = await trainModel(
      tableOf([
        categorical(
          'parish',
          parish.map((p) => `parish ${p}`),
        ),
        categorical(
          'county',
          parish.map((p) => `county ${p % 40}`),
        ),
        categorical(
          'faith',
          parish.map((p) => (random.real() < 0.3 + 0.4 * (p % 2) ? 'this' : 'that')),
        ),
      ]),
      { threads: 1 },
    )
    const wanted = {
      parish: { 'parish 1': 0.002, 'parish 2': 0.001, 'parish 41': 0.003 },
      county: { 'county 1': 0.05, 'county 2': 0.1 },
      faith: { this: 0.6 },
    }
    const found = await deliver(model, wanted, 5000)
    expect(found).toMatchObject({ rows: 5000, sampledShare: 0 })
  })

  it.each([
    { what: '12 columns of 2 answers', questions: 12, answers: 2, missing: 0, sampled: false },
    { what: '12 columns of 5 answers', questions: 12, answers: 5, sampled: true },
    { what: '8 columns of 10 answers', questions: 8, answers: 10, sampled: true },
    { what: '30 columns of 5 answers', questions: 30, answers: 5, sampled: true },
  ])('have exact counts on $what', async ({ questions, answers, missing, sampled }) => {
    const model = await trainModel(questionnaire(1200, questions, answers, missing), { threads: 1 })
    const found = await deliver(model, every(model, { 'answer 0': 1.2 / answers }), 3000)
    expect(found.rows).toBe(3000)
    expect(found.sampledShare > 0).toBe(sampled)
  })
})

describe('an index of cells', () => {
  it.each([
    ['few codes', [3, 4]],
    ['more combinations than an exact integer holds', [60_000, 60_000, 60_000, 60_000]],
  ])('finds cells by their codes with %s', (_, counts) => {
    const cells = [counts.map(() => 0), counts.map((count) => count - 1), counts.map((_, d) => (d === 0 ? 1 : 0))]
    const index = new CellIndex(counts.length, Int32Array.from(cells.flat()))
    cells.forEach((cell, c) => {
      expect(index.find(Int32Array.from(cell))).toBe(c)
    })
    expect(index.find(Int32Array.from(counts, () => 1))).toBe(-1)
  })

  it('grows when cells are added, and holds each cell once', () => {
    const index = new CellIndex(2)
    const cell = (i: number) => Int32Array.of(i % 100, Math.floor(i / 100))
    for (let round = 0; round < 2; round++) for (let i = 0; i < 3000; i++) index.add(cell(i))
    expect(index.size).toBe(3000)
    for (let i = 0; i < 3000; i += 7) expect(index.find(cell(i))).toBe(i)
    expect([...index.codes.subarray(0, 4)]).toEqual([0, 0, 1, 0])
  })
})
