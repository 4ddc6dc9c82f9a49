import type { Queryable } from '../store/database.ts'
import { verifySecret } from './secret-hash.ts'
import type { Identity } from './verified-token.ts'

/** A client whose secret was right, and the epoch that its tokens get. */
export interface VerifiedClient {
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
