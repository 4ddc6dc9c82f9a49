import type { FastifyInstance } from 'fastify'
import type { HttpLimits } from './http-limits.ts'

/** How often an unread body is looked at: Node discards it out of sight, so its bytes are counted at the socket. */
const LOOK_MS = 100

/**
 * Bounds what is read after an answer that did not wait for the whole body (401, 404, 413...). Node goes on reading and
 * discarding then, so that the peer can finish sending and read the answer; here it stops after `discardBytes` or
 * `discardMs`, by ending the connection.
 */
export function addUnreadBodyBounds(app: FastifyInstance, limits: HttpLimits): void {
  app.addHook('onResponse', (request, _reply, done) => {
    done()
    const { raw } = request
    const { socket } = raw
    if (raw.complete || socket.destroyed) return
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
