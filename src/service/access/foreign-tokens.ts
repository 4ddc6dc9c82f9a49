import { createRemoteJWKSet, customFetch, decodeJwt, type FetchImplementation, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { hasCode, WhatifError } from '../../base/whatif-error.ts'
import type { Addresses } from '../context/context.ts'
import { ProblemError } from '../http/problem-error.ts'
import type { ExternalIdentityProvider } from '../settings/settings.ts'
import type { Database } from '../store/database.ts'
import { timestampOf } from '../store/timestamps.ts'
import type { Identity, TokenCheck } from './verified-token.ts'

/** Most that the provider's clock may differ from ours. */
const CLOCK_TOLERANCE_S = 30
/** A good token is checked again after this time, so that withdrawing a key at the provider ends its tokens. */
const GOOD_FOR_MS = 5 * 60_000
/**
 * Keys are read again when they are older than the first value, and at an unknown key, but at intervals of at least the
 * second. Until then a token of a newly published key is refused.
 */
const KEYS_MAX_AGE_MS = 10 * 60_000
const KEYS_COOLDOWN_MS = 5_000
const FETCH_TIMEOUT_MS = 5_000

/** Identifiers go to the database and the log: visible ASCII, bounded. */
const IDENTIFIER = /^[\x21-\x7e]{1,255}$/

/** What checking foreign tokens needs; a service context fits. */
export interface ForeignTokenGround {
  readonly db: Database
  readonly addresses: Addresses
  readonly now: () => number
}

/**
 * Checks tokens of a foreign identity provider: a signature by one of its published keys with an accepted asymmetric
 * algorithm, issuer, audience, times, a client, and a tenant that exists here. The client is recorded, so that the
 * operator sees it and can revoke its tokens.
 *
 * @throws ProblemError `svc_unavailable` if the key of a token is unknown and the provider does not give its keys. The
 * token may be good, so a 401 would turn its client away for no reason.
 */
export function foreignTokenCheck(ground: ForeignTokenGround, provider: ExternalIdentityProvider): TokenCheck {
  const keys = createRemoteJWKSet(new URL(provider.jwksUrl), {
    timeoutDuration: FETCH_TIMEOUT_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    cacheMaxAge: KEYS_MAX_AGE_MS,
    [customFetch]: fetchKeySet(ground.now),
  })
  return async (token) => {
    if (!claimsIssuer(token, provider.issuer)) return null
    let payload: JWTPayload
    try {
      const verified = await jwtVerify(token, keys, {
        algorithms: [...provider.algorithms],
        issuer: provider.issuer,
        audience: provider.audience ?? ground.addresses.baseUrl,
        requiredClaims: ['exp', 'iat', provider.tenantClaim],
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: new Date(ground.now()),
      })
      payload = verified.payload
    } catch (error) {
      if (isProviderFault(error)) throw unavailable(error)
      return null
    }
    const identity = identityOf(payload, provider.tenantClaim)
    if (identity === null || !(await isKnown(ground, identity))) return null
    const expiresMs = ((payload.exp as number) + CLOCK_TOLERANCE_S) * 1000
    return {
      identity,
      mint: { issuedAtMs: (payload.iat as number) * 1000 },
      goodUntilMs: Math.min(expiresMs, ground.now() + GOOD_FOR_MS),
    }
  }
}

/** Checked before any key: a stranger's token must not cause a request to the provider. */
function claimsIssuer(token: string, issuer: string): boolean {
  try {
    return decodeJwt(token).iss === issuer
  } catch {
    return false
  }
}

/** The client: `client_id` (RFC 9068, 2.2), otherwise `azp` (OpenID Connect Core, 2), otherwise the subject. */
function identityOf(payload: JWTPayload, tenantClaim: string): Identity | null {
  const tenantId = payload[tenantClaim]
  const clientId = payload.client_id ?? payload.azp ?? payload.sub
  if (typeof tenantId !== 'string' || typeof clientId !== 'string') return null
  return IDENTIFIER.test(tenantId) && IDENTIFIER.test(clientId) ? { tenantId, clientId } : null
}

/**
 * Whether the tenant exists. If it does, the client is recorded under it. False if the client belongs to another
 * tenant.
 */
async function isKnown({ db, now }: ForeignTokenGround, { tenantId, clientId }: Identity): Promise<boolean> {
  const [tenant] = await db.query('select 1 from tenants where tenant_id = $1', [tenantId])
  if (tenant === undefined) return false
  await db.query(
    `insert into clients (client_id, tenant_id, created_at) values ($1, $2, $3::timestamptz)
     on conflict (client_id) do nothing`,
    [clientId, tenantId, timestampOf(now())],
  )
  const [client] = await db.query<{ tenant_id: string }>('select tenant_id from clients where client_id = $1', [
    clientId,
  ])
  return client?.tenant_id === tenantId
}

function unavailable(cause: unknown): ProblemError {
  return new ProblemError('svc_unavailable', 'The identity provider that signs the tokens does not give its keys.', {
    headers: { 'retry-after': '5' },
    cause,
  })
}

/** RFC 7517, 5; jose checks the contents of a key. */
const KeySet = z.object({ keys: z.array(z.looseObject({})) })

/** Largest key set read, in bytes: real ones have a few thousand. */
const MAX_BYTES = 256 * 1024
/** After a failure, the time without requests to the provider, however many tokens with unknown keys arrive. */
const PAUSE_MS = 5_000

/** The identity provider does not answer, or its answer is not a key set. */
const PROVIDER_FAULT = 'provider_fault'

function providerFault(message: string, cause?: unknown): WhatifError {
  return new WhatifError(PROVIDER_FAULT, message, { cause })
}

const isProviderFault = (error: unknown) => hasCode(error, PROVIDER_FAULT)

/**
 * A `fetch` for jose's remote key sets: bounded in size, refuses anything but a JSON answer of 200, and pauses after a
 * failure. jose bounds the time (`timeoutDuration`) and follows no redirect. `now` is in milliseconds.
 *
 * @throws WhatifError `provider_fault`
 */
function fetchKeySet(now: () => number): FetchImplementation {
  let failedAtMs = Number.NEGATIVE_INFINITY
  return async (url, options) => {
    if (Math.abs(now() - failedAtMs) < PAUSE_MS) throw providerFault('The identity provider failed a moment ago.')
    try {
      const answer = await fetch(url, options)
      if (answer.status !== 200) throw providerFault(`The identity provider answered ${answer.status}.`)
      return Response.json(KeySet.parse(JSON.parse(await readBounded(answer))))
    } catch (error) {
      failedAtMs = now()
      throw isProviderFault(error) ? error : providerFault('The identity provider gives no key set.', error)
    }
  }
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of answer.body ?? []) {
    length += chunk.length
    // Leaving the loop ends the connection.
    if (length > MAX_BYTES) throw providerFault(`The key set is larger than ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
