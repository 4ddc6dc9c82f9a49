import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DataFolderLock } from '../../../src/service/store/data-folder-lock.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { migrate } from '../../../src/service/store/migrate.ts'
import { MIGRATIONS } from '../../../src/service/store/migrations.ts'
import { openEmbeddedDatabase } from '../../../src/service/store/pglite-database.ts'

async function temporaryFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), 'whatif-store-'))
}

describe('the lock of a data folder', () => {
  let folder: string
  const children: ChildProcess[] = []
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  /** A process that is alive, to stand as the holder of a lock. */
  async function bystander(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("up"); setInterval(() => {}, 1000)'])
    children.push(child)
    await once(child.stdout, 'data')
    return child
  }

  const holderOf = async () => JSON.parse(await readFile(join(folder, 'lock'), 'utf8'))
  const leaveLock = async (holder: unknown) =>
    await writeFile(join(folder, 'lock'), typeof holder === 'string' ? holder : JSON.stringify(holder))

  it('is held by one opener, whom the refusal of the other names', async () => {
    const first = await DataFolderLock.acquire(folder, 0)
    const refusal = DataFolderLock.acquire(folder, 150)
    await expect(refusal).rejects.toMatchObject({ name: 'UnusableError', code: 'data_folder_in_use' })
    await expect(refusal).rejects.toThrow(`in use by process ${process.pid} on ${hostname()}`)
    await first.release()
  })

  it('passes to a waiting process as soon as it is released', async () => {
    const first = await DataFolderLock.acquire(folder, 0)
    const second = DataFolderLock.acquire(folder, 10_000)
    await first.release()
    await (await second).release()
  })

  it('is not taken away by releasing it twice', async () => {
    const first = await DataFolderLock.acquire(folder, 0)
    await first.release()
    const second = await DataFolderLock.acquire(folder, 0)
    await first.release()
    await expect(DataFolderLock.acquire(folder, 0)).rejects.toMatchObject({
      name: 'UnusableError',
      code: 'data_folder_in_use',
    })
    await second.release()
  })

  it('of a killed process is taken over at once, by one opener only', async () => {
    const lock = await DataFolderLock.acquire(folder, 0)
    const holder = await holderOf()
    await lock.release()
    const child = await bystander()
    child.kill('SIGKILL')
    await once(child, 'exit')
    await leaveLock({ ...holder, token: 'gone', pid: child.pid })
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => DataFolderLock.acquire(folder, 300)))
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    expect(won).toHaveLength(1)
    await won[0]?.value.release()
  })

  it.each([
    ['a process that took the id of a dead one', true],
    ['a live process', false],
  ])('tells %s from the holder by its start time', async (_name, isReused) => {
    const lock = await DataFolderLock.acquire(folder, 0)
    const holder = await holderOf()
    await lock.release()
    const child = await bystander()
    const line = await readFile(`/proc/${child.pid}/stat`, 'utf8')
    const started = line.slice(line.lastIndexOf(')') + 2).split(' ')[19]
    await leaveLock({ ...holder, token: 'other', pid: child.pid, started: isReused ? '1' : started })
    const taking = DataFolderLock.acquire(folder, 150)
    if (isReused) await (await taking).release()
    else await expect(taking).rejects.toThrow(`process ${child.pid}`)
  })

  it.each([
    ['keeps', 'still beats', 0, false],
    ['loses', 'has been silent for a minute', 60_000, true],
  ])('a holder on another machine %s it when it %s', async (_verb, _state, silentMs, isTaken) => {
    await leaveLock({ token: 'far', pid: 1, place: 'elsewhere|boot|ns', started: '1', since: 'then' })
    const beat = new Date(Date.now() - silentMs)
    await utimes(join(folder, 'lock'), beat, beat)
    const taking = DataFolderLock.acquire(folder, 150)
    if (isTaken) await (await taking).release()
    else await expect(taking).rejects.toThrow('process 1 on elsewhere')
  })

  it('that was written only in part is taken over after a while', async () => {
    await leaveLock('{"tok')
    await expect(DataFolderLock.acquire(folder, 0)).rejects.toThrow('another process')
    const old = new Date(Date.now() - 60_000)
    await utimes(join(folder, 'lock'), old, old)
    await (await DataFolderLock.acquire(folder, 0)).release()
  })
})

