import { WorkFailure } from './job-failure.ts'
import { ProcessDeath } from './processes/work-process.ts'
import { NotSmallError } from './queue/work-queue.ts'

/** Largest seed file whose training counts as small, in bytes: about a second's work. */
const SMALL_SEED_BYTES = 2 ** 20
/** Most cells of a small generation: a few tenths of a second's work. */
const SMALL_CELLS = 250_000
/**
 * What was taken for small and takes longer than this is put back as large. Files tell their size badly: a few kilobytes
 * may unpack to gigabytes.
 */
const SMALL_MS = 10_000

export const isSmallTraining = (seedBytes: number): boolean => seedBytes <= SMALL_SEED_BYTES

export const isSmallGeneration = (rows: number, columns: number): boolean => rows * columns <= SMALL_CELLS

/**
 * Runs what should be small, with a signal that aborts when it is not.
 *
 * @throws NotSmallError for work that takes too long, or that passes a limit of its process.
 */
export async function runWhileSmall<T>(
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
  limitMs: number = SMALL_MS,
): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new NotSmallError()), limitMs)
  try {
    return await run(AbortSignal.any([signal, late.signal]))
  } catch (error) {
    const cause = error instanceof WorkFailure ? error.cause : error
    if (cause instanceof ProcessDeath && cause.isOfLimit) throw new NotSmallError()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
