import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownTurn } from '../../base/event-loop-turns.ts'
import type { HttpLimits } from './http-limits.ts'
import { clientGone, ProblemError } from './problem-error.ts'

/** Larger answers are handed over piece by piece, as fast as they are read. */
const PIECE_BYTES = 64 * 1024

/**
 * Sends JSON that is there already, as text or bytes, which may be of megabytes. Large answers go in pieces, as their reader takes them; a tenant
 * gets so many at a time, and one that is not read in time is cut off: whoever asks and never reads must not fill the memory.
 */
export class LargeAnswers {
  readonly #limits: Pick<HttpLimits, 'largeAnswers' | 'largeAnswerMs'>
  /** Tenant → large answers on their way. */
  readonly #sending = new Map<string, number>()

  constructor(limits: Pick<HttpLimits, 'largeAnswers' | 'largeAnswerMs'>) {
    this.#limits = limits
  }

  /** @throws {ProblemError} `svc_rate_limited` while the tenant has as many large answers to read as it may. */
  send(request: FastifyRequest, reply: FastifyReply, parts: readonly (string | Buffer)[]): FastifyReply {
    const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
    const length = bytes.reduce((sum, part) => sum + part.length, 0)
    if (length > PIECE_BYTES) this.#take(request.identity.tenantId, reply)
    reply.header('content-type', 'application/json; charset=utf-8')
    if (length <= PIECE_BYTES) return reply.send(Buffer.concat(bytes))
    reply.header('content-length', length)
    return reply.send(Readable.from(pieces(bytes), { objectMode: false }))
  }

  /** Counts an answer until its connection has taken it, or has ended. */
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

/** One in each turn of the event loop, of all answers: what a connection takes at once may be megabytes, and others wait meanwhile. */
async function* pieces(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    for (let start = 0; start < part.length; start += PIECE_BYTES) {
      yield part.subarray(start, start + PIECE_BYTES)
      await ownTurn()
    }
  }
}
