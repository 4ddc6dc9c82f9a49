import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { form, surveyCsv } from '../data/data-service.ts'
import { createDatabase } from '../postgres-cluster.ts'
import { type Answer, ask, postJson, SharedDatabase } from './shared-database.ts'

const run = promisify(execFile)
const BINARY = join(import.meta.dirname, '../../../bin/whatif.js')

/** An acknowledged resource and its expected end. */
interface Accepted {
  readonly kind: 'datasets' | 'generations'
  readonly id: string
  /** Null where it had ended when that was acknowledged. */
  readonly jobId: string | null
  /** The digest of the artifact, if it existed before the backup. */
  readonly sha256: string | null
}

let source: SharedDatabase
let target: SharedDatabase
let removeTarget: () => Promise<void>
let url: string
let token: string
beforeEach(async () => {
  source = await SharedDatabase.create()
  const made = await createDatabase(inject('postgresUrl') as string, `whatif_restored_${randomUUID().slice(0, 8)}`)
  removeTarget = made.remove
  target = await SharedDatabase.create(made.url)
  // Two processes, so that neither has the current work of the other in memory.
  url = (await source.start({ workers: 2 })).listenUrl
  await source.start()
  await source.addTenant()
  token = await source.token()
})
afterEach(async () => {
  await source.close()
  await target.close()
  await removeTarget()
})

const upload = async (rows: number, waitSeconds: number): Promise<Answer> =>
  await ask(`${url}/v1/datasets`, token, {
    method: 'POST',
    body: form({ seed_file: new Blob([surveyCsv(rows)]), wait_seconds: String(waitSeconds) }),
  })
const generate = async (at: string, datasetId: string, seed: number, waitSeconds: number): Promise<Answer> =>
  await postJson(`${at}/v1/datasets/${datasetId}/generations`, token, {
    row_count: 500,
    seed,
    output_format: 'csv',
    wait_seconds: waitSeconds,
  })
