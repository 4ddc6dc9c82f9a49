import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, DatabaseUnavailableError } from '../../../src/service/store/database.ts'
import { openPostgresDatabase } from '../../../src/service/store/postgres-database.ts'
import { newTestDatabase } from '../test-database.ts'

let databaseUrl: string
let remove: () => Promise<void>
let db: Database
const errors: unknown[] = []

beforeAll(async () => {
  const made = await newTestDatabase()
  databaseUrl = made.databaseUrl as string
  remove = made.remove
  db = await openPostgresDatabase(databaseUrl, { onError: (error) => errors.push(error) })
})
afterAll(async () => {
  await db.close()
  await remove()
})

/** Ends other connections, as an administrator or a failing machine would; the server's own processes are none. */
const endConnections = async (where: string) =>
  await db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and ${where}`,
  )

describe('a PostgreSQL database', () => {
  it('gives int8 as number, times as the text asked for, and json in its own order', async () => {
    const [row] = await db.query(
      `select count(*) as n, $1::bigint as large, '{"z":1,"a":[true,null]}'::json as document, 9007199254740993 as huge`,
      [2 ** 53 - 1],
    )
    expect(row).toEqual({ n: 1, large: 2 ** 53 - 1, document: { z: 1, a: [true, null] }, huge: 9007199254740993n })
    expect(JSON.stringify((row as { document: unknown }).document)).toBe('{"z":1,"a":[true,null]}')
  })

  it('shows in its list of connections to whom they belong', async () => {
    expect(await db.query('select application_name from pg_stat_activity where pid = pg_backend_pid()')).toEqual([
      { application_name: 'whatif' },
    ])
  })

  it('rolls a transaction back when its work throws, and when its work ignores a failed statement', async () => {
    await db.exec('create table notes (text text)')
    const failing = db.transaction(async (tx) => {
      await tx.query(`insert into notes values ('thrown')`)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    const passing = db.transaction(async (tx) => {
      await tx.query(`insert into notes values ('passed over')`)
      await tx.query('select nonsense').catch(() => undefined)
    })
    await expect(passing).rejects.toThrow('rolled back because a statement in it had failed')
    expect(await db.query('select text from notes')).toEqual([])
  })

  it('parses a statement with parameters once per connection, also where another one fails, and after its table changed', async () => {
    await db.exec('create table parsed (text text)')
    const parsed = 'select count(*) as n from pg_prepared_statements where statement = $1'
    const sql = 'select text from parsed where text = $1'
    for (const text of ['before', 'after']) {
      await db.transaction(async (tx) => {
        await tx.query('insert into parsed (text) values ($1)', [text])
        for (let time = 0; time < 7; time++) expect(await tx.query(sql, [text])).toEqual([{ text }])
        expect(await tx.query(parsed, [sql])).toEqual([{ n: 1 }])
      })
      await expect(db.query('select $1::integer / 0 as n', [1])).rejects.toThrow('division by zero')
      await db.exec('alter table parsed add column more text; create index on parsed (text)').catch(() => undefined)
    }
  })

  it('is usable after statements that began a transaction and failed', async () => {
    await expect(db.exec('begin; select nonsense; commit')).rejects.toMatchObject({ code: '42703' })
    const open = `state like 'idle in transaction%' and datname = current_database()`
    expect(await db.query(`select 1 from pg_stat_activity where ${open}`)).toEqual([])
  })

  it('opens new connections after idle ones were closed', async () => {
    await Promise.all(Array.from({ length: 5 }, async () => await db.query('select pg_sleep(0.01)')))
    const ended = await endConnections('true')
    // Each is noticed; a statement sent before that would be lost with its connection.
    while (errors.length < ended.length) await new Promise(setImmediate)
    const rows = await Promise.all(Array.from({ length: 20 }, async () => await db.query('select 1 as one')))
    expect(rows).toEqual(Array.from({ length: 20 }, () => [{ one: 1 }]))
  })

  it.each([
    ['a connection that is ended', async (pid: number) => await db.query('select pg_terminate_backend($1)', [pid])],
    ['a statement that is cancelled', async (pid: number) => await db.query('select pg_cancel_backend($1)', [pid])],
  ])('is unavailable to a caller that uses %s', async (_name, act) => {
    const broken = db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
      const sleeping = tx.query('select pg_sleep(60)')
      // It may be over before it is awaited.
      sleeping.catch(() => undefined)
      const asleep = `pid = $1 and wait_event = 'PgSleep'`
      while ((await db.query(`select 1 from pg_stat_activity where ${asleep}`, [row?.pid])).length === 0);
      await act(row?.pid as number)
      await sleeping
    })
    await expect(broken).rejects.toThrow(DatabaseUnavailableError)
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is unavailable to one of two transactions that wait for each other', async () => {
    await db.exec('create table pairs (id int primary key); insert into pairs values (1), (2)')
    let arrived = 0
    let meet: () => void = () => undefined
    const both = new Promise<void>((resolve) => {
      meet = resolve
    })
    const lockBoth = async (first: number, second: number) =>
      await db.transaction(async (tx) => {
        await tx.query('select 1 from pairs where id = $1 for update', [first])
        if (++arrived === 2) meet()
        await both
        await tx.query('select 1 from pairs where id = $1 for update', [second])
      })
    const outcomes = await Promise.allSettled([lockBoth(1, 2), lockBoth(2, 1)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find((outcome) => outcome.status === 'rejected')?.reason).toBeInstanceOf(DatabaseUnavailableError)
  })

  it('has as many connections as configured, and is unavailable after a while if none is free', async () => {
    const crowded = await openPostgresDatabase(databaseUrl, { poolSize: 4 })
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const holders = Array.from({ length: 4 }, async () => await crowded.transaction(async () => await gate))
    await expect(crowded.query('select 1')).rejects.toThrow(DatabaseUnavailableError)
    release()
    await Promise.all(holders)
    expect(await crowded.query('select 1 as one')).toEqual([{ one: 1 }])
    await crowded.close()
  })

  it('ends a statement at its time limit, and keeps the connection', async () => {
    const hurried = await openPostgresDatabase(databaseUrl, { statementTimeoutMs: 50, poolSize: 2 })
    await expect(hurried.query('select pg_sleep(600)')).rejects.toMatchObject({
      name: 'DatabaseUnavailableError',
      cause: { code: '57014' },
    })
    expect(await hurried.query(`select current_setting('statement_timeout') as limit`)).toEqual([{ limit: '50ms' }])
    // Waiting for one another is exempt.
    await hurried.exclusively(2, async () => undefined)
    await hurried.close()
  })

  it.each([
    ['nobody listens', 'postgresql://postgres@127.0.0.1:1/postgres'],
    ['there is no such socket', 'postgresql://postgres@/postgres?host=/nowhere'],
  ])('is unavailable where %s, and shows no password', async (_name, url) => {
    const opening = openPostgresDatabase(url.replace('postgres@', 'postgres:open-sesame@'))
    await expect(opening).rejects.toThrow(DatabaseUnavailableError)
    await expect(opening).rejects.not.toThrow('open-sesame')
  })

  it.each(['mysql://root:open-sesame@db/whatif', 'postgresql://user:open-sesame@db:port/whatif', 'open-sesame'])(
    'is refused with the address %s, which is not repeated',
    async (url) => {
      const error = await openPostgresDatabase(url).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ message: expect.stringContaining('Write postgresql://') })
      expect(inspect(error)).not.toContain('open-sesame')
    },
  )

  it('is refused when it is not UTF-8', async () => {
    // Databases of other tests are on the same server.
    const name = `ascii_${randomUUID().replaceAll('-', '')}`
    await db.exec(`create database ${name} encoding 'SQL_ASCII' template template0 locale 'C'`)
    const url = databaseUrl.replace(/whatif_test_\w+/, name)
    await expect(openPostgresDatabase(url)).rejects.toThrow('has the encoding SQL_ASCII')
    await db.exec(`drop database ${name}`)
  })

  it('gives exclusive access to one process at a time, and to the next one when that one has gone', async () => {
    const other = await openPostgresDatabase(databaseUrl)
    const order: string[] = []
    let waiting: Promise<unknown> = Promise.resolve()
    await db.exclusively(1, async () => {
      order.push('first begins')
      waiting = other.exclusively(1, async () => void order.push('second'))
      const waits = `wait_event = 'advisory' and datname = current_database()`
      while ((await db.query(`select 1 from pg_stat_activity where ${waits}`)).length === 0);
      order.push('first ends')
    })
    await waiting
    expect(order).toEqual(['first begins', 'first ends', 'second'])
    await other.close()
  })

  it('notifies of all committed changes, and of none that was rolled back', async () => {
    const other = await openPostgresDatabase(databaseUrl)
    const heard: (string | null)[] = []
    let enough: () => void = () => undefined
    const last = new Promise<void>((resolve) => {
      enough = resolve
    })
    const stop = await db.listen('test_channel', (payload) => {
      heard.push(payload)
      if (payload === 'last') enough()
    })
    await other
      .transaction(async (tx) => {
        await tx.query(`select pg_notify('test_channel', 'never')`)
        throw new Error('rolled back')
      })
      .catch(() => undefined)
    await other.transaction(async (tx) => void (await tx.query(`select pg_notify('test_channel', 'first')`)))
    await other.query(`select pg_notify('test_channel', 'last')`)
    await last
    expect(heard).toEqual(['first', 'last'])
    await stop()
    await other.close()
  })

  it('listens again when its connection breaks, and reports that notifications may have been missed', async () => {
    let hear: (payload: string | null) => void = () => undefined
    const next = () =>
      new Promise<string | null>((resolve) => {
        hear = resolve
      })
    const stop = await db.listen('lost_channel', (payload) => hear(payload))
    for (let round = 0; round < 3; round++) {
      const lost = next()
      // Its last statement: the first channel, or after half a minute a heartbeat.
      await endConnections(`query ~ '^(un)?listen |^select 1$'`)
      expect(await lost).toBeNull()
      const found = next()
      await db.query(`select pg_notify('lost_channel', 'here')`)
      expect(await found).toBe('here')
    }
    expect(errors.length).toBeGreaterThan(0)
    await stop()
  })
})
