import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { form, surveyCsv } from '../data/data-service.ts'
import { lastingPort, OPERATOR_TOKEN, type ServedProcess, serve } from '../served-process.ts'
import { ask, SharedDatabase, TENANT } from './shared-database.ts'

const HOUR_MS = 60 * 60_000
const SHIFTED = pathToFileURL(join(import.meta.dirname, '../shifted-clock.js')).href
/** Datasets of all tenants: as many as one worker once removed in six seconds. */
const DATASETS = 257

/** A process and the address on which it listens; the address that it prints is the public one. */
interface Served extends ServedProcess {
  readonly url: string
}

let shared: SharedDatabase
let served: Served[]
beforeEach(async () => {
  shared = await SharedDatabase.create()
  served = []
})
afterEach(async () => {
  await Promise.all(served.map(async (process) => await process.kill()))
  await shared.close()
})

/** The real binary; `env` may shift its clock. */
async function start(role: string, env: Record<string, string> = {}): Promise<Served> {
  const port = await lastingPort()
  const process = await serve(shared.dataDir, {
    port,
    env: {
      DATABASE_URL: shared.databaseUrl,
      WHATIF_SERVE_ROLE: role,
      WHATIF_SERVE_PUBLIC_URL: 'http://service.test',
      NODE_OPTIONS: `--import=${SHIFTED}`,
      ...env,
    },
  })
  served.push({ ...process, url: `http://127.0.0.1:${port}` })
  return served.at(-1) as Served
}

/** Datasets that expire one after the other over the next day, and their generations. */
async function fill(): Promise<void> {
  const db = await shared.db()
  await db.exec(`
    insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, created_at, expires_at, seed_bytes,
        seed_sha256, model_blob, schema)
      select 'ds_' || n, '${TENANT}', 'job_' || n, 'ready', true, 'req', now(), now() + n * interval '5 minutes' + interval '10 minutes',
        1, 'x', 'models/' || n, '[]' from generate_series(1, ${DATASETS}) as n;
    insert into generations (generation_id, tenant_id, dataset_id, job_id, status, request_id, row_count, seed, output_format,
        conditions, created_at, expires_at, rows_generated, artifact_blob)
      select 'gen_' || n, '${TENANT}', 'ds_' || n, 'job_' || n, 'ready', 'req', 10, 1, 'csv', '{}', now(),
        now() + n * interval '5 minutes' + interval '10 minutes', 10, 'artifacts/' || n from generate_series(1, ${DATASETS}) as n`)
}

async function living(): Promise<{ datasets: number; generations: number; unfinished: number }> {
  const [row] = await (await shared.db()).query<{ datasets: number; generations: number; unfinished: number }>(
    `select (select count(*)::integer from datasets where dataset_id ~ '^ds_\\d{1,3}$') as datasets,
       (select count(*)::integer from generations where artifact_blob is not null) as generations,
       (select count(*)::integer from jobs where status = 'queued') as unfinished`,
  )
  return row as { datasets: number; generations: number; unfinished: number }
}

async function sweepsOf(url: string): Promise<number> {
  const { body } = await ask(`${url}/metrics`, OPERATOR_TOKEN)
  return Number(/^whatif_sweeps_total (\d+)$/m.exec(body)?.[1] ?? 0)
}

it.each([
  ['90 minutes ahead', 1.5 * HOUR_MS, '1 h 30 min ahead of'],
  ['an hour behind', -HOUR_MS, '1 h behind'],
])(
  'a machine whose clock is %s removes nothing, expires nothing, takes no job and reports its clock, in each role',
  async (_name, ms, words) => {
    const api = await shared.start({ role: 'api' })
    await shared.addTenant()
    const token = await shared.token()
    await fill()
    const upload = async (url: string) =>
      await ask(`${url}/v1/datasets`, token, {
        method: 'POST',
        body: form({ wait_seconds: '0', seed_file: new Blob([surveyCsv(60)]) }),
      })
    const { body } = await upload(api.listenUrl)
    const wrong = await Promise.all(
      ['worker', 'all', 'api'].map(async (role) => await start(role, { WHATIF_TEST_CLOCK_MS: String(ms) })),
    )
    for (const process of wrong) {
      const health = await ask(`${process.url}/healthz`, null)
      expect(health).toMatchObject({ status: 200, body: { status: 'ok', clock: expect.stringContaining(words) } })
      expect(process.log()).toContain('clock.wrong')
    }
    // An api answers all the same, with the time of the database.
    const late = await upload((wrong[2] as Served).url)
    expect(late.status).toBe(202)
    const [row] = await (await shared.db()).query<{ seconds: number }>(
      'select abs(extract(epoch from now() - created_at))::double precision as seconds from datasets where dataset_id = $1',
      [late.body.dataset_id],
    )
    expect(row?.seconds).toBeLessThan(600)
    // A process whose clock is right, started later: when it has swept, the others have had their time to.
    const right = await shared.start({ role: 'worker', operatorToken: OPERATOR_TOKEN, metrics: true })
    await expect.poll(async () => await sweepsOf(right.listenUrl)).toBeGreaterThan(0)
    expect(await living()).toMatchObject({ datasets: DATASETS, generations: DATASETS })
    // It did the jobs that the others left.
    await expect
      .poll(async () => (await ask(`${api.listenUrl}/v1/jobs/${body.job_id}`, token)).body.status)
      .toBe('completed')
    for (const process of wrong) expect(process.log()).not.toContain('job.begun')
  },
)

it('a worker whose clock jumps by 25 hours while it works removes nothing', async () => {
  await shared.start({ role: 'api' })
  await shared.addTenant()
  await fill()
  const worker = await start('worker', {
    WHATIF_TEST_JUMP_MS: String(25 * HOUR_MS),
    WHATIF_TEST_MINUTE_MS: '2000',
  })
  await expect.poll(async () => await sweepsOf(worker.url)).toBeGreaterThan(0)
  worker.signal('SIGUSR2')
  // It notices at the next check, and may have swept once more by then.
  await expect.poll(() => worker.log()).toContain('clock.wrong')
  expect(await living()).toMatchObject({ datasets: DATASETS, generations: DATASETS })
})
