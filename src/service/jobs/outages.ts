import { setTimeout as wait } from 'node:timers/promises'
import { StorageError } from '../../objects/storage-error.ts'
import type { ServiceContext } from '../context/context.ts'
import { DatabaseUnavailableError, type Queryable, type Transaction } from '../store/database.ts'
import { ProcessDeathError } from './processes/work-process.ts'

/** How often unavailable storage or an unavailable database is tried again. */
const CHECK_MS = 500
/** Work that loses storage or database this often, although both answer in between, is postponed. */
const MAX_TRIES = 3

/**
 * Whether a fault outside the job failed an attempt: storage or database are unavailable, the disk is full, or the
 * process was killed.
 */
export function isOutsideFault(error: unknown): boolean {
  if (error instanceof StorageError || error instanceof DatabaseUnavailableError) return true
  if (error instanceof ProcessDeathError) return error.deathCause === 'killed'
  return (
    error instanceof Error && (('code' in error && error.code === 'ENOSPC') || /no space left/i.test(error.message))
  )
}

/**
 * Repeats the work after an outage of storage or database, as soon as both are available.
 *
 * @throws the signal's reason during the wait; any other error of `work`, or one that recurs.
 */
export async function retryThroughOutages(
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
      // The operator must be notified of work that fails while both answer.
      if (!isAway || signal.aborted || failures > MAX_TRIES) throw error
    }
    do await wait(CHECK_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    while (!(await isAvailable(context)))
  }
}

/** Records finished work in a transaction, as soon as the database answers. */
export async function recordThroughOutages(
  { db }: Pick<ServiceContext, 'db'>,
  signal: AbortSignal,
  record: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await repeatThroughOutages(db, signal, async () => await db.transaction(record))
}

/** Repeats `act` while the database is unavailable. */
export async function repeatThroughOutages<T>(db: Queryable, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || signal.aborted) throw error
    }
    do await wait(CHECK_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    while (!(await answers(db.query('select 1'))))
  }
}

async function isAvailable({ blobs, db }: Pick<ServiceContext, 'blobs' | 'db'>): Promise<boolean> {
  return (await answers(db.query('select 1'))) && (await answers(blobs.check()))
}

async function answers(asked: Promise<unknown>): Promise<boolean> {
  return await asked.then(
    () => true,
    () => false,
  )
}
