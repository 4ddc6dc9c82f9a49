import type { Queryable } from '../store/database.ts'
import { timestampOf } from '../store/timestamps.ts'

/** Scope of a key: it applies to one tenant and one operation. */
export interface KeyScope {
  readonly tenantId: string
  readonly operation: 'createDataset' | 'createGeneration'
  readonly key: string
}

/** Current state of a key. */
export type KeyState =
  | { readonly kind: 'free' }
  /** The first request with this key is still being received. */
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'used'; readonly resourceId: string; readonly fingerprint: string }

interface KeyRow {
  readonly resource_id: string | null
  readonly fingerprint: string | null
  readonly is_held: boolean
}

const WHERE_SCOPE = 'tenant_id = $1 and operation = $2 and key = $3'

/** Reads the state of a key. `nowMs` decides whether the receiver of its request still runs. */
export async function readKey(db: Queryable, scope: KeyScope, nowMs: number): Promise<KeyState> {
  const [row] = await db.query<KeyRow>(
    `select resource_id, fingerprint, lease_until > $4::timestamptz as is_held
     from idempotency_keys where ${WHERE_SCOPE}`,
    [...parametersOf(scope), timestampOf(nowMs)],
  )
  if (row === undefined) return { kind: 'free' }
  if (row.resource_id !== null && row.fingerprint !== null) {
    return { kind: 'used', resourceId: row.resource_id, fingerprint: row.fingerprint }
  }
  return row.is_held ? { kind: 'in_flight' } : { kind: 'free' }
}

/**
 * Takes a free key for a request that is being received, until `leaseUntilMs` unless renewed. True if taken. The holder
 * identifies this one request.
 */
export async function holdKey(
  db: Queryable,
  scope: KeyScope,
  hold: { readonly holder: string; readonly leaseUntilMs: number; readonly nowMs: number },
): Promise<boolean> {
  const rows = await db.query(
    `insert into idempotency_keys (tenant_id, operation, key, holder, lease_until)
     values ($1, $2, $3, $4, $5::timestamptz)
     on conflict (tenant_id, operation, key) do update
       set holder = excluded.holder, lease_until = excluded.lease_until
       where idempotency_keys.resource_id is null and idempotency_keys.lease_until <= $6::timestamptz
     returning key`,
    [...parametersOf(scope), hold.holder, timestampOf(hold.leaseUntilMs), timestampOf(hold.nowMs)],
  )
  return rows.length > 0
}

/** Renews a hold; does nothing if it was lost. */
export async function renewKey(db: Queryable, scope: KeyScope, holder: string, leaseUntilMs: number): Promise<void> {
  await db.query(
    `update idempotency_keys set lease_until = $5::timestamptz
     where ${WHERE_SCOPE} and holder = $4 and resource_id is null`,
    [...parametersOf(scope), holder, timestampOf(leaseUntilMs)],
  )
}

/** Releases an unused hold. */
export async function dropHeldKey(db: Queryable, scope: KeyScope, holder: string): Promise<void> {
  await db.query(`delete from idempotency_keys where ${WHERE_SCOPE} and holder = $4 and resource_id is null`, [
    ...parametersOf(scope),
    holder,
  ])
}

/** Turns a hold into a used key, in the transaction that records the created resource. False if the hold was lost. */
export async function useHeldKey(
  tx: Queryable,
  scope: KeyScope,
  use: { readonly holder: string; readonly resourceId: string; readonly fingerprint: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update idempotency_keys set resource_id = $5, fingerprint = $6
     where ${WHERE_SCOPE} and holder = $4 and resource_id is null returning key`,
    [...parametersOf(scope), use.holder, use.resourceId, use.fingerprint],
  )
  return rows.length > 0
}

/**
 * Uses a free key at once, in the transaction that records the created resource. False if it is not free (any more).
 */
export async function useFreeKey(
  tx: Queryable,
  scope: KeyScope,
  use: { readonly resourceId: string; readonly fingerprint: string; readonly nowMs: number },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into idempotency_keys (tenant_id, operation, key, resource_id, fingerprint, holder, lease_until)
     values ($1, $2, $3, $4, $5, $4, $6::timestamptz)
     on conflict (tenant_id, operation, key) do nothing returning key`,
    [...parametersOf(scope), use.resourceId, use.fingerprint, timestampOf(use.nowMs)],
  )
  return rows.length > 0
}

/** Releases the keys of a removed resource, so that they can be used again. */
export async function releaseKeysOf(tx: Queryable, resourceId: string): Promise<void> {
  await tx.query('delete from idempotency_keys where resource_id = $1', [resourceId])
}

function parametersOf(scope: KeyScope): [string, string, string] {
  return [scope.tenantId, scope.operation, scope.key]
}
