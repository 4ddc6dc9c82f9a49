import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import {
  DeliveryStatus,
  type WebhookDeliveryList,
  type WebhookList,
  type WebhookReceipt,
  type WebhookReplay,
  WebhookReplayRequest,
  WebhookRequest,
  type WebhookRotation,
  type WebhookTest,
} from '../../contract/webhooks.ts'
import type { ServiceContext } from '../context/context.ts'
import { DEFAULT_PAGE_SIZE, PAGE_QUERY, readCursor, writeCursor } from '../http/list-pages.ts'
import { checkBody, checkQuery } from '../http/request-shape.ts'
import { listMessages } from '../records/webhook-messages.ts'
import { deleteWebhook, listWebhooks, webhookRecord } from '../records/webhooks.ts'
import {
  createWebhook,
  noSuchWebhook,
  replayWebhook,
  requireWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../webhooks/manage-webhooks.ts'

const DeliveriesQuery = z.strictObject({ ...PAGE_QUERY, status: DeliveryStatus.optional() })

interface OneWebhook {
  Params: { webhook_id: string }
}

/** Registration of webhooks, and what became of their deliveries. */
export function webhookRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    app.post('/v1/webhooks', async (request): Promise<WebhookReceipt> => {
      const body = checkBody(WebhookRequest, request.body)
      const { row, secret } = await createWebhook(context, request.identity.tenantId, body)
      return { ...webhookRecord(row), secret, request_id: request.id }
    })

    app.get('/v1/webhooks', async (request): Promise<WebhookList> => {
      const rows = await listWebhooks(context.db, request.identity.tenantId)
      return { webhooks: rows.map(webhookRecord), request_id: request.id }
    })

    const config = { isBodyOptional: true }
    app.delete<OneWebhook>('/v1/webhooks/:webhook_id', { config }, async (request, reply) => {
      const { tenantId } = request.identity
      if (!(await deleteWebhook(context.db, tenantId, request.params.webhook_id))) throw noSuchWebhook()
      return await reply.code(204).send()
    })

    app.post<OneWebhook>('/v1/webhooks/:webhook_id/test', { config }, async (request, reply): Promise<WebhookTest> => {
      const delivery = await testWebhook(context, request.identity.tenantId, request.params.webhook_id)
      reply.code(202)
      return { ...delivery, request_id: request.id }
    })

    app.post<OneWebhook>('/v1/webhooks/:webhook_id/rotate', { config }, async (request): Promise<WebhookRotation> => {
      const { webhook_id } = request.params
      const { secret, earlierUntil } = await rotateWebhookSecret(context, request.identity.tenantId, webhook_id)
      return { webhook_id, secret, earlier_until: earlierUntil, request_id: request.id }
    })

    app.get<OneWebhook>('/v1/webhooks/:webhook_id/deliveries', async (request): Promise<WebhookDeliveryList> => {
      const { tenantId } = request.identity
      const query = checkQuery(DeliveriesQuery, request.query)
      const { webhook_id: webhookId } = await requireWebhook(context, tenantId, request.params.webhook_id)
      const { limit = DEFAULT_PAGE_SIZE, status = null, cursor } = query
      const owner = { key: context.keys.cursor, list: `deliveries ${webhookId} ${status}`, tenantId }
      const place = cursor === undefined ? null : readCursor(owner, cursor)
      const after = place === null ? null : { createdAt: place[0], messageId: place[1] }
      const found = await listMessages(context.db, webhookId, { status, after, limit })
      const deliveries = found.slice(0, limit)
      const last = deliveries.at(-1)
      const isLast = last === undefined || found.length <= limit
      const next = isLast ? null : writeCursor(owner, [last.created_at, last.message_id])
      return { deliveries, limit, next_cursor: next, request_id: request.id }
    })

    app.post<OneWebhook>('/v1/webhooks/:webhook_id/replay', async (request, reply): Promise<WebhookReplay> => {
      const body = checkBody(WebhookReplayRequest, request.body)
      const replayed = await replayWebhook(context, request.identity.tenantId, request.params.webhook_id, body)
      reply.code(202)
      return { replayed, request_id: request.id }
    })
  }
}
