import { z } from 'zod'
import { NO_CONTROL_CHARACTERS } from './access.ts'
import { DateTime, Identifier } from './ids.ts'
import { JOB_STATUSES } from './jobs.ts'
import {
  MAX_PAGE_SIZE,
  MAX_REPLAYED_DELIVERIES,
  MAX_WEBHOOK_DESCRIPTION,
  MAX_WEBHOOK_URL,
  MAX_WEBHOOKS,
  WEBHOOK_ANSWER_SECONDS,
  WEBHOOK_DISABLED_AFTER_DAYS,
  WEBHOOK_KEPT_DAYS,
  WEBHOOK_OVERLAP_HOURS,
  WEBHOOK_RETRY_HOURS,
} from './limits.ts'
import { json, type Operation, pathId } from './operation.ts'

/** What a webhook can subscribe to. */
export const WEBHOOK_EVENTS = [
  'job.completed',
  'job.failed',
  'generation.ready',
  'generation.partial',
  'dataset.expiring',
] as const
export const WebhookEventType = z.enum(WEBHOOK_EVENTS)
export type WebhookEventType = z.infer<typeof WebhookEventType>

/** Sent by the test operation only. */
export const TEST_EVENT = 'webhook.test'

/** POST /v1/webhooks. */
export const WebhookRequest = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(MAX_WEBHOOK_URL)
      .describe('Where events are sent: https, without a user name or fragment, on a public address.'),
    events: z.array(WebhookEventType).min(1).max(WEBHOOK_EVENTS.length).optional().describe('Default: all events.'),
    description: z
      .string()
      .max(MAX_WEBHOOK_DESCRIPTION)
      .regex(NO_CONTROL_CHARACTERS, { error: 'must not hold control characters' })
      .optional(),
  })
  .meta({ id: 'WebhookRequest' })
export type WebhookRequest = z.infer<typeof WebhookRequest>

