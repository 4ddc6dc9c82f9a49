import type { Database, Queryable } from '../store/database.ts'

/** Usage of a tenant, or of all tenants. Bytes count stored files, not files being received or written. */
export interface Usage {
  /** Rows generated so far, by the ledger. */
  readonly rows_billed: number
  /** Rows requested by generations in progress. */
  readonly rows_reserved: number
  readonly seed_bytes: number
  readonly model_bytes: number
  /** Bytes of cached models, which the engine trained for scenarios. */
  readonly order_bytes: number
  readonly artifact_bytes: number
  readonly datasets_ready: number
  readonly datasets_processing: number
  readonly generations: number
  readonly artifacts: number
}

const COUNTED = [
  'rows_billed',
  'rows_reserved',
  'seed_bytes',
  'model_bytes',
  'order_bytes',
  'artifact_bytes',
  'datasets_ready',
  'datasets_processing',
  'generations',
  'artifacts',
] as const satisfies readonly (keyof Usage)[]

const NOTHING = Object.fromEntries(COUNTED.map((name) => [name, 0])) as unknown as Usage

/** Most changes added to the totals by one statement, so that an embedded database is never blocked for long. */
const FOLD_LIMIT = 5_000

/** Any number; every process of the service must use the same one. */
const FOLD_LOCK = 7_203_114_912

const list = COUNTED.join(', ')
const sums = COUNTED.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', ')

/** SQL of a tenant's stored bytes of every kind; for `totalOf`. */
export const STORED_BYTES = 'seed_bytes + model_bytes + order_bytes + artifact_bytes'

/**
 * SQL of a total of a tenant: its row plus the changes that are not yet added.
 *
 * @param tenant SQL of its id.
 */
export function totalOf(what: keyof Usage | typeof STORED_BYTES, tenant: string): string {
  return `coalesce((select sum(amount)::bigint from (
    select ${what} as amount from tenant_usage where tenant_usage.tenant_id = ${tenant}
    union all select ${what} from usage_changes where usage_changes.tenant_id = ${tenant}) as parts), 0)`
}

/** A tenant's usage, read by one statement, so that nothing is counted twice or missed while it moves. */
export async function readUsage(db: Queryable, tenantId: string): Promise<Usage> {
  const [usage] = await db.query<Usage>(
    `select ${sums} from (
       select ${list} from tenant_usage where tenant_id = $1
       union all select ${list} from usage_changes where tenant_id = $1) as parts`,
    [tenantId],
  )
  return usage ?? NOTHING
}

/** Usage of all tenants together. */
export async function readTotalUsage(db: Queryable): Promise<Usage> {
  const [usage] = await db.query<Usage>(
    `select ${sums} from (select ${list} from tenant_usage union all select ${list} from usage_changes) as parts`,
  )
  return usage ?? NOTHING
}

/** A tenant's stored bytes of every kind. */
export function storedBytes(usage: Usage): number {
  return usage.seed_bytes + usage.model_bytes + usage.order_bytes + usage.artifact_bytes
}

/** Adds the changes to the totals. One of several processes does it; changes made meanwhile wait for the next time. */
export async function foldUsage(db: Database): Promise<void> {
  for (;;) {
    const folded = await db.transaction(async (tx) => {
      const [lock] = await tx.query<{ is_ours: boolean }>(`select pg_try_advisory_xact_lock(${FOLD_LOCK}) as is_ours`)
      if (lock?.is_ours !== true) return 0
      const rows = await tx.query<{ changes: number }>(
        `with taken as (
           delete from usage_changes where change_id in (
             select change_id from usage_changes order by change_id limit ${FOLD_LIMIT})
           returning tenant_id, ${list})
         insert into tenant_usage (tenant_id, ${list})
           select tenant_id, ${COUNTED.map((name) => `sum(${name})`).join(', ')} from taken group by tenant_id
         on conflict (tenant_id) do update set
           ${COUNTED.map((name) => `${name} = tenant_usage.${name} + excluded.${name}`).join(', ')}
         returning (select count(*)::integer from taken) as changes`,
      )
      return rows[0]?.changes ?? 0
    })
    if (folded < FOLD_LIMIT) return
  }
}
