import type { FastifyReply } from 'fastify'

/** A signal that aborts when the connection of a reply ends before the reply was sent. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new Error('The client has gone.'))
  })
  return gone.signal
}
