import type { FastifyInstance } from 'fastify'
import type { HttpLimits } from './http-limits.ts'

/**
 * Bounds what is read after an answer that did not wait for the whole body (401, 404, 413...). Node goes on reading and
 * discarding then, so that the peer can finish sending and read the answer; here it stops after `discardBytes` or
 * `discardMs`, by ending the connection.
 */
export function addUnreadBodyBounds(app: FastifyInstance, limits: HttpLimits): void {
  app.addHook('onResponse', async (request) => {
    const body = request.raw
    if (body.complete) return
    let discardedBytes = 0
    const end = (): void => {
      clearTimeout(timer)
      body.socket.destroy()
    }
    const timer = setTimeout(end, limits.discardMs)
    timer.unref()
    body.once('close', () => clearTimeout(timer))
    body.once('end', () => clearTimeout(timer))
    body.on('data', (chunk: Buffer) => {
      discardedBytes += chunk.length
      if (discardedBytes > limits.discardBytes) end()
    })
  })
}
