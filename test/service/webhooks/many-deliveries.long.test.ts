import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { WebhookSender } from '../../../src/service/webhooks/webhook-sender.ts'
import { type DataService, startDataService } from '../data/data-service.ts'
import { isGenuine, type Receiver, startReceiver } from './receiver.ts'

/**
 * The embedded database has one process, which test, receiver and senders share; it is not made for many messages. Two thousand
 * are sent by 3,000 requests, of which 1,000 are not accepted and 30 are not answered: each way to lose one, or to send it by both,
 * comes many times.
 */
const MESSAGES = inject('postgresUrl') === undefined ? 500 : 2000
/** Ways in which a receiver fails, of every hundred requests. */
const [FAILS, HANGS, BREAKS, SLOW] = [30, 1, 2, 10]

let service: DataService
let receiver: Receiver
const senders: WebhookSender[] = []

beforeAll(async () => {
  service = await startDataService({ work: false, settings: { webhooks: 'private' } })
  receiver = await startReceiver()
})
afterAll(async () => {
  for (const sender of senders) await sender.stop()
  await receiver?.close()
  await service?.close()
})

it(`delivers ${MESSAGES} messages by two senders to a receiver that fails, hangs, breaks off and answers slowly`, async () => {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ url: receiver.url, events: ['job.completed'] })
  const { webhook_id: id, secret } = (await service.ask('/v1/webhooks', { ...json, body })).body
  // The same draws in every run.
  let state = 7
  const draw = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % 100
  }
  const accepted = new Map<string, string>()
  const bodies = new Map<string, Set<string>>()
  receiver.answer = (delivery, reply) => {
    const known = bodies.get(delivery.id) ?? new Set<string>()
    bodies.set(delivery.id, known.add(delivery.body))
    // Otherwise thousands of them are kept.
    receiver.deliveries.length = 0
    const at = draw()
    if (at < FAILS) {
      reply.writeHead(500).end('failed')
      return
    }
    if (at < FAILS + HANGS) return
    if (at < FAILS + HANGS + BREAKS) {
      reply.destroy()
      return
    }
    const accept = (): void => {
      if (bodies.size % 100 === 0) expect(isGenuine(delivery, secret)).toBe(true)
      accepted.set(delivery.id, delivery.body)
      reply.writeHead(200).end('{}')
    }
    if (at < FAILS + HANGS + BREAKS + SLOW) setTimeout(accept, 100)
    else accept()
  }
  // As the trigger writes them when a job ends.
  await service.db.query(
    `select tell_webhooks('ten_A', 'job.completed', now(), json_build_object('job_id', 'job_' || n, 'status', 'completed'))
     from generate_series(1, $1) n`,
    [MESSAGES],
  )
  const errors: unknown[] = []
  const timing = { pollMs: 50, answerMs: 2000, pausesMs: Array<number>(40).fill(20), perWebhook: 24 }
  for (let i = 0; i < 2; i++) {
    const sender = new WebhookSender(service.context, {
      ...timing,
      isAlone: false,
      onError: (error) => errors.push(error),
    })
    senders.push(sender)
    await sender.start()
  }
  const count = async (status: string): Promise<number> => {
    const [row] = await service.db.query<{ n: number }>(
      'select count(*)::int as n from webhook_messages where webhook_id = $1 and status = $2',
      [id, status],
    )
    return row!.n
  }
  while ((await count('pending')) > 0) await new Promise((resolve) => setTimeout(resolve, 500))
  expect(errors).toEqual([])
  expect(await count('failed')).toBe(0)
  expect(await count('delivered')).toBe(MESSAGES)
  // All of them arrived, and none under one id with another body.
  expect(accepted.size).toBe(MESSAGES)
  expect([...bodies.values()].every((known) => known.size === 1)).toBe(true)
  const jobs = [...accepted.values()].map((text) => (JSON.parse(text) as { data: { job_id: string } }).data.job_id)
  expect(new Set(jobs).size).toBe(MESSAGES)
}, 900_000)
