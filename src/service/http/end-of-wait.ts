import type { FastifyReply } from 'fastify'

/**
 * A signal for requests that wait for a job (`wait_seconds`): it aborts when the connection ends before the reply was
 * sent, and when the service closes, so that the request is answered with the state that there is.
 */
export function endOfWait(reply: FastifyReply): AbortSignal {
  const end = new AbortController()
  const { closing } = reply.server
  const stop = (): void => end.abort(closing.reason)
  if (closing.aborted) stop()
  closing.addEventListener('abort', stop)
  reply.raw.once('close', () => {
    closing.removeEventListener('abort', stop)
    if (!reply.raw.writableFinished) end.abort(new Error('The client has gone.'))
  })
  return end.signal
}
