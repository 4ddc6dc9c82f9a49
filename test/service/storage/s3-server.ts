import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import S3rver from 's3rver'
import type { ObjectStorage } from '../../../src/objects/object-storage.ts'
import { lastingPort } from '../served-process.ts'
import { faultOf, type KnownKey } from './check-signature.ts'
import { type Conditions, conditionRefusal, isConditional } from './write-conditions.ts'

/** The part of Koa's context that the rig uses. */
export interface Context {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly req: IncomingMessage
  readonly res: ServerResponse
  status: number
  type: string
  body: unknown
  respond: boolean
}

export interface S3Store {
  getResourcePath(bucket: string, key: string | undefined, resource: string): string
  putMetadata(bucket: string, key: string, metadata: unknown, md5: string): Promise<void>
  putObject(object: { bucket: string; key: string; content: Readable | Buffer; metadata: unknown }): Promise<unknown>
  deleteObject(bucket: string, key: string): Promise<void>
  getMetadata(bucket: string, key: string): Promise<{ readonly etag: string }>
  putPart(bucket: string, uploadId: string, partNumber: string, content: Readable): Promise<unknown>
}

/**
 * What happens to a request instead of an honest answer: an error record; the connection cut after so many bytes of the
 * request or the answer; the answer lost although the request was carried out; no answer at all; or a 200 with an error
 * record in it.
 */
export type Fault =
  | { readonly status: number; readonly code: string }
  | { readonly cutRequestAfter: number }
  | { readonly cutAnswerAfter: number }
  | 'lose the answer'
  | 'no answer'
  | { readonly ok: string }

export interface S3Request {
  /** The requests, such as `PUT seeds/ds_1` or `PUT seeds/ds_1?partNumber,uploadId`; `HEAD ` for the bucket. */
  readonly line: string
  /** How many requests had the same line before. */
  readonly earlier: number
}

const BUCKET = 'whatif-test'

/**
 * An S3-compatible server on a free port: s3rver, completed by what it lacks (giving up and listing multipart uploads, conditional
 * reads and writes)
 * and mended where it is no S3 (it shows half-written objects, and answers before a file is written). It checks
 * signatures when it is given keys. Every request can be made to fail.
 */
export class S3Server {
  readonly storage: ObjectStorage
  readonly lines: string[] = []
  /** The `Authorization` headers of all requests; empty for those without. */
  readonly authorizations: string[] = []
  /** The keys that it knows, by their ids; null: every request is taken, however it is signed. */
  keys: Readonly<Record<string, KnownKey>> | null = null
  /** How it takes conditional writes. */
  conditions: Conditions = 'kept'
  /** Whether the key of a request may do this; absent: it may. */
  allows: ((accessKeyId: string, line: string) => boolean) | null = null
  /** Conditional writes one after the other, so that a check and its write are one step. */
  #writing: Promise<unknown> = Promise.resolve()
  /** Decides on each request; null: answered honestly. */
  fault: (request: S3Request) => Fault | null | Promise<Fault | null> = () => null
  readonly #server: S3rver
  readonly #folder: string
  readonly #port: number

  /** `place`: where an earlier server kept its objects and listened; left out: both new, on the loopback address. */
  static async start(
    prefix = 'studies/',
    place?: { readonly folder: string; readonly port: number; readonly address?: string },
  ): Promise<S3Server> {
    const folder = place?.folder ?? (await mkdtemp(join(tmpdir(), 'whatif-s3-')))
    const server = new S3rver({
      address: place?.address ?? '127.0.0.1',
      // It keeps its port while it is down, so that no other process gets it.
      port: place?.port ?? (await lastingPort()),
      silent: true,
      directory: folder,
      vhostBuckets: false,
      configureBuckets: [{ name: BUCKET, configs: [] }],
    })
    return await new Promise((resolve, reject) => {
      // The middleware must be there before the server takes its callback.
      const holder: { rig: S3Server | null } = { rig: null }
      server.middleware.unshift(
        async (context: Context, next: () => Promise<void>) => await (holder.rig as S3Server).#answer(context, next),
      )
      server.on('error', () => undefined)
      server.logger.silent = true
      writeWhole(server.store)
      server.run().then(({ port }) => {
        holder.rig = new S3Server(server, folder, port, prefix)
        resolve(holder.rig)
      }, reject)
    })
  }

  private constructor(server: S3rver, folder: string, port: number, prefix: string) {
    this.#server = server
    this.#folder = folder
    this.#port = port
    this.storage = {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-test-1',
      bucket: BUCKET,
      prefix,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'canary-secret-4b8f0e',
    }
  }

