import { Buffer } from 'node:buffer'
import { STATUS_CODES } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { shortenedToBytes } from '../../base/text/fit-text.ts'
import { ERROR_CATALOGUE } from '../../contract/errors.ts'
import { MAX_PROBLEM_BYTES } from '../../contract/limits.ts'
import type { ContractAddresses } from '../../contract/operation.ts'
import { type FieldError, PROBLEM_CONTENT_TYPE, type Problem, UNAUTHORIZED_PROBLEM } from '../../contract/problem.ts'
import { StorageError } from '../../objects/storage-error.ts'
import { isClientGone, ProblemError } from './problem-error.ts'

/** A problem record with the reply headers that go with it. */
export interface RenderedProblem {
  readonly body: Problem
  readonly headers: Readonly<Record<string, string>>
  /** Whether it is a failure of the service itself, to be logged. */
  readonly isInternal: boolean
}

/** Renders any thrown value. Only our errors and fastify's reveal anything to the client. */
export function problemOf(thrown: unknown, requestId: string, baseUrl: string): RenderedProblem {
  const error = thrown instanceof ProblemError ? thrown : translate(thrown)
  if (error.code === 'unauthorized') {
    return {
      body: { ...UNAUTHORIZED_PROBLEM, request_id: requestId },
      headers: { 'www-authenticate': 'Bearer' },
      isInternal: false,
    }
  }
  if (error.code === 'transport') {
    return {
      body: {
        type: 'about:blank',
        title: STATUS_CODES[error.status] ?? 'Bad Request',
        status: error.status,
        detail: error.message,
        request_id: requestId,
      },
      // Further bytes on the connection cannot be trusted to be a request.
      headers: error.status === 400 || error.status === 408 ? { connection: 'close' } : {},
      isInternal: false,
    }
  }
  const entry = ERROR_CATALOGUE[error.code]
  return {
    body: boundedProblem({
      type: `${baseUrl}/errors/${error.code}`,
      title: error.status === entry.status ? entry.title : (STATUS_CODES[error.status] ?? entry.title),
      status: error.status,
      detail: error.message,
      code: error.code,
      request_id: requestId,
      ...(error.errors.length > 0 && { errors: [...error.errors] }),
      ...(error.errorsOmitted > 0 && { errors_omitted: error.errorsOmitted }),
      ...(error.schemaHint !== null && { schema_hint: error.schemaHint }),
    }),
    headers: error.headers,
    isInternal: error.status >= 500 && !isClientGone(thrown),
  }
}

/**
 * Our own code, SQLSTATEs and system errors of a database that is unreachable or shutting down, not of a wrong
 * statement.
 */
const UNAVAILABLE = /^(database_unavailable|08...|57P0[1-5]|53[0-9A-Z]{3}|ECONNREFUSED|ENOTFOUND|EMFILE)$/

/** SQLSTATE and system errors of a full disk. */
const NO_ROOM = /^(53100|ENOSPC|EDQUOT)$/

function translate(thrown: unknown): ProblemError {
  const { code, statusCode } = readError(thrown)
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ProblemError(
        'svc_unsupported_content_type',
        'This operation does not accept the content type of the body. Send application/json.',
      )
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ProblemError('svc_body_too_large', 'The request body is larger than this operation accepts.')
    case 'FST_ERR_BAD_URL':
      return new ProblemError('svc_invalid_field', 'The path of the request is not validly percent-encoded.', {
        errors: [{ field: 'path', message: 'is not validly percent-encoded' }],
      })
    // SQLSTATE character_not_in_repertoire: database text can hold every character but U+0000.
    case '22021':
      return new ProblemError('svc_invalid_field', 'The request contains the character U+0000, which is not stored.', {
        errors: [{ field: 'body', message: 'contains the character U+0000' }],
      })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ProblemError('svc_not_found', 'There is no such resource.')
  }
  if (NO_ROOM.test(code)) {
    return new ProblemError('svc_unavailable', 'The service has no room to store anything at the moment.', {
      headers: { 'retry-after': '60' },
      cause: thrown,
    })
  }
  if (UNAVAILABLE.test(code) || thrown instanceof StorageError) {
    return new ProblemError('svc_unavailable', 'The service is not available at the moment.', {
      headers: { 'retry-after': '5' },
      cause: thrown,
    })
  }
  if (code.startsWith('FST_') && statusCode >= 400 && statusCode < 500) {
    return new ProblemError('svc_invalid_field', 'The request could not be read.')
  }
  return new ProblemError('svc_internal', 'The service failed unexpectedly.', { cause: thrown })
}

