import type { BlobRemoval } from '../blobs/blob-removal.ts'
import type { ServiceContext } from '../context.ts'
import { forgetBlobs, giveBackBlobs, takeDueBlobs } from '../records/orphaned-blobs.ts'

/** Most blobs that are taken at once, and that one request to an object storage removes. */
const BATCH = 1000
/** The table is looked at this often when nobody in this process says that blobs were given up. */
const LOOK_MS = 5_000
/** Blobs that could not be removed are tried again after so long. */
const AGAIN_MS = 60_000

export interface BlobRemoverOptions {
  /** Told of blobs that cannot be removed. */
  readonly onError: (error: unknown) => void
}

/**
 * Removes blobs that were given up, apart from all other work: whoever gives one up only enters it (`doomNow`). It takes
 * them in batches from the table that all processes share, each batch by one process, and goes on until none is due. A
 * batch that a process leaves behind is due again two minutes after it was taken.
 */
export class BlobRemover implements BlobRemoval {
  readonly #context: Pick<ServiceContext, 'db' | 'blobs' | 'now' | 'clock'>
  readonly #onError: (error: unknown) => void
  readonly #stopping = new AbortController()
  #running: Promise<void> | null = null
  /** Somebody has asked since the table was looked at last. */
  #isAsked = false
  #rouse: (() => void) | null = null

  constructor(context: Pick<ServiceContext, 'db' | 'blobs' | 'now' | 'clock'>, options: BlobRemoverOptions) {
    this.#context = context
    this.#onError = options.onError
  }

  start(): void {
    this.#running ??= this.#run()
  }

  readonly soon = (): void => {
    this.#isAsked = true
    this.#rouse?.()
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The service is stopping.'))
    this.#rouse?.()
    await this.#running
  }

  async #run(): Promise<void> {
    // What an earlier process left can wait: the first requests may be here.
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
      const timer = setTimeout(resolve, LOOK_MS)
      timer.unref()
      this.#rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#rouse = null
  }
}

/**
 * Takes blobs that are due and removes them; how many were taken. What could not be removed is due again in a minute, or
 * at once when the signal ended it.
 */
export async function removeBatch(
  { db, blobs, now }: Pick<ServiceContext, 'db' | 'blobs' | 'now'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const keys = await takeDueBlobs(db, BATCH, now())
  if (keys.length === 0) return 0
  const { removed, error } = await blobs.remove(keys, signal)
  if (removed.length > 0) await forgetBlobs(db, removed)
  if (removed.length < keys.length) {
    const gone = new Set(removed)
    const left = keys.filter((key) => !gone.has(key))
    await giveBackBlobs(db, left, now() + (signal.aborted ? 0 : AGAIN_MS))
  }
  if (error !== null) throw error
  return keys.length
}
