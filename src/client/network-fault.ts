/** How an exchange failed without an answer. */
export interface NetworkFault {
  readonly why: string
  /** False when it is certain that the service never saw the request. */
  readonly maybeSent: boolean
  /** True when the same would happen again: certificates, malformed addresses, a closed client. */
  readonly permanent: boolean
  readonly hint: string | null
}

/** Failures from before a connection stood. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'CONNECT_TIMEOUT'])

const PERMANENT =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_INVALID_|ERR_UNESCAPED_|HPE_HEADER_OVERFLOW)/

const CERTIFICATE = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT)/

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at this address',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was being sent',
  ETIMEDOUT: 'the connection timed out',
  CONNECT_TIMEOUT: 'no connection within the time limit',
  HEADERS_TIMEOUT: 'no answer within the time limit',
  BODY_TIMEOUT: 'the answer stopped half-way',
  BODY_TOO_SLOW: 'the answer came too slowly',
  CONNECTION_CLOSED: 'the connection was closed before the answer was complete',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
}

/** Describes what `transport.open`, or reading a body, was rejected with. */
export function networkFault(error: unknown): NetworkFault {
  const code = codeOf(error)
  const broken = isParserError(error) ? 'the answer is not HTTP' : 'the exchange failed'
  return {
    why: `${WORDS[code] ?? broken}${code === '' ? '' : ` (${code})`}`,
    maybeSent: !UNSENT.has(code),
    permanent: PERMANENT.test(code),
    hint: CERTIFICATE.test(code)
      ? 'The certificate of the service is not trusted here; NODE_EXTRA_CA_CERTS names a file with further authorities'
      : null,
  }
}

/** What may be kept as the cause of an error: the parser's error holds the bytes of the answer, and with them a token. */
export function safeCause(error: unknown): unknown {
  return isParserError(error) ? Object.assign(new Error(error.message), { code: error.code }) : error
}

const isParserError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('HPE_')

/** True for the ways in which a connection ends while a request is still being written. */
export function isBrokenConnection(error: unknown): boolean {
  return ['EPIPE', 'ECONNRESET', 'CONNECTION_CLOSED'].includes(codeOf(error))
}

/** The first code on the way down the causes; of several addresses tried, the first one's. */
function codeOf(error: unknown): string {
  let current = error
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
    const { code, cause, errors } = current as { code?: unknown; cause?: unknown; errors?: unknown }
    if (typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code)) return code
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined)
  }
  return ''
}
