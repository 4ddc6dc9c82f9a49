import { ProblemError } from '../http/problem-error.ts'
import type { Settings } from '../settings/settings.ts'
import type { Queryable } from '../store/database.ts'
import { countWaiting } from './queue/queue-entries.ts'

/** How soon a client is asked to come again, in seconds. */
const RETRY_SECONDS = 10

/**
 * Refuses one more job of a tenant that has as many waiting as it may. Asked within the transaction that records the job;
 * for an upload before its bytes are received, too.
 *
 * @throws ProblemError `svc_rate_limited`
 */
export async function requireRoomInQueue(
  db: Queryable,
  tenantId: string,
  { tenantQueue }: Pick<Settings, 'tenantQueue'>,
): Promise<void> {
  if ((await countWaiting(db, tenantId, tenantQueue)) < tenantQueue) return
  throw new ProblemError(
    'svc_rate_limited',
    `${tenantQueue} jobs of your company wait already, and no more may. Send this request again when some of them have ended.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  )
}
