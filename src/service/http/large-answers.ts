import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownTurn } from '../../base/event-loop-turns.ts'
import type { HttpLimits } from './http-limits.ts'
import { clientGone, ProblemError } from './problem-error.ts'

/** Larger replies are sent piece by piece, as fast as they are read. */
const PIECE_BYTES = 64 * 1024

/**
 * Sends existing JSON, as text or bytes, which may have megabytes. Large replies are sent in pieces, at their reader's
 * pace. A tenant may have only a few at a time, and one that is not read in time is cut off: a client that asks and
 * never reads must not fill the memory.
 */
export class LargeAnswers {
  readonly #limits: Pick<HttpLimits, 'largeAnswers' | 'largeAnswerMs'>
  /** Tenant → number of large replies in progress. */
  readonly #sending = new Map<string, number>()

  constructor(limits: Pick<HttpLimits, 'largeAnswers' | 'largeAnswerMs'>) {
    this.#limits = limits
  }

  /** @throws {ProblemError} `svc_rate_limited` while the tenant has as many unread large replies as it may. */
  send(request: FastifyRequest, reply: FastifyReply, parts: readonly (string | Buffer)[]): FastifyReply {
    const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
    const length = bytes.reduce((sum, part) => sum + part.length, 0)
    if (length > PIECE_BYTES) this.#take(request.identity.tenantId, reply)
    reply.header('content-type', 'application/json; charset=utf-8')
    if (length <= PIECE_BYTES) return reply.send(Buffer.concat(bytes))
    reply.header('content-length', length)
    return reply.send(Readable.from(pieces(bytes), { objectMode: false }))
  }

  /** Counts a reply until its connection has taken it, or has ended. */
  #take(tenantId: string, reply: FastifyReply): void {
    const { largeAnswers, largeAnswerMs } = this.#limits
    const others = this.#sending.get(tenantId) ?? 0
    if (others >= largeAnswers) {
      throw new ProblemError(
        'svc_rate_limited',
        `${others} large answers are being sent to you already. Read them, and repeat this request after 1 s.`,
        { headers: { 'retry-after': '1' } },
      )
    }
    if (reply.raw.destroyed) throw clientGone()
    this.#sending.set(tenantId, others + 1)
    const cutOff = setTimeout(() => reply.raw.destroy(), largeAnswerMs)
    reply.raw.once('close', () => {
      clearTimeout(cutOff)
      const left = (this.#sending.get(tenantId) ?? 1) - 1
      if (left === 0) this.#sending.delete(tenantId)
      else this.#sending.set(tenantId, left)
    })
  }
}

/**
 * Sends one piece per turn of the event loop, over all replies: a connection may accept megabytes at once while others
 * wait.
 */
async function* pieces(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    for (let start = 0; start < part.length; start += PIECE_BYTES) {
      yield part.subarray(start, start + PIECE_BYTES)
      await ownTurn()
    }
  }
}
