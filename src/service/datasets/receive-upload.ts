import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { MAX_SEED_FILE_BYTES } from '../../contract/limits.ts'
import { ProblemError, transportProblem } from '../http/problem-error.ts'
import { invalidFields } from '../http/request-shape.ts'
import { FILE_PART, MAX_DESIGN_BYTES, UploadFieldCollector, type UploadFields } from './upload-fields.ts'

/** Most parts; honest forms have fewer. */
const MAX_PARTS = 100
/** After a fault, a file up to this size is still read to the end, to report all faults together. */
const FAULTY_FILE_BYTES = 1 << 20
/** Everything but the file: part headers, text parts, preamble. */
const MAX_OVERHEAD_BYTES = 4 << 20

/** Consumer of the file's bytes. */
export interface UploadReceiver<Stored> {
  /** Whether the key that came before was used: then the file is compared, and not stored. */
  isReplay(): boolean
  /** Called with a form's idempotency key that comes before the file. A rejection refuses the upload at once. */
  onKey(key: string): Promise<void>
  /** Consumes the file; its result is returned. The signal aborts when the upload is refused or interrupted. */
  onFile(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Stored>
}

export interface Upload<Stored> {
  readonly fields: UploadFields
  readonly stored: Stored
}

/**
 * Reads a multipart/form-data body as it arrives: parts in any sequence, the file straight into `receiver`, bounded
 * memory.
 *
 * @throws ProblemError `svc_file_too_large` as soon as the file part exceeds 500 MB; `svc_invalid_field` with all
 * faults of the form. Rejections of the receiver are passed on. After an early refusal the rest of the body is left to
 * be discarded. When `closing` aborts, an unfinished upload is refused with its reason.
 */
export async function receiveUpload<Stored>(
  body: IncomingMessage,
  receiver: UploadReceiver<Stored>,
  closing: AbortSignal,
): Promise<Upload<Stored>> {
  const reading = new UploadReading(body, receiver)
  const refuse = (): void => reading.refuse(closing.reason)
  if (closing.aborted) refuse()
  closing.addEventListener('abort', refuse)
  try {
    return await reading.finished
  } finally {
    closing.removeEventListener('abort', refuse)
  }
}

class UploadReading<Stored> {
  readonly finished: Promise<Upload<Stored>>
  readonly #body: IncomingMessage
  readonly #receiver: UploadReceiver<Stored>
  readonly #fields = new UploadFieldCollector()
  readonly #abort = new AbortController()
  #key: Promise<void> = Promise.resolve()
  #file: Promise<Stored> | null = null
  #fileStream: Readable | null = null
  #fileBytes = 0
  #bodyBytes = 0
  #isSettled = false
  #resolve: (upload: Upload<Stored>) => void = () => undefined
  #reject: (error: unknown) => void = () => undefined
  readonly #parser: BusboyInstance

