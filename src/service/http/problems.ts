import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PROBLEM_CONTENT_TYPE } from '../../contract/problem.ts'
import type { Addresses } from '../addresses.ts'
import { problemOf } from './problem-record.ts'

/**
 * Turns every error of every route into a problem record. It always sends: a reply skipped because the request's socket
 * looks destroyed would leave the request hanging, and may still have reached the peer.
 */
export function addProblems(app: FastifyInstance, addresses: Addresses): void {
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, addresses))
}

/** Sends the problem record of `thrown`; logs the service's own failures. */
export function sendProblem(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  addresses: Addresses,
): FastifyReply {
  const { body, headers, isInternal } = problemOf(thrown, request.id, addresses.baseUrl)
  if (isInternal) request.log.error({ err: thrown }, 'request failed')
  // A Buffer, because fastify adds a charset to JSON-like types that it serialises itself.
  return reply
    .code(body.status)
    .headers(headers)
    .header('content-type', PROBLEM_CONTENT_TYPE)
    .send(Buffer.from(JSON.stringify(body)))
}
