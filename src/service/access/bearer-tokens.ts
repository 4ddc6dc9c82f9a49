import { hash, randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { TOKEN_LIFETIME_SECONDS } from '../../contract/limits.ts'
import type { Addresses } from '../addresses.ts'
import type { ServiceKeys } from './service-keys.ts'
import type { TokenRevocations } from './token-revocations.ts'

/** Who calls: read from a verified bearer token. */
export interface Identity {
  readonly tenantId: string
  readonly clientId: string
}

/** The claim that names the tenant. */
export const TENANT_CLAIM = 'tenant_id'

/** The claim that holds the client's epoch at the moment of minting; a token without it has epoch 0. */
export const EPOCH_CLAIM = 'token_epoch'

/** The one algorithm of our own tokens. The verifier names it too, so that a token cannot choose its own. */
const ALGORITHM = 'ES256'

/** Longest bearer looked at; ours have about 500 characters. */
const MAX_TOKEN_CHARACTERS = 8192

/** Verified tokens remembered at most. A signature check costs about 0.1 ms, a look-up a hundredth of that. */
const MAX_REMEMBERED = 1000

/** What minting and verifying stand on; a service context fits. */
export interface TokenGround {
  readonly keys: Pick<ServiceKeys, 'signing'>
  readonly addresses: Addresses
  readonly now: () => number
}

/**
 * Mints a bearer token for a client: ES256, valid for 24 hours or until its client's epoch is raised above `epoch`.
 * Returns the compact JWT.
 */
export async function mintBearerToken(ground: TokenGround, identity: Identity, epoch = 0): Promise<string> {
  const issuedAt = Math.floor(ground.now() / 1000)
  return await new SignJWT({ [TENANT_CLAIM]: identity.tenantId, [EPOCH_CLAIM]: epoch })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: ground.keys.signing.keyId })
    .setIssuer(ground.addresses.authUrl)
    .setAudience(ground.addresses.baseUrl)
    .setSubject(identity.clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
    .setJti(randomUUID())
    .sign(ground.keys.signing.privateKey)
}

interface VerifiedToken {
  readonly identity: Identity
  readonly epoch: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/**
 * Verifies bearer tokens: signature (ES256 only), issuer, audience, expiry, subject, tenant and revocation. Resolves to null for
 * every token that is not good, without saying why. Good tokens are remembered by their SHA-256 until they expire, so
 * that a busy client costs one signature check a day; refused ones are not remembered.
 */
export class BearerVerifier {
  readonly #ground: TokenGround
  readonly #revocations: TokenRevocations
  readonly #remembered = new Map<string, VerifiedToken>()

  constructor(ground: TokenGround, revocations: TokenRevocations) {
    this.#ground = ground
    this.#revocations = revocations
  }

  /**
   * What is remembered of a token: its identity, null once it has expired or was revoked, undefined when it was not
   * verified yet or revocations have to be read again.
   */
  recall(token: string): Identity | null | undefined {
    if (!this.#revocations.isFresh()) return undefined
    const known = this.#remembered.get(fingerprintOf(token))
    return known === undefined ? undefined : this.#identityOf(known)
  }

  async verify(token: string): Promise<Identity | null> {
    if (token.length > MAX_TOKEN_CHARACTERS) return null
    const fingerprint = fingerprintOf(token)
    const known = this.#remembered.get(fingerprint)
    const verified = known ?? (await this.#check(token))
    if (verified === null) return null
    if (known === undefined) this.#remember(fingerprint, verified)
    // After the signature: a stranger's token does not reach the database.
    await this.#revocations.refresh()
    return this.#identityOf(verified)
  }

  #remember(fingerprint: string, verified: VerifiedToken): void {
    // A Map keeps the order of insertion: the first key is the oldest.
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.delete(this.#remembered.keys().next().value as string)
    this.#remembered.set(fingerprint, verified)
  }

  #identityOf({ identity, epoch, expiresAt }: VerifiedToken): Identity | null {
    const isGood = expiresAt > this.#ground.now() && epoch >= this.#revocations.epochOf(identity.clientId)
    return isGood ? identity : null
  }

  async #check(token: string): Promise<VerifiedToken | null> {
    try {
      const { payload } = await jwtVerify(token, this.#ground.keys.signing.publicKey, {
        algorithms: [ALGORITHM],
        issuer: this.#ground.addresses.authUrl,
        audience: this.#ground.addresses.baseUrl,
        requiredClaims: ['exp', 'sub', 'jti', TENANT_CLAIM],
        currentDate: new Date(this.#ground.now()),
      })
      const tenantId = payload[TENANT_CLAIM]
      if (typeof tenantId !== 'string' || typeof payload.sub !== 'string' || payload.exp === undefined) return null
      const epoch = payload[EPOCH_CLAIM] ?? 0
      if (typeof epoch !== 'number') return null
      return { identity: { tenantId, clientId: payload.sub }, epoch, expiresAt: payload.exp * 1000 }
    } catch {
      return null
    }
  }
}

function fingerprintOf(token: string): string {
  return hash('sha256', token, 'base64')
}

/** The token of an `Authorization: Bearer` header (RFC 6750, 2.1; the scheme in any case); null for anything else. */
export function bearerOf(authorization: string | undefined): string | null {
  const match = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')
  return match?.[1] ?? null
}
