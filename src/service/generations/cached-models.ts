import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import type { ServiceContext } from '../context/context.ts'
import { type CachedModelKey, readCachedModel, recordCachedModel } from '../records/cached-models.ts'
import type { CheckedConditions } from '../records/generation-records.ts'
import { markPending, orphanPending } from '../records/orphaned-blobs.ts'

/** Where the worker finds the cached model of its scenario, and where it stores one that it had to train. */
export interface CachedModelFiles {
  /** Local file of the cached model; null if there is none. */
  readonly cachedPath: string | null
  /** Path for a new file. */
  readonly newPath: string
}

/**
 * Runs `use` with the cached model of a scenario's columns. Caches a model that `use` trains, for other workers and
 * later generations. The cache saves time, and keeps rows the same when Node's logarithms change. A failure of the
 * cache never fails a generation.
 */
export async function withCachedModel<T>(
  context: ServiceContext,
  attempt: { readonly job_id: string; readonly attempts: number },
  dataset: Pick<CachedModelKey, 'datasetId' | 'modelBlob'>,
  conditions: CheckedConditions,
  use: (files: CachedModelFiles | null) => Promise<T>,
): Promise<T> {
  const { db, blobs, now } = context
  const columnsKey = columnsKeyOf(conditions)
  if (columnsKey === null) return await use(null)
  const place = { ...dataset, columnsKey }
  const newPath = blobs.scratchPath()
  try {
    const cachedBlob = await readCachedModel(db, place, now())
    const result = await withBlob(context, cachedBlob, async (cachedPath) => await use({ cachedPath, newPath }))
    // A separate name for every attempt: a late one must not overwrite the model that another has recorded.
    const blob = `orders/${attempt.job_id}.${attempt.attempts}`
    await cacheModel(context, place, { blob, path: newPath, replaced: cachedBlob }).catch(() => undefined)
    return result
  } finally {
    await rm(newPath, { force: true })
  }
}

/** Digest of the names of the conditioned columns; null if there are none. A column without levels does not count. */
function columnsKeyOf({ shares, cells = [], ranges, means = [] }: CheckedConditions): string | null {
  const conditions = [
    ...shares.filter(({ levels, bounds = [] }) => levels.length + bounds.length > 0),
    ...ranges,
    ...means,
  ]
  const named = [...conditions.map(({ column }) => column), ...cells.flatMap(({ columns }) => columns)]
  const names = [...new Set(named)].sort()
  return names.length === 0 ? null : createHash('sha256').update(JSON.stringify(names)).digest('hex')
}

/** Calls `use` with the local path of a blob, or with null if there is none or it has just been removed. */
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

async function cacheModel(
  { db, blobs, now, remover }: ServiceContext,
  place: CachedModelKey,
  { blob, path, replaced }: { readonly blob: string; readonly path: string; readonly replaced: string | null },
): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  await markPending(db, blob, now())
  try {
    const { bytes } = await blobs.adopt(blob, path)
    await db.transaction(async (tx) => {
      await recordCachedModel(tx, place, { blob, bytes, replaced }, now())
    })
  } finally {
    // A recorded blob is not an orphan.
    await orphanPending(db, blob, now())
    remover?.soon()
  }
}
