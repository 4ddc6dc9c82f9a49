import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openDatabase } from '../../../src/service/store/open-database.ts'
import { serve } from '../served-process.ts'
import { newTestDatabase } from '../test-database.ts'
import { type Deployment, KillRounds } from './kill-rounds.ts'

const isEmbedded = inject('postgresUrl') === undefined
const ROUNDS = isEmbedded ? 6 : 2
/** Further rounds, if these kills interrupted no request of some kind. */
const MORE_ROUNDS = 2 * ROUNDS
/** Another one by KILL_SEED, to repeat what a run has found. */
const SEED = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 31))

const MASTER_KEY = 'master-key-of-the-kill-rounds-0123456789'

let dataDir: string
let database: Awaited<ReturnType<typeof newTestDatabase>>
let rounds: KillRounds

/**
 * On PostgreSQL a killed process may be one of many, so its work is free only after its leases. They end now: nobody is there to
 * renew them, and the clock of the database cannot be set.
 */
async function endLeases(): Promise<void> {
  await deployment.inspect('update queue_entries set available_at = now() where holder is not null')
}

let isMigrated = false
const deployment: Deployment = {
  start: async (options) => {
    const { databaseUrl } = database
    // All processes on one database share the key that encrypts its secrets.
    const env = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl, WHATIF_MASTER_KEY: MASTER_KEY }
    if (databaseUrl !== null && isMigrated) await endLeases()
    isMigrated = true
    return await serve(dataDir, { ...options, env })
  },
  inspect: async (sql) => {
    const db = await openDatabase(
      { dataDir, databaseUrl: database.databaseUrl, lockTimeoutMs: 10_000 },
      () => undefined,
    )
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
  database = await newTestDatabase()
  rounds = new KillRounds(deployment, SEED)
  await rounds.begin()
})
afterAll(async () => {
  await rounds?.end()
  await database?.remove()
  await rm(dataDir, { recursive: true, force: true })
})

async function killAndCheck(round: number): Promise<void> {
  await rounds.loadAndKill(round)
  await rounds.restart()
  await rounds.repeatInterrupted()
  await rounds.checkSecrets()
  await rounds.checkResources()
}

describe(`a service killed ${ROUNDS} times by SIGKILL under load (KILL_SEED=${SEED})`, () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'has everything that it acknowledged after kill %i, and an interrupted request repeated makes one resource',
    killAndCheck,
  )

  it('was killed during uploads, generations and credential requests', async () => {
    const fewest = () => {
      const { uploads, generations, rotations, claims } = rounds.interrupted
      const credentials = rotations + claims
      // On PostgreSQL, where rounds are few, any kind will do.
      return isEmbedded ? Math.min(uploads, generations, credentials) : uploads + generations + credentials
    }
    // The time of the kill is random: further rounds reach the states that were missed.
    for (let more = 1; fewest() === 0 && more <= MORE_ROUNDS; more++) await killAndCheck(ROUNDS + more)
    process.stderr.write(`kill rounds: interrupted ${JSON.stringify(rounds.interrupted)}\n`)
    expect(fewest()).toBeGreaterThan(0)
  })

  it('completes exactly the work that it acknowledged, and bills it once', async () => {
    const { datasets, generations } = await rounds.allResources()
    expect(datasets.listed.toSorted()).toEqual(datasets.acknowledged.toSorted())
    expect(generations.rowsUsed).toBe(generations.rowsGenerated)
    await rounds.stop()
    const ledger = await deployment.inspect<{ generation_id: string; rows: number }>(
      'select generation_id, rows_generated as rows from ledger',
    )
    expect(ledger.map((entry) => entry.generation_id).toSorted()).toEqual(generations.finished.toSorted())
    const [left] = await deployment.inspect(
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

  it('leaves no unreferenced file and no scratch file', async () => {
    const referred = await deployment.inspect<{ blob: string }>(
      `select seed_blob as blob from datasets where seed_blob is not null
       union select model_blob from datasets where model_blob is not null
       union select artifact_blob from generations where artifact_blob is not null
       union select blob_key from orders
       union select blob_key from doomed_blobs`,
    )
    const root = join(dataDir, 'blobs')
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    const known = new Set(referred.map(({ blob }) => blob))
    // Processes that share a folder leave each other's scratch files alone for a day.
    // Names the storage; nothing refers to it.
    known.add('installation/storage')
    const isLeft = (file: string) => !known.has(file) && (isEmbedded || !file.startsWith('scratch/'))
    expect(files.filter(isLeft)).toEqual([])
  })
})
