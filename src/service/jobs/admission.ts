import { sizeText } from '../../base/text/amount-text.ts'
import { capital } from '../../base/text/capital.ts'
import { ProblemError } from '../http/problem-error.ts'
import { countWaiting } from '../queue/queue-entries.ts'
import {
  type LeftToStore,
  leftText,
  leftToStore,
  readTenantLimits,
  storageLimits,
  type TenantLimits,
} from '../records/tenant-limits.ts'
import { readUsage } from '../records/usage.ts'
import type { Settings } from '../settings/settings.ts'
import type { Queryable } from '../store/database.ts'

/**
 * Checks a new generation against the tenant's limits: rows per request, rows of the subscription, and bytes to store.
 * Generated rows count as used, and rows of running generations as reserved. The size of the result is not known yet;
 * its job stays within the rest. Locks the tenant's row until the transaction ends, so that two requests cannot both take
 * the last rows.
 *
 * @throws ProblemError `svc_quota_exceeded`
 */
export async function admitGeneration(
  tx: Queryable,
  tenantId: string,
  rowCount: number,
  settings: Pick<Settings, 'tenantBytes' | 'artifactBytes'>,
): Promise<TenantLimits> {
  const limits = await readTenantLimits(tx, tenantId, { lock: true })
  if (rowCount > limits.requestRowCap) {
    throw tooManyRows(rowCount, limits.requestRowCap, `one request may ask for at most ${limits.requestRowCap} rows.`)
  }
  const { storedBytes } = storageLimits(limits, settings)
  if (limits.subscriptionRows === null && storedBytes === null) return limits
  const usage = await readUsage(tx, tenantId)
  if (limits.subscriptionRows !== null) {
    const left = Math.max(0, limits.subscriptionRows - usage.rows_billed - usage.rows_reserved)
    const detail = `the subscription has ${left} of ${limits.subscriptionRows} rows left.`
    if (rowCount > left) throw tooManyRows(rowCount, left, detail)
  }
  const stored = storedBytes === null ? null : leftToStore(storedBytes, usage)
  if (stored !== null && stored.leftBytes <= 0) throw nothingLeft(stored)
  return limits
}

function tooManyRows(rowCount: number, most: number, detail: string): ProblemError {
  return new ProblemError('svc_quota_exceeded', `row_count is ${rowCount}; ${detail}`, {
    errors: [{ field: 'row_count', message: `must be at most ${most}` }],
  })
}

/** @param neededBytes Bytes to store; absent: an unknown number above zero. */
export function nothingLeft(stored: LeftToStore, neededBytes?: number): ProblemError {
  const needed = neededBytes === undefined ? '' : `The seed file takes more than ${sizeText(neededBytes)}; `
  const left = leftText(stored)
  const advice = 'Delete datasets, wait until generations expire, or ask the operator.'
  return new ProblemError('svc_quota_exceeded', `${needed === '' ? capital(left) : `${needed}${left}`}. ${advice}`)
}

/** When a client should try again, in seconds. */
const RETRY_SECONDS = 10

/**
 * Refuses another job of a tenant at its limit of waiting jobs, for an upload before its bytes are received.
 *
 * @throws ProblemError `svc_rate_limited`
 */
export async function requireRoomInQueue(
  db: Queryable,
  tenantId: string,
  settings: Pick<Settings, 'tenantQueue'>,
): Promise<void> {
  await new QueueRoom(tenantId, settings).take(db)
}

/**
 * The places that are left of a tenant's waiting jobs, for a transaction that holds the tenant's row and records several: they are
 * counted once, because counting takes longer the more jobs wait.
 */
export class QueueRoom {
  readonly #tenantId: string
  readonly #most: number
  #left: number | null = null

  constructor(tenantId: string, { tenantQueue }: Pick<Settings, 'tenantQueue'>) {
    this.#tenantId = tenantId
    this.#most = tenantQueue
  }

  /**
   * Takes a place. The first call counts, and must come when the transaction holds the row.
   *
   * @throws ProblemError `svc_rate_limited`
   */
  async take(tx: Queryable): Promise<void> {
    this.#left ??= this.#most - (await countWaiting(tx, this.#tenantId, this.#most))
    if (this.#left <= 0) throw queueFull(this.#most)
    this.#left -= 1
  }
}

const queueFull = (most: number): ProblemError =>
  new ProblemError(
    'svc_rate_limited',
    `${most} jobs of your company are already waiting, which is the limit. Repeat this request when some of them have ended.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  )
