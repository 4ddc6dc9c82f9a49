import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbeddedDatabase } from '../../../src/service/store/pglite-database.ts'
import { serve } from '../served-process.ts'
import { type Deployment, KillRounds } from './kill-rounds.ts'

const ROUNDS = 20
/** Another one by KILL_SEED, to repeat what a run has found. */
const SEED = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 31))

let dataDir: string
let rounds: KillRounds

/** PGlite in a data folder; the same driver takes any other way of starting. */
const embedded: Deployment = {
  start: async (options) => await serve(dataDir, options),
  inspect: async (sql) => {
    const db = await openEmbeddedDatabase(dataDir)
    try {
      return await db.query(sql)
    } finally {
      await db.close()
    }
  },
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'whatif-kill-'))
  process.stderr.write(`kill rounds: KILL_SEED=${SEED}\n`)
  rounds = new KillRounds(embedded, SEED)
  await rounds.begin()
})
afterAll(async () => {
  await rounds?.end()
  await rm(dataDir, { recursive: true, force: true })
})

describe(`a service killed ${ROUNDS} times by SIGKILL under load (KILL_SEED=${SEED})`, () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'has everything that it acknowledged after kill %i, and an interrupted request repeated makes one resource',
    { timeout: 60_000 },
    async (round) => {
      await rounds.loadAndKill(round)
      await rounds.restart()
      await rounds.repeatInterrupted()
      await rounds.checkSecrets()
      await rounds.checkResources()
    },
  )

  it('was at uploads, generations and credentials when it was killed', () => {
    const { uploads, generations, rotations, claims } = rounds.interrupted
    process.stderr.write(`kill rounds: interrupted ${JSON.stringify(rounds.interrupted)}\n`)
    expect(Math.min(uploads, generations, rotations + claims)).toBeGreaterThan(0)
  })

  it('has in the end exactly what it acknowledged, whole, and billed once', async () => {
    const { datasets, generations } = await rounds.allResources()
    expect(datasets.listed.toSorted()).toEqual(datasets.acknowledged.toSorted())
    expect(generations.rowsUsed).toBe(generations.rowsGenerated)
    await rounds.stop()
    const ledger = await embedded.inspect<{ generation_id: string; rows: number }>(
      'select generation_id, rows_generated as rows from ledger',
    )
    expect(ledger.map((entry) => entry.generation_id).toSorted()).toEqual(generations.finished.toSorted())
    const [left] = await embedded.inspect(
      `select (select count(*) from generations) as generations, (select count(*) from datasets) as datasets,
         (select count(*) from jobs where status in ('queued', 'running')) as unfinished,
         (select count(*) from idempotency_keys where resource_id is null) as held_keys`,
    )
    expect(left).toEqual({
      generations: generations.acknowledged.length,
      datasets: datasets.acknowledged.length,
      unfinished: 0,
      held_keys: 0,
    })
  })

  it('has no file that nothing refers to, and no scratch', async () => {
    const referred = await embedded.inspect<{ blob: string }>(
      `select seed_blob as blob from datasets where seed_blob is not null
       union select model_blob from datasets where model_blob is not null
       union select artifact_blob from generations where artifact_blob is not null
       union select blob_key from doomed_blobs`,
    )
    const root = join(dataDir, 'blobs')
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    const known = new Set(referred.map(({ blob }) => blob))
    expect(files.filter((file) => !known.has(file))).toEqual([])
  })
})
