import { beforeAll, describe, expect, it } from 'vitest'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { generate } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { CellTarget, RequestedConditions, ShareTarget } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { categorical, surveyTable, tableOf } from '../survey-table.ts'
import { rowsOf, scenario } from './written-scenario.ts'

const EXACT = { threads: 1, disclosure: 'exact' } as const

const table = (columns: readonly string[], ...cells: readonly (readonly [...string[], number])[]): CellTarget => ({
  columns,
  cells: cells.map((cell) => ({ levels: cell.slice(0, -1).map(String), share: Number(cell.at(-1)) })),
})

type Rows = Readonly<Record<string, readonly (string | number | null)[]>>

const countOf = (rows: Rows, columns: readonly string[], levels: readonly string[]): number =>
  rows[columns[0]!]!.filter((_, row) => columns.every((column, i) => rows[column]![row] === levels[i])).length

describe('rows of a scenario that states cells', () => {
  let model: Model
  let weighted: Model

  beforeAll(async () => {
    const people = surveyTable(2000)
    model = await trainModel(people, { threads: 1 })
    const weights = Float64Array.from({ length: 2000 }, (_, row) => [0.4, 1, 1.6][row % 3]!)
    weighted = await trainModel({ ...people, weights }, { threads: 1 })
  })

  const generated = async (of: RequestedConditions, rowCount = 1000, by = model) => {
    const made = await generate(by, { ...EXACT, rowCount, seed: 7, scenario: of })
    expect(made.feasibility).toMatchObject({ rows: rowCount, shortfall: null })
    expect(made.roundingDeviation).toBe(0)
    return rowsOf(made)
  }

  it('have them to the row, and the others keep their proportions', async () => {
    const cells = [table(['region', 'member'], ['north', 'yes', 0.24], ['north', 'no', 0.12], ['south', 'yes', 0.3])]
    const rows = await generated({ shares: [], ranges: [], cells })
    expect(countOf(rows, ['region', 'member'], ['north', 'yes'])).toBe(240)
    expect(countOf(rows, ['region', 'member'], ['north', 'no'])).toBe(120)
    expect(countOf(rows, ['region', 'member'], ['south', 'yes'])).toBe(300)
    expect(rows.region!.includes(null)).toBe(true)
  })

  it.each([
    { name: 'as they are', isWeighted: false },
    { name: 'with case weights', isWeighted: true },
  ])('have cells, shares, bounds, ranges and means together, $name', async ({ isWeighted }) => {
    const of: RequestedConditions = {
      shares: [
        { column: 'region', levels: new Map([['north', 0.4]]) },
        { column: 'member', levels: new Map(), bounds: new Map([['yes', { min: 0.7, max: 1 }]]) },
      ],
      ranges: [{ column: 'visits', min: 2, max: 9 }],
      means: [{ column: 'price', min: 2.6, max: 2.6 }],
      cells: [table(['region', 'member'], ['north', 'yes', 0.3], ['south', 'no', 0.05])],
    }
    const rows = await generated(of, 1501, isWeighted ? weighted : model)
    expect([600, 601]).toContain(countOf(rows, ['region'], ['north']))
    expect(countOf(rows, ['member'], ['yes'])).toBeGreaterThanOrEqual(1051)
    expect([450, 451]).toContain(countOf(rows, ['region', 'member'], ['north', 'yes']))
    expect([75, 76]).toContain(countOf(rows, ['region', 'member'], ['south', 'no']))
    for (const value of rows.visits!) expect(Number(value) >= 2 && Number(value) <= 9).toBe(true)
    const prices = rows.price!.filter((price): price is number => typeof price === 'number')
    expect(prices.reduce((sum, price) => sum + price, 0) / prices.length).toBeCloseTo(2.6, 3)
  })

  it('are none of a protected seed', async () => {
    const cells = [table(['region', 'member'], ['north', 'yes', 0.24])]
    const of = { shares: [], ranges: [], cells }
    await expect(generate(model, { threads: 1, rowCount: 10, seed: 1, scenario: of })).rejects.toThrow('protected seed')
    await expect(weighSeed(model, of)).rejects.toThrow('protected seed')
  })

  it.each([
    ['an unknown level', [table(['region', 'member'], ['norht', 'yes', 0.1])], 'column region has no level norht'],
    [
      'a numeric column',
      [table(['region', 'visits'], ['north', '3', 0.1])],
      'column visits is numeric and has no cells',
    ],
    ['one column', [table(['region'], ['north', 0.1])], 'cells are of two columns'],
    ['a cell twice', [table(['region', 'member'], ['north', 'yes', 0.1], ['north', 'yes', 0.1])], 'is there twice'],
    [
      'more than everything',
      [table(['region', 'member'], ['north', 'yes', 0.7], ['south', 'yes', 0.4])],
      'more than 1',
    ],
  ])('and not of %s', async (_name, cells, message) => {
    const of = { shares: [], ranges: [], cells }
    await expect(generate(model, { ...EXACT, rowCount: 10, seed: 1, scenario: of })).rejects.toThrow(message)
  })

  it('are none where the seed has no such combination, and the reason names it', async () => {
    const pairs = Array.from({ length: 400 }, (_, row) =>
      row % 2 === 0 ? ['a', 'x'] : ['b', row % 4 === 1 ? 'x' : 'y'],
    )
    const columns = ['left', 'right'].map((name, i) =>
      categorical(
        name,
        pairs.map((pair) => pair[i]!),
      ),
    )
    const small = await trainModel(tableOf(columns), { threads: 1 })
    const of = { ...scenario({}), cells: [table(['left', 'right'], ['a', 'y', 0.2])] }
    const { feasibility } = await generate(small, { ...EXACT, rowCount: 100, seed: 1, scenario: of })
    expect(feasibility.rows).toBe(0)
    expect(feasibility.shortfall).toEqual({
      detail: '0.2 of the rows are to be a × y (left × right); 0 of 400 seed rows are.',
      binding: [{ column: 'left × right', level: 'a × y', target: 0.2, seedRows: 0 }],
    })
  })

  it('are none where cells and shares of their columns contradict each other, and the reason names both', async () => {
    const of = {
      ...scenario({ region: { north: 0.2 } }),
      cells: [table(['region', 'member'], ['north', 'yes', 0.2], ['north', 'no', 0.2])],
    }
    const { feasibility } = await generate(model, { ...EXACT, rowCount: 100, seed: 1, scenario: of })
    expect(feasibility.rows).toBe(0)
    expect(new Set(feasibility.shortfall?.binding.map(({ column }) => column))).toEqual(
      new Set(['region', 'region × member']),
    )
  })
})

