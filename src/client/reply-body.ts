import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { WhatifError } from '../base/whatif-error.ts'
import type { HttpReply } from './http-exchange.ts'
import type { ReplyStream } from './reply-stream.ts'

/** Largest JSON reply that is read, encoded or decoded. A cleaned schema with very many levels takes a few MiB. */
export const MAX_JSON_BYTES = 8 * 1024 * 1024
/** Most bytes that are read of an error's body. The rest is dropped with its connection. */
export const MAX_ERROR_BYTES = 64 * 1024
/** Deepest nesting of arrays and objects; the contract has seven levels. */
const MAX_DEPTH = 64

/** The client requests no encodings, but some proxies add them. */
const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** Why the body of a successful reply cannot be used: empty, cut, not JSON, too large. */
export interface UnusableBody {
  readonly unusable: string
  readonly cause?: unknown
}

/** Reads at most `maxBytes`, for at most `limitMs`, then releases the connection. */
async function readUpTo(
  body: ReplyStream,
  maxBytes: number,
  limitMs: number,
): Promise<{ bytes: Buffer; whole: boolean }> {
  const pieces: Buffer[] = []
  let size = 0
  // With the idle limit alone, a body that arrives byte by byte could take days.
  const timer = setTimeout(() => body.destroy(tooSlow()), limitMs)
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

/** The JSON value of a successful reply, or why it has none. Rejects with the network fault. */
export async function readJson(reply: HttpReply, limitMs: number): Promise<{ readonly value: unknown } | UnusableBody> {
  const type = mediaType(reply)
  if (type !== '' && !/^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type)) {
    reply.body.destroy()
    return { unusable: `a body of type ${type} instead of application/json` }
  }
  const announced = Number(reply.header('content-length') ?? 0)
  if (announced > MAX_JSON_BYTES) {
    reply.body.destroy()
    return { unusable: `a body of ${announced} bytes, more than the ${MAX_JSON_BYTES} that are read` }
  }
  const { bytes, whole } = await readUpTo(reply.body, MAX_JSON_BYTES, limitMs)
  if (!whole) return { unusable: `a body of more than the ${MAX_JSON_BYTES} bytes that are read` }
  const decoded = await decode(reply, bytes)
  if ('unusable' in decoded) return decoded
  return decoded.length === 0 ? { unusable: 'an empty body' } : parse(decoded)
}

export interface ErrorBody {
  readonly json: unknown
  readonly text: string | null
}

/** The content of an unsuccessful reply: its JSON value, or its plain text. */
export async function readErrorBody(reply: HttpReply, limitMs: number): Promise<ErrorBody> {
  const nothing = { json: undefined, text: null }
  try {
    const { bytes } = await readUpTo(reply.body, MAX_ERROR_BYTES, limitMs)
    const decoded = await decode(reply, bytes)
    if ('unusable' in decoded) return nothing
    if (/json$/.test(mediaType(reply))) {
      const parsed = parse(decoded)
      return 'unusable' in parsed ? nothing : { json: parsed.value, text: null }
    }
    return mediaType(reply) === 'text/plain' ? { json: undefined, text: decoded.toString('utf8') } : nothing
  } catch {
    // The status has arrived, and it says more than an interrupted body.
    return nothing
  }
}

/** Content type without its parameters, in lower case; empty when absent. */
export function mediaType(reply: HttpReply): string {
  const [type = ''] = (reply.header('content-type') ?? '').split(';')
  // It appears in messages.
  return type
    .trim()
    .toLowerCase()
    .replace(/[^\x21-\x7e]/g, '')
    .slice(0, 100)
}

/** The content encoding of a reply, or null if it has none. */
export function contentEncoding(reply: HttpReply): string | null {
  const encoding = (reply.header('content-encoding') ?? '').trim().toLowerCase()
  return encoding === '' || encoding === 'identity' ? null : encoding.replace(/[^\x21-\x7e]/g, '').slice(0, 50)
}

async function decode(reply: HttpReply, bytes: Buffer): Promise<Buffer | UnusableBody> {
  const encoding = contentEncoding(reply)
  if (encoding === null || bytes.length === 0) return bytes
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding as keyof typeof DECODERS] : null
  if (decoder === null) return { unusable: `a body in the encoding ${encoding}, which was not asked for` }
  try {
    return await decoder(bytes, { maxOutputLength: MAX_JSON_BYTES })
  } catch (cause) {
    return { unusable: `a body in ${encoding} that is broken or unpacks to more than ${MAX_JSON_BYTES} bytes`, cause }
  }
}

function parse(bytes: Buffer): { readonly value: unknown } | UnusableBody {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (nestsDeeper(text, MAX_DEPTH)) return { unusable: `a body nested more than ${MAX_DEPTH} levels deep` }
    return { value: JSON.parse(withWellFormedEscapes(text)) }
  } catch {
    // The parser's own message quotes the body, which may hold a secret.
    return { unusable: 'a body that is not JSON' }
  }
}

/** A body that arrives too slowly. */
const tooSlow = (): WhatifError => new WhatifError('BODY_TOO_SLOW', 'the answer came too slowly')

/** A slower transfer is useless: a megabyte would take a quarter of an hour. */
const LOWEST_BYTES_PER_S = 1024

/**
 * Aborts a body that brings too few bytes in a window of `windowMs`. With the limit between two pieces alone, a body
 * that arrives byte by byte could last until the end of the run. Returns a function that ends the watch.
 */
export function watchSpeed(body: ReplyStream, receivedBytes: () => number, windowMs: number): () => void {
  const leastBytes = (LOWEST_BYTES_PER_S * windowMs) / 1000
  let before = 0
  const timer = setInterval(() => {
    const received = receivedBytes()
    if (received - before < leastBytes) body.destroy(tooSlow())
    before = received
  }, windowMs)
  return () => clearInterval(timer)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Whether arrays and objects are nested more than `depth` deep: parsing a few MiB of brackets takes 300 MB. Linear, and
 * without a stack.
 */
export function nestsDeeper(text: string, depth: number): boolean {
  let open = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (inString) {
      if (unit === BACKSLASH) i++
      else if (unit === QUOTE) inString = false
    } else if (unit === QUOTE) inString = true
    // [ and {, ] and } differ in one bit that no other character of JSON outside of strings shares.
    else if ((unit | 0x20) === 0x7b) {
      open++
      if (open > depth) return true
    } else if ((unit | 0x20) === 0x7d) open--
  }
  return false
}

/** Matches an escaped pair, half of one, or any other escape, so that `\\ud800` is read as a backslash and text. */
const ESCAPE = /\\u[dD][89abAB][0-9a-fA-F]{2}(\\u[dD][c-fC-F][0-9a-fA-F]{2})?|\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\./g

/**
 * Replaces escapes of half a surrogate pair by U+FFFD, as any encoder does: a level spelt so is written so in the
 * artifact. Unchanged, they would have no canonical form and no UTF-8.
 */
export function withWellFormedEscapes(json: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return json
  return json.replace(ESCAPE, (found: string, lowHalf: string | undefined) =>
    /^\\u[dD][89a-fA-F]/.test(found) && lowHalf === undefined ? '\\ufffd' : found,
  )
}
