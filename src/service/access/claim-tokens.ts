import { CLAIM_TOKEN_LIFETIME_SECONDS } from '../../contract/limits.ts'
import { seal, unseal } from '../keys/sealing.ts'
import type { ServiceKeys } from '../keys/service-keys.ts'
import type { Database, Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'
import { hashAddress, hashSecret, hashToken, newSecret } from './secret-hash.ts'

const CLAIM_TOKEN_LIFETIME_MS = CLAIM_TOKEN_LIFETIME_SECONDS * 1000

/** What claim tokens need; a service context fits. */
export interface ClaimGround {
  readonly db: Database
  readonly keys: Pick<ServiceKeys, 'sealing'>
  readonly now: () => number
}

/** A claim token that is not stored yet. */
export interface NewClaimToken {
  readonly text: string
  readonly hash: string
  readonly createdMs: number
  readonly expiresMs: number
}

export function newClaimToken(nowMs: number): NewClaimToken {
  const text = `clm_${newSecret()}`
  return { text, hash: hashToken(text), createdMs: nowMs, expiresMs: nowMs + CLAIM_TOKEN_LIFETIME_MS }
}

/**
 * Stores a claim token's hash, and the sealed copy that the signup status shows. Null: the status does not show the
 * token.
 */
export async function insertClaimToken(
  tx: Queryable,
  token: NewClaimToken,
  { clientId, sealed }: { readonly clientId: string; readonly sealed: string | null },
): Promise<void> {
  await tx.query(
    `insert into claim_tokens (token_hash, client_id, sealed, created_at, expires_at)
     values ($1, $2, $3, $4::timestamptz, $5::timestamptz)`,
    [token.hash, clientId, sealed, timestampOf(token.createdMs), timestampOf(token.expiresMs)],
  )
}

/**
 * Makes a claim token for a client and stores its hash and a sealed copy. Returns nothing, because the status route
 * shows the token.
 */
export async function issueClaimToken(ground: ClaimGround, tx: Queryable, clientId: string): Promise<void> {
  const token = newClaimToken(ground.now())
  await insertClaimToken(tx, token, { clientId, sealed: seal(ground.keys.sealing, token.text, purposeOf(clientId)) })
}

/** Voids the client's unclaimed tokens. The caller holds the client's row. */
export async function voidClaimTokens(tx: Queryable, clientId: string, nowMs: number): Promise<void> {
  await tx.query(
    `update claim_tokens set voided_at = $2::timestamptz, sealed = null
     where client_id = $1 and claimed_at is null and voided_at is null`,
    [clientId, timestampOf(nowMs)],
  )
}

/** An unsealed claim token. */
export interface OpenClaimToken {
  readonly text: string
  /** RFC 3339, UTC, milliseconds. */
  readonly expiresAt: string
}

/** The client's claim token while it is unclaimed and unexpired, else null. */
export async function openClaimToken(
  ground: ClaimGround,
  tx: Queryable,
  clientId: string,
): Promise<OpenClaimToken | null> {
  const [row] = await tx.query<{ sealed: string; expires_at: string }>(
    `select sealed, ${utcText('expires_at')} as expires_at from claim_tokens
     where client_id = $1 and claimed_at is null and sealed is not null and expires_at > $2::timestamptz
     order by created_at desc limit 1`,
    [clientId, timestampOf(ground.now())],
  )
  const text = row === undefined ? null : unseal(ground.keys.sealing, row.sealed, purposeOf(clientId))
  return row === undefined || text === null ? null : { text, expiresAt: row.expires_at }
}

/**
 * Redeems a claim token and gives its client a new secret, which is shown only this once. Null if the token is unknown,
 * expired, void or used. The client's row is locked first, as in a rotation. If two claims come at once, one succeeds
 * and the other finds the token claimed; a claim and a rotation run one after the other. `isFirstElsewhere` is true for
 * a client's first claim from another address than the request for access.
 */
export async function claimCredentials(
  ground: ClaimGround,
  token: string,
  address: string,
): Promise<{ clientId: string; clientSecret: string; isFirstElsewhere: boolean } | null> {
  const tokenHash = hashToken(token)
  const usable = 'token_hash = $1 and claimed_at is null and voided_at is null and expires_at > $2::timestamptz'
  // Looked up first, because hashing a secret is expensive and anybody may call this.
  const [found] = await ground.db.query<{ client_id: string }>(`select client_id from claim_tokens where ${usable}`, [
    tokenHash,
    timestampOf(ground.now()),
  ])
  if (found === undefined) return null
  const clientSecret = newSecret()
  const secretHash = await hashSecret(clientSecret)
  return await ground.db.transaction(async (tx) => {
    const [client] = await tx.query<{ secret_hash: string | null }>(
      'select secret_hash from clients where client_id = $1 for update',
      [found.client_id],
    )
    const [claimed] = await tx.query<{ client_id: string }>(
      `update claim_tokens set claimed_at = $2::timestamptz, sealed = null where ${usable} returning client_id`,
      [tokenHash, timestampOf(ground.now())],
    )
    if (claimed === undefined) return null
    await tx.query('update clients set secret_hash = $2 where client_id = $1', [claimed.client_id, secretHash])
    const isFirst = client?.secret_hash === null
    const isFirstElsewhere = isFirst && (await recordFirstClaim(ground, tx, claimed.client_id, address))
    return { clientId: claimed.client_id, clientSecret, isFirstElsewhere }
  })
}

/** Whether it came from another address than the signup. Signups from before addresses were stored say neither. */
async function recordFirstClaim(
  ground: ClaimGround,
  tx: Queryable,
  clientId: string,
  address: string,
): Promise<boolean> {
  const [signup] = await tx.query<{ request_id: string; address_hash: string | null }>(
    'select request_id, address_hash from signups where client_id = $1 for update',
    [clientId],
  )
  if (signup === undefined) return false
  const { request_id: requestId, address_hash: hash } = signup
  const isElsewhere = hash === null ? null : hashAddress(ground.keys.sealing, requestId, address) !== hash
  await tx.query(
    `update signups set claimed_at = $2::timestamptz, claimed_elsewhere = $3, address_hash = null
     where request_id = $1`,
    [requestId, timestampOf(ground.now()), isElsewhere],
  )
  return isElsewhere === true
}

function purposeOf(clientId: string): string {
  return `claim token of ${clientId}`
}
