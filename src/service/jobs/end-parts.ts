import { wakeEntry } from '../queue/queue-entries.ts'
import { firstWaiting, releaseParts } from '../records/generation-parts.ts'
import type { Queryable } from '../store/database.ts'

/**
 * Ends what is left of a generation in parts, in the transaction that ends the generation, and wakes the tenant's next large generation.
 * The caller holds the row of its job.
 */
export async function endParts(tx: Queryable, generationId: string, nowMs: number): Promise<void> {
  const tenantId = await releaseParts(tx, generationId, nowMs)
  const jobId = tenantId === null ? null : await firstWaiting(tx, tenantId)
  if (jobId !== null) await wakeEntry(tx, jobId)
}