  constructor(body: IncomingMessage, receiver: UploadReceiver<Stored>) {
    this.#body = body
    this.#receiver = receiver
    this.finished = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#parser = this.#startParser()
    body.on('data', this.#onData)
    body.once('error', this.#onBreak)
    body.once('close', this.#onBreak)
    body.pipe(this.#parser)
  }

  #startParser(): BusboyInstance {
    let parser: BusboyInstance
    try {
      parser = new Busboy({
        headers: this.#body.headers as BusboyHeaders,
        limits: { fieldSize: MAX_DESIGN_BYTES, parts: MAX_PARTS, headerPairs: 20, headerSize: 8192 },
        // The seed is a file even without a file name; every other part is text.
        isPartAFile: (name) => name === FILE_PART,
      })
    } catch (error) {
      throw malformed('has no boundary in its Content-Type', error)
    }
    parser.on('field', (name: string | undefined, value, _nameTruncated, truncated) => {
      this.#fields.addText(name, value, truncated)
      if (name === 'idempotency_key' && this.#file === null) this.#onKey()
    })
    parser.on('file', (_name, file) => this.#onFile(file))
    parser.on('partsLimit', () => this.refuse(malformed(`has more than ${MAX_PARTS} parts`)))
    parser.on('error', (error: unknown) => this.refuse(malformed('is not well-formed multipart/form-data', error)))
    parser.on('finish', () => void this.#onFinish())
    return parser
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#bodyBytes += chunk.length
    if (this.#bodyBytes - this.#fileBytes > MAX_OVERHEAD_BYTES + FAULTY_FILE_BYTES) {
      this.refuse(this.#fields.faults.length > 0 ? invalidFields(this.#fields.faults) : malformed('is too large'))
    }
  }

  readonly #onBreak = (): void => {
    if (!this.#body.complete) this.refuse(transportProblem(400, 'The request body ended early.'))
  }

  #onKey(): void {
    const key = this.#fields.idempotencyKey
    if (key === null) return
    this.#key = this.#receiver.onKey(key)
    this.#key.catch((error: unknown) => this.refuse(error))
  }

  #onFile(file: BusboyFileStream): void {
    if (!this.#fields.addFile() || this.#fields.faults.length > 0) {
      this.#skip(file)
      return
    }
    this.#fileStream = file
    const bytes = this.#count(file)
    this.#file = this.#key.then(() => this.#receiver.onFile(bytes, this.#abort.signal))
    this.#file.catch((error: unknown) => this.refuse(error))
  }

  /** Skips a file that will not be used: the fault is reported at the end, or at once if the file is long. */
  #skip(file: BusboyFileStream): void {
    let skipped = 0
    file.on('error', () => undefined)
    file.on('data', (chunk: Buffer) => {
      skipped += chunk.length
      if (skipped > FAULTY_FILE_BYTES) this.refuse(invalidFields(this.#fields.faults))
    })
  }

  async *#count(file: Readable): AsyncGenerator<Uint8Array> {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      this.#fileBytes += chunk.length
      if (this.#fileBytes > MAX_SEED_FILE_BYTES) {
        throw new ProblemError(
          'svc_file_too_large',
          `The seed file is larger than 500 MB (${MAX_SEED_FILE_BYTES} bytes).`,
        )
      }
      yield chunk
    }
  }

  async #onFinish(): Promise<void> {
    const fields = this.#fields.finish()
    if (this.#fields.faults.length > 0) {
      this.refuse(invalidFields(this.#fields.faults))
      return
    }
    try {
      const stored = await (this.#file as Promise<Stored>)
      this.#settle(() => this.#resolve({ fields, stored }))
    } catch {
      // The handler that was attached at the start of the file refuses it.
    }
  }

  /** Ends the reading. Rejects once the receiver has released the file, so that nothing is left behind. */
  refuse(error: unknown): void {
    if (this.#isSettled) return
    this.#settle(() => {
      this.#abort.abort(error)
      this.#parser.destroy()
      // No more bytes will arrive, so the reader of the file must not wait for them.
      this.#fileStream?.on('error', () => undefined).destroy(error instanceof Error ? error : undefined)
      void Promise.allSettled([this.#file, this.#key]).then(() => this.#reject(error))
    })
  }

  #settle(act: () => void): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#body.unpipe(this.#parser)
    this.#body.off('data', this.#onData).off('error', this.#onBreak).off('close', this.#onBreak)
    // An error of a connection that is being closed anyway must not become an uncaught one.
    this.#body.on('error', () => undefined)
    // Unpiping pauses the request. Without this the rest would never be read, and the peer would never read the reply.
    this.#body.resume()
    act()
  }
}

function malformed(message: string, cause?: unknown): ProblemError {
  return new ProblemError('svc_invalid_field', `The request body ${message}.`, {
    errors: [{ field: 'body', message }],
    ...(cause !== undefined && { cause }),
  })
}
