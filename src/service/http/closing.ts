import { setMaxListeners } from 'node:events'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { clientGone, ProblemError } from './problem-error.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the service begins to close. Its reason is the problem for requests that cannot be finished. */
    readonly closing: AbortSignal
    /**
     * Set between the request to close and the closing itself: requests are served, and `/healthz` sends new ones
     * elsewhere.
     */
    readonly draining: { isOn: boolean }
  }
}

/** Time that current requests have when the service closes, in milliseconds; then their connections end. */
const GRACE_MS = 5_000
/** How often connections are searched whose reply ended while closing, in milliseconds. */
const CHECK_MS = 50

/**
 * While the service closes, new requests on open connections are refused with problem records, waiting ones are
 * answered (`endOfWait`), and no connection is reused. While it drains before that, requests are served normally, but
 * connections end with their replies, so none is in use when the service closes.
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
    // If the body is still arriving, this would cut the peer off before it has read the reply.
    if ((closing.signal.aborted || draining.isOn) && request.raw.complete) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** Closes the app: current requests have 5 s to end, then their connections are closed. */
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
 * A signal for requests that wait for a job (`wait_seconds`) or for estimates. It aborts with `clientGone` when the
 * connection ends before the reply was sent, and with the problem `svc_unavailable` when the service closes. A request
 * that waits for a job then answers with the job's current state.
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
