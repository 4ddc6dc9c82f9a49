import type { FastifyInstance } from 'fastify'
import { ProblemError } from './problem-error.ts'

/** While the service closes, requests that still arrive on open connections are refused as problem records. */
export function addClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', async () => {
    if (!isClosing) return
    throw new ProblemError('svc_unavailable', 'The service is closing.', {
      headers: { 'retry-after': '1', connection: 'close' },
    })
  })
}
