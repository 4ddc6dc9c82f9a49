import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../../src/service/blobs/blob-store.ts'
import type { ServiceContext } from '../../../src/service/context/context.ts'
import { admitGeneration } from '../../../src/service/jobs/admission.ts'
import { endJobByOperator, endOverdueJobs } from '../../../src/service/jobs/end-jobs.ts'
import { recordCachedModel } from '../../../src/service/records/cached-models.ts'
import { insertDataset, markReady } from '../../../src/service/records/dataset-records.ts'
import { insertGeneration, markFailed, markFinished } from '../../../src/service/records/generation-records.ts'
import { insertJob } from '../../../src/service/records/job-records.ts'
import { markPending } from '../../../src/service/records/orphaned-blobs.ts'
import { foldUsage, readTotalUsage, readUsage, type Usage } from '../../../src/service/records/usage.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import { deleteDataset } from '../../../src/service/routes/datasets.ts'
import type { Database, Queryable, Transaction } from '../../../src/service/store/database.ts'
import { migrate } from '../../../src/service/store/migrate.ts'
import { MIGRATIONS } from '../../../src/service/store/migrations.ts'
import { openDatabase } from '../../../src/service/store/open-database.ts'
import { newTestDatabase, openTestDatabase } from '../test-database.ts'

const HOUR_MS = 60 * 60_000
const TENANTS = ['ten_a', 'ten_b'] as const

/** The same from the tables themselves, which only a test reads. */
async function summedUp(db: Database, tenantId: string): Promise<Usage> {
  const [row] = await db.query<Usage>(
    `select
      (select coalesce(sum(rows_generated), 0)::bigint from ledger where tenant_id = $1) as rows_billed,
      (select coalesce(sum(row_count), 0)::bigint from generations where tenant_id = $1 and status = 'processing') as rows_reserved,
      (select coalesce(sum(seed_bytes), 0)::bigint from datasets where tenant_id = $1 and seed_blob is not null) as seed_bytes,
      (select coalesce(sum(model_bytes), 0)::bigint from datasets where tenant_id = $1) as model_bytes,
      (select coalesce(sum(bytes), 0)::bigint from orders where tenant_id = $1) as order_bytes,
      (select coalesce(sum(artifact_bytes), 0)::bigint from generations where tenant_id = $1) as artifact_bytes,
      (select count(*)::bigint from datasets where tenant_id = $1 and status = 'ready') as datasets_ready,
      (select count(*)::bigint from datasets where tenant_id = $1 and status = 'processing') as datasets_processing,
      (select count(*)::bigint from generations where tenant_id = $1) as generations,
      (select count(*)::bigint from generations where tenant_id = $1 and artifact_blob is not null) as artifacts`,
    [tenantId],
  )
  return row as Usage
}

async function addTenants(db: Database): Promise<void> {
  for (const tenantId of TENANTS) {
    await db.query('insert into tenants (tenant_id, name, created_at) values ($1, $1, now())', [tenantId])
  }
}

