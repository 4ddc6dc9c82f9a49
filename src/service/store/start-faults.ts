import { UnusableError } from '../settings/unusable-error.ts'

/** SQLSTATEs about a database's setup, and their remedies (PostgreSQL, appendix A). */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['28P01', 'Check the user and the password in DATABASE_URL.'],
  ['28000', 'Check the user in DATABASE_URL, and which connections pg_hba.conf of the server allows.'],
  [
    '3D000',
    `Make it with "create database NAME encoding 'UTF8' template template0", or check the name in DATABASE_URL.`,
  ],
  [
    '42501',
    'The user needs its own database: run "alter database NAME owner to USER", and "alter schema public owner to USER" in it.',
  ],
  ['3F000', 'Run "create schema public" in the database, or put a schema of its own into the search_path of the user.'],
])

/** Node.js codes for a certificate that is not trusted. */
const CERTIFICATE_FAULT =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET|VERIFY)_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/

/** Turns such an error into a message with its remedy. Any other error is returned unchanged. */
export function startFaultOf(error: unknown): unknown {
  // The database's own errors, and those that cause "cannot be used at the moment".
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = '', message } = cause as Error & { code?: string }
    const advice = ADVICE.get(code)
    if (advice !== undefined) return unusable(message, advice, cause)
    if (CERTIFICATE_FAULT.test(code)) {
      return unusable(
        message,
        'The certificate of the server is not trusted: name the one that signed it with sslrootcert=FILE in DATABASE_URL, or accept any with sslmode=require.',
        cause,
      )
    }
    if (message === 'The server does not support SSL connections') {
      return unusable(
        'it offers no TLS',
        'Switch it on there (ssl = on), or allow connections without TLS with sslmode=prefer in DATABASE_URL.',
        cause,
      )
    }
  }
  return error
}

function unusable(message: string, advice: string, cause: Error): UnusableError {
  return new UnusableError(
    'database_unusable',
    `The database server refuses: ${message.replace(/\.$/, '')}. ${advice}`,
    { cause },
  )
}
