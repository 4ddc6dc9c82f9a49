import { beforeAll, describe, expect, it } from 'vitest'
import { generate } from '../../../src/engine/generate.ts'
import { leafOf, type Model } from '../../../src/engine/model/model.ts'
import { decodeModel, encodeModel } from '../../../src/engine/model/model-file.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { trainOrder } from '../../../src/engine/training/train-order.ts'
import { leafRows } from '../../../src/engine/trees/growth-limits.ts'
import { caseWeights } from '../../../src/engine/weighting/case-weights.ts'
import { tableOfPeople } from '../estimates/people.ts'
import { rowsOf, scenario } from '../scenario/written-scenario.ts'
import { numeric, surveyTable, tableOf } from '../survey-table.ts'
import { POPULATION, shareOf, weightedSurvey } from './weighted-people.ts'

const ONE = { threads: 1 }

describe('weights that are all equal', () => {
  it('give the same bytes as a model without weights', async () => {
    const table = surveyTable(600)
    const weighted = { ...table, weights: caseWeights(new Float64Array(600).fill(3.7)) }
    expect(Buffer.from(encodeModel(await trainModel(weighted, ONE)))).toEqual(
      Buffer.from(encodeModel(await trainModel(table, ONE))),
    )
  })
})

describe('the model of a weighted survey', () => {
  const survey = weightedSurvey(POPULATION, 1_200, 5)
  const { rows, weights, table } = survey
  let model: Model
  beforeAll(async () => {
    model = await trainModel(table, ONE)
  })

  it('does not depend on the scale of the weights', async () => {
    const scaled = { ...table, weights: caseWeights(weights.map((weight) => 1_024 * weight)) }
    expect(Buffer.from(encodeModel(await trainModel(scaled, ONE)))).toEqual(Buffer.from(encodeModel(model)))
  })

  it('is the same with several threads, and when it is read from its file', async () => {
    expect(Buffer.from(encodeModel(await trainModel(table, { threads: 3 })))).toEqual(Buffer.from(encodeModel(model)))
    expect(decodeModel(encodeModel(model)).weights).toEqual(model.weights)
  })

  it('is refused by readers that do not know weights and would ignore them', async () => {
    const versionOf = (one: Model) => new DataView(encodeModel(one).buffer).getUint32(8, true)
    expect(versionOf(model)).toBe(6)
    expect(versionOf(await trainModel(tableOfPeople(rows.slice(0, 100)), ONE))).toBe(5)
  })

  it('has as many people in a leaf as a model without weights, whatever their weights', async () => {
    const heavy = { ...table, weights: caseWeights(weights.map((weight, i) => (i % 40 === 0 ? 30 * weight : weight))) }
    for (const one of [model, await trainModel(heavy, ONE)]) {
      const orders = [one.base, await trainOrder(one, [3], ONE)]
      for (const tree of orders.flatMap(({ trees }) => trees)) {
        const people = new Map<number, number>()
        for (let row = 0; row < one.rowCount; row++) {
          const leaf = leafOf(
            tree,
            one.codes.map((codes) => codes[row]!),
          )
          people.set(leaf, (people.get(leaf) ?? 0) + 1)
        }
        expect(Math.min(...people.values())).toBeGreaterThanOrEqual(leafRows(one.rowCount))
      }
    }
  })

  it('has rows with the shares of the population, not with the shares of the people asked', async () => {
    const plain = await trainModel(tableOfPeople(rows), ONE)
    const equal = new Float64Array(rows.length).fill(1)
    for (const [column, level] of [
      ['region', 'west'],
      ['intent', 'buy'],
      ['member', 'yes'],
    ] as const) {
      const made = async (of: Model) => {
        const made = await rowsOf(await generate(of, { rowCount: 20_000, seed: 1, scenario: scenario({}), threads: 1 }))
        return made[column]!.filter((cell) => cell === level).length / 20_000
      }
      const holds = (row: (typeof rows)[number]) => row[column] === level
      const [population, asked] = [shareOf(rows, weights, holds), shareOf(rows, equal, holds)]
      expect(Math.abs(population - asked)).toBeGreaterThan(0.05)
      expect(Math.abs((await made(model)) - population)).toBeLessThan(0.012)
      expect(Math.abs((await made(plain)) - asked)).toBeLessThan(0.012)
    }
  })

  it('fills what a scenario leaves open with the shares of the population, and counts effective rows', async () => {
    const half = scenario({ region: { west: 0.5 } })
    const generated = await generate(model, { rowCount: 20_000, seed: 1, scenario: half, threads: 1 })
    const { region } = await rowsOf(generated)
    const north = region!.filter((cell) => cell === 'north').length / 20_000
    const isNot = (row: (typeof rows)[number]) => row.region !== 'west'
    const rest = weights.map((weight, i) => (isNot(rows[i]!) ? weight : 0))
    expect(north).toBeCloseTo(0.5 * shareOf(rows, rest, ({ region: one }) => one === 'north'), 3)
    const plain = await trainModel(tableOfPeople(rows), ONE)
    const unweighted = await generate(plain, { rowCount: 20_000, seed: 1, scenario: scenario({}), threads: 1 })
    const all = await generate(model, { rowCount: 20_000, seed: 1, scenario: scenario({}), threads: 1 })
    expect(unweighted.feasibility.effectiveRows).toBe(1_200)
    // (sum of a)² / sum of a², rounded down to two digits.
    const kish = weights.reduce((sum, a) => sum + a, 0) ** 2 / weights.reduce((sum, a) => sum + a * a, 0)
    expect(all.feasibility.effectiveRows).toBeLessThanOrEqual(kish)
    expect(all.feasibility.effectiveRows).toBeGreaterThan(0.9 * kish)
  })
})

describe('relations in a weighted table', () => {
  // Every fourth payment equals its bill, and those rows weigh five times as much; a visit begins before it ends.
  const n = 1_500
  const equal = (i: number) => i % 4 === 0
  const bill = Array.from({ length: n }, (_, i) => 100 + ((i * 7_919) % 9_973))
  const paid = bill.map((amount, i) => (equal(i) ? amount : 50 + ((i * 104_729) % 9_871)))
  const start = Array.from({ length: n }, (_, i) => 1 + ((i * 31) % 700))
  const end = start.map((day, i) => day + ((i * 17) % 40))
  const columns = [numeric('bill', bill), numeric('paid', paid), numeric('start', start), numeric('end', end)]
  const table = tableOf(columns)
  const weights = caseWeights(Float64Array.from({ length: n }, (_, i) => (equal(i) ? 5 : 1)))!

  it('hold in as many rows of the population as the weights say', async () => {
    const model = await trainModel({ ...table, weights }, ONE)
    expect(model.relations.map(({ kind }) => kind).sort()).toEqual(['bound', 'equality'])
    const made = await rowsOf(await generate(model, { rowCount: 8_000, seed: 1, scenario: scenario({}), threads: 1 }))
    const share = made.bill!.filter((amount, i) => amount === made.paid![i]).length / 8_000
    // 5 / 8 of the weight; a quarter of the rows.
    expect(Math.abs(share - 0.625)).toBeLessThan(0.03)
    expect(made.start!.every((day, i) => Number(day) <= Number(made.end![i]))).toBe(true)
  })
})
