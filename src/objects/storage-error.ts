import { WhatifError } from '../base/whatif-error.ts'

/**
 * The object storage cannot be reached, or refuses a request. A waiting client learns that the service is not
 * available (503): it can only try again; operators find the reason in the log. Messages name the request and the
 * storage's error code, never addresses, headers or texts of the storage, because those may be signed.
 */
export class StorageError extends WhatifError {
  /** HTTP status of the storage's answer; null if there was none. */
  readonly status: number | null
  /** Whether the same request may well succeed in a moment. */
  readonly isTransient: boolean

  /** `code`: the code of the storage (`NoSuchKey`, `AccessDenied`...) or of the connection (`ECONNREFUSED`...). */
  constructor(
    message: string,
    details: { readonly status: number | null; readonly code: string; readonly isTransient: boolean },
    cause?: unknown,
  ) {
    super(details.code, message, { cause })
    this.status = details.status
    this.isTransient = details.isTransient
  }
}

/** Codes of answers that ask for a repeat although their status does not say so. */
const TRANSIENT_CODES = new Set([
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'OperationAborted',
  'ConditionalRequestConflict',
])

/** The error for an unsuccessful answer. `errorBody` is the storage's XML; empty for HEAD. */
export function refusalOf(request: string, status: number, errorBody: string): StorageError {
  const code = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(errorBody)?.[1] ?? (status === 404 ? 'NotFound' : 'unnamed')
  return new StorageError(`The object storage answered ${status} (${code}) to ${request}.`, {
    status,
    code,
    isTransient: status >= 500 || status === 408 || status === 429 || TRANSIENT_CODES.has(code),
  })
}

/** The error for a failed connection. */
export function connectionFailure(request: string, cause: unknown): StorageError {
  const { code: own } = cause as { code?: unknown }
  const code = typeof own === 'string' ? own : 'connection failed'
  return new StorageError(
    `The object storage did not answer ${request} (${code}).`,
    { status: null, code, isTransient: true },
    cause,
  )
}

/** Code of the error below. */
export const NO_CREDENTIALS = 'no credentials'

/**
 * There are no credentials to sign requests with. The error has no cause and its own words, because the reply of a
 * source of credentials may be secret.
 *
 * @param reason name of an error; shown if it is a plain word.
 * @param source where credentials were searched, such as ` from the profile default`; empty: unknown.
 */
export function noCredentials(reason: unknown, source = ''): StorageError {
  const shown = typeof reason === 'string' && /^[A-Za-z][A-Za-z0-9_. ]{0,63}$/.test(reason) ? reason : 'unnamed error'
  return new StorageError(`There are no credentials for the object storage${source} (${shown}).`, {
    status: null,
    code: NO_CREDENTIALS,
    isTransient: false,
  })
}