async function ended(at: string, jobId: string | null): Promise<string> {
  if (jobId === null) return 'completed'
  for (;;) {
    const { body } = await ask(`${at}/v1/jobs/${jobId}`, token)
    if (!['queued', 'running'].includes(body.status)) return body.status
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
/** SHA-256 of the artifact as it is delivered. */
async function deliveredDigest(at: string, record: Answer['body']): Promise<string> {
  const reply = await fetch(`${at}${record.artifact_url}`, { headers: { authorization: `Bearer ${token}` } })
  expect(reply.status).toBe(200)
  return createHash('sha256')
    .update(Buffer.from(await reply.arrayBuffer()))
    .digest('hex')
}

/** The command with the environment that the service of `place` has. */
async function storage(place: SharedDatabase, ...args: string[]) {
  const env = { ...process.env, DATABASE_URL: place.databaseUrl }
  const command = [BINARY, 'storage', ...args, '--data', place.dataDir, '--json']
  const { stdout } = await run(process.execPath, command, { env }).catch((error) => error as { stdout: string })
  return JSON.parse(stdout) as Answer['body']
}
/** Files, as a copy that knows nothing of the service takes them, and the key. */
async function copyFiles(): Promise<void> {
  await cp(join(source.dataDir, 'master.key'), join(target.dataDir, 'master.key'))
  for (const folder of await readdir(join(source.dataDir, 'blobs'))) {
    if (folder === 'scratch') continue
    for (const name of await readdir(join(source.dataDir, 'blobs', folder))) {
      const path = join('blobs', folder, name)
      // Blobs that are removed during the copy are in no record of the backup.
      await cp(join(source.dataDir, path), join(target.dataDir, path)).catch((error) => {
        if (error.code !== 'ENOENT') throw error
      })
    }
  }
}

describe('a backup of a service that is at work', () => {
  it('of the records first and then of the held files restores everything that was accepted before', async () => {
    const [first, second, deleted] = await Promise.all([upload(200, 60), upload(300, 60), upload(200, 60)])
    const accepted: Accepted[] = []
    const accept = (kind: Accepted['kind'], { status, body }: Answer, sha256: string | null = null): void => {
      expect(status).toBeOneOf([200, 202])
      const id = kind === 'datasets' ? body.dataset_id : body.generation_id
      accepted.push({ kind, id, jobId: body.job_id ?? null, sha256 })
    }
    for (const dataset of [first, second, deleted]) {
      expect(dataset.body.status).toBe('ready')
      accept('datasets', dataset)
    }
    for (let seed = 0; seed < 4; seed++) {
      const made = await generate(url, first.body.dataset_id, seed, 60)
      accept('generations', made, made.body.artifact.sha256)
    }
    // Work in progress during the backup: trainings with their seeds, and generations.
    for (let i = 0; i < 4; i++) accept('datasets', await upload(2000, 0))
    for (let seed = 10; seed < 30; seed++) accept('generations', await generate(url, second.body.dataset_id, seed, 0))

    // Others go on all the while.
    let isOver = false
    const others: Answer[] = []
    const load = Promise.all([
      (async () => {
        while (!isOver) others.push(await upload(200, 0))
      })(),
      (async () => {
        for (let seed = 100; !isOver; seed++) others.push(await generate(url, second.body.dataset_id, seed, 5))
      })(),
    ])

    const { data: hold } = await storage(source, 'hold', '--for', '1h')
    expect(Date.parse(hold.held_until)).toBeGreaterThan(Date.now() + 55 * 60_000)
    const folder = await mkdtemp(join(tmpdir(), 'whatif-backup-'))
    const dump = join(folder, 'records.sql')
    await run('pg_dump', ['--dbname', source.databaseUrl, '--file', dump])
    const soFar = others.length
    // The worst of moments for the files: all that was under way has ended, seeds are given up, a dataset is deleted.
    expect(await ask(`${url}/v1/datasets/${deleted.body.dataset_id}`, token, { method: 'DELETE' })).toMatchObject({
      status: 204,
    })
    for (const { jobId } of accepted) expect(await ended(url, jobId)).toBe('completed')
    await expect.poll(() => others.length).toBeGreaterThan(soFar + 3)
    await copyFiles()
    expect(await storage(source, 'release')).toMatchObject({ ok: true, data: { was_held: true } })
    isOver = true
    await load
    await source.stop()

    await run('psql', ['--quiet', '--no-psqlrc', '--dbname', target.databaseUrl, '--file', dump])
    await rm(folder, { recursive: true })
    const { data: check } = await storage(target, 'check', '--repair')
    expect(check.without_file).toEqual([])
    const strays = check.without_record.map(({ key }: { key: string }) => key)
    expect(strays.length).toBeGreaterThan(0)
    expect(await storage(target, 'check')).toMatchObject({ ok: true, data: { without_record: [], without_file: [] } })

    const restored = (await target.start({ workers: 2 })).listenUrl
    for (const { kind, id, jobId, sha256 } of accepted) {
      expect(await ended(restored, jobId)).toBe('completed')
      const { body: record } = await ask(`${restored}/v1/${kind}/${id}`, token)
      expect(record.status).toBe('ready')
      if (kind === 'datasets') {
        const made = await generate(restored, id, 7, 60)
        expect(made.body).toMatchObject({ status: 'ready', rows_generated: 500 })
      } else {
        const delivered = await deliveredDigest(restored, record)
        expect(delivered).toBe(sha256 ?? record.artifact.sha256)
      }
    }
    // Requests after the backup are lost, or start again.
    const db = await target.db()
    for (const { status } of await db.query<{ status: string }>('select status from jobs')) {
      expect(status).toBeOneOf(['queued', 'running', 'completed'])
    }
    // The ledger has each generation once.
    const [bills] = await db.query(
      `select count(*) = count(distinct g.generation_id) and bool_and(l.rows_generated = g.rows_generated) as is_right
       from ledger l join generations g using (generation_id) where g.status in ('ready', 'partial')`,
    )
    expect(bills).toEqual({ is_right: true })
    // An hour later, no file remains that was stored after the backup of the records.
    await db.query('update doomed_blobs set due_at = now() where blob_key = any($1::text[])', [strays])
    await db.query('delete from blob_hold')
    await target.stop()
    await target.start()
    const left = async () => {
      const { data } = await storage(target, 'check')
      const kept = await db.query<{ blob_key: string }>('select blob_key from doomed_blobs where due_at <= now()')
      return [...data.without_record, ...data.without_file, ...kept]
    }
    await expect.poll(left).toEqual([])
  })

  it('with files older than the records shows no missing file as ready, once it is repaired', async () => {
    const dataset = await upload(200, 60)
    const before = await generate(url, dataset.body.dataset_id, 1, 60)
    await copyFiles()
    const lost = await generate(url, dataset.body.dataset_id, 2, 60)
    const lostDataset = await upload(300, 60)
    const folder = await mkdtemp(join(tmpdir(), 'whatif-backup-'))
    const dump = join(folder, 'records.sql')
    await run('pg_dump', ['--dbname', source.databaseUrl, '--file', dump])
    await source.stop()
    await run('psql', ['--quiet', '--no-psqlrc', '--dbname', target.databaseUrl, '--file', dump])
    await rm(folder, { recursive: true })

    const missing = [
      { kind: 'dataset', id: lostDataset.body.dataset_id, file: `models/${lostDataset.body.dataset_id}.1` },
      { kind: 'generation', id: lost.body.generation_id, file: `artifacts/${lost.body.generation_id}.1` },
    ]
    expect(await storage(target, 'check')).toMatchObject({ exit_code: 20, data: { without_file: missing } })
    expect(await storage(target, 'check', '--repair')).toMatchObject({ ok: true, data: { without_file: missing } })
    const restored = (await target.start()).listenUrl
    expect((await ask(`${restored}/v1/datasets/${lostDataset.body.dataset_id}`, token)).status).toBe(404)
    expect((await ask(`${restored}/v1/generations/${lost.body.generation_id}`, token)).status).toBe(404)
    const { body: kept } = await ask(`${restored}/v1/generations/${before.body.generation_id}`, token)
    expect(await deliveredDigest(restored, kept)).toBe(before.body.artifact.sha256)
    expect((await generate(restored, dataset.body.dataset_id, 3, 60)).body.status).toBe('ready')
  })

  it('is compared with its own records only: files of another service stay', async () => {
    await upload(200, 60)
    await copyFiles()
    await target.start()
    expect(await storage(target, 'check', '--repair')).toMatchObject({ exit_code: 5 })
    const db = await target.db()
    expect(await db.query('select blob_key from doomed_blobs')).toEqual([])
  })
})