describe('running totals', () => {
  let db: Database
  let nowMs = Date.now()
  beforeAll(async () => {
    db = await openTestDatabase()
    await addTenants(db)
  })
  afterAll(async () => {
    await db?.close()
  })

  const blobs = { delete: async () => undefined } as unknown as BlobStore
  const context = () => ({ db, blobs, now: () => nowMs }) as unknown as ServiceContext
  let made = 0
  const newId = (prefix: string) => `${prefix}_${++made}`
  const pick = async (on: Queryable, sql: string, turn: number): Promise<Record<string, string> | undefined> => {
    const rows = await on.query<Record<string, string>>(sql)
    return rows[turn % Math.max(1, rows.length)]
  }

  const newDataset = async (tx: Transaction, tenantId: string, bytes: number) => {
    const datasetId = newId('ds')
    const jobId = newId('job')
    const seed = { seedBlob: `seeds/${datasetId}`, seedBytes: bytes, seedSha256: 'x' }
    const times = { nowMs, expiresMs: nowMs + 24 * HOUR_MS }
    const words = { displayName: null, autoClean: true, weightColumn: null, design: null, requestId: 'req' }
    await insertDataset(tx, { datasetId, tenantId, jobId, ...words, ...seed, ...times })
    await insertJob(tx, { jobId, tenantId, kind: 'training', datasetId, generationId: null, nowMs, traceParent: null })
  }
  const newGeneration = async (tx: Transaction, datasetId: string, tenantId: string, rowCount: number) => {
    const generationId = newId('gen')
    const jobId = newId('job')
    await admitGeneration(tx, tenantId, rowCount, { tenantBytes: null, artifactBytes: null })
    const what = { rowCount, seed: 1, outputFormat: 'csv', conditions: { shares: [], ranges: [] } } as const
    const times = { nowMs, expiresMs: nowMs + 12 * HOUR_MS }
    await insertGeneration(tx, { generationId, tenantId, datasetId, jobId, requestId: 'req', ...what, ...times })
    await insertJob(tx, { jobId, tenantId, kind: 'generation', datasetId, generationId, nowMs, traceParent: null })
  }

  /** Operations of a service by name; `turn` selects the resource, `size` the amount. */
  const ACTS: Readonly<Record<string, (tx: Transaction, turn: number, size: number) => Promise<void>>> = {
    upload: async (tx, turn, size) => await newDataset(tx, TENANTS[turn % 2] as string, size),
    train: async (tx, turn, size) => {
      const dataset = await pick(tx, "select dataset_id, seed_blob from datasets where status = 'processing'", turn)
      if (dataset === undefined) return
      const trained = {
        modelBlob: `models/${dataset.dataset_id}`,
        modelBytes: size,
        schema: { json: '[]', attempt: null },
      }
      const summaries = { cleaningSummary: {}, trainingSummary: {} } as never
      await markReady(tx, dataset as never, { ...trained, ...(summaries as object) } as never, nowMs)
    },
    cacheModel: async (tx, turn, size) => {
      const dataset = await pick(tx, "select dataset_id, model_blob from datasets where status = 'ready'", turn)
      if (dataset === undefined) return
      const place = { datasetId: dataset.dataset_id as string, modelBlob: dataset.model_blob as string }
      const blob = `orders/${newId('o')}`
      await markPending(tx, blob, nowMs)
      // With 64 MiB each, the third model displaces the first one.
      const bytes = size * 64
      await recordCachedModel(tx, { ...place, columnsKey: `key${turn % 4}` }, { blob, bytes, replaced: null }, nowMs)
    },
    order: async (tx, turn, size) => {
      const dataset = await pick(tx, "select dataset_id, tenant_id from datasets where status = 'ready'", turn)
      if (dataset === undefined) return
      await newGeneration(tx, dataset.dataset_id as string, dataset.tenant_id as string, 1 + (size % 1000))
    },
    finish: async (tx, turn, size) => {
      const row = await pick(tx, "select * from generations where status = 'processing'", turn)
      if (row === undefined) return
      const artifact = { blob: `artifacts/${row.generation_id}`, bytes: size, sha256: 'x' }
      const found = { targets: [], shortfall: null, evidence: {} as never, modelId: 'm', engineVersion: '1' }
      await markFinished(tx, row as never, { rowsGenerated: size % 7, artifact, ...found }, nowMs)
    },
    fail: async (tx, turn) => {
      const row = await pick(tx, "select generation_id from generations where status = 'processing'", turn)
      if (row === undefined) return
      await markFailed(tx, row.generation_id as string, { error: { code: 'svc_internal', detail: 'x' } })
    },
  }
  const ALONE: Readonly<Record<string, (turn: number) => Promise<unknown>>> = {
    delete: async (turn) => {
      const row = await pick(db, 'select dataset_id, tenant_id from datasets', turn)
      if (row !== undefined) await deleteDataset(context(), row.tenant_id as string, row.dataset_id as string)
    },
    cancel: async (turn) => {
      const row = await pick(db, "select job_id from jobs where status = 'queued'", turn)
      if (row !== undefined) await endJobByOperator(db, row.job_id as string, nowMs)
    },
    expire: async (turn) => {
      nowMs += (turn % 13) * HOUR_MS
      if (turn % 2 === 0) await endOverdueJobs(db, nowMs)
      else await sweep(context())
    },
    fold: async () => await foldUsage(db),
  }

  class Crash extends Error {}

  it('equal the sums of the tables after work was created, ended, failed, expired, deleted or interrupted', async () => {
    const step = fc.record({
      what: fc.constantFrom(...Object.keys(ACTS), ...Object.keys(ACTS), ...Object.keys(ALONE)),
      turn: fc.nat(1000),
      size: fc.integer({ min: 1, max: 2 ** 20 }),
      isCutOff: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    })
    // Otherwise sums could be equal only because they are 0.
    const everything = ['upload', 'train', 'cacheModel', 'order', 'finish', 'order', 'upload'].map((what) => {
      return { what, turn: 0, size: 5, isCutOff: false }
    })
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        for (const { what, turn, size, isCutOff } of steps) {
          const act = ACTS[what]
          if (act === undefined) await ALONE[what]?.(turn)
          else {
            const transaction = db.transaction(async (tx) => {
              await act(tx, turn, size)
              if (isCutOff) throw new Crash()
            })
            await transaction.catch((error: unknown) => {
              if (!(error instanceof Crash)) throw error
            })
          }
          for (const tenantId of TENANTS) {
            const usage = await readUsage(db, tenantId)
            expect(usage).toEqual(await summedUp(db, tenantId))
            for (const [name, value] of Object.entries(usage)) if (value > 0) seen.add(name)
          }
        }
      }),
      { numRuns: 12, examples: [[everything]] },
    )
    expect([...seen].sort()).toEqual(Object.keys(await readTotalUsage(db)).sort())
    await foldUsage(db)
    expect(await db.query('select 1 from usage_changes')).toEqual([])
    const [a, b] = [await readUsage(db, 'ten_a'), await readUsage(db, 'ten_b')]
    expect((await readTotalUsage(db)).rows_billed).toBe(a.rows_billed + b.rows_billed)
  })
})

