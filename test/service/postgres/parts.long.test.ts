import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { QueueTiming } from '../../../src/service/queue/work-queue.ts'
import { form, surveyCsv } from '../data/data-service.ts'
import { type Answer, ask, postJson, SharedDatabase, TENANT } from './shared-database.ts'

const TIMING: QueueTiming = { leaseMs: 2000 }
const SPLIT = { splitRows: 1_015_808 }
/** Five parts. */
const ROWS = 2_000_000
const ORDER = {
  row_count: ROWS,
  seed: 3,
  output_format: 'parquet',
  conditions: { categorical: { region: { north: 0.5 } } },
}

let shared: SharedDatabase
beforeEach(async () => {
  shared = await SharedDatabase.create()
})
afterEach(async () => await shared.close())

async function ended(url: string, token: string, generationId: string): Promise<Answer['body']> {
  const read = async () => (await ask(`${url}/v1/generations/${generationId}`, token)).body
  await expect.poll(async () => (await read()).status).not.toBe('processing')
  return await read()
}

interface Trained {
  readonly path: string
  readonly token: string
  readonly url: string
}

/** A dataset at an api process. */
async function trainAt({ listenUrl: url }: { readonly listenUrl: string }): Promise<Trained> {
  await (await shared.db()).query('update tenants set request_row_cap = 10000000')
  const token = await shared.token()
  const { body } = await ask(`${url}/v1/datasets`, token, {
    method: 'POST',
    body: form({ seed_file: new Blob([surveyCsv(2_000)]), wait_seconds: '60' }),
  })
  return { path: `${url}/v1/datasets/${body.dataset_id}/generations`, token, url }
}

/** The record of the same generation in a database of its own, made as a whole. */
async function madeAsWhole(): Promise<Answer['body']> {
  await shared.close()
  shared = await SharedDatabase.create()
  const alone = await shared.start({ role: 'all', splitRows: 10_000_000 }, TIMING)
  await shared.addTenant()
  const { path, token, url } = await trainAt(alone)
  const { body } = await postJson(path, token, ORDER)
  const record = await ended(url, token, body.generation_id)
  expect(await parts()).toEqual([])
  return record
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return await readdir(join(shared.dataDir, 'blobs', folder)).catch(() => [])
}

interface Part {
  readonly job_id: string
  readonly attempts: number
  readonly is_made: boolean
}

async function parts(): Promise<readonly Part[]> {
  return await (await shared.db()).query<Part>(
    `select j.job_id, attempts, p.blob_key is not null as is_made
     from jobs j left join generation_parts p on p.job_id = j.job_id where j.part_of is not null order by j.job_id`,
  )
}

