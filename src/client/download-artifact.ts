import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { artifactAddress, redirectAddress } from './address-rules.ts'
import type { CallScope } from './call-scope.ts'
import { type AttemptContext, type Bearer, callService, refused, type TryResult } from './call-service.ts'
import { unreadable } from './fault.ts'
import type { HttpReply } from './http-exchange.ts'
import { contentEncoding, mediaType, watchSpeed } from './reply-body.ts'
import type { ArtifactDownload, DownloadedArtifact } from './service-client.ts'
import { ServiceError } from './service-error.ts'
import type { Cleaner } from './service-text.ts'
import type { AddressRefusal, Transport } from './transport.ts'

const DEFAULT_MAX_BYTES = 8 * 1024 ** 3
const MAX_REDIRECTS = 5
/** Longest path of an artifact in a message. The query is never shown, because it holds a signature. */
const MAX_SHOWN_PATH = 200
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** The service whose artifacts are fetched. */
interface ArtifactService {
  readonly base: URL
  readonly bearer: Bearer
  readonly secrets: readonly string[]
  /** Checks addresses of other origins; null: all are allowed. */
  readonly refusal: AddressRefusal | null
}

/**
 * Streams an artifact into a new file, or holds a small one in memory. When this resolves, the file is on disk (fsync);
 * when it rejects, the file is removed. The bearer token goes to the service's own origin only, and never over a
 * redirect. Nothing is requested from private addresses unless the service itself is there.
 */
export async function downloadArtifact(
  transport: Transport,
  scope: CallScope,
  service: ArtifactService,
  download: ArtifactDownload,
): Promise<DownloadedArtifact> {
  const { url, own } = artifactAddress(service.base, download.url)
  const asked = `GET ${url.pathname.slice(0, MAX_SHOWN_PATH)}`
  const file = new NewFile(download.path, asked)
  let whole = false
  try {
    // If a file is certainly needed, creating it first reports an unusable name before any request is sent.
    if (download.heldBytes === undefined) await file.begin()
    const { value, requestId } = await callService(transport, scope, {
      asked,
      repetition: 'free',
      target: {
        // The path of an artifact may be a secret, and so may its query.
        operation: 'the download of an artifact',
        party: own ? 'the service' : 'the storage of the artifact',
        origin: url.origin,
      },
      bearer: own ? service.bearer : null,
      secrets: service.secrets,
      attempt: async (context) => {
        const reply = await followed(transport, service, url, context)
        if (reply.status < 200 || reply.status >= 300) return refused(transport, reply, context.clean)
        return receive({ reply, clean: context.clean }, file, asked, {
          ...download,
          lowSpeedMs: transport.timeouts.lowSpeedMs,
          onProgress: (receivedBytes) => {
            context.progress()
            download.onProgress?.(receivedBytes)
          },
        })
      },
    })
    if (value.content === undefined) await file.sync()
    // An earlier try may have written what a later one held in memory.
    whole = value.content === undefined
    return { ...value, requestId }
  } finally {
    await file.close(whole)
  }
}

/** The first answer that is not a redirect. */
async function followed(
  transport: Transport,
  { base, refusal }: ArtifactService,
  url: URL,
  context: AttemptContext,
): Promise<HttpReply> {
  let from = url
  let headers = context.authorization
  for (let hop = 0; ; hop++) {
    const request = { method: 'GET', url: from, headers } as const
    const reply =
      refusal === null || from.origin === base.origin
        ? await transport.open(request, context.signal)
        : await transport.openForeign(request, refusal, context.signal)
    const location = reply.header('location')
    if (!REDIRECTS.includes(reply.status) || location === null || hop === MAX_REDIRECTS) return reply
    reply.body.destroy()
    from = redirectAddress(base, from, location)
    headers = {}
  }
}

