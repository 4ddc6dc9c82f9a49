/**
 * A large generation in parts:
 *
 *   plan ──► parts, each a job in the queue, made by any workers ──► join
 *
 * The job of the generation makes the plan and waits, without a worker, until the last part wakes its entry. Then it joins the pieces.
 * Whoever changes parts locks the row of that job first, so that exactly one part is the last.
 */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { joinTables } from '../../formats/join-tables.ts'
import type { TablePiece } from '../../formats/writing/table-piece.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { ServiceContext } from '../context/context.ts'
import { ENGINE_VERSION } from '../datasets/model-identity.ts'
import { FILES_RESERVE_BYTES } from '../disk/disk-space.ts'
import { endParts } from '../jobs/end-parts.ts'
import { generationWorkMs } from '../jobs/expected-work.ts'
import { recordThroughOutages } from '../jobs/outages.ts'
import type { TaskProgress } from '../jobs/processes/task-protocol.ts'
import { superseded } from '../jobs/run-attempt.ts'
import { pauseEntry, wakeEntry } from '../queue/queue-entries.ts'
import { attemptEnd } from '../queue/turn.ts'
import {
  countAttempt,
  type GenerationPlan,
  hasToWait,
  insertPlan,
  leaveToParts,
  noteParts,
  type PartRow,
  readParts,
  readPlan,
  recordPiece,
  releaseParts,
  type StoredPlan,
} from '../records/generation-parts.ts'
import { endAttempt, type JobRow, lockUnfinishedJob, noteProgress, returnJob } from '../records/job-records.ts'
import { markPendingUntil } from '../records/orphaned-blobs.ts'
import type { Queryable } from '../store/database.ts'
import { type ArtifactLimits, ArtifactRoom } from './artifact-room.ts'
import type { GenerateResult, PartTask } from './generate-worker.ts'
import { mostWholeRows, partsOf } from './part-rows.ts'
import { bytesOfPart } from './plan-file.ts'
import { type GenerationAttempt, recordArtifact } from './record-artifact.ts'

/** How often a waiting job looks by itself whether it may go on, in milliseconds: an older version wakes nobody, and a wake can be lost. */
const LOOK_MS = 60_000
/** Plans and pieces outlive the deadline of their job by this time, in milliseconds: its clock may differ. */
const SPARE_MS = 60 * 60_000
/** How far a generation is when all its parts are made. */
const PARTS_MADE = 0.95

/**
 * Puts a large generation off while another one of its tenant is made. All parts of a tenant wait in one queue, so the deadlines of
 * generations that are planned together would run while the first is made.
 */
export async function waitForOthers(
  { db, settings }: Pick<ServiceContext, 'db' | 'settings'>,
  { attempt, row }: GenerationAttempt,
): Promise<void> {
  const mostRows = mostWholeRows(settings.splitRows)
  if (row.row_count <= mostRows) return
  const waits = await db.transaction(async (tx) => {
    if ((await lockUnfinishedJob(tx, attempt.job_id))?.attempts !== attempt.attempts) throw superseded()
    if (!(await hasToWait(tx, attempt, mostRows))) return false
    await returnJob(tx, attempt)
    await pauseEntry(tx, attempt.job_id, LOOK_MS)
    return true
  })
  if (waits) throw attemptEnd('in_parts')
}

/** Records the plan of a generation and puts its parts into the queue. */
export async function recordPlan(
  context: ServiceContext,
  { attempt, row, signal }: GenerationAttempt,
  plan: GenerationPlan,
  path: string,
): Promise<never> {
  const { db, blobs, queue, settings, now } = context
  const parts = partsOf(plan.findings.rowsGenerated, settings.splitRows)
  const blobKey = `plans/${row.generation_id}.${attempt.attempts}`
  await markPendingUntil(db, blobKey, lastsUntil(attempt))
  await blobs.adopt(blobKey, path)
  await recordThroughOutages(context, signal, async (tx) => {
    const whole = await lockUnfinishedJob(tx, attempt.job_id)
    if (whole?.attempts !== attempt.attempts) throw superseded()
    const generation = { ...attempt, generation_id: row.generation_id }
    const rows = await insertPlan(tx, generation, { ...plan, blobKey }, parts, now())
    for (const { job_id: jobId, first_row: firstRow, end_row: endRow } of rows) {
      const workMs = generationWorkMs(endRow - firstRow, plan.columnCount)
      await queue.enqueue(tx, { queue: 'generation', jobId, tenantId: row.tenant_id, workMs })
    }
    await waitForParts(tx, attempt.job_id, 0)
  })
  throw attemptEnd('in_parts')
}

/** What an attempt at a part needs beyond what every generation needs. */
export interface OpenPart {
  readonly task: PartTask
  /** Records the piece; the last one wakes the job of the generation. */
  readonly record: (result: GenerateResult & { readonly made: 'piece' }, path: string) => Promise<void>
}

