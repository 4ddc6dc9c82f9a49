import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { nestsDeeper, withWellFormedEscapes } from './hostile-json.ts'
import type { HttpReply } from './http-exchange.ts'
import type { ReplyStream } from './reply-stream.ts'
import { SlowBodyError } from './slow-body.ts'

/** Largest JSON reply that is read, encoded or decoded. A cleaned schema with very many levels takes a few MiB. */
export const MAX_JSON_BYTES = 8 * 1024 * 1024
/** What is read of the body of an error; the rest is dropped with its connection. */
export const MAX_ERROR_BYTES = 64 * 1024
/** Arrays and objects in each other; the contract has seven. */
const MAX_DEPTH = 64

/** Encodings were not asked for, but proxies have been seen to add them. */
const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** A success whose body cannot be used: empty, cut, no JSON, too large. */
export class UnreadableReply extends Error {}

/** Reads at most `maxBytes`, for at most `limitMs`, then lets go of the connection. */
async function readUpTo(
  body: ReplyStream,
  maxBytes: number,
  limitMs: number,
): Promise<{ bytes: Buffer; whole: boolean }> {
  const pieces: Buffer[] = []
  let size = 0
  // The idle limit alone would let a body that comes byte by byte go on for days.
  const timer = setTimeout(() => body.destroy(new SlowBodyError()), limitMs)
  try {
    for await (const piece of body) {
      pieces.push(size + piece.length > maxBytes ? piece.subarray(0, maxBytes - size) : piece)
      size += piece.length
      // Leaving the loop destroys the body.
      if (size > maxBytes) return { bytes: Buffer.concat(pieces), whole: false }
    }
    return { bytes: Buffer.concat(pieces), whole: true }
  } finally {
    clearTimeout(timer)
  }
}

/** The JSON value of a successful reply. Throws `UnreadableReply`, or what stopped the network. */
export async function readJson(reply: HttpReply, limitMs: number): Promise<unknown> {
  const type = mediaType(reply)
  if (type !== '' && !/^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type)) {
    reply.body.destroy()
    throw new UnreadableReply(`a body of type ${type} instead of application/json`)
  }
  const announced = Number(reply.header('content-length') ?? 0)
  if (announced > MAX_JSON_BYTES) {
    reply.body.destroy()
    throw new UnreadableReply(`a body of ${announced} bytes, more than the ${MAX_JSON_BYTES} that are read`)
  }
  const { bytes, whole } = await readUpTo(reply.body, MAX_JSON_BYTES, limitMs)
  if (!whole) throw new UnreadableReply(`a body of more than the ${MAX_JSON_BYTES} bytes that are read`)
  const decoded = await decode(reply, bytes)
  if (decoded.length === 0) throw new UnreadableReply('an empty body')
  return parse(decoded)
}

export interface ErrorBody {
  readonly json: unknown
  readonly text: string | null
}

/** What can be made of the body of an answer that is not a success: its JSON value, or its plain text. */
export async function readErrorBody(reply: HttpReply, limitMs: number): Promise<ErrorBody> {
  const nothing = { json: undefined, text: null }
  try {
    const { bytes } = await readUpTo(reply.body, MAX_ERROR_BYTES, limitMs)
    const decoded = await decode(reply, bytes)
    if (/json$/.test(mediaType(reply))) return { json: parse(decoded), text: null }
    return mediaType(reply) === 'text/plain' ? { json: undefined, text: decoded.toString('utf8') } : nothing
  } catch {
    // The status has been received, and it says more than a body that broke off.
    return nothing
  }
}

/** Content type without its parameters, in lower case; empty when absent. */
export function mediaType(reply: HttpReply): string {
  const [type = ''] = (reply.header('content-type') ?? '').split(';')
  // It ends up in messages.
  return type
    .trim()
    .toLowerCase()
    .replace(/[^\x21-\x7e]/g, '')
    .slice(0, 100)
}

/** The content encoding of a reply, or null when it is sent as it is. */
export function contentEncoding(reply: HttpReply): string | null {
  const encoding = (reply.header('content-encoding') ?? '').trim().toLowerCase()
  return encoding === '' || encoding === 'identity' ? null : encoding.replace(/[^\x21-\x7e]/g, '').slice(0, 50)
}

async function decode(reply: HttpReply, bytes: Buffer): Promise<Buffer> {
  const encoding = contentEncoding(reply)
  if (encoding === null || bytes.length === 0) return bytes
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding as keyof typeof DECODERS] : null
  if (decoder === null) throw new UnreadableReply(`a body in the encoding ${encoding}, which was not asked for`)
  try {
    return await decoder(bytes, { maxOutputLength: MAX_JSON_BYTES })
  } catch (cause) {
    throw new UnreadableReply(`a body in ${encoding} that is broken or unpacks to more than ${MAX_JSON_BYTES} bytes`, {
      cause,
    })
  }
}

function parse(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (nestsDeeper(text, MAX_DEPTH)) throw new UnreadableReply(`a body nested more than ${MAX_DEPTH} levels deep`)
    return JSON.parse(withWellFormedEscapes(text))
  } catch (error) {
    if (error instanceof UnreadableReply) throw error
    // The parser's own message quotes the body, which may hold a secret.
    throw new UnreadableReply('a body that is not JSON')
  }
}