function readError(thrown: unknown): { code: string; statusCode: number } {
  if (!(thrown instanceof Error)) return { code: '', statusCode: 0 }
  const { code, statusCode } = thrown as Error & { code?: unknown; statusCode?: unknown }
  return { code: typeof code === 'string' ? code : '', statusCode: typeof statusCode === 'number' ? statusCode : 0 }
}

/**
 * Turns every error of every route into a problem record. It always sends: skipping the reply because the request's
 * socket looks destroyed would leave the request hanging, and the request may still have reached the peer.
 */
export function addProblems(app: FastifyInstance, send: ProblemSender): void {
  // Returns nothing: fastify would treat a returned reply as a promise and wait for it.
  app.setErrorHandler((error, request, reply) => send(error, request, reply))
}

/** Answers a request with a thrown error. */
export type ProblemSender = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Sends the problem record of `thrown`; logs the service's own failures. */
export function sendProblem(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  addresses: ContractAddresses,
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

/**
 * Without a serializer fastify adds a charset to JSON-like types; a Buffer would be written separately from the
 * headers.
 */
function asItIs(text: unknown): string {
  return text as string
}

/** Longest `detail`, and longest field or message of a fault, in bytes of UTF-8. */
const MAX_DETAIL_BYTES = 4096
const MAX_WORDS_BYTES = 1024
/** Most bytes of the names in `schema_hint`; the rest is reserved for the faults. */
const MAX_HINT_BYTES = MAX_PROBLEM_BYTES / 2

/**
 * A problem record in the form that is sent. It repeats names of the request and of a dataset, which others chose.
 * Texts are cut, lists end where the record is full, and omitted faults are counted.
 */
function boundedProblem(body: Problem): Problem {
  const bounded = { ...body, detail: shortenedToBytes(body.detail, MAX_DETAIL_BYTES) }
  if (jsonBytes(bounded) <= MAX_PROBLEM_BYTES) return bounded
  const { errors = [], errors_omitted: omitted = 0, schema_hint: hint, ...rest } = bounded
  const cutHint = hint && {
    ...(hint.columns && { columns: firstThatFit(hint.columns, MAX_HINT_BYTES) }),
    ...(hint.column !== undefined && { column: shortenedToBytes(hint.column, MAX_WORDS_BYTES) }),
    ...(hint.levels && { levels: firstThatFit(hint.levels, MAX_HINT_BYTES - 2 * MAX_WORDS_BYTES) }),
  }
  const others = { ...rest, errors_omitted: omitted + errors.length, ...(cutHint && { schema_hint: cutHint }) }
  const shown = firstThatFit(errors.map(cutFault), MAX_PROBLEM_BYTES - jsonBytes({ ...others, errors: [] }))
  const left = omitted + errors.length - shown.length
  return {
    ...rest,
    ...(shown.length > 0 && { errors: shown }),
    ...(left > 0 && { errors_omitted: left }),
    ...(cutHint && { schema_hint: cutHint }),
  }
}

/** A suggestion is useful only if it is complete. */
function cutFault({ field, message, suggestion }: FieldError): FieldError {
  return {
    field: shortenedToBytes(field, MAX_WORDS_BYTES),
    message: shortenedToBytes(message, MAX_WORDS_BYTES),
    ...(suggestion !== undefined && jsonBytes(suggestion) <= 2 * MAX_WORDS_BYTES && { suggestion }),
  }
}

function firstThatFit<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 0
  const past = items.findIndex((item) => {
    bytes += jsonBytes(item) + 1
    return bytes > maxBytes
  })
  return past < 0 ? [...items] : items.slice(0, past)
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