describe('a generation in parts', () => {
  it('that loses a worker loses the part in its hands, and has the bytes of one worker', async () => {
    const api = await shared.start({ role: 'api' }, TIMING)
    await shared.addTenant()
    const db = await shared.db()
    const victim = await shared.spawn({ role: 'worker', ...SPLIT }, TIMING)
    const { path, token, url } = await trainAt(api)
    const { body } = await postJson(path, token, ORDER)
    const made = async () => (await parts()).filter(({ is_made: isMade }) => isMade)
    await expect.poll(async () => (await made()).length, { interval: 5 }).toBeGreaterThan(1)
    await victim.kill()
    const before = await parts()
    expect(before).toHaveLength(5)
    // Two at a time from now on.
    await Promise.all([
      shared.spawn({ role: 'worker', ...SPLIT }, TIMING),
      shared.spawn({ role: 'worker', ...SPLIT }, TIMING),
    ])
    const artifact = await ended(url, token, body.generation_id)
    expect(artifact).toMatchObject({ status: 'ready', rows_generated: ROWS })
    const after = new Map((await parts()).map((part) => [part.job_id, part.attempts]))
    for (const { job_id: jobId, attempts, is_made: isMade } of before) {
      // What was begun and not made is begun once more; what was made stays.
      expect(after.get(jobId)).toBe(isMade ? attempts : attempts + 1)
    }
    expect(before.filter(({ attempts, is_made: isMade }) => attempts > 0 && !isMade).length).toBeLessThan(2)
    const ledger = 'select rows_generated as rows from ledger where tenant_id = $1'
    expect(await db.query(ledger, [TENANT])).toEqual([{ rows: ROWS }])
    await expect.poll(async () => await db.query('select blob_key from doomed_blobs')).toEqual([])
    for (const folder of ['plans', 'pieces']) expect(await filesIn(folder)).toEqual([])

    const expected = await madeAsWhole()
    expect(artifact.targets).toEqual(expected.targets)
    expect(artifact.evidence).toEqual(expected.evidence)
    expect(artifact.artifact).toEqual(expected.artifact)
  })

  // A lock on the table keeps the work from being recorded, so the worker dies before that, however fast it is.
  it.each([
    { moment: 'while it plans', table: 'generation_plans', reached: isPlanning },
    {
      moment: 'with a plan that it has stored and not recorded',
      table: 'generation_plans',
      reached: hasPlan,
    },
    { moment: 'while it joins', table: 'ledger', reached: isJoining },
    { moment: 'with an artifact that it has stored and not recorded', table: 'ledger', reached: hasArtifact },
  ])(
    'whose worker is killed $moment has the same bytes, is billed once, and leaves nothing',
    async ({ table, reached }) => {
      const api = await shared.start({ role: 'api' }, TIMING)
      await shared.addTenant()
      const db = await shared.db()
      const victim = await shared.spawn({ role: 'worker', ...SPLIT }, TIMING)
      const { path, token, url } = await trainAt(api)
      const body = await db.transaction(async (tx) => {
        await tx.query(`lock table ${table} in share mode`)
        const order = await postJson(path, token, ORDER)
        await expect.poll(async () => await reached(order.body.job_id), { interval: 2, timeout: 60_000 }).toBe(true)
        await victim.kill()
        return order.body
      })
      await shared.spawn({ role: 'worker', ...SPLIT }, TIMING)
      const artifact = await ended(url, token, body.generation_id)
      expect(artifact).toMatchObject({ status: 'ready', rows_generated: ROWS })
      const attempts = await db.query('select attempts from jobs where job_id = $1', [body.job_id])
      expect(attempts).toEqual([{ attempts: 2 }])
      expect(await db.query('select rows_generated as rows from ledger where tenant_id = $1', [TENANT])).toEqual([
        { rows: ROWS },
      ])
      expect(await db.query('select 1 from generation_plans')).toEqual([])
      expect(await db.query('select 1 from queue_entries')).toEqual([])
      // What the killed worker stored has an entry that falls due later than its work could end; so has what it was removing. Their time
      // has come now.
      await db.query('update doomed_blobs set due_at = now()')
      await shared.start({ role: 'worker', ...SPLIT }, TIMING)
      await expect.poll(async () => await db.query('select blob_key from doomed_blobs')).toEqual([])
      for (const folder of ['plans', 'pieces']) expect(await filesIn(folder)).toEqual([])
      expect(await filesIn('artifacts')).toHaveLength(1)
      expect(artifact.artifact).toEqual((await madeAsWhole()).artifact)
    },
  )
})

async function isPlanning(jobId: string): Promise<boolean> {
  return (
    (await (await shared.db()).query(`select 1 from jobs where job_id = $1 and status = 'running'`, [jobId])).length > 0
  )
}

async function hasPlan(): Promise<boolean> {
  return (await filesIn('plans')).length > 0
}

/** All parts are made, and a worker holds the entry of the whole. */
async function isJoining(jobId: string): Promise<boolean> {
  const rows = await (await shared.db()).query(
    `select 1 from queue_entries where job_id = $1 and holder is not null
       and exists (select 1 from generation_parts)
       and not exists (select 1 from generation_parts where blob_key is null)`,
    [jobId],
  )
  return rows.length > 0
}

async function hasArtifact(): Promise<boolean> {
  return (await filesIn('artifacts')).length > 0
}