/** Calls `use` with the part of an attempt. */
export async function withPart<T>(
  context: ServiceContext,
  { attempt, row, signal }: GenerationAttempt,
  use: (part: OpenPart) => Promise<T>,
): Promise<T> {
  const { db, blobs } = context
  const generationId = row.generation_id
  const [plan, parts] = [await readPlan(db, generationId), await readParts(db, generationId)]
  const part = parts.find(({ job_id: jobId }) => jobId === attempt.job_id)
  if (plan === null || part === undefined) throw superseded()
  // Parts of two versions would not be of one artifact.
  if (plan.findings.engineVersion !== ENGINE_VERSION) return await planAgain(context, attempt, generationId)
  const planPath = blobs.scratchPath()
  try {
    const rows = { firstRow: part.first_row, endRow: part.end_row }
    const source = blobs.read(plan.blobKey, bytesOfPart(plan.layout, rows))
    await pipeline(source, createWriteStream(planPath, { flags: 'wx', mode: 0o600 }))
    const task: PartTask = {
      ...rows,
      rows: plan.findings.rowsGenerated,
      layout: plan.layout,
      planPath,
      earlierBytes: bytesOf(parts),
    }
    return await use({
      task,
      record: async ({ sha256 }, path) => {
        // Under its digest: another attempt at the part makes the same bytes and leaves nothing else.
        const blobKey = `pieces/${attempt.job_id}.${sha256}`
        await markPendingUntil(db, blobKey, lastsUntil(attempt))
        const piece = await blobs.adopt(blobKey, path)
        if (piece.sha256 !== sha256) throw new Error(`The piece ${blobKey} has changed on its way into the storage.`)
        await recordThroughOutages(context, signal, async (tx) => {
          await endPart(tx, attempt, { blobKey, bytes: piece.bytes }, context.now())
        })
      },
    })
  } finally {
    await rm(planPath, { force: true })
  }
}

async function endPart(
  tx: Queryable,
  attempt: JobRow,
  piece: { readonly blobKey: string; readonly bytes: number },
  nowMs: number,
): Promise<void> {
  const whole = await lockWhole(tx, attempt)
  if (!(await endAttempt(tx, attempt, { status: 'completed', error: null, nowMs }))) throw superseded()
  await recordPiece(tx, attempt.job_id, piece)
  const parts = await readParts(tx, attempt.generation_id as string)
  await noteParts(tx, whole.job_id, PARTS_MADE * madeShare(parts))
  if (madeShare(parts) === 1) await wakeEntry(tx, whole.job_id)
}

/** Locks the job of a part's generation. */
async function lockWhole(tx: Queryable, { part_of: jobId }: JobRow): Promise<JobRow> {
  const whole = jobId === null ? null : await lockUnfinishedJob(tx, jobId)
  if (whole === null) throw superseded()
  return whole
}

async function planAgain({ db, now }: ServiceContext, attempt: JobRow, generationId: string): Promise<never> {
  await db.transaction(async (tx) => {
    const whole = await lockWhole(tx, attempt)
    // Another part may have had it planned again already, with parts that go on.
    if (!(await noteProgress(tx, attempt, null))) throw superseded()
    await releaseParts(tx, generationId, now())
    // Blobs are named after attempts, and those of the one before are being removed.
    await countAttempt(tx, whole.job_id)
    // Whoever holds the entry for a look would remove it afterwards, or is lost.
    await pauseEntry(tx, whole.job_id, 0)
    await wakeEntry(tx, whole.job_id)
  })
  throw superseded()
}

/**
 * Joins the pieces of a generation, or goes on waiting for them.
 *
 * @param limits See ArtifactLimits.
 */
export async function joinParts(
  context: ServiceContext,
  work: GenerationAttempt,
  plan: StoredPlan,
  limits: ArtifactLimits,
  onProgress: (progress: TaskProgress) => void,
): Promise<void> {
  const { db, blobs, now } = context
  const { attempt, row, signal } = work
  const pieces = await db.transaction(async (tx) => {
    if ((await lockUnfinishedJob(tx, attempt.job_id))?.attempts !== attempt.attempts) throw superseded()
    if (row.status !== 'processing') {
      // A worker of an older version has made a part as if it were the whole generation, which it is in all but name.
      await endAttempt(tx, attempt, { status: 'completed', error: null, nowMs: now() })
      await endParts(tx, row.generation_id, now())
      return null
    }
    const parts = await readParts(tx, row.generation_id)
    await noteParts(tx, attempt.job_id, PARTS_MADE * madeShare(parts))
    if (madeShare(parts) === 1) return parts
    await waitForParts(tx, attempt.job_id, madeShare(parts))
    return 'waiting'
  })
  if (pieces === null) return
  if (pieces === 'waiting') throw attemptEnd('in_parts')
  onProgress({ stage: 'joining', progress: PARTS_MADE })
  const room = new ArtifactRoom(dirname(blobs.scratchPath()), FILES_RESERVE_BYTES, limits)
  const joined = joinTables(
    row.output_format,
    pieces.map((part) => pieceOf(blobs, part)),
  )
  await recordArtifact(context, work, plan.findings, async (key) => {
    return await blobs.put(key, within(room, joined), { signal })
  })
}

async function waitForParts(tx: Queryable, jobId: string, share: number): Promise<void> {
  await noteParts(tx, jobId, PARTS_MADE * share)
  await leaveToParts(tx, jobId)
  await pauseEntry(tx, jobId, LOOK_MS)
}

async function* within(room: ArtifactRoom, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    room.take(chunk.length)
    yield chunk
  }
}

function pieceOf(blobs: BlobStore, { blob_key: key, bytes }: PartRow): TablePiece {
  return { bytes: bytes ?? 0, read: (start, end) => blobs.read(key as string, { start, end }) }
}

function madeShare(parts: readonly PartRow[]): number {
  return parts.filter(({ blob_key: key }) => key !== null).length / parts.length
}

function bytesOf(parts: readonly PartRow[]): number {
  return parts.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
}

/** A begun job has a deadline. */
const lastsUntil = ({ deadline_at: deadline }: JobRow): number => Date.parse(deadline as string) + SPARE_MS
