import { sizeText } from '../../base/text/amount-text.ts'
import type { Settings } from '../settings/settings.ts'
import type { Queryable } from '../store/database.ts'
import { readUsage, storedBytes, type Usage } from './usage.ts'

/** Bytes that a tenant may store, and bytes of one artifact. Null: no limit. */
export interface StorageLimits {
  readonly storedBytes: number | null
  readonly artifactBytes: number | null
}

/** The remaining quota of a tenant. */
export interface LeftToStore {
  readonly limitBytes: number
  /** Below 0 if the limit was lowered, or something grew beyond it. */
  readonly leftBytes: number
}

/** The operator's limits for the tenant take precedence over the settings. */
export function storageLimits(
  tenant: Pick<TenantLimits, 'storedBytesLimit' | 'artifactBytesLimit'>,
  settings: Pick<Settings, 'tenantBytes' | 'artifactBytes'>,
): StorageLimits {
  return {
    storedBytes: tenant.storedBytesLimit ?? settings.tenantBytes,
    artifactBytes: tenant.artifactBytesLimit ?? settings.artifactBytes,
  }
}

/**
 * A tenant's remaining storage; null if there is no limit. In a transaction that then records something, `lock` keeps
 * others from recording anything that would exceed the limit together with it.
 */
export async function readLeftToStore(
  db: Queryable,
  tenantId: string,
  settings: Pick<Settings, 'tenantBytes' | 'artifactBytes'>,
  options: { readonly lock?: boolean } = {},
): Promise<{ readonly limits: StorageLimits; readonly stored: LeftToStore | null }> {
  const limits = storageLimits(await readTenantLimits(db, tenantId, options), settings)
  if (limits.storedBytes === null) return { limits, stored: null }
  // A separate statement: only a statement that begins after the lock sees what the previous holder of the lock
  // recorded.
  return { limits, stored: leftToStore(limits.storedBytes, await readUsage(db, tenantId)) }
}

export function leftToStore(limitBytes: number, usage: Usage): LeftToStore {
  return { limitBytes, leftBytes: limitBytes - storedBytes(usage) }
}

/** `12 MiB are left of the 20 GiB that the tenant may store`. */
export function leftText({ limitBytes, leftBytes }: LeftToStore): string {
  return `${sizeText(Math.max(0, leftBytes))} are left of the ${sizeText(limitBytes)} that the tenant may store`
}

/** A tenant's limits, which the operator sets. */
export interface TenantLimits {
  /** Largest `row_count` of one generation. */
  readonly requestRowCap: number
  /** Rows of the active subscription; null: no limit. */
  readonly subscriptionRows: number | null
  readonly retentionHours: number
  /** Bytes that the tenant may store; null: the limit in the settings. */
  readonly storedBytesLimit: number | null
  /** Bytes of one artifact; null: the limit in the settings. */
  readonly artifactBytesLimit: number | null
}

/**
 * Reads a tenant's limits. `lock` keeps others from changing or counting against them until the transaction ends, but
 * not from recording resources of the tenant.
 */
export async function readTenantLimits(
  db: Queryable,
  tenantId: string,
  options: { readonly lock?: boolean } = {},
): Promise<TenantLimits> {
  const [row] = await db.query<LimitsRow>(
    `select request_row_cap, subscription_rows, retention_hours, stored_bytes_limit, artifact_bytes_limit
     from tenants where tenant_id = $1
     ${options.lock === true ? 'for no key update' : ''}`,
    [tenantId],
  )
  if (row === undefined) throw new Error(`A bearer token names tenant ${tenantId}, which does not exist.`)
  return {
    requestRowCap: row.request_row_cap,
    subscriptionRows: row.subscription_rows,
    retentionHours: row.retention_hours,
    storedBytesLimit: row.stored_bytes_limit,
    artifactBytesLimit: row.artifact_bytes_limit,
  }
}

interface LimitsRow {
  readonly request_row_cap: number
  readonly subscription_rows: number | null
  readonly retention_hours: number
  readonly stored_bytes_limit: number | null
  readonly artifact_bytes_limit: number | null
}
