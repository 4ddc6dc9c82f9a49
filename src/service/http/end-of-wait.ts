import type { FastifyReply } from 'fastify'
import { ClientGoneError } from './problem-error.ts'

/**
 * A signal for requests that wait for a job (`wait_seconds`), or for estimates: it aborts with a ClientGoneError when the
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
    if (!reply.raw.writableFinished) end.abort(new ClientGoneError())
  })
  return end.signal
}
