/** How an exchange failed without an answer. */
export interface NetworkFault {
  readonly why: string
  /** False if the service certainly never saw the request. */
  readonly maybeSent: boolean
  /** True if a repeat would fail in the same way: certificates, malformed addresses, a closed client. */
  readonly permanent: boolean
  readonly hint: string | null
}

/** What a code of the network means, in words for people. */
interface Meaning {
  readonly words: string
  /** The remedy, if the code has its own. */
  readonly advice?: string
  /** Whether it happened before the connection was established. */
  readonly unsent?: true
}

const TRUST = 'To trust it from here, set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority'
const ADDRESS = 'Check that something listens there, and that host and port are right'
const NETWORK = 'Check the network of this machine: cable, VPN, firewall'
const NOT_TLS = 'What listens there does not speak TLS: check the port, or whether the address must begin with http://'

/** The only place that words the codes of sockets, DNS, TLS and HTTP. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: { words: 'connection refused', advice: ADDRESS, unsent: true },
  ENOTFOUND: { words: 'host not found', advice: 'Check the spelling of the address', unsent: true },
  EAI_AGAIN: {
    words: 'host not found, the name server did not answer',
    advice: 'Check the network and the spelling of the address',
    unsent: true,
  },
  EHOSTUNREACH: { words: 'the host cannot be reached', advice: NETWORK, unsent: true },
  ENETUNREACH: { words: 'the network cannot be reached', advice: NETWORK, unsent: true },
  ECONNRESET: { words: 'the connection was reset' },
  EPIPE: { words: 'the connection was closed while the request was being sent' },
  ETIMEDOUT: { words: 'the connection timed out' },
  CONNECT_TIMEOUT: { words: 'no connection within the time limit', advice: ADDRESS, unsent: true },
  HEADERS_TIMEOUT: { words: 'no answer within the time limit' },
  BODY_TIMEOUT: { words: 'the answer stopped half-way' },
  BODY_TOO_SLOW: { words: 'the answer came too slowly' },
  CONNECTION_CLOSED: { words: 'the connection was closed before the answer was complete' },
  HPE_HEADER_OVERFLOW: { words: 'the headers of the answer are too large' },
  CERT_HAS_EXPIRED: {
    words: 'certificate expired',
    advice: 'Its operator has to renew the certificate; check the clock of this machine, too',
  },
  CERT_NOT_YET_VALID: { words: 'certificate not valid yet', advice: 'Check the clock of this machine' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { words: 'self-signed certificate', advice: TRUST },
  SELF_SIGNED_CERT_IN_CHAIN: { words: 'certificate of an authority that is not trusted here', advice: TRUST },
  UNABLE_TO_GET_ISSUER_CERT: { words: 'certificate of an authority that is not known here', advice: TRUST },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { words: 'certificate of an authority that is not known here', advice: TRUST },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { words: 'certificate of an authority that is not known here', advice: TRUST },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    words: 'certificate for another host name',
    advice: 'Use the host name that the certificate was issued for',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: { words: 'no TLS', advice: NOT_TLS },
  EPROTO: { words: 'no TLS', advice: NOT_TLS },
}

/** A repeat would fail in the same way. */
const PERMANENT =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_INVALID_|ERR_UNESCAPED_|HPE_HEADER_OVERFLOW)/

const CERTIFICATE = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT)/

/** Describes the rejection of `transport.open`, or of reading a body. */
export function networkFault(error: unknown): NetworkFault {
  const code = codeOf(error)
  const broken = isParserError(error) ? 'the answer is not HTTP' : 'the exchange failed'
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined
  return {
    why: `${meaning?.words ?? broken}${code === '' ? '' : ` (${code})`}`,
    maybeSent: meaning?.unsent !== true,
    permanent: PERMANENT.test(code),
    hint: meaning?.advice ?? (CERTIFICATE.test(code) ? TRUST : null),
  }
}

/**
 * The part of a fault that may be the cause of an error: the parser's error contains the bytes of the answer, and so
 * perhaps a token.
 */
export function safeCause(error: unknown): unknown {
  return isParserError(error) ? Object.assign(new Error(error.message), { code: error.code }) : error
}

const isParserError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('HPE_')

/** True for the ways in which a connection ends while a request is still being written. */
export function isBrokenConnection(error: unknown): boolean {
  return ['EPIPE', 'ECONNRESET', 'CONNECTION_CLOSED'].includes(codeOf(error))
}

/** The first code in the chain of causes. If several addresses were tried, the code of the first. */
function codeOf(error: unknown): string {
  let current = error
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
    const { code, cause, errors } = current as { code?: unknown; cause?: unknown; errors?: unknown }
    if (typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code)) return code
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined)
  }
  return ''
}
