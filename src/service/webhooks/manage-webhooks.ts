import { momentOf } from '../../base/rfc3339.ts'
import { MAX_REPLAYED_DELIVERIES, MAX_WEBHOOKS, WEBHOOK_OVERLAP_HOURS } from '../../contract/limits.ts'
import {
  TEST_EVENT,
  WEBHOOK_EVENTS,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookReplayRequest,
  type WebhookRequest,
} from '../../contract/webhooks.ts'
import type { ServiceContext } from '../context/context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { invalidFields } from '../http/request-shape.ts'
import { insertOnlyMessage, type Replayed, replayMessages } from '../records/webhook-messages.ts'
import { insertWebhook, readWebhook, replaceSecret, type WebhookRow } from '../records/webhooks.ts'
import { newIdentifier } from '../store/identifiers.ts'
import { timestampOf } from '../store/timestamps.ts'
import { faultOfAddress } from './webhook-address.ts'
import { newSecret, sealSecret } from './webhook-secrets.ts'

const HOUR_MS = 60 * 60_000

/** Registers a webhook. The secret is returned here only. */
export async function createWebhook(
  context: ServiceContext,
  tenantId: string,
  { url, events = [...WEBHOOK_EVENTS], description }: WebhookRequest,
): Promise<{ readonly row: WebhookRow; readonly secret: string }> {
  const { db, keys, settings, now } = context
  requireSending(context)
  const fault = faultOfAddress(url, settings.webhooks)
  if (fault !== null) throw invalidFields([{ field: 'url', message: fault }])
  const webhookId = newIdentifier('whk')
  const secret = newSecret()
  const insertion = await db.transaction(async (tx) =>
    insertWebhook(
      tx,
      {
        webhookId,
        tenantId,
        url,
        description: description ?? null,
        events: [...new Set<string>(events)],
        secretSealed: sealSecret(keys.sealing, secret, webhookId),
        nowMs: now(),
      },
      MAX_WEBHOOKS,
    ),
  )
  if (insertion.kind === 'known') {
    const message = `is registered as ${insertion.webhookId}; rotate its secret if it is lost, or delete it first`
    throw invalidFields([{ field: 'url', message }])
  }
  if (insertion.kind === 'full') {
    throw new ProblemError(
      'svc_quota_exceeded',
      `A tenant has at most ${MAX_WEBHOOKS} webhooks. Delete one that is not needed.`,
    )
  }
  return { row: insertion.row, secret }
}

/** Queues a test event. */
export async function testWebhook(
  context: ServiceContext,
  tenantId: string,
  webhookId: string,
): Promise<WebhookDelivery> {
  requireSending(context)
  await requireWebhook(context, tenantId, webhookId)
  const nowMs = context.now()
  const event: WebhookEvent = {
    type: TEST_EVENT,
    timestamp: timestampOf(nowMs),
    data: { webhook_id: webhookId },
  }
  const message = {
    messageId: newIdentifier('msg'),
    webhookId,
    type: TEST_EVENT,
    body: JSON.stringify(event),
    nowMs,
  }
  const delivery = await context.db.transaction(async (tx) => await insertOnlyMessage(tx, message))
  if (delivery !== null) return delivery
  throw new ProblemError('svc_rate_limited', 'A test of this webhook is pending. Read its deliveries first.', {
    headers: { 'retry-after': '5' },
  })
}

/** Makes a new secret; the earlier one signs for a while, too. */
export async function rotateWebhookSecret(
  context: ServiceContext,
  tenantId: string,
  webhookId: string,
): Promise<{ readonly secret: string; readonly earlierUntil: string }> {
  const { db, keys, now } = context
  const secret = newSecret()
  const earlierUntilMs = now() + WEBHOOK_OVERLAP_HOURS * HOUR_MS
  const sealed = sealSecret(keys.sealing, secret, webhookId)
  if (!(await replaceSecret(db, { tenantId, webhookId }, { sealed, earlierUntilMs }))) throw noSuchWebhook()
  return { secret, earlierUntil: timestampOf(earlierUntilMs) }
}

/** Makes messages pending again; returns how many. */
export async function replayWebhook(
  context: ServiceContext,
  tenantId: string,
  webhookId: string,
  body: WebhookReplayRequest,
): Promise<number> {
  requireSending(context)
  const which = replayedOf(body)
  const webhook = await requireWebhook(context, tenantId, webhookId)
  if (webhook.disabled_at !== null) {
    throw new ProblemError(
      'svc_forbidden',
      'The webhook is disabled. Test it first: a test that succeeds enables it again.',
    )
  }
  const limits = { nowMs: context.now(), most: MAX_REPLAYED_DELIVERIES }
  return await context.db.transaction(async (tx) => await replayMessages(tx, webhookId, which, limits))
}

function replayedOf({ message_id: messageId, failed_since: since }: WebhookReplayRequest): Replayed {
  if ((messageId === undefined) === (since === undefined)) {
    throw invalidFields([{ field: 'body', message: 'must have either message_id or failed_since' }])
  }
  if (messageId !== undefined) return { messageId }
  const failedSinceMs = momentOf(since as string, 'min')
  if (failedSinceMs === null) {
    throw invalidFields([
      { field: 'failed_since', message: 'must be a moment in the form of RFC 3339, such as 2026-05-04T10:00:00Z' },
    ])
  }
  return { failedSinceMs }
}

export async function requireWebhook({ db }: ServiceContext, tenantId: string, webhookId: string): Promise<WebhookRow> {
  const row = await readWebhook(db, tenantId, webhookId)
  if (row === null) throw noSuchWebhook()
  return row
}

export function noSuchWebhook(): ProblemError {
  return new ProblemError('svc_not_found', 'There is no such webhook.')
}

function requireSending({ settings }: ServiceContext): void {
  if (settings.webhooks === 'none') throw new ProblemError('svc_forbidden', 'This service sends no webhooks.')
}