const LEVELS = { a: ['1', '2', '3'], b: ['u', 'v'], c: ['p', 'q', 'r', 's'] } as const
type Name = keyof typeof LEVELS

/** People whose answers go together, and shares that some mix of them has: those of the same people, counted with random weights. */
function drawn(seed: number) {
  const random = new RandomStream(seed, PURPOSE.value)
  const people = Array.from({ length: 600 }, () => {
    const own = random.real()
    const pick = (levels: readonly string[]) => levels[Math.floor(levels.length * (0.6 * own + 0.4 * random.real()))]!
    const row = { a: pick(LEVELS.a), b: pick(LEVELS.b), c: pick(LEVELS.c), weight: 0.3 + random.real() }
    return random.real() < 0.1 ? { ...row, c: null } : row
  })
  const total = people.reduce((sum, { weight }) => sum + weight, 0)
  const shareOf = (of: Partial<Record<Name, string>>): number =>
    people.reduce(
      (sum, row) => sum + (Object.entries(of).every(([name, level]) => row[name as Name] === level) ? row.weight : 0),
      0,
    ) / total
  const cellsOf = (...names: readonly Name[]): CellTarget => {
    const all = names.reduce<string[][]>(
      (before, name) => before.flatMap((levels) => LEVELS[name].map((level) => [...levels, level])),
      [[]],
    )
    const cells = all
      .map((levels) => ({ levels, share: shareOf(Object.fromEntries(names.map((name, i) => [name, levels[i]!]))) }))
      .filter(({ share }) => share > 0 && random.real() < 0.8)
    return { columns: names, cells }
  }
  const sharesOf = (name: Name): ShareTarget => ({
    column: name,
    levels: new Map(LEVELS[name].slice(1).map((level) => [level, shareOf({ [name]: level })])),
    bounds: new Map([[LEVELS[name][0], { min: shareOf({ [name]: LEVELS[name][0] }) - 0.02, max: 1 }]]),
  })
  const columns = (['a', 'b', 'c'] as const).map((name) =>
    categorical(
      name,
      people.map((row) => row[name]),
    ),
  )
  return { table: tableOf(columns), cellsOf, sharesOf, random }
}

it.each(Array.from({ length: 25 }, (_, seed) => seed))(
  'rows have random cells, shares and bounds: draw %i',
  async (seed) => {
    const { table: people, cellsOf, sharesOf, random } = drawn(seed)
    const model = await trainModel(people, { threads: 1 })
    const of: RequestedConditions = {
      shares: random.real() < 0.7 ? [sharesOf('a')] : [],
      ranges: [],
      cells: seed % 3 === 0 ? [cellsOf('a', 'b', 'c')] : seed % 3 === 1 ? [cellsOf('a', 'b')] : [cellsOf('a', 'c')],
    }
    const rowCount = 200 + Math.floor(900 * random.real())
    const made = await generate(model, { ...EXACT, rowCount, seed: 1, scenario: of })
    expect([made.feasibility.rows, made.roundingDeviation]).toEqual([rowCount, 0])
    const rows = await rowsOf(made)
    for (const { columns, cells } of of.cells ?? [])
      for (const { levels, share } of cells)
        expect(Math.abs(countOf(rows, columns, levels) - share * rowCount)).toBeLessThan(1)
    for (const { column, levels, bounds } of of.shares) {
      for (const [level, share] of levels)
        expect(Math.abs(countOf(rows, [column], [level]) - share * rowCount)).toBeLessThan(1)
      for (const [level, { min }] of bounds ?? [])
        expect(countOf(rows, [column], [level])).toBeGreaterThanOrEqual(Math.ceil(min * rowCount - 1e-9))
    }
    const seedSide = await weighSeed(model, of, 'exact')
    const { weights } = seedSide!
    const coded = (column: string) => model.columns.findIndex(({ name }) => name === column)
    for (const { columns, cells } of of.cells ?? []) {
      for (const { levels, share } of cells) {
        const codes = columns.map((name, i) => {
          const encoded = model.columns[coded(name)]!
          return encoded.kind === 'categorical' ? encoded.levels.indexOf(levels[i]!) + encoded.missing : -1
        })
        const found = weights.reduce(
          (sum, w, row) => sum + (columns.every((name, i) => model.codes[coded(name)]![row] === codes[i]) ? w : 0),
          0,
        )
        expect(found).toBeCloseTo(share, 9)
      }
    }
  },
)
