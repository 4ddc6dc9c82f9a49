import { AwsV4Signer } from 'aws4fetch'
import type { ObjectStorage, StorageCredentials } from '../settings/settings.ts'
import { CredentialSource } from './credential-source.ts'

/** Signature Version 4 for requests to one bucket, with the credentials of the moment. */
export class RequestSigner {
  readonly credentials: CredentialSource
  readonly #region: string
  readonly #now: () => number
  #signedLast: StorageCredentials | null = null
  /** Keys that were derived for the days of signing, of `#signedLast`. */
  #derivedKeys = new Map<string, ArrayBuffer>()

  /** `now`: milliseconds since 1970. A storage refuses what is signed for another time than its own. */
  constructor(storage: ObjectStorage, now: () => number) {
    this.credentials = new CredentialSource(storage, now)
    this.#region = storage.region
    this.#now = now
  }

  /** The headers that a request is to be sent with, signed by `credentials`. Its body is not part of the signature. */
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

  /** An address for a GET without a token, for so long, or as long as what signs it is valid if that is less. */
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
