import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { hasCode } from '../../base/whatif-error.ts'
import {
  DATABASE_RESERVE_BYTES,
  DISK_FULL,
  freeSpace,
  REMOVAL_RESERVE_BYTES,
  requireFreeSpace,
} from '../disk/disk-space.ts'
import { makeContentPrivate } from '../disk/private-folder.ts'
import { DataFolderLock } from './data-folder-lock.ts'
import type { Database, NotificationListener, Transaction } from './database.ts'
import { DeletionReserve } from './deletion-reserve.ts'
import { unpackFolder } from './packed-folder.ts'

/** Folder of the database inside the data folder, and the file that marks a complete first start. */
const DATABASE_FOLDER = 'database'
const MARKER_FILE = 'database.made'

/** How long opening waits for the process that has the folder, in milliseconds. */
const DEFAULT_LOCK_TIMEOUT_MS = 10_000

/**
 * Made by `npm run build`: initdb alone would take 4 s and 900 MB. It contains the tables of that build, so the first
 * start need not create them. Like any folder it is migrated when opened.
 */
const TEMPLATE_FILE = 'pglite-template.gz'

/**
 * The service's tables are small, and the system caches files. PostgreSQL clears the whole buffer when it starts: with
 * its default of 128 MB that takes more time than everything else.
 */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

export interface EmbeddedDatabaseOptions {
  /** How long to wait for another process that has the folder, in milliseconds; default 10,000. */
  readonly lockTimeoutMs?: number
  /** Keep a file in the folder that is deleted when there is no space left for deleting; default false. */
  readonly deletionReserve?: boolean
}

/**
 * Opens the PostgreSQL database in `dataDir` (PGlite); creates folder and database if they are missing. The folder is
 * locked against other processes until `close`.
 *
 * It has one connection: statements run one after another, and each blocks this thread while it runs. A killed process
 * loses nothing that was acknowledged. Data are not forced to disk as on a server, so a power cut may lose some. While
 * the disk is nearly full everything but reading rejects, and opening needs the space of the deletion reserve.
 *
 * @throws UnusableError if another process has the folder and does not release it in time.
 * @throws WhatifError with `DISK_FULL`
 */
export async function openEmbeddedDatabase(dataDir: string, options: EmbeddedDatabaseOptions = {}): Promise<Database> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = await DataFolderLock.acquire(dataDir, options.lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS)
  try {
    const reserve = options.deletionReserve === true ? new DeletionReserve(dataDir) : null
    await requireRoomToOpen(dataDir, reserve)
    const database = new PGliteDatabase(await openDataFolder(dataDir), { lock, folder: dataDir, reserve })
    reserve?.restore()
    return database
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Opening writes too: it replays what a killed process left in the log. That takes no more space than deleting, so on a
 * full disk the deletion reserve is used for it.
 */
async function requireRoomToOpen(dataDir: string, reserve: DeletionReserve | null): Promise<void> {
  const isMade = existsSync(join(dataDir, MARKER_FILE))
  if (reserve === null || !isMade || freeSpace(dataDir) >= DATABASE_RESERVE_BYTES) {
    requireFreeSpace(dataDir, DATABASE_RESERVE_BYTES)
    return
  }
  await reserve.giveUp()
  requireFreeSpace(dataDir, REMOVAL_RESERVE_BYTES)
}

async function openDataFolder(dataDir: string): Promise<PGlite> {
  const folder = join(dataDir, DATABASE_FOLDER)
  const marker = join(dataDir, MARKER_FILE)
  const isNew = !existsSync(marker)
  if (isNew) {
    // There is no database yet, or creating it was interrupted and nothing was ever acknowledged from it.
    await rm(folder, { recursive: true, force: true })
    const template = templatePath()
    if (existsSync(template)) unpackFolder(template, folder)
  }
  const pg = await PGlite.create(folder, { startParams: START_PARAMS })
  if (isNew) {
    // What PGlite writes itself can be read by everybody.
    makeContentPrivate(dataDir)
    await writeFile(marker, '', { flush: true, mode: 0o600 })
  }
  return pg
}

/** The template is next to this module once compiled; a service that runs from source uses the compiled one. */
function templatePath(): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist/service/store/' : './'
  return fileURLToPath(new URL(`${folder}${TEMPLATE_FILE}`, import.meta.url))
}

/** Resources of an open database in addition to its connection. */
interface Belongings {
  readonly lock: DataFolderLock
  /** The reserve on the database's disk. */
  readonly folder: string
  readonly reserve: DeletionReserve | null
}

/** An open database; `close` closes it, then releases its lock if there is one. */
export class PGliteDatabase implements Database {
  readonly #pg: PGlite
  readonly #belongings: Belongings | null
  readonly #isForRemoval: boolean

  /** `belongings` is null for a database in memory. */
  constructor(pg: PGlite, belongings: Belongings | null = null, isForRemoval = false) {
    this.#pg = pg
    this.#belongings = belongings
    this.#isForRemoval = isForRemoval
  }

  get forRemoval(): Database {
    return new PGliteDatabase(this.#pg, this.#belongings, true)
  }

  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
    const room = /^\s*select\b/i.test(sql) ? null : this.#requireRoom()
    if (room !== null) await room
    return (await this.#pg.query<Row>(sql, [...parameters])).rows
  }

  async exec(sql: string): Promise<void> {
    const room = this.#requireRoom()
    if (room !== null) await room
    try {
      await this.#pg.exec(sql)
    } catch (error) {
      // The statements may have begun their own transaction, in which all others would be refused.
      await this.#pg.exec('rollback')
      throw error
    }
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const room = this.#requireRoom()
    if (room !== null) await room
    return await this.#pg.transaction((tx) =>
      work({
        async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
          return (await tx.query<Row>(sql, [...parameters])).rows
        },
        async exec(sql) {
          await tx.exec(sql)
        },
      }),
    )
  }

  /** The data folder's lock already excludes other processes. */
  async exclusively<T>(_lockNumber: number, work: () => Promise<T>): Promise<T> {
    return await work()
  }

  async listen(channel: string, listener: NotificationListener): Promise<() => Promise<void>> {
    const stop = await this.#pg.listen(channel, listener)
    return async () => await stop()
  }

  async close(): Promise<void> {
    if (!this.#pg.closed && (await this.#hasRoom())) await this.#pg.close()
    await this.#belongings?.reserve?.settled()
    await this.#belongings?.lock.release()
  }

  /** Closing writes too; a database that was not closed is repaired at the next opening. */
  async #hasRoom(): Promise<boolean> {
    try {
      await this.#requireRoom()
      return true
    } catch (error) {
      if (hasCode(error, DISK_FULL)) return false
      throw error
    }
  }

  /** Null if there is nothing to wait for, so that statements run in the sequence in which they were sent. */
  #requireRoom(): Promise<void> | null {
    if (this.#belongings === null) return null
    const { folder, reserve } = this.#belongings
    const isScarce = freeSpace(folder) < DATABASE_RESERVE_BYTES
    if (this.#isForRemoval && isScarce && reserve !== null) {
      return reserve.giveUp().then(() => requireFreeSpace(folder, REMOVAL_RESERVE_BYTES))
    }
    requireFreeSpace(folder, this.#isForRemoval ? REMOVAL_RESERVE_BYTES : DATABASE_RESERVE_BYTES)
    if (!isScarce) reserve?.restore()
    return null
  }
}
