import { EXPIRY_NOTICE_HOURS, WEBHOOK_RETRY_HOURS } from '../../contract/limits.ts'
import type { DeliveryStatus, WebhookDelivery } from '../../contract/webhooks.ts'
import type { Queryable } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'

const HOUR_MS = 60 * 60_000

/** Channel that announces messages to the processes that send them. */
export const WEBHOOKS_CHANNEL = 'whatif_webhooks'

interface MessageRow {
  readonly message_id: string
  readonly type: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly created_at: string
  readonly due_at: string
  readonly last_at: string | null
  readonly last_status: number | null
  readonly last_fault: string | null
}

const COLUMNS = `message_id, type, status, attempts, ${utcText('created_at')} as created_at,
  ${utcText('due_at')} as due_at, ${utcText('last_at')} as last_at, last_status, last_fault`

/** Place of a message in the list of its webhook. */
export interface MessagePosition {
  readonly createdAt: string
  readonly messageId: string
}

/** A page of messages, newest first, after a position; one more than `limit`, if there is one. */
export async function listMessages(
  db: Queryable,
  webhookId: string,
  page: { readonly status: DeliveryStatus | null; readonly after: MessagePosition | null; readonly limit: number },
): Promise<readonly WebhookDelivery[]> {
  const { status, after, limit } = page
  const rows = await db.query<MessageRow>(
    `select ${COLUMNS} from webhook_messages
     where webhook_id = $1 ${status === null ? '' : 'and status = $3'}
     ${after === null ? '' : `and (webhook_messages.created_at, message_id) < ($${status === null ? 3 : 4}::timestamptz, $${status === null ? 4 : 5})`}
     order by webhook_messages.created_at desc, message_id desc limit $2`,
    [
      webhookId,
      limit + 1,
      ...(status === null ? [] : [status]),
      ...(after === null ? [] : [after.createdAt, after.messageId]),
    ],
  )
  return rows.map(recordOf)
}

function recordOf(row: MessageRow): WebhookDelivery {
  return {
    message_id: row.message_id,
    type: row.type,
    status: row.status,
    created_at: row.created_at,
    attempts: row.attempts,
    ...(row.status === 'pending' && { next_attempt_at: row.due_at }),
    ...(row.last_at !== null && { last_attempt_at: row.last_at }),
    ...(row.last_status !== null && { last_status: row.last_status }),
    ...(row.last_fault !== null && { last_fault: row.last_fault }),
  }
}

export interface NewMessage {
  readonly messageId: string
  readonly webhookId: string
  readonly type: string
  readonly body: string
  readonly nowMs: number
}

/** Queues a message to one webhook. Null: one of this type is pending. */
export async function insertOnlyMessage(tx: Queryable, message: NewMessage): Promise<WebhookDelivery | null> {
  const { webhookId, type, nowMs } = message
  await tx.query('select 1 from webhooks where webhook_id = $1 for no key update', [webhookId])
  const [row] = await tx.query<MessageRow>(
    `insert into webhook_messages (message_id, webhook_id, type, body, created_at, status, due_at, give_up_at)
     select $1, $2, $3, $4, $5::timestamptz, 'pending', $5::timestamptz, $6::timestamptz
     where not exists (
       select 1 from webhook_messages where webhook_id = $2 and status = 'pending' and type = $3)
     returning ${COLUMNS}`,
    [
      message.messageId,
      webhookId,
      type,
      message.body,
      timestampOf(nowMs),
      timestampOf(nowMs + WEBHOOK_RETRY_HOURS * HOUR_MS),
    ],
  )
  if (row === undefined) return null
  await tx.query(`select pg_notify('${WEBHOOKS_CHANNEL}', '')`)
  return recordOf(row)
}

/** Which messages are sent again: one, or those given up since a moment. */
export type Replayed = { readonly messageId: string } | { readonly failedSinceMs: number }

