import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceContext } from '../../../src/service/context/context.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { migrate } from '../../../src/service/store/migrate.ts'
import { MIGRATIONS } from '../../../src/service/store/migrations.ts'
import { openPostgresDatabase } from '../../../src/service/store/postgres-database.ts'
import type { ServiceEvent } from '../../../src/service/telemetry/service-events.ts'
import { newTestDatabase } from '../test-database.ts'

const BINARY = join(import.meta.dirname, '../../../bin/whatif.js')
const EXPIRED = 30

let databaseUrl: string
let remove: () => Promise<void>
let db: Database

beforeAll(async () => {
  const made = await newTestDatabase()
  databaseUrl = made.databaseUrl as string
  remove = made.remove
  db = await openPostgresDatabase(databaseUrl)
  await migrate(db, MIGRATIONS)
  // They expired in the two hours without a process.
  await db.exec(`
    insert into tenants (tenant_id, name, created_at) values ('ten_1', 'T', now());
    insert into generations (generation_id, tenant_id, dataset_id, job_id, status, request_id, row_count, seed, output_format,
        conditions, created_at, expires_at, rows_generated, artifact_blob)
      select 'gen_' || n, 'ten_1', 'ds', 'job', 'ready', 'req', 10, 1, 'csv', '{}', now() - interval '1 day',
        now() - interval '1 hour', 10, 'artifacts/' || n from generate_series(1, ${EXPIRED}) as n;
    update sweep_watch set watched_until = now() - interval '2 hours'`)
})
afterAll(async () => {
  await db?.close()
  await remove?.()
})

/** A sweep of a process that has just started, and its events. */
async function sweepOnce(): Promise<readonly ServiceEvent[]> {
  const events: ServiceEvent[] = []
  const now = () => Date.now()
  const clock = { now, wrongByMs: null, mayWork: true, maySweep: true, watchedSinceMs: Date.now() }
  const emit = (event: ServiceEvent) => void events.push(event)
  await sweep({ db, now, clock, events: { emit } } as unknown as ServiceContext)
  return events
}

/** The real command, with the environment of a service that has no operator token. */
async function resumeSweeps(...flags: string[]): Promise<{ exit_code: number; data: unknown }> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, WHATIF_OPERATOR_TOKEN: '' }
  const command = [BINARY, 'storage', 'resume-sweeps', ...flags, '--json']
  return await new Promise((resolve, reject) => {
    execFile(process.execPath, command, { env }, (error, stdout, stderr) => {
      if (stdout === '') reject(error ?? new Error(stderr))
      else resolve(JSON.parse(stdout))
    })
  })
}

describe('held sweeps of a service without an operator token', () => {
  it('are shown and resumed by a command with the settings of the service', async () => {
    const [held] = await sweepOnce()
    expect(held).toMatchObject({ type: 'sweep.held', due: EXPIRED })
    expect((held as { message: string }).message).toContain('whatif storage resume-sweeps')

    const state = { held: { due: EXPIRED, living: 0 } }
    expect(await resumeSweeps('--check')).toMatchObject({ exit_code: 20, data: { ...state, resumed: false } })
    expect(await sweepOnce()).toMatchObject([{ type: 'sweep.held' }])
    expect(await resumeSweeps()).toMatchObject({ exit_code: 0, data: { ...state, resumed: true } })
    expect(await sweepOnce()).toMatchObject([{ type: 'sweep.ended' }])
    const [{ marked } = { marked: 0 }] = await db.query<{ marked: number }>(
      'select count(*) as marked from generations where swept_at is not null',
    )
    expect(marked).toBe(EXPIRED)
    expect(await resumeSweeps()).toMatchObject({ exit_code: 0, data: { held: null, resumed: false } })
    const actions = await db.query('select operation, address, status from operator_actions order by at')
    const recorded = { operation: 'storage resume-sweeps', address: 'command line', status: 200 }
    expect(actions).toEqual([recorded, recorded])
  })
})