export const Webhook = z
  .object({
    webhook_id: Identifier,
    url: z.string(),
    events: z.array(z.string()).describe('A client ignores events that it does not know.'),
    description: z.string().optional(),
    created_at: DateTime,
    failing_since: DateTime.optional().describe('Since when no delivery has succeeded. Absent: the last one did.'),
    disabled: z
      .object({ at: DateTime, reason: z.string() })
      .optional()
      .describe('Present if nothing is sent any more. A test that succeeds enables the webhook again.'),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

/** The only replies that show a secret are those of registration and rotation. */
const WebhookSecret = z
  .string()
  .describe('Key of the signatures, `whsec_` and base64, as libraries of Standard Webhooks take it. Shown once.')

export const WebhookReceipt = Webhook.extend({ secret: WebhookSecret, request_id: z.string() }).meta({
  id: 'WebhookReceipt',
})
export type WebhookReceipt = z.infer<typeof WebhookReceipt>

export const WebhookList = z.object({ webhooks: z.array(Webhook), request_id: z.string() }).meta({ id: 'WebhookList' })
export type WebhookList = z.infer<typeof WebhookList>

export const WebhookRotation = z
  .object({
    webhook_id: Identifier,
    secret: WebhookSecret,
    earlier_until: DateTime.describe('Until then every delivery also has a signature by the earlier secret.'),
    request_id: z.string(),
  })
  .meta({ id: 'WebhookRotation' })
export type WebhookRotation = z.infer<typeof WebhookRotation>

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export const DeliveryStatus = z.enum(DELIVERY_STATUSES)
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

export const WebhookDelivery = z
  .object({
    message_id: Identifier.describe('The header `webhook-id`: the same in every attempt.'),
    type: z.string(),
    status: DeliveryStatus.describe('`failed`: given up; it can be sent again by a replay.'),
    created_at: DateTime,
    attempts: z.int().min(0),
    next_attempt_at: DateTime.optional().describe('Present while it is pending.'),
    last_attempt_at: DateTime.optional(),
    last_status: z.int().optional().describe('HTTP status of the last answer. Absent: there was none.'),
    last_fault: z.string().optional().describe('Why the last attempt did not succeed.'),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookTest = WebhookDelivery.extend({ request_id: z.string() }).meta({ id: 'WebhookTest' })
export type WebhookTest = z.infer<typeof WebhookTest>

export const WebhookDeliveryList = z
  .object({
    deliveries: z.array(WebhookDelivery),
    limit: z.int(),
    next_cursor: z.string().nullable(),
    request_id: z.string(),
  })
  .meta({ id: 'WebhookDeliveryList' })
export type WebhookDeliveryList = z.infer<typeof WebhookDeliveryList>

/** POST /v1/webhooks/{webhook_id}/replay: one message, or those that failed since a moment. */
export const WebhookReplayRequest = z
  .strictObject({
    message_id: Identifier.max(100).optional().describe('This message, whether it was delivered or not.'),
    failed_since: DateTime.optional().describe('All messages since this moment that were given up.'),
  })
  .meta({ id: 'WebhookReplayRequest' })
export type WebhookReplayRequest = z.infer<typeof WebhookReplayRequest>

export const WebhookReplay = z
  .object({ replayed: z.int().min(0).describe('Messages that are pending again.'), request_id: z.string() })
  .meta({ id: 'WebhookReplay' })
export type WebhookReplay = z.infer<typeof WebhookReplay>

/**
 * The body of a delivery. It has identifiers and no data of the tenant: the receiver reads the rest with its token.
 */
export const WebhookEvent = z
  .object({
    type: z.string(),
    timestamp: DateTime.describe('When it happened.'),
    data: z.looseObject({
      job_id: Identifier.optional(),
      dataset_id: Identifier.optional(),
      generation_id: Identifier.optional(),
      webhook_id: Identifier.optional(),
      kind: z.string().optional().describe('Of a job: `training` or `generation`.'),
      status: z.enum([...JOB_STATUSES, 'ready', 'partial']).optional(),
      error_code: z.string().optional(),
      row_count: z.int().optional(),
      rows_generated: z.int().optional(),
      expires_at: DateTime.optional(),
    }),
  })
  .meta({ id: 'WebhookEvent' })
export type WebhookEvent = z.infer<typeof WebhookEvent>

const WEBHOOK_ID = pathId('webhook_id', 'As returned by POST /v1/webhooks.')

const EXTENSION = 'Extension: not in the specification.'

/** Operations on a tenant's webhooks, in the form of Standard Webhooks. */
export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  {
    operationId: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    tag: 'webhooks',
    summary: 'Register an address that is told of events',
    description: `${EXTENSION} Deliveries have the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` of Standard Webhooks and a \`WebhookEvent\` as body. Any answer 2xx within ${WEBHOOK_ANSWER_SECONDS} s is a success; otherwise the delivery is repeated for ${WEBHOOK_RETRY_HOURS} hours. Events may arrive twice (under the same \`webhook-id\`) and in another sequence. Redirects are not followed. At most ${MAX_WEBHOOKS} webhooks a tenant, each address once. The secret is shown only here: if this reply is lost, delete the webhook, or rotate its secret.`,
    security: 'bearer',
    request: { required: true, content: json(WebhookRequest) },
    responses: { 200: { description: 'The webhook, with its secret.', content: json(WebhookReceipt) } },
    errors: ['svc_quota_exceeded', 'svc_forbidden'],
  },
  {
    operationId: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhooks',
    tag: 'webhooks',
    summary: 'Webhooks of the tenant, oldest first',
    description: `${EXTENSION} Without their secrets.`,
    security: 'bearer',
    responses: { 200: { description: 'The webhooks.', content: json(WebhookList) } },
  },
  {
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhooks/{webhook_id}',
    tag: 'webhooks',
    summary: 'Remove a webhook and its deliveries',
    description: `${EXTENSION} An attempt that is under way may still arrive.`,
    security: 'bearer',
    parameters: [WEBHOOK_ID],
    responses: { 204: { description: 'It is removed.' } },
  },
  {
    operationId: 'testWebhook',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/test',
    tag: 'webhooks',
    summary: 'Send an event of the type webhook.test',
    description: `${EXTENSION} The list of deliveries shows what came of it. If the webhook is disabled, a test that succeeds enables it again. While a test is pending, another one is answered with 429.`,
    security: 'bearer',
    parameters: [WEBHOOK_ID],
    responses: { 202: { description: 'The delivery, which is pending.', content: json(WebhookTest) } },
    errors: ['svc_forbidden'],
  },
  {
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/rotate',
    tag: 'webhooks',
    summary: 'Make a new secret for the signatures',
    description: `${EXTENSION} For ${WEBHOOK_OVERLAP_HOURS} hours deliveries have two signatures, by the new and by the earlier secret, so that no receiver refuses one. A further rotation within this time ends the oldest secret at once.`,
    security: 'bearer',
    parameters: [WEBHOOK_ID],
    responses: { 200: { description: 'The new secret.', content: json(WebhookRotation) } },
  },
  {
    operationId: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries',
    tag: 'webhooks',
    summary: 'Deliveries of a webhook, newest first',
    description: `${EXTENSION} Ended deliveries are kept for ${WEBHOOK_KEPT_DAYS} days. A webhook whose deliveries have all failed for ${WEBHOOK_DISABLED_AFTER_DAYS} days is disabled, and so is one that answers 410.`,
    security: 'bearer',
    parameters: [
      WEBHOOK_ID,
      { name: 'status', in: 'query', description: 'Only these.', schema: DeliveryStatus },
      { name: 'limit', in: 'query', description: 'Entries per page.', schema: z.int().min(1).max(MAX_PAGE_SIZE) },
      {
        name: 'cursor',
        in: 'query',
        description: '`next_cursor` of the previous page, unchanged.',
        schema: z.string(),
      },
    ],
    responses: { 200: { description: 'A page of deliveries.', content: json(WebhookDeliveryList) } },
  },
  {
    operationId: 'replayWebhook',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/replay',
    tag: 'webhooks',
    summary: 'Send messages again, under their ids',
    description: `${EXTENSION} Name one message, or a moment since which all failed ones are sent again, at most ${MAX_REPLAYED_DELIVERIES} at a time, the oldest first. They are repeated for ${WEBHOOK_RETRY_HOURS} hours from now.`,
    security: 'bearer',
    parameters: [WEBHOOK_ID],
    request: { required: true, content: json(WebhookReplayRequest) },
    responses: { 202: { description: 'How many are pending again.', content: json(WebhookReplay) } },
    errors: ['svc_forbidden'],
  },
]
