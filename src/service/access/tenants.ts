import { STORED_BYTES, totalOf } from '../records/usage.ts'
import type { Queryable } from '../store/database.ts'
import { utcText } from '../store/timestamps.ts'

/** A tenant as the operator sees it. */
export interface TenantRow {
  readonly tenant_id: string
  readonly name: string
  /** Oldest first. */
  readonly client_ids: string[]
  readonly request_row_cap: number
  /** Null: no limit. */
  readonly subscription_rows: number | null
  /** Rows generated so far, by the ledger. */
  readonly rows_used: number
  /** Seed files, models and artifacts. */
  readonly bytes_stored: number
  /** Null: the limit in the settings. */
  readonly stored_bytes_limit: number | null
  readonly artifact_bytes_limit: number | null
  readonly retention_hours: number
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string
}

/** Limits that the operator sets. An absent field does not change. */
export interface TenantChange {
  readonly requestRowCap?: number | undefined
  readonly subscriptionRows?: number | null | undefined
  readonly retentionHours?: number | undefined
  readonly storedBytesLimit?: number | null | undefined
  readonly artifactBytesLimit?: number | null | undefined
}

const SELECT = `select t.tenant_id, t.name, t.request_row_cap, t.subscription_rows, t.retention_hours,
  t.stored_bytes_limit, t.artifact_bytes_limit,
  (select coalesce(string_agg(c.client_id, ' ' order by c.created_at, c.client_id), '')
   from clients c where c.tenant_id = t.tenant_id) as clients,
  ${totalOf('rows_billed', 't.tenant_id')} as rows_used,
  ${totalOf(STORED_BYTES, 't.tenant_id')} as bytes_stored,
  ${utcText('t.created_at')} as created_at from tenants t`

/** Tenants, newest first; `after` is the tenant id that the last page ended with. */
export async function listTenants(
  db: Queryable,
  page: { readonly after: string | null; readonly limit: number },
): Promise<{ tenants: readonly TenantRow[]; next: string | null }> {
  const rows = await db.query<SelectedRow>(
    `${SELECT}
     where $1::text is null or (t.created_at, t.tenant_id)
       < (select c.created_at, c.tenant_id from tenants c where c.tenant_id = $1)
     order by t.created_at desc, t.tenant_id desc limit $2`,
    [page.after, page.limit + 1],
  )
  const tenants = rows.slice(0, page.limit).map(rowOf)
  return { tenants, next: rows.length > page.limit ? (tenants.at(-1)?.tenant_id ?? null) : null }
}

/** Applies `change` to requests from now on. Null if there is no such tenant. */
export async function changeTenant(db: Queryable, tenantId: string, change: TenantChange): Promise<TenantRow | null> {
  const { requestRowCap, subscriptionRows, retentionHours, storedBytesLimit, artifactBytesLimit } = change
  await db.query(
    `update tenants set
       request_row_cap = coalesce($2::bigint, request_row_cap),
       subscription_rows = case when $3::boolean then $4::bigint else subscription_rows end,
       retention_hours = coalesce($5::integer, retention_hours),
       stored_bytes_limit = case when $6::boolean then $7::bigint else stored_bytes_limit end,
       artifact_bytes_limit = case when $8::boolean then $9::bigint else artifact_bytes_limit end
     where tenant_id = $1`,
    [
      tenantId,
      requestRowCap ?? null,
      // Null is a value here, so absence needs a separate flag.
      subscriptionRows !== undefined,
      subscriptionRows ?? null,
      retentionHours ?? null,
      storedBytesLimit !== undefined,
      storedBytesLimit ?? null,
      artifactBytesLimit !== undefined,
      artifactBytesLimit ?? null,
    ],
  )
  const [row] = await db.query<SelectedRow>(`${SELECT} where t.tenant_id = $1`, [tenantId])
  return row === undefined ? null : rowOf(row)
}

type SelectedRow = Omit<TenantRow, 'client_ids'> & { readonly clients: string }

function rowOf({ clients, ...row }: SelectedRow): TenantRow {
  return { ...row, client_ids: clients === '' ? [] : clients.split(' ') }
}
