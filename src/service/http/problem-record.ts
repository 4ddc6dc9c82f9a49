import { STATUS_CODES } from 'node:http'
import { ERROR_CATALOGUE } from '../../contract/errors.ts'
import { type Problem, UNAUTHORIZED_PROBLEM } from '../../contract/problem.ts'
import { StorageError } from '../blobs/storage-error.ts'
import { boundedProblem } from './bounded-problem.ts'
import { ClientGoneError, ProblemError, TransportError, UnauthorizedError } from './problem-error.ts'

/** A problem record with the reply headers that go with it. */
export interface RenderedProblem {
  readonly body: Problem
  readonly headers: Readonly<Record<string, string>>
  /** Whether it is the service's own failure, to be logged. */
  readonly isInternal: boolean
}

/** Renders whatever was thrown. What is not one of our errors, or fastify's, says nothing of itself to the outside. */
export function problemOf(thrown: unknown, requestId: string, baseUrl: string): RenderedProblem {
  if (thrown instanceof UnauthorizedError) {
    return {
      body: { ...UNAUTHORIZED_PROBLEM, request_id: requestId },
      headers: { 'www-authenticate': 'Bearer' },
      isInternal: false,
    }
  }
  if (thrown instanceof TransportError) {
    return {
      body: {
        type: 'about:blank',
        title: STATUS_CODES[thrown.status] ?? 'Bad Request',
        status: thrown.status,
        detail: thrown.message,
        request_id: requestId,
      },
      // What follows on the connection cannot be trusted to be a request.
      headers: thrown.status === 400 || thrown.status === 408 ? { connection: 'close' } : {},
      isInternal: false,
    }
  }
  const error = thrown instanceof ProblemError ? thrown : translate(thrown)
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
    isInternal: error.status >= 500 && !(thrown instanceof ClientGoneError),
  }
}

/** Our own code, SQLSTATEs and system errors of a database that cannot be reached or is going down, not of a wrong statement. */
const UNAVAILABLE = /^(database_unavailable|08...|57P0[1-5]|53[0-9A-Z]{3}|ECONNREFUSED|ENOTFOUND|EMFILE)$/

/** SQLSTATE and system errors of a full disk. */
const NO_ROOM = /^(53100|ENOSPC|EDQUOT)$/

function translate(thrown: unknown): ProblemError {
  const { code, statusCode } = readError(thrown)
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ProblemError(
        'svc_unsupported_content_type',
        'The content type of the body is not one this operation reads. Send application/json.',
      )
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ProblemError('svc_body_too_large', 'The request body is larger than this operation reads.')
    case 'FST_ERR_BAD_URL':
      return new ProblemError('svc_invalid_field', 'The path of the request is not validly percent-encoded.', {
        errors: [{ field: 'path', message: 'is not validly percent-encoded' }],
      })
    // SQLSTATE character_not_in_repertoire: text in a database holds every character but one.
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
  return new ProblemError('svc_internal', 'The service failed in a way it did not expect.', { cause: thrown })
}

function readError(thrown: unknown): { code: string; statusCode: number } {
  if (!(thrown instanceof Error)) return { code: '', statusCode: 0 }
  const { code, statusCode } = thrown as Error & { code?: unknown; statusCode?: unknown }
  return { code: typeof code === 'string' ? code : '', statusCode: typeof statusCode === 'number' ? statusCode : 0 }
}
