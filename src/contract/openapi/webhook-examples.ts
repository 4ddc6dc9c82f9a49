import { WEBHOOK_EVENTS, type Webhook, type WebhookDelivery, type WebhookEvent } from '../webhooks.ts'
import type { OperationExamples } from './example.ts'
import { IDS, TIMES } from './record-examples.ts'

const WEBHOOK: Webhook = {
  webhook_id: 'whk_4tQh0ZsLwXb7mUe2VdRk9c',
  url: 'https://receiver.harbour.example/whatif',
  events: [...WEBHOOK_EVENTS],
  description: 'Tells the nightly job.',
  created_at: TIMES.signup,
}

const SECRET = 'whsec_c2hvd24tb25jZS1hbmQtbmV2ZXItYWdhaW4='

const TEST: WebhookDelivery = {
  message_id: 'msg_8nCw1yGvPz5KjLq3XbTr6f',
  type: 'webhook.test',
  status: 'pending',
  created_at: TIMES.generation,
  attempts: 0,
  next_attempt_at: TIMES.generation,
}

const DELIVERED: WebhookDelivery = {
  message_id: 'msg_0f6c1a0e8e7b4b5f9d3a2c1b7e5d4f60',
  type: 'generation.ready',
  status: 'delivered',
  created_at: TIMES.generation,
  attempts: 1,
  last_attempt_at: TIMES.generation,
  last_status: 204,
}

/** The body of a delivery. */
export const WEBHOOK_EVENT: WebhookEvent = {
  type: 'generation.ready',
  timestamp: TIMES.generation,
  data: {
    generation_id: IDS.generation,
    status: 'ready',
    dataset_id: IDS.dataset,
    job_id: IDS.generationJob,
    row_count: 1000,
    rows_generated: 1000,
  },
}

export const WEBHOOK_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  createWebhook: {
    request: { url: WEBHOOK.url, events: WEBHOOK.events, description: WEBHOOK.description },
    reply: { ...WEBHOOK, secret: SECRET, request_id: IDS.request },
  },
  listWebhooks: { reply: { webhooks: [WEBHOOK], request_id: IDS.request } },
  testWebhook: { responses: { 202: { ...TEST, request_id: IDS.request } } },
  rotateWebhookSecret: {
    reply: {
      webhook_id: WEBHOOK.webhook_id,
      secret: SECRET,
      earlier_until: TIMES.generationEnd,
      request_id: IDS.request,
    },
  },
  listWebhookDeliveries: {
    reply: { deliveries: [TEST, DELIVERED], limit: 20, next_cursor: null, request_id: IDS.request },
  },
  replayWebhook: {
    request: { failed_since: TIMES.upload },
    responses: { 202: { replayed: 12, request_id: IDS.request } },
  },
}
