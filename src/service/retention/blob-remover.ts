import type { BlobRemoval } from '../blobs/blob-store.ts'
import type { ServiceContext } from '../context/context.ts'
import { forgetOrphans, returnOrphans, takeOrphans } from '../records/orphaned-blobs.ts'

/** Most blobs that are taken at once, and that one request removes from an object storage. */
const BATCH = 1000
/** How often the table is read when nothing in this process reports orphans. */
const CHECK_MS = 5_000
/** Delay before blobs that could not be removed are tried again. */
const AGAIN_MS = 60_000

export interface BlobRemoverOptions {
  /** Receives blobs that cannot be removed. */
  readonly onError: (error: unknown) => void
}

/**
 * Removes orphaned blobs, separately from all other work: requests and jobs only enter them (`orphanBlob`). It takes
 * them in batches from the table that all processes share. Each batch goes to one process. If that process does not
 * finish it, the batch is due again two minutes later.
 */
export class BlobRemover implements BlobRemoval {
  readonly #context: Pick<ServiceContext, 'db' | 'blobs' | 'now' | 'clock'>
  readonly #onError: (error: unknown) => void
  readonly #stopping = new AbortController()
  #running: Promise<void> | null = null
  /** Whether a removal was requested since the table was last read. */
  #isAsked = false
  #wakeUp: (() => void) | null = null

  constructor(context: Pick<ServiceContext, 'db' | 'blobs' | 'now' | 'clock'>, options: BlobRemoverOptions) {
    this.#context = context
    this.#onError = options.onError
  }

  start(): void {
    this.#running ??= this.#run()
  }

  readonly soon = (): void => {
    this.#isAsked = true
    this.#wakeUp?.()
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The service is stopping.'))
    this.#wakeUp?.()
    await this.#running
  }

  async #run(): Promise<void> {
    // Orphans of an earlier process can wait: the first requests may be arriving.
    for (await this.#sleep(); !this.#stopping.signal.aborted; ) {
      this.#isAsked = false
      const mayWork = this.#context.clock?.mayWork ?? true
      const taken = mayWork ? await removeBatch(this.#context, this.#stopping.signal).catch(this.#report) : 0
      if (taken < BATCH) await this.#sleep()
    }
  }

  readonly #report = (error: unknown): number => {
    if (!this.#stopping.signal.aborted) this.#onError(error)
    return 0
  }

  async #sleep(): Promise<void> {
    if (this.#isAsked || this.#stopping.signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CHECK_MS)
      timer.unref()
      this.#wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wakeUp = null
  }
}

/**
 * Takes due orphans and removes them. Returns how many it took. Those that could not be removed are due again in a
 * minute, or at once if the signal ended it.
 */
export async function removeBatch(
  { db, blobs, now }: Pick<ServiceContext, 'db' | 'blobs' | 'now'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const keys = await takeOrphans(db, BATCH, now())
  if (keys.length === 0) return 0
  const { removed, error } = await blobs.remove(keys, signal)
  if (removed.length > 0) await forgetOrphans(db, removed)
  if (removed.length < keys.length) {
    const gone = new Set(removed)
    const left = keys.filter((key) => !gone.has(key))
    await returnOrphans(db, left, now() + (signal.aborted ? 0 : AGAIN_MS))
  }
  if (error !== null) throw error
  return keys.length
}
