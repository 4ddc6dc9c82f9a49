import { createHash, createSecretKey } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cleanTable } from '../../src/engine/clean.ts'
import { generate, planRows } from '../../src/engine/generate.ts'
import { encodeModel } from '../../src/engine/model/model-file.ts'
import { LEAST_PARTED_ROWS } from '../../src/engine/sampling/batches.ts'
import { layRows } from '../../src/engine/scenario/preset-rows.ts'
import type { RequestedConditions } from '../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../src/engine/train.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { ENGINE_VERSION, modelIdentity } from '../../src/service/datasets/model-identity.ts'
import { completeSettings } from '../../src/service/settings/complete-settings.ts'
import { surveyTable } from './survey-table.ts'

/**
 * The results of each version of the engine for the table below. `plan` promises the same model for the same version, so when
 * this digest is another one: raise `ENGINE_VERSION` in `src/service/datasets/model-identity.ts`, and write down both here.
 */
const MADE_BY = {
  version: '9',
  digest: '4ef8d77ddeb050e09b03fe4cabb79555cfe6639749573497acc753c3597a3780',
  /** Of the presets of a table of several units. */
  laid: '956d6b0aeb2557b6678f427d24c759a8bb8666dc4dd256963204a6799ea84c7f',
}

const ROWS = 1_500

/** Columns of every kind, from one linear congruential generator: levels, numbers, dates, several answers, a product. */
function seedCsv(): string {
  let state = 20_261
  const draw = (n: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * n)
  }
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const region = ['North', 'South', 'East', 'West', 'North'][draw(5)]
    const age = 18 + draw(region === 'North' ? 40 : 60)
    const cups = draw(6)
    const price = 2 + draw(300) / 100
    const day = new Date(Date.UTC(2024, 0, 1 + draw(700))).toISOString().slice(0, 10)
    const extras = ['Milk', 'Sugar', 'Syrup'].filter((_, option) => draw(3 + option) === 0).join(', ')
    const answer = draw(10) === 0 ? '' : age > 40 || draw(3) === 0 ? 'Yes' : 'No'
    // Effects that differ between two groups.
    const isMember = draw(2) === 0
    const minutes = (isMember ? 20 + 3 * cups + age / 4 : 80 - 3 * cups - age / 4) + draw(8)
    const numbers = [age, cups, price.toFixed(2), (cups * price).toFixed(2), minutes.toFixed(1)]
    return [`r${i}`, region, ...numbers, day, `"${extras}"`, isMember ? 'member' : 'guest', answer].join(',')
  })
  return `respondent,region,age,cups,price,spent,minutes,visited,extras,member,Would_Buy\n${lines.join('\n')}\n`
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-version-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('an engine version always makes the same models and rows: another digest needs another version', async () => {
  const seed = join(folder, 'seed.csv')
  await writeFile(seed, seedCsv())
  const digest = createHash('sha256')
  for (const autoClean of [true, false]) {
    const { table } = cleanTable(await readTable(seed, { tempDir: folder, threads: 1 }), { autoClean })
    const model = await trainModel(table, { threads: 1 })
    digest.update(encodeModel(model))
    for (const scenario of scenarios()) {
      const path = join(folder, 'rows.csv')
      const { evidenceCap } = completeSettings({ dataDir: folder })
      const rows = await generate(model, { rowCount: ROWS, seed: 7, scenario, threads: 1, evidenceCap })
      const writer = await openTableWriter(path, 'csv', rows.columns, { tempDir: folder })
      for await (const block of rows.blocks) await writer.write(block)
      await writer.close()
      digest.update(`${rows.feasibility.rows}\n`).update(await readFile(path))
    }
  }
  expect({ ...MADE_BY, version: ENGINE_VERSION, digest: digest.digest('hex') }).toEqual(MADE_BY)
})

it('an engine version always lays the same rows over several units', async () => {
  const model = await trainModel(surveyTable(2_000), { threads: 1 })
  const shares = [{ column: 'region', levels: new Map([['north', 0.4]]) }]
  const scenario = { shares, ranges: [{ column: 'height', min: 165, max: 180 }] }
  const rows = LEAST_PARTED_ROWS + 1
  const evidenceCap = { naturalShareFactor: 10, rowsPerSeedRow: 10_000 }
  const options = { rowCount: rows, seed: 7, scenario, disclosure: 'exact', threads: 1, evidenceCap } as const
  const { settled, draws } = await planRows(model, options)
  if (!('counts' in settled) || draws === undefined) throw new Error('the rows are counted')
  const digest = createHash('sha256')
  for (const { preset } of layRows(model, draws, settled, { rows, seed: 7, part: { firstRow: 0, endRow: rows } })) {
    for (const codes of preset.codes) digest.update(codes)
  }
  expect({ ...MADE_BY, version: ENGINE_VERSION, laid: digest.digest('hex') }).toEqual(MADE_BY)
})

const scenarios = (): RequestedConditions[] => [
  { shares: [], ranges: [] },
  {
    shares: [{ column: 'region', levels: new Map([['South', 0.6]]) }],
    ranges: [{ column: 'age', min: 25, max: 45 }],
  },
]

it('a model id depends on the model’s bytes, the evidence cap, whose seed it is and the installation’s noise', () => {
  const sha256 = 'a'.repeat(64)
  const settings = { evidenceCap: { naturalShareFactor: 10, rowsPerSeedRow: 100 }, disclosure: 'protected' } as const
  const key = createSecretKey(Buffer.alloc(32, 1))
  const identities = [
    modelIdentity(sha256, settings, key),
    modelIdentity('b'.repeat(64), settings, key),
    modelIdentity(sha256, { ...settings, evidenceCap: { naturalShareFactor: 11, rowsPerSeedRow: 100 } }, key),
    modelIdentity(sha256, { ...settings, evidenceCap: { naturalShareFactor: 10, rowsPerSeedRow: 101 } }, key),
    modelIdentity(sha256, { ...settings, disclosure: 'exact' }, key),
    modelIdentity(sha256, settings, createSecretKey(Buffer.alloc(32, 2))),
  ]
  expect(modelIdentity(sha256, { ...settings }, key)).toBe(identities[0])
  // The owner's are the same in every installation.
  const own = { ...settings, disclosure: 'exact' } as const
  expect(modelIdentity(sha256, own, createSecretKey(Buffer.alloc(32, 2)))).toBe(identities[4])
  expect(new Set(identities).size).toBe(identities.length)
  for (const identity of identities) expect(identity).toMatch(/^[0-9a-f]{64}$/)
})
