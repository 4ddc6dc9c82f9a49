import type { CredentialProvider, ObjectStorage, StorageCredentials } from '../settings/settings.ts'
import { noCredentials, StorageError } from './storage-error.ts'

/**
 * Temporary credentials are renewed so long before they end, in milliseconds: longer than the 15 minutes of a presigned
 * address, which ends with what signed it.
 */
const RENEW_MS = 20 * 60_000
/** Some sources give the same ones until shortly before their end: they are asked no more often than this. */
const ASK_AGAIN_MS = 60_000
/** What ends so soon may have ended when a request arrives. */
const MARGIN_MS = 10_000
/** After a refusal they are asked for anew, unless that was just done. */
const REFUSED_MS = 10_000
/** Longest wait for an answer. */
const ANSWER_MS = 30_000

/** Error codes of a storage that does not know, or does not know any more, what a request was signed with. */
const UNKNOWN_CODES = new Set(['ExpiredToken', 'InvalidAccessKeyId', 'InvalidToken', 'TokenRefreshRequired'])

/** What requests are signed with: the same for ever, or whatever a provider gives, asked again before it ends. */
export class CredentialSource {
  readonly #ask: CredentialProvider | null
  readonly #now: () => number
  #held: StorageCredentials | null
  #asking: Promise<StorageCredentials> | null = null
  #askedAtMs = Number.NEGATIVE_INFINITY

  constructor({ accessKeyId, secretAccessKey, credentials }: ObjectStorage, now: () => number) {
    this.#now = now
    this.#ask = credentials ?? null
    this.#held =
      accessKeyId === undefined || secretAccessKey === undefined
        ? null
        : { accessKeyId, secretAccessKey, sessionToken: null, expiresAtMs: null }
  }

  /** Rejects with a StorageError where there are none, or with the signal's reason when it aborts. */
  async current(signal?: AbortSignal): Promise<StorageCredentials> {
    const leftMs = this.#held === null ? 0 : (this.#held.expiresAtMs ?? Infinity) - this.#now()
    if (this.#held === null || leftMs < MARGIN_MS) return await orAborted(this.#renew(), signal)
    // In the background: nobody waits for what is not needed yet, and a source that is away for a while stops nothing.
    if (leftMs < RENEW_MS && this.#now() - this.#askedAtMs >= ASK_AGAIN_MS) this.#renew().catch(() => undefined)
    return this.#held
  }

  /** A request signed with these was refused with this code; true when it is worth repeating with others. */
  areRefused(code: string, refused: StorageCredentials | null): boolean {
    if (this.#ask === null || !UNKNOWN_CODES.has(code)) return false
    // Of several that were refused together, the first has asked for the others.
    if (refused !== this.#held) return true
    if (this.#now() - this.#askedAtMs < REFUSED_MS) return false
    this.#held = null
    return true
  }

  #renew(): Promise<StorageCredentials> {
    this.#asking ??= this.#askNow().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #askNow(): Promise<StorageCredentials> {
    this.#askedAtMs = this.#now()
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(noCredentials('no answer')), ANSWER_MS)
    })
    try {
      const given = await Promise.race([(this.#ask as CredentialProvider)(), silence])
      if (given.expiresAtMs !== null && given.expiresAtMs - this.#now() < MARGIN_MS) throw noCredentials('expired')
      this.#held = given
      return given
    } catch (error) {
      if (error instanceof StorageError) throw error
      throw noCredentials((error as { readonly name?: unknown } | null)?.name)
    } finally {
      clearTimeout(timer)
    }
  }
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