  /** Keys of all objects. */
  async objects(): Promise<string[]> {
    const suffix = '._S3rver_object'
    const files = await readdir(join(this.#folder, BUCKET), { recursive: true, encoding: 'utf8' }).catch(() => [])
    return files.filter((file) => file.endsWith(suffix)).map((file) => file.slice(0, -suffix.length))
  }

  /** Ids of the multipart uploads that are neither complete nor given up. */
  async uploads(): Promise<string[]> {
    return await readdir(this.#server.store.getResourcePath(BUCKET, undefined, 'uploads')).catch(() => [])
  }

  /** Puts an object in place of another, as some other process would. */
  async replace(key: string, content: Buffer): Promise<void> {
    await this.#server.store.putObject({ bucket: BUCKET, key, content, metadata: {} })
  }

  async remove(key: string): Promise<void> {
    await this.#server.store.deleteObject(BUCKET, key)
  }

  async hasBucket(): Promise<boolean> {
    return (await readdir(this.#folder)).includes(BUCKET)
  }

  get isListening(): boolean {
    return this.#server.httpServer.listening
  }

  /** The bucket and all in it is gone, or an empty one is there again. */
  async setBucket(isThere: boolean): Promise<void> {
    if (isThere) await mkdir(join(this.#folder, BUCKET))
    else await rm(join(this.#folder, BUCKET), { recursive: true })
  }

  /** Refuses connections, as a server that is down. */
  async stop(): Promise<void> {
    this.#server.httpServer.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.httpServer.close(() => resolve()))
  }

  /** Listens again, on the same port. */
  async startAgain(): Promise<AddressInfo> {
    const { httpServer } = this.#server
    await new Promise<void>((resolve, reject) => {
      httpServer.once('error', reject)
      httpServer.listen(this.#port, '127.0.0.1', () => {
        httpServer.off('error', reject)
        resolve()
      })
    })
    return httpServer.address() as AddressInfo
  }

  async close(): Promise<void> {
    if (this.#server.httpServer.listening) await this.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #answer(context: Context, next: () => Promise<void>): Promise<void> {
    const key = decodeURIComponent(context.path).slice(`/${BUCKET}/`.length)
    const operation = Object.keys(context.query).filter((name) => /^(uploads|uploadId|partNumber)$/.test(name))
    const line = `${context.method} ${key}${operation.length > 0 ? `?${operation.sort().join(',')}` : ''}`
    const earlier = this.lines.filter((other) => other === line).length
    this.lines.push(line)
    this.authorizations.push(context.req.headers.authorization ?? '')
    const refusal = this.keys === null ? null : refusalOf(context.req, this.storage, this.keys)
    if (refusal !== null) {
      await context.req.resume().toArray()
      answerError(context, refusal === 'ExpiredToken' ? 400 : 403, refusal)
      return
    }
    const keyId = /Credential=([^/]+)/.exec(this.authorizations.at(-1) ?? '')?.[1] ?? ''
    if (this.allows?.(keyId, line) === false) {
      await context.req.resume().toArray()
      answerError(context, 403, 'AccessDenied')
      return
    }
    const fault = await this.fault({ line, earlier })
    if (fault === null) await this.#answerHonestly(context, key, next)
    else await this.#fail(context, fault, next)
  }

  async #answerHonestly(context: Context, key: string, next: () => Promise<void>): Promise<void> {
    const { uploadId, uploads } = context.query
    const folder = this.#server.store.getResourcePath(BUCKET, undefined, 'uploads')
    if (context.method === 'DELETE' && uploadId !== undefined) {
      const isThere = (await this.uploads()).includes(uploadId)
      if (isThere) {
        // Removed at once: an abandoned part may still be arriving.
        const left = join(this.#folder, `given-up-${uploadId}`)
        await rename(join(folder, uploadId), left)
        await rm(left, { recursive: true, force: true })
        context.status = 204
      } else answerError(context, 404, 'NoSuchUpload')
    } else if (context.method === 'GET' && uploads !== undefined && key === '') {
      const listed = await Promise.all(
        (await this.uploads()).map(async (id) => {
          const uploadKey = await readFile(join(folder, id, 'key'), 'utf8')
          return `<Upload><Key>${uploadKey}</Key><UploadId>${id}</UploadId></Upload>`
        }),
      )
      context.type = 'application/xml'
      context.body = `<?xml version="1.0"?><ListMultipartUploadsResult><Bucket>${BUCKET}</Bucket>${listed.join('')}</ListMultipartUploadsResult>`
    } else if (context.method === 'POST' && uploadId !== undefined && !(await this.uploads()).includes(uploadId)) {
      answerError(context, 404, 'NoSuchUpload')
    } else if (context.method === 'PUT' && this.conditions !== 'ignored' && isConditional(context.req.headers)) {
      const write = this.#writing.then(async () => {
        const etag = await this.#server.store.getMetadata(BUCKET, key).then(
          (found: { readonly etag: string }) => found.etag,
          () => null,
        )
        const refusal = conditionRefusal(context.req.headers, etag, this.conditions)
        if (refusal === null) return await next()
        await context.req.resume().toArray()
        answerError(context, ...refusal)
      })
      this.#writing = write.catch(() => {})
      await write
    } else {
      const wanted = context.method === 'PUT' ? undefined : context.req.headers['if-match']
      await next()
      if (wanted !== undefined && wanted !== context.res.getHeader('etag')) {
        answerError(context, 412, 'PreconditionFailed')
      }
    }
  }

  async #fail(context: Context, fault: Fault, next: () => Promise<void>): Promise<void> {
    if (fault === 'no answer') {
      context.respond = false
    } else if (fault === 'lose the answer') {
      await next()
      context.respond = false
      context.req.socket.destroy()
    } else if ('status' in fault) {
      answerError(context, fault.status, fault.code)
      // Read first: an answer in the middle of a body may not be seen.
      await context.req.resume().toArray()
    } else if ('ok' in fault) {
      context.status = 200
      context.type = 'application/xml'
      context.body = `<?xml version="1.0"?><Error><Code>${fault.ok}</Code></Error>`
      await context.req.resume().toArray()
    } else if ('cutRequestAfter' in fault) {
      context.respond = false
      await cutAfter(context.req, fault.cutRequestAfter)
    } else {
      await next()
      let sent = 0
      const cut = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          const piece = chunk.subarray(0, fault.cutAnswerAfter - sent)
          sent += piece.length
          done(null, piece)
          // In the next turn the piece has been sent.
          if (sent === fault.cutAnswerAfter) setImmediate(() => context.req.socket.destroySoon())
        },
      })
      // Koa would forget the length of a body that is set anew.
      const length = context.res.getHeader('content-length')
      const body = (context.body as Readable).pipe(cut)
      context.body = body
      if (length !== undefined) context.res.setHeader('content-length', length)
    }
  }
}

/** The fault of a request's signature; a request with a valid one is passed on under the only key that s3rver knows. */
function refusalOf(request: IncomingMessage, { endpoint, accessKeyId }: ObjectStorage, keys: Record<string, KnownKey>) {
  const { method = 'GET', headers } = request
  const url = new URL(request.url as string, endpoint)
  const fault = faultOf({ method, url, headers }, keys)
  if (fault !== null) return fault
  headers.authorization = headers.authorization?.replace(/Credential=[^/]+/, `Credential=${accessKeyId}`)
  if (headers.authorization === undefined) delete headers.authorization
  request.url = request.url?.replace(/X-Amz-Credential=\w+/, `X-Amz-Credential=${accessKeyId}`)
  return null
}

function answerError(context: Context, status: number, code: string): void {
  context.status = status
  context.type = 'application/xml'
  context.body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>canary-message</Message></Error>`
}

/** Objects and parts that are there whole or not at all, and written when they are answered for. */
function writeWhole(store: S3Store): void {
  const write = async (path: string, content: Readable | Buffer): Promise<{ size: number; md5: string }> => {
    const hash = createHash('md5')
    let size = 0
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        size += chunk.length
        done(null, chunk)
      },
    })
    const draft = `${path}.draft`
    try {
      await pipeline(Buffer.isBuffer(content) ? Readable.from([content]) : content, count, createWriteStream(draft))
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    return { size, md5: hash.digest('hex') }
  }
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const path = store.getResourcePath(bucket, key, 'object')
    await mkdir(dirname(path), { recursive: true })
    const stored = await write(path, content)
    await store.putMetadata(bucket, key, metadata, stored.md5)
    return stored
  }
  // The folder is the upload's: where it was given up, a part that is still coming makes no new one.
  store.putPart = async (bucket, uploadId, partNumber, content) => {
    const path = join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, partNumber)
    const stored = await write(path, content)
    await writeFile(`${path}.md5`, stored.md5)
    return stored
  }
}

/**
 * Cuts the connection once so many bytes of the request have come, or all there are. At once and by the socket: a request that
 * is given up otherwise may still be answered by the server's parser.
 */
async function cutAfter(request: IncomingMessage, bytes: number): Promise<void> {
  await new Promise<void>((resolve) => {
    let read = 0
    const cut = () => {
      request.socket.destroy()
      resolve()
    }
    request.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read >= bytes) cut()
    })
    request.on('end', cut)
    request.on('error', () => resolve())
    request.on('close', () => resolve())
  })
}
