import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RawTable } from '../../../src/base/raw-table.ts'
import { cleanTable } from '../../../src/engine/clean.ts'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { generate } from '../../../src/engine/generate.ts'
import { encodeModel } from '../../../src/engine/model/model-file.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { effectiveRows } from '../../../src/engine/weighting/case-weights.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { takeWeightColumn } from '../../../src/service/datasets/weight-column.ts'
import { SampledTable } from '../sampled-table.ts'
import { rowsOf, scenario } from '../scenario/written-scenario.ts'
import { POPULATION, weightedSurvey } from './weighted-people.ts'

const shared = resolve(import.meta.dirname, '../../../../shared/data')
/** The Current Population Survey, whose final weight is `fnlwgt`. */
const adult = join(shared, 'adult.csv')
/** A barometer with the column PONDERA, of which all weights are 1. */
const barometer = join(shared, 'surveys/barometer_ceo.sav')

const ROWS = 40_000

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weighted-surveys-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const read = async (path: string): Promise<RawTable> => await readTable(path, { tempDir: folder, threads: 1 })

type Cells = Record<string, (string | number | null)[]>

async function made(table: Table): Promise<Cells> {
  const model = await trainModel(table, { threads: 2 })
  return await rowsOf(await generate(model, { rowCount: ROWS, seed: 1, scenario: scenario({}), threads: 2 }))
}

function seedCells(table: Table): Cells {
  const all = new SampledTable(new Map(), 0).of(table)
  return Object.fromEntries(table.columns.map(({ name }) => [name, all.labels(name)]))
}

/** Weighted shares of the combinations that some columns have. */
function shares(cells: Cells, columns: readonly string[], weights?: Float64Array): Map<string, number> {
  const rows = cells[columns[0]!]!.length
  const all = weights?.reduce((sum, a) => sum + a, 0) ?? rows
  const found = new Map<string, number>()
  for (let row = 0; row < rows; row++) {
    const key = columns.map((column) => String(cells[column]![row])).join(' & ')
    found.set(key, (found.get(key) ?? 0) + (weights?.[row] ?? 1) / all)
  }
  return found
}

/** Differences of all shares of at least 0.2 %, in standard errors of the seed's shares and of as many generated rows. */
function errorsOf(of: Map<string, number>, seed: Map<string, number>, effective: number): number[] {
  return [...seed]
    .filter(([, share]) => share >= 0.002)
    .map(([key, p]) => Math.abs((of.get(key) ?? 0) - p) / Math.sqrt(p * (1 - p) * (1 / effective + 1 / ROWS)))
}

async function expectWeighted(table: Table, columns: readonly string[], pairs: readonly (readonly [string, string])[]) {
  const seed = seedCells(table)
  const effective = effectiveRows(table.weights!)
  const weighted = await made(table)
  const some = [...columns.map((column) => [column]), ...pairs]
  const errors = (cells: Cells, weights?: Float64Array) =>
    some.flatMap((of) => errorsOf(shares(cells, of, weights), shares(seed, of, table.weights), effective))
  const beyond = (of: readonly number[]) => of.filter((error) => error > 2).length / of.length
  // As many figures lie beyond two standard errors as chance explains, and no figure is far off.
  expect(beyond(errors(weighted))).toBeLessThanOrEqual(0.05)
  expect(Math.max(...errors(weighted))).toBeLessThan(4)
  // The people asked are others than the population: their own shares would not pass.
  expect(beyond(errors(seed))).toBeGreaterThan(0.1)
  expect(Math.max(...errors(seed))).toBeGreaterThan(6)
}

describe('a model of a weighted survey keeps marginals and three cross tables of the weighted seed', () => {
  it.skipIf(!existsSync(adult))(
    'of census data with their final weights',
    async () => {
      const { raw, weight } = takeWeightColumn(await read(adult), 'fnlwgt')
      const { table } = cleanTable(raw, { autoClean: true, weight })
      expect(table.columns.map(({ name }) => name)).not.toContain('fnlwgt')
      const named = (part: string) => table.columns.find(({ name }) => name.startsWith(part))!.name
      await expectWeighted(table, ['race', 'sex', 'education', 'marital', 'workclass', 'income'].map(named), [
        [named('race'), named('sex')],
        [named('education'), named('income')],
        [named('marital'), named('race')],
      ])
    },
    600_000,
  )

  it('of a simulated sample with unequal chances', async () => {
    const { table } = weightedSurvey(POPULATION, 4_000, 77)
    await expectWeighted(
      table,
      ['region', 'member', 'intent'],
      [
        ['region', 'member'],
        ['member', 'intent'],
        ['region', 'intent'],
      ],
    )
  }, 300_000)
})

it.skipIf(!existsSync(barometer))(
  'a survey whose weights are all 1 gives the model of the file without them',
  async () => {
    const whole = await read(barometer)
    const { raw, weight } = takeWeightColumn(whole, 'PONDERA')
    const weighted = cleanTable(raw, { autoClean: true, weight })
    const plain = cleanTable(raw, { autoClean: true })
    expect(weighted.report.droppedColumns).toContainEqual({
      name: 'PONDERA',
      reason: 'case_weight',
      detail: 'It holds the weights of the rows: the model learns the weighted population.',
    })
    expect(weighted.report.inputColumns).toBe(whole.columns.length)
    expect(weighted.schema).toEqual(plain.schema)
    const bytes = async (table: Table) => Buffer.from(encodeModel(await trainModel(table, { threads: 2 })))
    expect(await bytes(weighted.table)).toEqual(await bytes(plain.table))
  },
  300_000,
)
