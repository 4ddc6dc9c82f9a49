import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanTable } from '../../src/engine/clean.ts'
import type { Table } from '../../src/engine/cleaning/table.ts'
import { generate } from '../../src/engine/generate.ts'
import type { Model } from '../../src/engine/model/model.ts'
import { encodeModel } from '../../src/engine/model/model-file.ts'
import type { RequestedConditions } from '../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../src/engine/train.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { surveyTable, tableOf } from './survey-table.ts'

const SHARED = resolve(import.meta.dirname, '../../../shared')

/** Threads run compiled code; `npm test` builds it first. */
const built = existsSync(new URL('../../dist/engine/thread-worker.js', import.meta.url))

/** More than one batch of the sampler (32,768 rows), so that threads can overtake each other. */
const ROWS = 40_000
const FORMATS = ['parquet', 'arrow', 'csv'] as const

/** A survey with dates, times and whole numbers as levels. */
function mixedTable(): Table {
  const survey = surveyTable(6_000)
  const visits = survey.columns.find(({ name }) => name === 'visits')
  const region = survey.columns.find(({ name }) => name === 'region')
  if (visits?.kind !== 'numeric' || region?.kind !== 'categorical') throw new Error('the survey has other columns')
  const times = (format: 'date' | 'date-time', name: string, step: number) => {
    const values = visits.values.map((value, i) => (20_000 + (value % 400)) * 86_400_000 + step * (i % 977))
    const min = values.reduce((a, b) => Math.min(a, b))
    const max = values.reduce((a, b) => Math.max(a, b))
    return { ...visits, name, sourceName: name, format, values, min, max }
  }
  return tableOf([
    ...survey.columns,
    times('date', 'joined', 0),
    times('date-time', 'seen', 60_000),
    { ...region, name: 'wave', sourceName: 'wave', levels: region.levels.map((_, i) => String(i + 1)), integer: true },
  ])
}

/** The most frequent level of the first column with several, and the middle half of the values of the first numeric one. */
function scenarioOn({ columns }: Model): RequestedConditions {
  const levelled = columns.find((column) => column.kind === 'categorical' && column.levels.length >= 2)
  const ranged = columns.find((column) => column.kind === 'numeric' && column.values.length >= 8)
  if (levelled?.kind !== 'categorical' || ranged?.kind !== 'numeric') throw new Error('nothing to condition on')
  const { length } = ranged.values
  const [min, max] = [ranged.values[length >> 2]!, ranged.values[length - 1 - (length >> 2)]!]
  return {
    shares: [{ column: levelled.name, levels: new Map([[levelled.levels[0]!, 0.4]]) }],
    ranges: [{ column: ranged.name, min, max }],
  }
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'same-bytes-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Hashes of the model, and of the files in every format with and without a scenario. */
async function hashesOf(table: Table, threads: number) {
  const model = await trainModel(table, { threads })
  const hashes: Record<string, string> = { model: sha256(encodeModel(model)) }
  for (const [name, scenario] of Object.entries({ all: { shares: [], ranges: [] }, scenario: scenarioOn(model) })) {
    const { columns, blocks, feasibility } = await generate(model, { rowCount: ROWS, seed: 7, scenario, threads })
    expect(feasibility.rows).toBeGreaterThan(0)
    const files = FORMATS.map((format) => ({ format, path: join(folder, `${name}.${format}`) }))
    const writers = await Promise.all(
      files.map(({ format, path }) => openTableWriter(path, format, columns, { tempDir: folder })),
    )
    for await (const block of blocks) for (const writer of writers) await writer.write(block)
    for (const writer of writers) await writer.close()
    for (const { format, path } of files) hashes[`${name}.${format}`] = sha256(await readFile(path))
  }
  return hashes
}

/** `counts`: the numbers of threads that are compared with one. */
function holdsOn(counts: readonly number[], tableOf: () => Promise<Table> | Table) {
  let table: Table
  let once: Record<string, string>

  beforeAll(async () => {
    table = await tableOf()
    once = await hashesOf(table, 1)
  })

  it('are compared for seven different results', () => {
    expect(new Set(Object.values(once)).size).toBe(1 + 2 * FORMATS.length)
  })

  it.each(counts)(
    'come from a training and a generation with %i threads',
    async (threads) => {
      expect(await hashesOf(table, threads)).toEqual(once)
    },
    120_000,
  )
}

describe.skipIf(!built)('the same bytes for every number of threads', () => {
  describe('from a table of all kinds of columns', () => holdsOn([1, 2, 4], mixedTable))

  for (const name of ['adult', 'sd2011']) {
    const file = `${SHARED}/data/${name}.csv`
    describe.skipIf(!existsSync(file))(`from ${name}.csv`, () =>
      holdsOn(
        [4],
        async () => cleanTable(await readTable(file, { tempDir: folder, threads: 2 }), { autoClean: true }).table,
      ),
    )
  }
})