/** Makes messages pending again, under their ids and with their bodies. Returns how many. */
export async function replayMessages(
  tx: Queryable,
  webhookId: string,
  which: Replayed,
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): Promise<number> {
  const [condition, value] =
    'messageId' in which
      ? ["message_id = $4 and status <> 'pending'", which.messageId]
      : ["status = 'failed' and created_at >= $4::timestamptz", timestampOf(which.failedSinceMs)]
  const rows = await tx.query(
    `update webhook_messages set status = 'pending', attempts = 0, due_at = $2::timestamptz,
       give_up_at = $3::timestamptz
     where webhook_id = $1 and message_id in (
       select message_id from webhook_messages where webhook_id = $1 and ${condition}
       order by webhook_messages.created_at limit $5 for update skip locked)
     returning message_id`,
    [webhookId, timestampOf(nowMs), timestampOf(nowMs + WEBHOOK_RETRY_HOURS * HOUR_MS), value, most],
  )
  if (rows.length > 0) await tx.query(`select pg_notify('${WEBHOOKS_CHANNEL}', '')`)
  return rows.length
}

/** A message that this process holds until its lease ends. */
export interface TakenMessage {
  readonly message_id: string
  readonly webhook_id: string
  readonly type: string
  readonly body: string
  /** This one included. */
  readonly attempts: number
  readonly url: string
  readonly secret_sealed: string
  /** Null: there is none, or it signs no more. */
  readonly earlier_sealed: string | null
}

export interface TakeLimits {
  readonly most: number
  /** Messages of one webhook that all processes together send at once. */
  readonly perWebhook: number
  readonly leaseMs: number
  readonly nowMs: number
}

/**
 * Takes messages that are due. The rows of their webhooks are locked, so that processes see what the others hold. The
 * webhook that was looked at least recently comes first: a long backlog of one does not delay the others.
 */
export async function takeMessages(tx: Queryable, limits: TakeLimits): Promise<readonly TakenMessage[]> {
  const now = timestampOf(limits.nowMs)
  // From webhook to webhook along the index, however many messages one of them has waiting.
  // Not "for update": ending a job refers to the row, and must not wait.
  const chosen = await tx.query<{ webhook_id: string }>(
    `with recursive waiting as (
       (select webhook_id from webhook_messages where status = 'pending' order by webhook_id limit 1)
       union all
       select (
         select m.webhook_id from webhook_messages m
         where m.status = 'pending' and m.webhook_id > waiting.webhook_id order by m.webhook_id limit 1)
       from waiting where waiting.webhook_id is not null)
     select w.webhook_id from webhooks w join waiting on waiting.webhook_id = w.webhook_id
     where exists (
       select 1 from webhook_messages m
       where m.webhook_id = w.webhook_id and m.status = 'pending' and m.due_at <= $1::timestamptz)
     order by w.taken_at nulls first limit $2 for no key update of w skip locked`,
    [now, limits.most],
  )
  if (chosen.length === 0) return []
  const ids = chosen.map((row) => row.webhook_id)
  await tx.query('update webhooks set taken_at = $2::timestamptz where webhook_id = any($1::text[])', [ids, now])
  return await tx.query<TakenMessage>(
    `with free as (
       select webhook_id, $3 - (
         select count(*) from webhook_messages h
         where h.webhook_id = w.webhook_id and h.held_until > $2::timestamptz) as places
       from webhooks w where webhook_id = any($1::text[])),
     taken as (
       update webhook_messages set attempts = attempts + 1, held_until = $4::timestamptz, due_at = $4::timestamptz
       where message_id in (
         select due.message_id from free cross join lateral (
           select m.message_id from webhook_messages m
           where m.webhook_id = free.webhook_id and m.status = 'pending' and m.due_at <= $2::timestamptz
           order by m.due_at limit greatest(0, free.places)) due
         limit $5)
       returning message_id, webhook_id, type, body, attempts)
     select t.message_id, t.webhook_id, t.type, t.body, t.attempts, w.url, w.secret_sealed,
       case when w.earlier_until > $2::timestamptz then w.earlier_sealed end as earlier_sealed
     from taken t join webhooks w on w.webhook_id = t.webhook_id`,
    [ids, now, limits.perWebhook, timestampOf(limits.nowMs + limits.leaseMs), limits.most],
  )
}