/** Writes one reply to the file, over the bytes of an earlier try, or holds it in memory. */
async function receive(
  answered: { readonly reply: HttpReply; readonly clean: Cleaner },
  file: NewFile,
  asked: string,
  {
    maxBytes = DEFAULT_MAX_BYTES,
    heldBytes,
    onProgress,
    lowSpeedMs,
  }: ArtifactDownload & { readonly lowSpeedMs: number },
): Promise<TryResult<Omit<DownloadedArtifact, 'requestId'>>> {
  const { reply } = answered
  const length = reply.header('content-length')
  const announced = length === null ? null : Number(length)
  const refusal = refusalOf(reply, announced)
  if (refusal !== null) {
    reply.body.destroy()
    return { ok: false, fault: unreadable(answered, refusal.what, { final: refusal.final }) }
  }
  if (announced !== null && announced > maxBytes) {
    reply.body.destroy()
    throw tooLarge(asked, maxBytes)
  }
  // Nothing comes after the announced length: HTTP ends the body there.
  const pieces: Buffer[] | null = announced !== null && heldBytes !== undefined && announced <= heldBytes ? [] : null
  const hash = createHash('sha256')
  let received = 0
  // One piece is written while the next one arrives and is hashed.
  let writing = Promise.resolve()
  const endWatch = watchSpeed(reply.body, () => received, lowSpeedMs)
  try {
    if (pieces === null) await file.begin()
    for await (const piece of reply.body) {
      if (received + piece.length > maxBytes) throw tooLarge(asked, maxBytes)
      hash.update(piece)
      await writing
      if (pieces === null) writing = file.write(piece, received)
      else pieces.push(piece)
      // Its rejection reaches the caller that awaits it.
      writing.catch(() => {})
      received += piece.length
      onProgress?.(received)
    }
    await writing
  } finally {
    endWatch()
    // The next try starts with an empty file.
    await writing.catch(() => {})
  }
  if (announced !== null && announced !== received) {
    return { ok: false, fault: unreadable(answered, `${received} bytes instead of ${announced}`, { final: false }) }
  }
  const content = pieces === null ? {} : { content: Buffer.concat(pieces) }
  return { ok: true, value: { bytes: received, sha256: hash.digest('hex'), ...content }, ...answered }
}

/** Why a successful answer cannot be the artifact. Not final: a proxy may answer for the service for a while. */
function refusalOf(reply: HttpReply, announced: number | null): { what: string; final: boolean } | null {
  if (reply.status !== 200) return { what: 'no whole artifact', final: true }
  const type = mediaType(reply)
  if (type === 'text/html') return { what: 'a page instead of the artifact', final: false }
  if (/[/+]json$/.test(type)) return { what: `a record of type ${type} instead of the artifact`, final: false }
  const encoding = contentEncoding(reply)
  if (encoding !== null) return { what: `a body in the encoding ${encoding}, which was not asked for`, final: true }
  // Without a length and without chunks, an interrupted body looks like a complete one.
  const chunked = reply.header('transfer-encoding')?.toLowerCase().includes('chunked') ?? false
  return announced === null && !chunked ? { what: 'a body without a recognizable end', final: true } : null
}

function tooLarge(asked: string, maxBytes: number): ServiceError {
  return new ServiceError({
    kind: 'too_large',
    message: `${asked} was aborted: the artifact has more than the ${maxBytes} bytes that are accepted`,
    hint: 'Ask for fewer rows, or accept larger artifacts',
  })
}

/** A file that is created when it is first needed. */
class NewFile {
  readonly #path: string
  readonly #asked: string
  #file: FileHandle | null = null

  constructor(path: string, asked: string) {
    this.#path = path
    this.#asked = asked
  }

  /** Creates the file, or empties the one that an earlier try created. */
  async begin(): Promise<void> {
    if (this.#file !== null) await this.#written(this.#file.truncate(0))
    else
      this.#file = await open(this.#path, 'wx').catch((cause: unknown) => {
        throw fileError(this.#asked, 'cannot be created', cause)
      })
  }

  async write(piece: Buffer, position: number): Promise<void> {
    for (let written = 0; written < piece.length; ) {
      const { bytesWritten } = await this.#written(
        this.#file!.write(piece, written, piece.length - written, position + written),
      )
      written += bytesWritten
    }
  }

  async sync(): Promise<void> {
    await this.#written(this.#file!.sync())
  }

  /** `keep`: whether the file stays; otherwise it is removed. */
  async close(keep: boolean): Promise<void> {
    if (this.#file === null) return
    await this.#file.close()
    if (!keep) await rm(this.#path, { force: true })
  }

  #written<T>(work: Promise<T>): Promise<T> {
    return work.catch((cause: unknown) => {
      throw fileError(this.#asked, 'cannot be written', cause)
    })
  }
}

function fileError(asked: string, what: string, cause: unknown): ServiceError {
  const code = (cause as { code?: unknown }).code
  return new ServiceError({
    kind: 'rejected',
    message: `${asked} was aborted: the file to write ${what}${typeof code === 'string' ? ` (${code})` : ''}`,
    cause,
    hint:
      code === 'EEXIST' ? 'Move the file away that is there' : 'Check the folder, its rights and the space on the disk',
  })
}
