import type { Queryable } from '../store/database.ts'

/** What a tenant may do; set by the operator. */
export interface TenantLimits {
  /** Largest `row_count` of one generation. */
  readonly requestRowCap: number
  /** Rows of the active subscription; null: no limit. */
  readonly subscriptionRows: number | null
  readonly retentionHours: number
  /** Bytes that the tenant may have stored; null: what the service's settings say. */
  readonly storedBytesLimit: number | null
  /** Bytes of one artifact; null: what the service's settings say. */
  readonly artifactBytesLimit: number | null
}

/**
 * Reads a tenant's limits; `lock` keeps others from changing or counting against them until the transaction ends, but not
 * from recording what belongs to the tenant.
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