/** How an attempt ended. */
export interface AttemptEnd {
  readonly status: DeliveryStatus
  /** When it is tried again; of a pending message. */
  readonly dueMs?: number
  readonly httpStatus: number | null
  readonly fault: string | null
}

/** Records the end of an attempt. False: the lease had ended and another process has taken the message. */
export async function endMessage(
  db: Queryable,
  { message_id, attempts }: Pick<TakenMessage, 'message_id' | 'attempts'>,
  end: AttemptEnd,
  nowMs: number,
): Promise<boolean> {
  const rows = await db.query(
    `update webhook_messages set status = $3, held_until = null, due_at = coalesce($4::timestamptz, due_at),
       last_at = $5::timestamptz, last_status = $6, last_fault = $7
     where message_id = $1 and attempts = $2 and status = 'pending' and held_until is not null returning message_id`,
    [
      message_id,
      attempts,
      end.status,
      end.dueMs === undefined ? null : timestampOf(end.dueMs),
      timestampOf(nowMs),
      end.httpStatus,
      end.fault,
    ],
  )
  return rows.length > 0
}

/** Hands a message back whose attempt was cut off because this process stops. */
export async function returnMessage(
  db: Queryable,
  { message_id, attempts }: Pick<TakenMessage, 'message_id' | 'attempts'>,
  nowMs: number,
): Promise<void> {
  await db.query(
    `update webhook_messages set held_until = null, due_at = $3::timestamptz, attempts = attempts - 1
     where message_id = $1 and attempts = $2 and status = 'pending' and held_until is not null`,
    [message_id, attempts, timestampOf(nowMs)],
  )
}

/** What the last process held is due at once: it used the database alone, and is gone. */
export async function freeMessages(db: Queryable, nowMs: number): Promise<void> {
  await db.query(
    'update webhook_messages set held_until = null, due_at = $1::timestamptz where held_until is not null',
    [timestampOf(nowMs)],
  )
}

/** Gives up messages whose time is over, although nobody has tried. Returns how many. */
export async function giveUpMessages(db: Queryable, nowMs: number, limit: number): Promise<number> {
  const rows = await db.query(
    `update webhook_messages set status = 'failed', held_until = null,
       last_fault = coalesce(last_fault, 'It was not sent in time.')
     where message_id in (
       select message_id from webhook_messages
       where status = 'pending' and give_up_at <= $1::timestamptz
         and (held_until is null or held_until <= $1::timestamptz)
       order by give_up_at limit $2 for update skip locked)
     returning message_id`,
    [timestampOf(nowMs), limit],
  )
  return rows.length
}

/** Removes ended messages from before. Returns how many. */
export async function removeMessages(db: Queryable, beforeMs: number, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from webhook_messages where message_id in (
       select message_id from webhook_messages where status <> 'pending' and created_at < $1::timestamptz
       order by created_at limit $2 for update skip locked)
     returning message_id`,
    [timestampOf(beforeMs), limit],
  )
  return rows.length
}

/** Tells webhooks of datasets whose retention ends soon, each once. Returns how many. */
export async function announceExpiring(db: Queryable, nowMs: number, limit: number): Promise<number> {
  const rows = await db.query(
    `with due as (
       select dataset_id from datasets d
       where status = 'ready' and swept_at is null and expires_at > $1::timestamptz
         and expires_at <= $2::timestamptz and announced_end is distinct from expires_at
         and exists (
           select 1 from webhooks w where w.tenant_id = d.tenant_id and w.disabled_at is null
             and 'dataset.expiring' = any(w.events))
       order by expires_at limit $3 for no key update skip locked),
     announced as (
       update datasets d set announced_end = expires_at from due where d.dataset_id = due.dataset_id
       returning d.dataset_id, d.tenant_id, d.expires_at)
     select tell_webhooks(tenant_id, 'dataset.expiring', $1::timestamptz,
       json_build_object('dataset_id', dataset_id, 'expires_at', ${utcText('expires_at')}))
     from announced`,
    [timestampOf(nowMs), timestampOf(nowMs + EXPIRY_NOTICE_HOURS * HOUR_MS), limit],
  )
  return rows.length
}
