import type { Database, Queryable } from '../store/database.ts'
import { timestampOf } from '../store/timestamps.ts'
import { seal, unseal } from './sealing.ts'
import { hashSecret, hashToken, newSecret } from './secret-hash.ts'
import type { ServiceKeys } from './service-keys.ts'

/** A claim token can be used for seven days. */
export const CLAIM_TOKEN_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

/** What claim tokens stand on; a service context fits. */
export interface ClaimGround {
  readonly db: Database
  readonly keys: Pick<ServiceKeys, 'sealing'>
  readonly now: () => number
}

/** Makes a claim token for a client and stores its hash and a sealed copy. Returns nothing: the status route shows it. */
export async function issueClaimToken(ground: ClaimGround, tx: Queryable, clientId: string): Promise<void> {
  const token = `clm_${newSecret()}`
  const nowMs = ground.now()
  await tx.query(
    `insert into claim_tokens (token_hash, client_id, sealed, created_at, expires_at)
     values ($1, $2, $3, $4::timestamptz, $5::timestamptz)`,
    [
      hashToken(token),
      clientId,
      seal(ground.keys.sealing, token, purposeOf(clientId)),
      timestampOf(nowMs),
      timestampOf(nowMs + CLAIM_TOKEN_LIFETIME_MS),
    ],
  )
}

/** The client's claim token while it is unclaimed and unexpired, else null. */
export async function openClaimToken(ground: ClaimGround, tx: Queryable, clientId: string): Promise<string | null> {
  const [row] = await tx.query<{ sealed: string }>(
    `select sealed from claim_tokens
     where client_id = $1 and claimed_at is null and sealed is not null and expires_at > $2::timestamptz
     order by created_at desc limit 1`,
    [clientId, timestampOf(ground.now())],
  )
  return row === undefined ? null : unseal(ground.keys.sealing, row.sealed, purposeOf(clientId))
}

/**
 * Uses a claim token up and gives its client a new secret, the only time that it is shown. Null when the token is
 * unknown, expired or used; of two claims at once one wins, because the second finds the row claimed.
 */
export async function claimCredentials(
  ground: ClaimGround,
  token: string,
): Promise<{ clientId: string; clientSecret: string } | null> {
  const tokenHash = hashToken(token)
  const usable = 'token_hash = $1 and claimed_at is null and expires_at > $2::timestamptz'
  // Looked up first, because hashing a secret is dear and anybody may call this.
  const found = await ground.db.query(`select 1 from claim_tokens where ${usable}`, [
    tokenHash,
    timestampOf(ground.now()),
  ])
  if (found.length === 0) return null
  const clientSecret = newSecret()
  const secretHash = await hashSecret(clientSecret)
  return await ground.db.transaction(async (tx) => {
    const [claimed] = await tx.query<{ client_id: string }>(
      `update claim_tokens set claimed_at = $2::timestamptz, sealed = null where ${usable} returning client_id`,
      [tokenHash, timestampOf(ground.now())],
    )
    if (claimed === undefined) return null
    await tx.query('update clients set secret_hash = $2 where client_id = $1', [claimed.client_id, secretHash])
    return { clientId: claimed.client_id, clientSecret }
  })
}

function purposeOf(clientId: string): string {
  return `claim token of ${clientId}`
}
