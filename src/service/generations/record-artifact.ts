import { sizeText } from '../../base/text/amount-text.ts'
import type { StoredBlob } from '../blobs/blob-store.ts'
import type { ServiceContext } from '../context/context.ts'
import { endParts } from '../jobs/end-parts.ts'
import { recordThroughOutages } from '../jobs/outages.ts'
import { JobFailedError } from '../jobs/processes/job-failed-error.ts'
import { superseded } from '../jobs/run-attempt.ts'
import { type FinishedGeneration, type GenerationWork, markFinished } from '../records/generation-records.ts'
import { endAttempt, type JobRow } from '../records/job-records.ts'
import { keepBlob, markPending, orphanPending } from '../records/orphaned-blobs.ts'
import { leftText, readLeftToStore } from '../records/tenant-limits.ts'
import type { Settings } from '../settings/settings.ts'
import type { Queryable } from '../store/database.ts'

/** An attempt at a generation that is in progress. */
export interface GenerationAttempt {
  readonly attempt: JobRow
  readonly row: GenerationWork
  readonly signal: AbortSignal
}

/**
 * Stores an artifact. Then one transaction records the artifact, the ledger entry and the job's end. However often the work is
 * interrupted and restarted, the rows are billed once.
 *
 * @param store Stores the artifact under its key.
 */
export async function recordArtifact(
  context: ServiceContext,
  { attempt, row, signal }: GenerationAttempt,
  findings: Omit<FinishedGeneration, 'artifact'>,
  store: (key: string) => Promise<StoredBlob>,
): Promise<void> {
  const { db, settings, now } = context
  const blob = `artifacts/${row.generation_id}.${attempt.attempts}`
  await markPending(db, blob, now())
  try {
    const artifact = await store(blob)
    await recordThroughOutages(context, signal, async (tx) => {
      const nowMs = now()
      await requireLeft(tx, row.tenant_id, settings, artifact.bytes)
      if (!(await endAttempt(tx, attempt, { status: 'completed', error: null, nowMs }))) throw superseded()
      if (!(await markFinished(tx, row, { ...findings, artifact: { blob, ...artifact } }, nowMs))) throw superseded()
      await keepBlob(tx, blob)
      await endParts(tx, row.generation_id, nowMs)
    })
  } catch (error) {
    // It will not be recorded, so its bytes can be removed at once.
    if (error instanceof JobFailedError) await orphanPending(db, blob, now())
    throw error
  }
  context.events?.emit({ type: 'rows.billed', jobId: attempt.job_id, rows: findings.rowsGenerated })
}

/**
 * Refuses an artifact that would exceed the limit together with everything that the tenant has stored since it began.
 */
async function requireLeft(tx: Queryable, tenantId: string, settings: Settings, bytes: number): Promise<void> {
  const { stored } = await readLeftToStore(tx, tenantId, settings, { lock: true })
  if (stored === null || bytes <= stored.leftBytes) return
  throw new JobFailedError('svc_quota_exceeded', `The artifact takes ${sizeText(bytes)}; ${leftText(stored)}.`)
}
