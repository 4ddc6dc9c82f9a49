import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import type { ServiceContext } from '../context.ts'
import { type OrderPlace, readOrder, recordOrder } from '../records/cached-model-records.ts'
import type { CheckedConditions } from '../records/generation-records.ts'
import { doomUnlessKept, doomUnrecorded } from '../records/orphaned-blobs.ts'

/** What the worker gets of an order kept earlier, and where it leaves one that it had to train. */
export interface OrderFiles {
  /** Local file of the order that is kept; null when there is none. */
  readonly keptPath: string | null
  /** Path for a new file. */
  readonly newPath: string
}

/**
 * Runs `use` with the order that is kept for a scenario's columns, and keeps the order that `use` leaves behind, for other
 * workers and for after a restart. An order is a means to be faster, and to stay the same when Node's logarithms change:
 * whatever goes wrong with keeping one, the generation goes on.
 */
export async function withKeptOrder<T>(
  context: ServiceContext,
  attempt: { readonly job_id: string; readonly attempts: number },
  dataset: Pick<OrderPlace, 'datasetId' | 'modelBlob'>,
  conditions: CheckedConditions,
  use: (files: OrderFiles | null) => Promise<T>,
): Promise<T> {
  const { db, blobs, now } = context
  const columnsKey = columnsKeyOf(conditions)
  if (columnsKey === null) return await use(null)
  const place = { ...dataset, columnsKey }
  const newPath = blobs.scratchPath()
  try {
    const keptBlob = await readOrder(db, place, now())
    const result = await withBlob(context, keptBlob, async (keptPath) => await use({ keptPath, newPath }))
    // A name of its own for every attempt: a late one must not write over what another has recorded.
    const blob = `orders/${attempt.job_id}.${attempt.attempts}`
    await keepOrder(context, place, { blob, path: newPath, replaced: keptBlob }).catch(() => undefined)
    return result
  } finally {
    await rm(newPath, { force: true })
  }
}

/** Digest of the conditioned columns' names; null when nothing is conditioned. A column without levels is not. */
function columnsKeyOf({ shares, ranges }: CheckedConditions): string | null {
  const names = [...shares.filter(({ levels }) => levels.length > 0), ...ranges].map(({ column }) => column).sort()
  return names.length === 0 ? null : createHash('sha256').update(JSON.stringify(names)).digest('hex')
}

/** Calls `use` with the local path of a blob, or with null when there is none or it has just been removed. */
async function withBlob<T>(
  { blobs }: ServiceContext,
  blob: string | null,
  use: (path: string | null) => Promise<T>,
): Promise<T> {
  if (blob === null) return await use(null)
  let isBegun = false
  try {
    return await blobs.withLocalFile(blob, async (path) => {
      isBegun = true
      return await use(path)
    })
  } catch (error) {
    if (isBegun || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return await use(null)
  }
}

async function keepOrder(
  { db, blobs, now, remover }: ServiceContext,
  place: OrderPlace,
  { blob, path, replaced }: { readonly blob: string; readonly path: string; readonly replaced: string | null },
): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  await doomUnlessKept(db, blob, now())
  try {
    const { bytes } = await blobs.adopt(blob, path)
    await db.transaction(async (tx) => {
      await recordOrder(tx, place, { blob, bytes, replaced }, now())
    })
  } finally {
    // One that was recorded is not among the doomed any more.
    await doomUnrecorded(db, blob, now())
    remover?.soon()
  }
}
