import { TEST_EVENT } from '../../../src/contract/webhooks.ts'
import {
  endMessage,
  freeMessages,
  insertOnlyMessage,
  listMessages,
  replayMessages,
  returnMessage,
  type TakenMessage,
  takeMessages,
} from '../../../src/service/records/webhook-messages.ts'
import {
  deleteWebhook,
  disableWebhook,
  insertWebhook,
  listWebhooks,
  noteFailing,
  noteWorking,
  readWebhook,
  replaceSecret,
} from '../../../src/service/records/webhooks.ts'
import type { Database } from '../../../src/service/store/database.ts'

const TENANT = 'ten_2'
const nowMs = Date.now()

/** A webhook from its registration to its end, with deliveries that succeed and fail. */
export async function wayOfWebhook(db: Database): Promise<void> {
  const webhook = {
    webhookId: 'whk_way',
    tenantId: TENANT,
    url: 'https://receiver.example/way',
    description: null,
    events: ['job.completed'],
    secretSealed: 'sealed',
    nowMs,
  }
  await db.transaction(async (tx) => await insertWebhook(tx, webhook, 1_000_000))
  await listWebhooks(db, 'ten_1')
  await readWebhook(db, TENANT, 'whk_way')
  await replaceSecret(db, { tenantId: TENANT, webhookId: 'whk_way' }, { sealed: 'other', earlierUntilMs: nowMs })
  for (const messageId of ['msg_way', 'msg_other']) {
    const message = { messageId, webhookId: 'whk_way', type: `${TEST_EVENT}.${messageId}`, body: '{}', nowMs }
    await db.transaction(async (tx) => await insertOnlyMessage(tx, message))
  }
  const limits = { most: 10, perWebhook: 4, leaseMs: 1000, nowMs }
  await db.transaction(async (tx) => await takeMessages(tx, limits))
  const held: Pick<TakenMessage, 'message_id' | 'attempts'> = { message_id: 'msg_way', attempts: 1 }
  await returnMessage(db, held, nowMs)
  await endMessage(db, held, { status: 'delivered', httpStatus: 200, fault: null }, nowMs)
  await noteFailing(db, 'whk_way', nowMs)
  await noteWorking(db, 'whk_way', false)
  for (const which of [{ messageId: 'msg_way' }, { failedSinceMs: nowMs }]) {
    await db.transaction(async (tx) => await replayMessages(tx, 'whk_way', which, { nowMs, most: 10 }))
  }
  const after = { createdAt: new Date(nowMs).toISOString(), messageId: 'msg_5' }
  await listMessages(db, 'whk_1', { status: null, after: null, limit: 20 })
  await listMessages(db, 'whk_1', { status: 'failed', after, limit: 20 })
  await freeMessages(db, nowMs)
  await db.transaction(async (tx) => await disableWebhook(tx, 'whk_way', { reason: 'why', nowMs }))
  await deleteWebhook(db, TENANT, 'whk_way')
}
