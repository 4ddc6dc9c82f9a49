import type { FastifyInstance } from 'fastify'
import { ProblemError } from './problem-error.ts'

/** While the service closes, requests that still arrive on open connections are refused as problem records. */
export function addClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    if (!isClosing) return done()
    const headers = { 'retry-after': '1', connection: 'close' }
    done(new ProblemError('svc_unavailable', 'The service is closing.', { headers }))
  })
}
