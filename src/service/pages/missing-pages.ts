import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from '../access/authentication.ts'
import type { Addresses } from '../addresses.ts'
import { wantsHtml } from '../http/accept.ts'
import { problemOf } from '../http/problem-record.ts'
import { type ProblemSender, sendProblem } from '../http/problems.ts'
import type { PageBook } from './page-book.ts'

/** Paths of operations: programs ask there, and read problem records whatever they accept. */
const OPERATION_PATHS = /^\/(?:v1|operator|oauth|\.well-known)(?:\/|$)/

/** Sends problem records, but a page to a browser that asks for a page that is not there. */
export function problemsOrPages(addresses: Addresses, openBook: () => Promise<PageBook>): ProblemSender {
  return (thrown, request, reply) => {
    if (!asksForMissingPage(thrown, request)) return void sendProblem(thrown, request, reply, addresses)
    reply.header('vary', 'accept')
    if (!wantsHtml(request)) return void sendProblem(thrown, request, reply, addresses)
    openBook().then(
      (book) => sendMissingPage(book, request, reply),
      (error) => sendProblem(error, request, reply, addresses),
    )
  }
}

function asksForMissingPage(thrown: unknown, request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  return !OPERATION_PATHS.test(pathOf(request.url)) && problemOf(thrown, request.id, '').body.status === 404
}

function sendMissingPage(book: PageBook, request: FastifyRequest, reply: FastifyReply): void {
  const { contentType, body, headers } = book.missing(request.id)
  reply.code(404).headers(headers).header('cache-control', 'no-store').header('content-type', contentType).send(body)
}
