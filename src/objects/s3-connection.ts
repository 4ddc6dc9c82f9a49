import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { S3mini } from 's3mini'
import type { ObjectStorage, StorageCredentials } from './object-storage.ts'
import { RequestSigner } from './request-signer.ts'
import { connectionFailure, refusalOf, StorageError } from './storage-error.ts'
import { StorageRequests } from './storage-request.ts'

/** Most tries of a request. */
const TRIES = 4
/** Pause after the first failure; each further one is four times as long. */
const BACKOFF_MS = 200
/** Longest answer that is read into memory: lists and error records. */
const MAX_TEXT_BYTES = 1 << 20

export interface ConnectionOptions {
  readonly tries?: number
  readonly backoffMs?: number
  /** The time in milliseconds since 1970; default: this machine's clock. */
  readonly now?: () => number
}

interface Call {
  /** For messages, such as `PUT seeds/ds_...`. */
  readonly request: string
  readonly signal?: AbortSignal | undefined
  /** Instead of the connection's. */
  readonly tries?: number
  /** Called with a successful answer's headers, and its body if `streams` is set. */
  readonly onReply?: (status: number, headers: Headers, body: Readable) => void
  /** Also sends the MD5 of the body, which older storages require for `DeleteObjects`. */
  readonly isDigested?: boolean
  /** Further headers, such as the conditions of a write. */
  readonly headers?: Readonly<Record<string, string>>
  /** Leaves the body unread for `onReply`. */
  readonly streams?: boolean
}

/** One try of a call. */
interface Attempt {
  signedWith: StorageCredentials | null
}

/**
 * Signed requests to one bucket (path-style addresses), repeated while they fail for transient reasons. s3mini knows
 * the operations. It does not sign, because it has no support for temporary credentials. It does not send either,
 * because it supports neither signals nor time limits, copies bodies, and puts the whole answer into its errors.
 */
export class S3Connection {
  readonly #bucketUrl: string
  /** The bucket's address for clients. */
  readonly #publicUrl: string
  readonly #signer: RequestSigner
  readonly #requests = new StorageRequests()
  readonly tries: number
  readonly #backoffMs: number

  constructor(
    storage: ObjectStorage,
    { tries = TRIES, backoffMs = BACKOFF_MS, now = () => Date.now() }: ConnectionOptions = {},
  ) {
    this.#bucketUrl = bucketUrlOf(storage.endpoint, storage)
    this.#publicUrl = bucketUrlOf(storage.publicEndpoint ?? storage.endpoint, storage)
    this.#signer = new RequestSigner(storage, now)
    this.tries = tries
    this.#backoffMs = backoffMs
  }

  /**
   * Runs one operation. Rejects with a StorageError, or with the signal's reason when it aborts; never with a secret.
   */
  async run<T>(call: Call, operation: (s3: S3mini) => Promise<T>): Promise<T> {
    for (let failures = 0; ; ) {
      const attempt: Attempt = { signedWith: null }
      try {
        return await operation(this.#client(call, attempt))
      } catch (error) {
        if (call.signal?.aborted) throw call.signal.reason
        const failure = storageErrorOf(call.request, error)
        const isWorthIt = failure.isTransient || this.#signer.credentials.areRefused(failure.code, attempt.signedWith)
        if (!isWorthIt || ++failures >= (call.tries ?? this.tries)) throw failure
        await this.pause(failures, call.signal)
      }
    }
  }

  /** Waits before a repetition; rejects with the signal's reason when it aborts. */
  async pause(failures: number, signal?: AbortSignal): Promise<void> {
    const ms = this.#backoffMs * 4 ** (failures - 1) * (0.5 + Math.random() / 2)
    await wait(ms, undefined, { ...(signal !== undefined && { signal }) }).catch(() => signal?.throwIfAborted())
  }

  /** A GET address that needs no token, valid for the given time or until the credentials end. */
  async presign(key: string, expiresInSeconds: number, query: Record<string, string>): Promise<string> {
    const path = key.split('/').map(encodeURIComponent).join('/')
    return await this.#signer.presign(new URL(`${this.#publicUrl}/${path}`), expiresInSeconds, query)
  }

  async close(): Promise<void> {
    this.#requests.close()
  }

  /** A new client for every call, with the call's signal. Without keys it leaves requests unsigned. */
  #client(call: Call, attempt: Attempt): S3mini {
    return new S3mini({
      endpoint: this.#bucketUrl,
      accessKeyId: '',
      secretAccessKey: '',
      fetch: async (input, init = {}) => await this.#send(call, attempt, new URL(String(input)), init),
    })
  }

  async #send(call: Call, attempt: Attempt, url: URL, init: RequestInit): Promise<Response> {
    const { request, signal, onReply, streams = false, isDigested = false, headers: further } = call
    const body = init.body as string | Uint8Array | null | undefined
    const method = init.method ?? 'GET'
    attempt.signedWith = await this.#signer.credentials.current(signal)
    const digest = isDigested && {
      'content-md5': createHash('md5')
        .update(body ?? '')
        .digest('base64'),
    }
    const unsigned = { url, method, headers: { ...(init.headers as Record<string, string>), ...further, ...digest } }
    const headers = await this.#signer.sign(unsigned, attempt.signedWith)
    let reply: IncomingMessage
    let text = ''
    try {
      reply = await this.#requests.send({
        url,
        method,
        headers,
        body: body == null || body.length === 0 ? null : body,
        signal,
      })
      if (!streams || !isSuccess(reply)) text = await readText(reply)
    } catch (error) {
      throw connectionFailure(request, error)
    }
    const { statusCode: status = 0 } = reply
    if (!isSuccess(reply)) throw refusalOf(request, status, text)
    const answered = new Headers()
    for (const [name, value] of Object.entries(reply.headers)) answered.set(name, String(value))
    onReply?.(status, answered, reply)
    return new Response(text === '' ? null : text, { status, headers: answered })
  }
}

const bucketUrlOf = (endpoint: string, { bucket }: ObjectStorage): string => `${endpoint.replace(/\/+$/, '')}/${bucket}`

const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300

async function readText(body: Readable): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MAX_TEXT_BYTES) throw new Error('The answer is longer than any valid answer.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** Our own error, which s3mini may have wrapped, or the error for an answer that s3mini cannot read. */
function storageErrorOf(request: string, thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown
  const { cause } = thrown as { cause?: unknown }
  if (cause instanceof StorageError) return cause
  const details = { status: null, code: 'unreadable', isTransient: false }
  // Without a cause, because s3mini's messages repeat the answer.
  return new StorageError(`The object storage answered ${request} in an unreadable way.`, details)
}
