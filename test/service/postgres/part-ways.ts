import { pauseEntry, wakeEntry } from '../../../src/service/queue/queue-entries.ts'
import {
  countAttempt,
  firstWaiting,
  type GenerationPlan,
  hasToWait,
  insertPlan,
  leaveToParts,
  noteParts,
  readParts,
  readPlan,
  recordPiece,
  releaseParts,
} from '../../../src/service/records/generation-parts.ts'
import { insertGeneration } from '../../../src/service/records/generation-records.ts'
import { beginJob, insertJob, lockUnfinishedJob } from '../../../src/service/records/job-records.ts'
import type { Database } from '../../../src/service/store/database.ts'

/** A generation in two parts, of which one is made when it ends. */
export async function wayOfParts(on: Database): Promise<void> {
  const nowMs = Date.now()
  const ids = { generationId: 'gen_parted', jobId: 'job_parted', tenantId: 'ten_2', datasetId: 'ds_1' }
  const order = { rowCount: 10, seed: 1, outputFormat: 'csv', conditions: { shares: [], ranges: [] } } as const
  await insertGeneration(on, { ...ids, ...order, requestId: 'req', nowMs, expiresMs: nowMs + 60_000 })
  await insertJob(on, { ...ids, kind: 'generation', nowMs, traceParent: null })
  const whole = await beginJob(on, ids.jobId, { nowMs, deadlineMs: 60_000 })
  if (whole === null) throw new Error('The job did not begin.')
  await on.transaction(async (tx) => {
    await lockUnfinishedJob(tx, ids.jobId)
    const plan = { blobKey: 'plans/1' } as unknown as GenerationPlan & { blobKey: string }
    const parts = [
      { firstRow: 0, endRow: 5 },
      { firstRow: 5, endRow: 10 },
    ]
    const rows = await insertPlan(tx, { ...whole, generation_id: ids.generationId }, plan, parts, nowMs)
    await pauseEntry(tx, ids.jobId, 1_000)
    await leaveToParts(tx, ids.jobId)
    await recordPiece(tx, rows[0]?.job_id ?? '', { blobKey: 'pieces/1', bytes: 1 })
    await noteParts(tx, ids.jobId, 0.5)
    await countAttempt(tx, ids.jobId)
    await wakeEntry(tx, ids.jobId)
  })
  await hasToWait(on, whole, 1)
  await on.transaction(async (tx) => await firstWaiting(tx, ids.tenantId))
  await readPlan(on, ids.generationId)
  await readParts(on, ids.generationId)
  await on.transaction(async (tx) => await releaseParts(tx, ids.generationId, nowMs))
}
