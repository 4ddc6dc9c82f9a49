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
    await db.query('update tenants set request_row_cap = 10000000')
    const token = await shared.token()
    const victim = await shared.spawn({ role: 'worker', ...SPLIT }, TIMING)
    const dataset = await ask(`${api.listenUrl}/v1/datasets`, token, {
      method: 'POST',
      body: form({ seed_file: new Blob([surveyCsv(2_000)]), wait_seconds: '60' }),
    })
    const path = `${api.listenUrl}/v1/datasets/${dataset.body.dataset_id}/generations`
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
    const artifact = await ended(api.listenUrl, token, body.generation_id)
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
    const folders = await readdir(join(shared.dataDir, 'blobs'))
    for (const folder of ['plans', 'pieces'].filter((name) => folders.includes(name))) {
      expect(await readdir(join(shared.dataDir, 'blobs', folder))).toEqual([])
    }

    // The same by one worker, as a whole.
    await shared.close()
    shared = await SharedDatabase.create()
    const alone = await shared.start({ role: 'all', splitRows: 10_000_000 }, TIMING)
    await shared.addTenant()
    await (await shared.db()).query('update tenants set request_row_cap = 10000000')
    const otherToken = await shared.token()
    const other = await ask(`${alone.listenUrl}/v1/datasets`, otherToken, {
      method: 'POST',
      body: form({ seed_file: new Blob([surveyCsv(2_000)]), wait_seconds: '60' }),
    })
    const whole = await postJson(
      `${alone.listenUrl}/v1/datasets/${other.body.dataset_id}/generations`,
      otherToken,
      ORDER,
    )
    const expected = await ended(alone.listenUrl, otherToken, whole.body.generation_id)
    expect(await parts()).toEqual([])
    expect(artifact.targets).toEqual(expected.targets)
    expect(artifact.evidence).toEqual(expected.evidence)
    expect(artifact.artifact).toEqual(expected.artifact)
  })
})
