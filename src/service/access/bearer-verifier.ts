import { hash } from 'node:crypto'
import type { TokenRevocations } from './token-revocations.ts'
import type { Identity, TokenCheck, VerifiedToken } from './verified-token.ts'

/** Longest bearer token that is checked; ours have about 500 characters. */
const MAX_TOKEN_CHARACTERS = 8192

/** Most verified tokens in the cache. A signature check costs about 0.1 ms, a look-up a hundredth of that. */
const MAX_REMEMBERED = 1000

/**
 * Verifies bearer tokens, including revocation. Good tokens are cached by their SHA-256 until they need another check,
 * so that a busy client costs few signature checks. Refused tokens are not cached.
 */
export class BearerVerifier {
  readonly #check: TokenCheck
  readonly #revocations: TokenRevocations
  readonly #now: () => number
  readonly #remembered = new Map<string, VerifiedToken>()

  constructor(check: TokenCheck, revocations: TokenRevocations, now: () => number) {
    this.#check = check
    this.#revocations = revocations
    this.#now = now
  }

  /**
   * The cache entry of a token: its identity; null once it was revoked; undefined if it must be verified (again) or
   * revocations must be read again.
   */
  recall(token: string): Identity | null | undefined {
    if (!this.#revocations.isFresh()) return undefined
    const known = this.#remembered.get(fingerprintOf(token))
    return known === undefined || known.goodUntilMs <= this.#now() ? undefined : this.#identityOf(known)
  }

  async verify(token: string): Promise<Identity | null> {
    if (token.length > MAX_TOKEN_CHARACTERS) return null
    const fingerprint = fingerprintOf(token)
    const known = this.#remembered.get(fingerprint)
    const isGood = known !== undefined && known.goodUntilMs > this.#now()
    const verified = isGood ? known : await this.#check(token)
    if (verified === null) return null
    if (!isGood) this.#remember(fingerprint, verified)
    // After the signature, so that a stranger's token does not cause a database query.
    await this.#revocations.refresh()
    return this.#identityOf(verified)
  }

  #remember(fingerprint: string, verified: VerifiedToken): void {
    this.#remembered.delete(fingerprint)
    // A Map keeps the order of insertion: the first key is the oldest.
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.delete(this.#remembered.keys().next().value as string)
    this.#remembered.set(fingerprint, verified)
  }

  #identityOf({ identity, mint }: VerifiedToken): Identity | null {
    return this.#revocations.isRevoked(identity.clientId, mint) ? null : identity
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