it('running totals start from the records of older versions', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whatif-usage-before-'))
  const { databaseUrl, remove } = await newTestDatabase()
  const db = await openDatabase({ dataDir: folder, databaseUrl, lockTimeoutMs: 10_000 }, () => undefined)
  try {
    // The template of the embedded database has today's tables.
    await db.exec('drop schema if exists public cascade; create schema public')
    const before = MIGRATIONS.findIndex(({ name }) => name.endsWith('-usage'))
    await migrate(db, MIGRATIONS.slice(0, before))
    await addTenants(db)
    await db.exec(`
      insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, created_at, expires_at,
          seed_bytes, seed_sha256, seed_blob)
        select 'ds_' || n, 'ten_a', 'job', 'processing', true, 'req', now(), now(), 100, 'x', 'seeds/' || n
        from generate_series(1, 3) as n;
      insert into orders (dataset_id, columns_key, blob_key, bytes, used_at) values ('ds_1', 'k', 'orders/1', 7, now());
      insert into generations (generation_id, tenant_id, dataset_id, job_id, status, request_id, row_count, seed,
          output_format, conditions, created_at, expires_at, rows_generated, artifact_blob, artifact_bytes)
        values ('gen_1', 'ten_b', 'ds', 'job', 'ready', 'req', 10, 1, 'csv', '{}', now(), now(), 10, 'artifacts/1', 5000),
          ('gen_2', 'ten_b', 'ds', 'job', 'processing', 'req', 20, 1, 'csv', '{}', now(), now(), null, null, null);
      insert into ledger (generation_id, tenant_id, dataset_id, rows_generated, created_at)
        values ('gen_1', 'ten_b', 'ds', 10, now()), ('gen_0', 'ten_b', 'ds', 1000, now())`)
    await migrate(db, MIGRATIONS)
    for (const tenantId of TENANTS) expect(await readUsage(db, tenantId)).toEqual(await summedUp(db, tenantId))
    expect(await readUsage(db, 'ten_a')).toMatchObject({ seed_bytes: 300, order_bytes: 7, datasets_processing: 3 })
    expect(await readUsage(db, 'ten_b')).toMatchObject({ rows_billed: 1010, rows_reserved: 20, artifact_bytes: 5000 })
  } finally {
    await db.close()
    await remove()
    await rm(folder, { recursive: true, force: true })
  }
})
