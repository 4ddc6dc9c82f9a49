import { WhatifError } from '../../base/whatif-error.ts'
import type { OAuthError } from '../../contract/access.ts'
import { ProblemError } from '../http/problem-error.ts'
import type { Settings } from '../settings/settings.ts'
import type { Queryable } from '../store/database.ts'
import { verifySecret } from './secret-hash.ts'
import type { Identity } from './verified-token.ts'

/** Codes of refused token requests (RFC 6749, 5.2; RFC 8707 for `invalid_target`). */
const OAUTH_CODES: ReadonlySet<string> = new Set<OAuthError['error']>([
  'invalid_request',
  'invalid_client',
  'unsupported_grant_type',
  'invalid_target',
])

/** A refused token request, to be thrown. */
export function oauthError(code: OAuthError['error'], description: string): WhatifError {
  return new WhatifError(code, description)
}

/** The reply to a refused token request; null if something else was thrown. */
export function oauthErrorOf(thrown: unknown): OAuthError | null {
  if (!(thrown instanceof WhatifError) || !OAUTH_CODES.has(thrown.code)) return null
  return { error: thrown.code as OAuthError['error'], error_description: thrown.message }
}

export interface ReadTokenRequest {
  readonly clientId: string
  readonly clientSecret: string
  readonly audience: string
  readonly grantType: string
}

/** Longest value of a parameter, in characters: a secret is hashed, and hashing takes longer for more of it. */
const MAX_CHARACTERS = 1024

/** A client id has no control characters (RFC 6749, appendix A.1), and PostgreSQL accepts no U+0000 in text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/

/**
 * Reads a token request from a JSON or form body (already a map of parameters) and an `Authorization` header. The
 * client authenticates in exactly one of the two places (RFC 6749, 2.3). Unknown parameters are ignored, and empty ones
 * count as absent (3.2). Throws an `oauthError`.
 */
export function readTokenRequest(body: unknown, authorization: string | undefined): ReadTokenRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw oauthError('invalid_request', 'The body must be a JSON object or a form.')
  }
  const parameters = new Map(Object.entries(body))
  const read = (name: string): string | null => {
    const value = parameters.get(name)
    if (value === undefined || value === null || value === '') return null
    if (typeof value !== 'string') throw oauthError('invalid_request', `${name} must be a string.`)
    if (value.length > MAX_CHARACTERS) throw oauthError('invalid_request', `${name} is too long.`)
    if (CONTROL_CHARACTERS.test(value)) {
      throw oauthError('invalid_request', `${name} must not hold control characters.`)
    }
    return value
  }
  const readRequired = (name: string): string => {
    const value = read(name)
    if (value === null) throw oauthError('invalid_request', `${name} is required.`)
    return value
  }
  const grantType = readRequired('grant_type')
  if (grantType !== 'client_credentials') {
    throw oauthError('unsupported_grant_type', 'grant_type must be client_credentials.')
  }
  const basic = readBasic(authorization)
  if (basic !== null && (read('client_secret') !== null || (read('client_id') ?? basic.clientId) !== basic.clientId)) {
    throw oauthError('invalid_request', 'Send the client credentials in the header or in the body, not in both.')
  }
  const client = basic ?? { clientId: readRequired('client_id'), clientSecret: readRequired('client_secret') }
  return { ...client, grantType, audience: readRequired('audience') }
}

/** HTTP Basic with both parts form-encoded before (RFC 6749, 2.3.1); null when the header is absent. */
function readBasic(authorization: string | undefined): { clientId: string; clientSecret: string } | null {
  if (authorization === undefined) return null
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) throw oauthError('invalid_client', 'Invalid credentials.')
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const decode = (part: string): string => new URLSearchParams(`p=${part.replaceAll('&', '%26')}`).get('p') ?? ''
  const clientId = colon === -1 ? '' : decode(text.slice(0, colon))
  const clientSecret = colon === -1 ? '' : decode(text.slice(colon + 1))
  const isUsable = clientId !== '' && clientSecret !== '' && !CONTROL_CHARACTERS.test(clientId + clientSecret)
  if (!isUsable || text.length > 2 * MAX_CHARACTERS) {
    throw oauthError('invalid_client', 'Invalid credentials.')
  }
  return { clientId, clientSecret }
}

/** The parameters of a form body; a repeated one is refused (RFC 6749, 3.2). */
export function readForm(text: string): Record<string, string> {
  const form: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(form, name)) {
      throw oauthError('invalid_request', `${name.slice(0, 100)} must not be sent more than once.`)
    }
    form[name] = value
  }
  return form
}

/** A client with the right secret, and the epoch for its tokens. */
interface VerifiedClient {
  readonly identity: Identity
  readonly tokenEpoch: number
}

/**
 * Checks a client's id and secret; null when either is wrong. An unknown client and one that never claimed take as long
 * as a wrong secret.
 */
export async function verifyClient(
  db: Queryable,
  clientId: string,
  clientSecret: string,
): Promise<VerifiedClient | null> {
  const [client] = await db.query<{ tenant_id: string; secret_hash: string | null; token_epoch: number }>(
    'select tenant_id, secret_hash, token_epoch from clients where client_id = $1',
    [clientId],
  )
  const isGood = await verifySecret(clientSecret, client?.secret_hash ?? null)
  if (!isGood || client === undefined) return null
  return { identity: { tenantId: client.tenant_id, clientId }, tokenEpoch: client.token_epoch }
}

/** A repeat changes nothing. An hour's wait keeps clients from repeating often anyway. */
const RETRY_AFTER_S = 3600

/**
 * Refuses operations of our own identity provider while another one issues the tokens.
 *
 * @throws ProblemError `svc_unavailable`
 */
export function refuseWithForeignProvider({ identityProvider }: Pick<Settings, 'identityProvider'>): void {
  if (identityProvider === null) return
  throw new ProblemError(
    'svc_unavailable',
    `Credentials and tokens of this service come from the identity provider ${identityProvider.issuer}; it issues none itself.`,
    { headers: { 'retry-after': String(RETRY_AFTER_S) } },
  )
}