describe('an embedded database', () => {
  let folder: string
  let db: Database
  beforeAll(async () => {
    folder = await temporaryFolder()
    db = await openEmbeddedDatabase(folder)
  })
  afterAll(async () => {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('is refused to a second opener while it is open', async () => {
    await expect(openEmbeddedDatabase(folder, { lockTimeoutMs: 0 })).rejects.toMatchObject({
      name: 'UnusableError',
      code: 'data_folder_in_use',
    })
  })

  it('gives int8 as number, times as the text asked for, and json in its own order', async () => {
    const [row] = await db.query(
      `select count(*) as n, $1::bigint as large, '{"z":1,"a":[true,null]}'::json as document`,
      [2 ** 53 - 1],
    )
    expect(row).toEqual({ n: 1, large: 2 ** 53 - 1, document: { z: 1, a: [true, null] } })
    expect(JSON.stringify(row)).toContain('{"z":1,"a":[true,null]}')
  })

  it('rolls a transaction back when its work throws', async () => {
    await db.exec('create table notes (text text)')
    const failing = db.transaction(async (tx) => {
      await tx.query('insert into notes values ($1)', ['lost'])
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await db.query('select * from notes')).toEqual([])
  })

  it('runs transactions one after another', async () => {
    await db.exec('create table counters (n bigint); insert into counters values (0)')
    const increment = () =>
      db.transaction(async (tx) => {
        const [row] = await tx.query<{ n: number }>('select n from counters')
        await tx.query('update counters set n = $1', [(row?.n ?? 0) + 1])
      })
    await Promise.all(Array.from({ length: 20 }, increment))
    expect(await db.query('select n from counters')).toEqual([{ n: 20 }])
  })

  it('has the tables of the service from the beginning', async () => {
    expect(await migrate(db, MIGRATIONS)).toEqual([])
    // The migrations below are others.
    await db.exec('delete from schema_migrations')
  })

  it('applies migrations once, in order', async () => {
    const first = [{ name: '1', sql: 'create table made (a int)' }]
    const second = [...first, { name: '2', sql: 'alter table made add b int; insert into made values (1, 2)' }]
    expect(await migrate(db, first)).toEqual(['1'])
    expect(await migrate(db, second)).toEqual(['2'])
    expect(await migrate(db, second)).toEqual([])
    expect(await db.query('select a, b from made')).toEqual([{ a: 1, b: 2 }])
  })

  it('refuses migrations that were changed or are missing', async () => {
    const base = [
      { name: '1', sql: 'create table made (a int)' },
      { name: '2', sql: 'alter table made add b int; insert into made values (1, 2)' },
    ]
    const [one, two] = base as [(typeof base)[0], (typeof base)[0]]
    await expect(migrate(db, [one, { ...two, sql: 'select 1' }])).rejects.toThrow('Migration 2 was applied with other')
    await expect(migrate(db, [one])).rejects.toThrow('does not know (2)')
  })

  it('leaves nothing of a migration that fails', async () => {
    const known = [
      { name: '1', sql: 'create table made (a int)' },
      { name: '2', sql: 'alter table made add b int; insert into made values (1, 2)' },
    ]
    await expect(
      migrate(db, [...known, { name: '3', sql: 'create table half (a int); select nonsense' }]),
    ).rejects.toThrow()
    await expect(db.query('select * from half')).rejects.toThrow('does not exist')
  })

  it('keeps its records when it is opened again, and starts over if its creation was interrupted', async () => {
    await db.exec(`insert into notes values ('kept')`)
    await db.close()
    db = await openEmbeddedDatabase(folder)
    expect(await db.query('select text from notes')).toEqual([{ text: 'kept' }])
    await db.close()
    await rm(join(folder, 'database.made'))
    db = await openEmbeddedDatabase(folder)
    await expect(db.query('select * from notes')).rejects.toThrow('does not exist')
  })
})
