import { type ClientRequest, type Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { WhatifError } from '../base/whatif-error.ts'
import { ReplyStream } from './reply-stream.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | AsyncIterable<Uint8Array>
  /** Overrides the limit for all requests. */
  readonly headersMs?: number
}

export interface HttpReply {
  readonly status: number
  /** The address it came from; null if the connection has already closed. */
  readonly peer: string | null
  /** A header by its lower-case name; the first one if it was sent several times. */
  readonly header: (name: string) => string | null
  /** Must be read to its end or destroyed. */
  readonly body: ReplyStream
}

/** How long the other side may be silent, in milliseconds. */
export interface SilenceLimits {
  /** Until the connection is established. */
  readonly connectMs: number
  /** While the request is being sent, and from its last byte to the headers of the answer. */
  readonly headersMs: number
  /** Between two pieces of the answer. */
  readonly bodyIdleMs: number
}

/** The connection pools, by protocol. */
export interface Agents {
  readonly 'http:': HttpAgent
  readonly 'https:': HttpsAgent
}

type ExchangeCode = 'CONNECT_TIMEOUT' | 'HEADERS_TIMEOUT' | 'BODY_TIMEOUT' | 'CONNECTION_CLOSED'

/** A failure without a code of Node's. Its code follows Node's style; `networkFault` words both kinds. */
const exchangeError = (code: ExchangeCode, cause?: unknown): WhatifError => new WhatifError(code, code, { cause })

/**
 * Sends one request and resolves with the headers of its answer. The signal ends the exchange at any time, its body
 * included, with the signal's reason.
 */
export function exchange(
  { method, url, headers, body, headersMs }: HttpRequest,
  agents: Agents,
  limits: SilenceLimits,
  signal: AbortSignal,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const isSecure = url.protocol === 'https:'
    const outgoing = isSecure
      ? httpsRequest(url, { method, headers, agent: agents['https:'] })
      : httpRequest(url, { method, headers, agent: agents['http:'] })
    let reply: { readonly incoming: IncomingMessage; readonly body: ReplyStream } | null = null
    let hasEnded = false
    let timer: NodeJS.Timeout | undefined

    const allow = (ms: number, code: ExchangeCode): void => {
      clearTimeout(timer)
      timer = hasEnded ? undefined : setTimeout(() => fail(exchangeError(code)), ms)
    }
    const settle = (): void => {
      hasEnded = true
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    const fail = (error: Error): void => {
      if (hasEnded) return
      settle()
      reject(error)
      reply?.body.fail(error)
      outgoing.destroy()
    }
    // A complete answer stays usable even if its connection fails before it has been read.
    const onBroken = (error: Error): void => {
      if (!reply?.incoming.complete) fail(asExchangeError(error))
    }
    const onAbort = (): void => fail(signal.reason)
    signal.addEventListener('abort', onAbort)

    allow(limits.connectMs, 'CONNECT_TIMEOUT')
    outgoing.on('socket', (socket) => {
      const onConnected = (): void => {
        if (reply === null) allow(headersMs ?? limits.headersMs, 'HEADERS_TIMEOUT')
      }
      if (outgoing.reusedSocket) onConnected()
      else socket.once(isSecure ? 'secureConnect' : 'connect', onConnected)
    })
    // These listeners stay until the connection ends: an error without a listener ends the process.
    outgoing.on('error', onBroken)
    outgoing.on('close', () => onBroken(exchangeError('CONNECTION_CLOSED')))
    outgoing.on('response', (incoming) => {
      // Informational answers (1xx) do not arrive here, so they cannot extend the limit.
      allow(limits.bodyIdleMs, 'BODY_TIMEOUT')
      const body = new ReplyStream({
        pause: () => {
          // The reader is late, not the peer.
          clearTimeout(timer)
          incoming.pause()
        },
        resume: () => {
          allow(limits.bodyIdleMs, 'BODY_TIMEOUT')
          incoming.resume()
        },
        drop: fail,
      })
      reply = { incoming, body }
      incoming.on('error', onBroken)
      incoming.on('data', (piece: Buffer) => {
        timer?.refresh()
        body.push(piece)
      })
      incoming.on('end', () => {
        settle()
        body.end()
        // The answer came before everything was sent: the connection cannot be reused.
        if (!outgoing.writableEnded) outgoing.destroy()
      })
      const header = (name: string): string | null => incoming.headersDistinct[name]?.[0] ?? null
      resolve({ status: incoming.statusCode ?? 0, peer: incoming.socket.remoteAddress ?? null, header, body })
    })

    if (body === undefined || typeof body === 'string') outgoing.end(body)
    else {
      const isRefused = (): boolean => (reply?.incoming.statusCode ?? 0) >= 300
      send(outgoing, body, isRefused, () => {
        if (reply === null) timer?.refresh()
      }).catch(fail)
    }
  })
}

/**
 * Sends a body as fast as the connection accepts it. Stops early if the peer stops reading, so that a refusal can be
 * read.
 */
async function send(
  outgoing: ClientRequest,
  body: AsyncIterable<Uint8Array>,
  isRefused: () => boolean,
  onProgress: () => void,
): Promise<void> {
  let wake = (): void => {}
  outgoing.on('drain', () => wake())
  outgoing.on('close', () => wake())
  for await (const piece of body) {
    if (outgoing.destroyed || isRefused()) return
    if (!outgoing.write(piece)) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    onProgress()
  }
  if (!isRefused()) outgoing.end()
}

/** For a connection that was closed too early Node uses the code of a reset one, but names no system call. */
function asExchangeError(error: NodeJS.ErrnoException): Error {
  const isClosed = error.code === 'ECONNRESET' && error.syscall === undefined
  return isClosed ? exchangeError('CONNECTION_CLOSED', error) : error
}
