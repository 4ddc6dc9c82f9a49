import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_OPEN_BODY_BYTES } from '../../contract/limits.ts'
import type { HttpLimits } from './http-limits.ts'

/** How often an unread body is checked: Node discards it internally, so its bytes are counted at the socket. */
const LOOK_MS = 100

/**
 * Limits for connections that end while their peer still sends. A limited number is answered after a delay, so that its
 * next one comes later, and stays open for a while, so that it can read its reply.
 */
const MAX_HELD = 256
const HOLD_MS = 250
const LINGER_MS = 500

/**
 * Bounds what is read after a reply that did not wait for the whole body (401, 404, 413...). Node then continues to
 * read and discard, so that the peer can finish sending and read the reply. This stops after `discardBytes` or
 * `discardMs`, by ending the connection.
 *
 * From all unauthenticated peers together, at most `strangerBytes` are read per second. A body beyond that, or one
 * without a length, is not read at all, and its connection ends.
 */
export function addUnreadBodyBounds(app: FastifyInstance, limits: HttpLimits): void {
  const strangers = new ByteAllowance(limits.strangerBytes)
  const ended = new WeakSet<Socket>()
  let held = 0

  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isUnreadOfStranger(request) || strangers.take(declaredBytes(request))) return done(null, payload)
    reply.header('connection', 'close')
    const { socket } = request.raw.pause()
    ended.add(socket)
    if (held >= MAX_HELD) return done(null, payload)
    held++
    socket.once('close', () => held--)
    linger(socket)
    setTimeout(done, HOLD_MS, null, payload)
  })

  /**
   * Node calls `destroySoon` when the reply is written. Closing with unread bytes resets the connection and may lose
   * the reply.
   */
  function linger(socket: Socket): void {
    socket.destroySoon = () => {
      socket.end()
      // Node is about to read the rest of the body; this runs after it.
      setImmediate(() => socket.pause())
      setTimeout(() => socket.destroy(), LINGER_MS).unref()
    }
  }

  app.addHook('onResponse', (request, _reply, done) => {
    done()
    const { raw } = request
    const { socket } = raw
    if (raw.complete || socket.destroyed || ended.has(socket)) return
    const startBytes = socket.bytesRead
    const deadlineMs = performance.now() + limits.discardMs
    const timer = setInterval(
      () => {
        if (raw.complete || socket.destroyed) return clearInterval(timer)
        if (socket.bytesRead - startBytes <= limits.discardBytes && performance.now() < deadlineMs) return
        clearInterval(timer)
        socket.destroy()
      },
      Math.min(LOOK_MS, limits.discardMs),
    )
    timer.unref()
  })
}

function isUnreadOfStranger(request: FastifyRequest): boolean {
  return !request.isAuthenticated && !request.raw.complete && declaredBytes(request) > MAX_OPEN_BODY_BYTES
}

/** Infinity for a body that comes in chunks. */
export function declaredBytes({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY
  return Number(headers['content-length'] ?? 0)
}

/** A rate in bytes per second, without bursts above it. */
class ByteAllowance {
  readonly #bytes: number
  #left: number
  #atMs = performance.now()

  constructor(bytes: number) {
    this.#bytes = bytes
    this.#left = bytes
  }

  take(bytes: number): boolean {
    const now = performance.now()
    this.#left = Math.min(this.#bytes, this.#left + ((now - this.#atMs) / 1000) * this.#bytes)
    this.#atMs = now
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }
}
