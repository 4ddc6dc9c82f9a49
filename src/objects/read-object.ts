import type { Readable } from 'node:stream'
import type { S3Connection } from './s3-connection.ts'
import { connectionFailure, StorageError } from './storage-error.ts'

/** Bytes `start` (inclusive) to `end` (exclusive) of an object. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The bytes of an object, or of a range of it. If a connection breaks, reading resumes at the same byte, as long as the
 * object is unchanged. Rejects with `ENOENT` if there is no such object. `onOpened` learns the headers of the first answer.
 */
export async function* readObject(
  connection: S3Connection,
  key: string,
  range: ByteRange | null,
  signal?: AbortSignal,
  onOpened: (headers: Headers) => void = () => {},
): AsyncGenerator<Buffer, void, undefined> {
  const request = `GET ${key}`
  let at = range?.start ?? 0
  let end = range?.end ?? null
  let etag: string | null = null
  for (let failures = 0; ; ) {
    const reply = await openObject(connection, key, { start: at, end, etag }, signal)
    if (etag === null) onOpened(reply.headers)
    etag = reply.etag
    end = reply.end
    let failure: unknown = new Error('The answer ended early.')
    try {
      for await (const piece of reply.body as AsyncIterable<Buffer>) {
        at += piece.length
        failures = 0
        yield piece
      }
    } catch (error) {
      signal?.throwIfAborted()
      failure = error
    }
    if (at === end) return
    if (at > end || ++failures >= connection.tries) throw connectionFailure(request, failure)
    await connection.pause(failures, signal)
  }
}

interface OpenObject {
  readonly body: Readable
  readonly headers: Headers
  readonly etag: string | null
  /** Where the body ends in the object, exclusive. */
  readonly end: number
}

async function openObject(
  connection: S3Connection,
  key: string,
  wanted: { readonly start: number; readonly end: number | null; readonly etag: string | null },
  signal: AbortSignal | undefined,
): Promise<OpenObject> {
  const { start, end, etag } = wanted
  const isWhole = start === 0 && end === null
  const opened: OpenObject[] = []
  const call = {
    request: `GET ${key}`,
    signal,
    streams: true,
    onReply: (status: number, headers: Headers, body: Readable) => {
      const found = isWhole ? wholeOf(headers) : rangeOf(status, headers, start)
      const isSame = etag === null || headers.get('etag') === etag
      if (found === null || !isSame) {
        body.destroy()
        const details = { status, code: 'unreadable', isTransient: false }
        throw new StorageError(`The object storage did not send the requested part of ${key}.`, details)
      }
      opened.push({ body, headers, etag: headers.get('etag'), end: found })
    },
  }
  const conditions = etag === null ? {} : { 'if-match': etag }
  try {
    await connection.run(call, async (s3) => {
      return await s3.getObjectRaw(key, isWhole, start, end ?? undefined, conditions)
    })
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'NoSuchKey') throw error
    throw Object.assign(new Error(`ENOENT: there is no blob ${key}`, { cause: error }), { code: 'ENOENT' })
  }
  return opened[0] as OpenObject
}

function wholeOf(headers: Headers): number | null {
  const length = headers.get('content-length')
  return length === null ? null : Number(length)
}

function rangeOf(status: number, headers: Headers, start: number): number | null {
  const match = /^bytes (\d+)-(\d+)\//.exec(headers.get('content-range') ?? '')
  return status === 206 && match !== null && Number(match[1]) === start ? Number(match[2]) + 1 : null
}
