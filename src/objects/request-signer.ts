import { AwsV4Signer } from 'aws4fetch'
import type { CredentialProvider, ObjectStorage, StorageCredentials } from './object-storage.ts'
import { noCredentials, StorageError } from './storage-error.ts'

/** Signature Version 4 for requests to one bucket, with the current credentials. */
export class RequestSigner {
  readonly credentials: CredentialSource
  readonly #region: string
  readonly #now: () => number
  #signedLast: StorageCredentials | null = null
  /** Keys derived from `#signedLast` for the days of signing. */
  #derivedKeys = new Map<string, ArrayBuffer>()

  /** `now`: milliseconds since 1970. A storage refuses requests signed for another time than its own. */
  constructor(storage: ObjectStorage, now: () => number) {
    this.credentials = new CredentialSource(storage, now)
    this.#region = storage.region
    this.#now = now
  }

  /** The signed headers of a request, with `credentials`. The signature does not cover its body. */
  async sign(
    request: { readonly url: URL; readonly method: string; readonly headers: Record<string, string> },
    credentials: StorageCredentials,
  ): Promise<Record<string, string>> {
    const { headers } = await new AwsV4Signer({
      ...request,
      url: request.url.href,
      ...this.#options(credentials),
    }).sign()
    return Object.fromEntries(headers)
  }

  /**
   * An address for a GET without a token, valid for the given time or as long as the signing credentials, whichever is
   * shorter.
   */
  async presign(url: URL, expiresInSeconds: number, query: Readonly<Record<string, string>>): Promise<string> {
    const credentials = await this.credentials.current()
    const { expiresAtMs } = credentials
    const leftSeconds = expiresAtMs === null ? Infinity : Math.floor((expiresAtMs - this.#now()) / 1000)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    url.searchParams.set('X-Amz-Expires', String(Math.min(expiresInSeconds, leftSeconds)))
    const signer = new AwsV4Signer({ url: url.href, method: 'GET', signQuery: true, ...this.#options(credentials) })
    const signed = (await signer.sign()).url
    // Not every storage reads a plus as the space that was signed.
    return signed.href.replace(signed.search, signed.search.replaceAll('+', '%20'))
  }

  #options(credentials: StorageCredentials) {
    if (this.#signedLast !== credentials) {
      this.#signedLast = credentials
      this.#derivedKeys = new Map()
    }
    const { accessKeyId, secretAccessKey, sessionToken } = credentials
    return {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== null && { sessionToken }),
      service: 's3',
      datetime: new Date(this.#now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
      region: this.#region,
      cache: this.#derivedKeys,
    }
  }
}

/**
 * Temporary credentials are renewed this long before they end, in milliseconds: longer than the 15 minutes of a
 * presigned address, which ends with the credentials that signed it.
 */
const RENEW_MS = 20 * 60_000
/** Some sources return the same credentials until shortly before their end, so they are queried at most this often. */
const ASK_AGAIN_MS = 60_000
/** Credentials that end sooner may have ended when a request arrives. */
const MARGIN_MS = 10_000
/** After a refusal credentials are fetched again, unless that was just done. */
const REFUSED_MS = 10_000
/** Longest wait for an answer. */
const ANSWER_MS = 30_000

/** Error codes of a storage that does not know the credentials of a request, or no longer knows them. */
const UNKNOWN_CODES = new Set(['ExpiredToken', 'InvalidAccessKeyId', 'InvalidToken', 'TokenRefreshRequired'])

/** The credentials that sign requests: fixed ones, or those of a provider, fetched again before they end. */
class CredentialSource {
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

  /** Rejects with a StorageError if there are none, or with the signal's reason when it aborts. */
  async current(signal?: AbortSignal): Promise<StorageCredentials> {
    const leftMs = this.#held === null ? 0 : (this.#held.expiresAtMs ?? Infinity) - this.#now()
    if (this.#held === null || leftMs < MARGIN_MS) return await orAborted(this.#renew(), signal)
    // In the background: nobody needs the new credentials yet, and a source that is unavailable for a while stops
    // nothing.
    if (leftMs < RENEW_MS && this.#now() - this.#askedAtMs >= ASK_AGAIN_MS) this.#renew().catch(() => undefined)
    return this.#held
  }

  /** Reports that a request signed with these was refused with this code. True if it is worth repeating with others. */
  areRefused(code: string, refused: StorageCredentials | null): boolean {
    if (this.#ask === null || !UNKNOWN_CODES.has(code)) return false
    // If several were refused together, the first has already fetched new ones.
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
