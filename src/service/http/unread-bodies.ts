import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_OPEN_BODY_BYTES } from '../../contract/limits.ts'
import type { HttpLimits } from './http-limits.ts'

/** How often an unread body is looked at: Node discards it out of sight, so its bytes are counted at the socket. */
const LOOK_MS = 100

/**
 * Connections that end while their peer still sends: so many at a time are answered after a while, so that its next one comes
 * later, and kept for another while, so that it can read its answer.
 */
const MAX_HELD = 256
const HOLD_MS = 250
const LINGER_MS = 500

/**
 * Bounds what is read after an answer that did not wait for the whole body (401, 404, 413...). Node goes on reading and
 * discarding then, so that the peer can finish sending and read the answer; here it stops after `discardBytes` or
 * `discardMs`, by ending the connection.
 *
 * Of strangers no more is read than `strangerBytes` in a second, of all together: what is beyond, and what does not tell its
 * length, is not read at all, and its connection ends.
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

  /** Node calls `destroySoon` when the answer is written. Closed with bytes unread, a connection is reset, and the answer may be lost. */
  function linger(socket: Socket): void {
    socket.destroySoon = () => {
      socket.end()
      // Node is about to read what is left of the body: after that.
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

/** So many bytes in a second, and no more at once. */
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
