import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { PROBLEM_CONTENT_TYPE } from '../../contract/problem.ts'
import { newIdentifier } from '../store/identifiers.ts'
import { transportProblem } from './problem-error.ts'
import { problemOf } from './problem-record.ts'

/** Node's error code for an invalid HTTP request → the reply; everything else is 400. */
const ANSWERS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The request headers are larger than this service accepts.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are larger than this service accepts.'],
}

/** A socket of Node's server, with its current reply. */
type ServerSocket = Socket & { readonly _httpMessage?: ServerResponse | null }

/** Connections whose last reply is in progress: invalid bytes followed its request. */
const ending = new WeakSet<Socket>()

/** fastify's `clientErrorHandler`: answers invalid HTTP, which never becomes a request, with a problem record. */
export function answerMalformedRequest(error: Error & { code?: string }, socket: ServerSocket): void {
  if (ending.has(socket)) return
  const reply = socket._httpMessage ?? null
  // A reset connection has no peer to answer, and a started reply must not be followed by a second one within it.
  if (error.code === 'ECONNRESET' || !socket.writable || (reply?.headersSent && !reply.req.complete)) {
    socket.destroy()
    return
  }
  // The bytes followed a complete request. That request is answered first, or its client would mistake this for the
  // reply.
  if (reply?.req.complete) {
    ending.add(socket)
    reply.once('close', () => (socket.writable ? answerMalformed(error, socket) : socket.destroy()))
    return
  }
  answerMalformed(error, socket)
}

function answerMalformed(error: Error & { code?: string }, socket: Socket): void {
  const [status, detail] = ANSWERS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.']
  endWithProblem(socket, status, detail)
}

/** Node's `connect`: a request for a tunnel. Node would close the connection without a reply. */
export function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  // Node has released the socket, so nobody else handles its errors.
  socket.on('error', () => socket.destroy())
  endWithProblem(socket, 405, 'CONNECT is not allowed here.', ['allow: '])
}

/** Node's `checkExpectation`: an `Expect` header other than `100-continue` (RFC 9110, 10.1.1). */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = newIdentifier('req')
  const detail = 'The Expect header asks for something unknown.'
  const body = JSON.stringify(problemOf(transportProblem(417, detail), requestId, '').body)
  response.writeHead(417, {
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(body)
}

/** Answers on a connection where Node cannot reply, and ends it. */
function endWithProblem(socket: Duplex, status: number, detail: string, headers: readonly string[] = []): void {
  const requestId = newIdentifier('req')
  const body = JSON.stringify(problemOf(transportProblem(status, detail), requestId, '').body)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${PROBLEM_CONTENT_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'x-content-type-options: nosniff',
      ...headers,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
