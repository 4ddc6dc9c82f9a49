import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { PROBLEM_CONTENT_TYPE } from '../../contract/problem.ts'
import { newIdentifier } from '../identifiers.ts'
import { TransportError } from './problem-error.ts'
import { problemOf } from './problem-record.ts'

/** Node's error code of a request that is not HTTP → the answer; everything else is 400. */
const ANSWERS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The request headers are larger than this service reads.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are larger than this service reads.'],
}

/** fastify's `clientErrorHandler`: answers what is not valid HTTP, which never becomes a request, with a problem record. */
export function answerMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  // A reset connection has nobody to answer; a reply already begun must not get a second one in its middle.
  const { _httpMessage: reply } = socket as Socket & { _httpMessage?: { _headerSent: boolean } | null }
  if (error.code === 'ECONNRESET' || !socket.writable || reply?._headerSent === true) {
    socket.destroy()
    return
  }
  const [status, detail] = ANSWERS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.']
  const requestId = newIdentifier('req')
  const body = JSON.stringify(problemOf(new TransportError(status, detail), requestId, '').body)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${PROBLEM_CONTENT_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'x-content-type-options: nosniff',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/** Node's `checkExpectation`: an `Expect` header other than `100-continue` (RFC 9110, 10.1.1). */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = newIdentifier('req')
  const { body } = problemOf(new TransportError(417, 'The Expect header asks for something unknown.'), requestId, '')
  response.writeHead(417, {
    'content-type': PROBLEM_CONTENT_TYPE,
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(JSON.stringify(body))
}
