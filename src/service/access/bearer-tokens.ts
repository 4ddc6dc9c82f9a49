import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { TOKEN_LIFETIME_SECONDS } from '../../contract/limits.ts'
import type { Addresses } from '../context/context.ts'
import type { ServiceKeys } from '../keys/service-keys.ts'
import type { Identity, TokenCheck } from './verified-token.ts'

/** The claim that names the tenant. */
export const TENANT_CLAIM = 'tenant_id'

/** The claim that holds the client's epoch at the moment of minting; a token without it has epoch 0. */
export const EPOCH_CLAIM = 'token_epoch'

/** The only algorithm of our own tokens. The verifier names it too, so that a token cannot choose its own. */
const ALGORITHM = 'ES256'

/** What minting and verifying need; a service context fits. */
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

/** Checks tokens that this service minted: signature (ES256 only), issuer, audience, expiry, subject and tenant. */
export function ownTokenCheck(ground: TokenGround): TokenCheck {
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, ground.keys.signing.publicKey, {
        algorithms: [ALGORITHM],
        issuer: ground.addresses.authUrl,
        audience: ground.addresses.baseUrl,
        requiredClaims: ['exp', 'sub', 'jti', TENANT_CLAIM],
        currentDate: new Date(ground.now()),
      })
      const tenantId = payload[TENANT_CLAIM]
      if (typeof tenantId !== 'string' || typeof payload.sub !== 'string' || payload.exp === undefined) return null
      const epoch = payload[EPOCH_CLAIM] ?? 0
      if (typeof epoch !== 'number') return null
      return { identity: { tenantId, clientId: payload.sub }, mint: { epoch }, goodUntilMs: payload.exp * 1000 }
    } catch {
      return null
    }
  }
}
