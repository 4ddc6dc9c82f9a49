import { setMaxListeners } from 'node:events'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { clientGone, ProblemError } from './problem-error.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the service begins to close; its reason is the problem that ends what cannot be finished. */
    readonly closing: AbortSignal
    /** On from the wish to close until it begins: requests are served, and `/healthz` sends new ones elsewhere. */
    readonly draining: { isOn: boolean }
  }
}

/** Requests still under way when the service closes are given this long, in milliseconds; then their connections end. */
const GRACE_MS = 5_000
/** Connections on which a reply ended while closing are looked for this often, in milliseconds. */
const CHECK_MS = 50

/**
 * While the service closes, requests that still arrive on open connections are refused as problem records, waiting ones
 * are answered (`endOfWait`), and no connection is kept for another request. While it drains before that, requests are
 * served as ever, but connections end with their answers: none is in use when the service closes.
 */
export function addClosing(app: FastifyInstance): void {
  const closing = new AbortController()
  // One listener per request that waits or uploads.
  setMaxListeners(0, closing.signal)
  const draining = { isOn: false }
  app.decorate('closing', closing.signal)
  app.decorate('draining', draining)
  app.addHook('preClose', async () => {
    closing.abort(
      new ProblemError('svc_unavailable', 'The service is closing. Repeat the request.', {
        headers: { 'retry-after': '1' },
      }),
    )
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    done(closing.signal.aborted ? closing.signal.reason : undefined)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // After a body that is still coming it would cut the peer off before it has read the answer.
    if ((closing.signal.aborted || draining.isOn) && request.raw.complete) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** Closes the app: what is under way has 5 s to end, then its connections do. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const end = setTimeout(() => app.server.closeAllConnections(), GRACE_MS)
  const look = setInterval(() => app.server.closeIdleConnections(), CHECK_MS)
  try {
    await app.close()
  } finally {
    clearTimeout(end)
    clearInterval(look)
  }
}

/**
 * A signal for requests that wait for a job (`wait_seconds`), or for estimates: it aborts with `clientGone` when the
 * connection ends before the reply was sent, and with the problem `svc_unavailable` when the service closes. Who waits for
 * a job then answers with the state that there is.
 */
export function endOfWait(reply: FastifyReply): AbortSignal {
  const end = new AbortController()
  const { closing } = reply.server
  const stop = (): void => end.abort(closing.reason)
  if (closing.aborted) stop()
  closing.addEventListener('abort', stop)
  reply.raw.once('close', () => {
    closing.removeEventListener('abort', stop)
    if (!reply.raw.writableFinished) end.abort(clientGone())
  })
  return end.signal
}
