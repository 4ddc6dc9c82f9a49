import type { Queryable } from '../store/database.ts'
import type { Identity } from './bearer-tokens.ts'
import { verifySecret } from './secret-hash.ts'

/**
 * Checks a client's id and secret; null when either is wrong. An unknown client and one that never claimed take as long
 * as a wrong secret.
 */
export async function verifyClient(db: Queryable, clientId: string, clientSecret: string): Promise<Identity | null> {
  const [client] = await db.query<{ tenant_id: string; secret_hash: string | null }>(
    'select tenant_id, secret_hash from clients where client_id = $1',
    [clientId],
  )
  const isGood = await verifySecret(clientSecret, client?.secret_hash ?? null)
  return isGood && client !== undefined ? { tenantId: client.tenant_id, clientId } : null
}
