import { setTimeout as wait } from 'node:timers/promises'
import { StorageError } from '../blobs/storage-error.ts'
import type { ServiceContext } from '../context.ts'
import { DatabaseUnavailableError, type Queryable, type Transaction } from '../store/database.ts'
import { ProcessDeathError } from './processes/work-process.ts'

/** Storage or a database that has gone away is looked for this often. */
const LOOK_MS = 500
/** Work that finds storage and database there, and loses them again and again, is put off after so many times. */
const MAX_TRIES = 3

/**
 * Whether an attempt failed for something that is not the job's: storage or database are away, the disk is full, or its
 * process was killed by somebody.
 */
export function isOutsideFault(error: unknown): boolean {
  if (error instanceof StorageError || error instanceof DatabaseUnavailableError) return true
  if (error instanceof ProcessDeathError) return error.deathCause === 'killed'
  return (
    error instanceof Error && (('code' in error && error.code === 'ENOSPC') || /no space left/i.test(error.message))
  )
}

/**
 * Storage or a database that is away for a while is no fault of the job: its work begins again as soon as both are back.
 *
 * @throws the signal's reason while it waits; what `work` threw, when that is anything else or comes again and again.
 */
export async function workWhileAllIsThere(
  context: Pick<ServiceContext, 'blobs' | 'db'>,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      await work()
      return
    } catch (error) {
      const isAway = error instanceof StorageError || error instanceof DatabaseUnavailableError
      // What fails again and again while all is there, the operator should hear of.
      if (!isAway || signal.aborted || failures > MAX_TRIES) throw error
    }
    do await wait(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    while (!(await isAllThere(context)))
  }
}

/** Records work that is done, in a transaction, as soon as the database is there: it need not be done again. */
export async function recordOnceThere(
  { db }: Pick<ServiceContext, 'db'>,
  signal: AbortSignal,
  record: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await onceThere(db, signal, async () => await db.transaction(record))
}

/** What `act` resolves to, which is repeated for as long as the database is away. */
export async function onceThere<T>(db: Queryable, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || signal.aborted) throw error
    }
    do await wait(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    while (!(await answers(db.query('select 1'))))
  }
}

async function isAllThere({ blobs, db }: Pick<ServiceContext, 'blobs' | 'db'>): Promise<boolean> {
  return (await answers(db.query('select 1'))) && (await answers(blobs.check()))
}

async function answers(asked: Promise<unknown>): Promise<boolean> {
  return await asked.then(
    () => true,
    () => false,
  )
}
