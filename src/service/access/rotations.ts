import { MAX_ROTATIONS, ROTATION_WINDOW_SECONDS } from '../../contract/limits.ts'
import { seal, unseal } from '../keys/sealing.ts'
import type { Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'
import { type ClaimGround, insertClaimToken, newClaimToken, voidClaimTokens } from './claim-tokens.ts'
import type { Identity } from './verified-token.ts'

export type RotationOutcome =
  | {
      readonly kind: 'rotated'
      readonly claimToken: string
      /** RFC 3339, UTC, milliseconds. */
      readonly expiresAt: string
      /** The key was used before, so this request rotated nothing. */
      readonly isReplay: boolean
    }
  /** The limit of rotations is reached; the next one is possible after `waitSeconds`. */
  | { readonly kind: 'limited'; readonly waitSeconds: number }
  /** The client does not exist. */
  | { readonly kind: 'unknown' }

/**
 * Makes a claim token for a new secret of the client and voids its unclaimed older ones. The claim makes the secret
 * itself; until then the old one works. A key used before returns the same token again, claimed or not, and does not
 * count. The client's row is locked throughout, so simultaneous requests of one client run one after another: a repeat
 * in flight waits for the first, and no fourth rotation exceeds the limit.
 */
export async function rotateCredentials(
  ground: ClaimGround,
  identity: Identity,
  idempotencyKey: string | null,
): Promise<RotationOutcome> {
  const { clientId, tenantId } = identity
  return await ground.db.transaction(async (tx) => {
    const [client] = await tx.query('select 1 from clients where client_id = $1 and tenant_id = $2 for update', [
      clientId,
      tenantId,
    ])
    if (client === undefined) return { kind: 'unknown' }
    const earlier = idempotencyKey === null ? null : await earlierRotation(ground, tx, clientId, idempotencyKey)
    if (earlier !== null) return earlier
    const nowMs = ground.now()
    const waitSeconds = await secondsUntilAllowed(tx, clientId, nowMs)
    if (waitSeconds > 0) return { kind: 'limited', waitSeconds }

    await voidClaimTokens(tx, clientId, nowMs)
    const token = newClaimToken(nowMs)
    await insertClaimToken(tx, token, { clientId, sealed: null })
    await tx.query(
      `insert into credential_rotations (token_hash, client_id, idempotency_key, sealed, created_at)
       values ($1, $2, $3, $4, $5::timestamptz)`,
      [
        token.hash,
        clientId,
        idempotencyKey,
        seal(ground.keys.sealing, token.text, purposeOf(clientId)),
        timestampOf(nowMs),
      ],
    )
    return { kind: 'rotated', claimToken: token.text, expiresAt: timestampOf(token.expiresMs), isReplay: false }
  })
}

async function earlierRotation(
  ground: ClaimGround,
  tx: Queryable,
  clientId: string,
  idempotencyKey: string,
): Promise<RotationOutcome | null> {
  const [row] = await tx.query<{ sealed: string; expires_at: string }>(
    `select r.sealed, ${utcText('t.expires_at')} as expires_at
     from credential_rotations r join claim_tokens t using (token_hash)
     where r.client_id = $1 and r.idempotency_key = $2`,
    [clientId, idempotencyKey],
  )
  if (row === undefined) return null
  const claimToken = unseal(ground.keys.sealing, row.sealed, purposeOf(clientId))
  if (claimToken === null) throw new Error('The sealed claim token of a rotation does not open.')
  return { kind: 'rotated', claimToken, expiresAt: row.expires_at, isReplay: true }
}

/** 0 if the client may rotate now; otherwise the time until the oldest of its last rotations leaves the window. */
async function secondsUntilAllowed(tx: Queryable, clientId: string, nowMs: number): Promise<number> {
  const windowMs = ROTATION_WINDOW_SECONDS * 1000
  const counted = await tx.query<{ created_at: string }>(
    `select ${utcText('created_at')} as created_at from credential_rotations
     where client_id = $1 and credential_rotations.created_at > $2::timestamptz
     order by credential_rotations.created_at desc limit $3`,
    [clientId, timestampOf(nowMs - windowMs), MAX_ROTATIONS],
  )
  const oldest = counted[MAX_ROTATIONS - 1]
  if (oldest === undefined) return 0
  return Math.max(1, Math.ceil((Date.parse(oldest.created_at) + windowMs - nowMs) / 1000))
}

function purposeOf(clientId: string): string {
  return `rotation of ${clientId}`
}
