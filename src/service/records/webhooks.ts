import type { Webhook } from '../../contract/webhooks.ts'
import type { Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'

export interface WebhookRow {
  readonly webhook_id: string
  readonly tenant_id: string
  readonly url: string
  readonly description: string | null
  readonly events: readonly string[]
  readonly created_at: string
  readonly failing_since: string | null
  readonly disabled_at: string | null
  readonly disabled_reason: string | null
}

const COLUMNS = `webhook_id, tenant_id, url, description, events, ${utcText('created_at')} as created_at,
  ${utcText('failing_since')} as failing_since, ${utcText('disabled_at')} as disabled_at, disabled_reason`

export interface NewWebhook {
  readonly webhookId: string
  readonly tenantId: string
  readonly url: string
  readonly description: string | null
  readonly events: readonly string[]
  readonly secretSealed: string
  readonly nowMs: number
}

export type Insertion =
  | { readonly kind: 'inserted'; readonly row: WebhookRow }
  /** The tenant has registered this address. */
  | { readonly kind: 'known'; readonly webhookId: string }
  | { readonly kind: 'full' }

/** Registers a webhook, unless the tenant has `most` of them. Its row is locked, so that two requests count each other. */
export async function insertWebhook(tx: Queryable, webhook: NewWebhook, most: number): Promise<Insertion> {
  const { tenantId, url } = webhook
  await tx.query('select 1 from tenants where tenant_id = $1 for no key update', [tenantId])
  const rows = await tx.query<{ webhook_id: string; url: string }>(
    'select webhook_id, url from webhooks where tenant_id = $1',
    [tenantId],
  )
  const known = rows.find((row) => row.url === url)
  if (known !== undefined) return { kind: 'known', webhookId: known.webhook_id }
  if (rows.length >= most) return { kind: 'full' }
  const [row] = await tx.query<WebhookRow>(
    `insert into webhooks (webhook_id, tenant_id, url, description, events, secret_sealed, created_at)
     values ($1, $2, $3, $4, $5::text[], $6, $7::timestamptz) returning ${COLUMNS}`,
    [
      webhook.webhookId,
      tenantId,
      url,
      webhook.description,
      webhook.events,
      webhook.secretSealed,
      timestampOf(webhook.nowMs),
    ],
  )
  return { kind: 'inserted', row: row as WebhookRow }
}

export async function listWebhooks(db: Queryable, tenantId: string): Promise<readonly WebhookRow[]> {
  return await db.query<WebhookRow>(
    `select ${COLUMNS} from webhooks where tenant_id = $1 order by webhooks.created_at, webhook_id`,
    [tenantId],
  )
}

/** A tenant's webhook; null if it is unknown or another tenant's. */
export async function readWebhook(db: Queryable, tenantId: string, webhookId: string): Promise<WebhookRow | null> {
  const [row] = await db.query<WebhookRow>(`select ${COLUMNS} from webhooks where webhook_id = $1 and tenant_id = $2`, [
    webhookId,
    tenantId,
  ])
  return row ?? null
}

/** Its messages go with it. False if there is none. */
export async function deleteWebhook(db: Queryable, tenantId: string, webhookId: string): Promise<boolean> {
  const rows = await db.query('delete from webhooks where webhook_id = $1 and tenant_id = $2 returning webhook_id', [
    webhookId,
    tenantId,
  ])
  return rows.length > 0
}

/** The secret becomes the earlier one, which signs until then. False if there is no such webhook. */
export async function replaceSecret(
  db: Queryable,
  { tenantId, webhookId }: { readonly tenantId: string; readonly webhookId: string },
  { sealed, earlierUntilMs }: { readonly sealed: string; readonly earlierUntilMs: number },
): Promise<boolean> {
  const rows = await db.query(
    `update webhooks set earlier_sealed = secret_sealed, secret_sealed = $3, earlier_until = $4::timestamptz
     where webhook_id = $1 and tenant_id = $2 returning webhook_id`,
    [webhookId, tenantId, sealed, timestampOf(earlierUntilMs)],
  )
  return rows.length > 0
}

/** A delivery has succeeded. */
export async function noteWorking(db: Queryable, webhookId: string, enables: boolean): Promise<void> {
  await db.query(
    `update webhooks set failing_since = null,
       disabled_at = case when $2 then null else disabled_at end,
       disabled_reason = case when $2 then null else disabled_reason end
     where webhook_id = $1 and (failing_since is not null or ($2 and disabled_at is not null))`,
    [webhookId, enables],
  )
}

/** A delivery has not succeeded. Returns since when none has; null if the webhook is gone or disabled. */
export async function noteFailing(db: Queryable, webhookId: string, nowMs: number): Promise<number | null> {
  const [row] = await db.query<{ since: string }>(
    `update webhooks set failing_since = coalesce(failing_since, $2::timestamptz)
     where webhook_id = $1 and disabled_at is null returning ${utcText('failing_since')} as since`,
    [webhookId, timestampOf(nowMs)],
  )
  return row === undefined ? null : Date.parse(row.since)
}

/** Ends a webhook and its pending messages, until a test succeeds. False if it was disabled before. */
export async function disableWebhook(
  tx: Queryable,
  webhookId: string,
  { reason, nowMs }: { readonly reason: string; readonly nowMs: number },
): Promise<boolean> {
  const rows = await tx.query(
    `update webhooks set disabled_at = $2::timestamptz, disabled_reason = $3
     where webhook_id = $1 and disabled_at is null returning webhook_id`,
    [webhookId, timestampOf(nowMs), reason],
  )
  if (rows.length === 0) return false
  await tx.query(
    `update webhook_messages set status = 'failed', held_until = null, last_fault = 'The webhook was disabled.'
     where webhook_id = $1 and status = 'pending'`,
    [webhookId],
  )
  return true
}

export function webhookRecord(row: WebhookRow): Webhook {
  return {
    webhook_id: row.webhook_id,
    url: row.url,
    events: [...row.events],
    ...(row.description !== null && { description: row.description }),
    created_at: row.created_at,
    ...(row.failing_since !== null && { failing_since: row.failing_since }),
    ...(row.disabled_at !== null &&
      row.disabled_reason !== null && { disabled: { at: row.disabled_at, reason: row.disabled_reason } }),
  }
}
