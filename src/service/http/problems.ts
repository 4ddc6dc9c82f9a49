import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PROBLEM_CONTENT_TYPE } from '../../contract/problem.ts'
import type { Addresses } from '../addresses.ts'
import { problemOf } from './problem-record.ts'

/**
 * Turns every error of every route into a problem record. It always sends: a reply skipped because the request's socket
 * looks destroyed would leave the request hanging, and may still have reached the peer.
 */
export function addProblems(app: FastifyInstance, send: ProblemSender): void {
  // Nothing is returned: fastify would take a reply for a promise and wait for it.
  app.setErrorHandler((error, request, reply) => send(error, request, reply))
}

/** Answers a request with what was thrown. */
export type ProblemSender = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Sends the problem record of `thrown`; logs the service's own failures. */
export function sendProblem(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  addresses: Addresses,
): FastifyReply {
  const { body, headers, isInternal } = problemOf(thrown, request.id, addresses.baseUrl)
  if (isInternal) request.log.error({ err: thrown }, 'request failed')
  return reply
    .code(body.status)
    .headers(headers)
    .header('content-type', PROBLEM_CONTENT_TYPE)
    .serializer(asItIs)
    .send(JSON.stringify(body))
}

/** Without a serializer fastify adds a charset to JSON-like types; a Buffer would be written apart from the headers. */
function asItIs(text: unknown): string {
  return text as string
}
