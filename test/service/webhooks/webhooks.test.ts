import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebhookEvent } from '../../../src/contract/webhooks.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import { type DataService, form, startDataService, surveyCsv, TENANT_B } from '../data/data-service.ts'
import { isGenuine, type Receiver, startReceiver } from './receiver.ts'

let service: DataService
let receiver: Receiver
let datasetId: string

const ALL = ['job.completed', 'job.failed', 'generation.ready', 'generation.partial', 'dataset.expiring']

beforeAll(async () => {
  service = await startDataService({
    settings: { webhooks: 'private' },
    webhooks: { pollMs: 50, answerMs: 500, pausesMs: [20, 20, 20] },
  })
  const body = form({ seed_file: new Blob([surveyCsv(1000)]), wait_seconds: '60' })
  datasetId = (await service.ask('/v1/datasets', { method: 'POST', body })).body.dataset_id
})
afterAll(async () => {
  await service?.close()
})
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  for (const { webhook_id: id } of (await service.ask('/v1/webhooks')).body.webhooks) {
    await service.ask(`/v1/webhooks/${id}`, { method: 'DELETE' })
  }
  await receiver.close()
  service.clock.aheadMs = 0
})

const post = async (path: string, body?: unknown, tenant?: string) =>
  await service.ask(path, {
    method: 'POST',
    ...(tenant !== undefined && { tenant }),
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
const register = async (events?: readonly string[]) =>
  (await post('/v1/webhooks', { url: receiver.url, ...(events !== undefined && { events }) })).body
const generate = async (body: object = {}) =>
  (await post(`/v1/datasets/${datasetId}/generations`, { row_count: 20, wait_seconds: 60, ...body })).body
const deliveriesOf = async (id: string, query = '') =>
  (await service.ask(`/v1/webhooks/${id}/deliveries${query}`)).body.deliveries
/** Reads until a delivery of the webhook has this status. */
const settled = async (id: string, status: string) => {
  for (;;) {
    const found = await deliveriesOf(id, `?status=${status}`)
    if (found.length > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('a registered webhook', () => {
  it('is told of a job and its generation, signed as Standard Webhooks says', async () => {
    const { webhook_id: id, secret, events } = await register()
    expect(events).toEqual(ALL)
    const made = await generate()
    const got = await receiver.received(2)
    expect(got.map(({ event }) => event.type).sort()).toEqual(['generation.ready', 'job.completed'])
    for (const delivery of got) {
      expect(isGenuine(delivery, secret)).toBe(true)
      expect(isGenuine({ ...delivery, body: `${delivery.body} ` }, secret)).toBe(false)
      expect(WebhookEvent.parse(delivery.event)).toEqual(delivery.event)
      expect(delivery.headers['content-type']).toBe('application/json')
      // The same without the library.
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const text = `${delivery.id}.${delivery.headers['webhook-timestamp']}.${delivery.body}`
      expect(delivery.headers['webhook-signature']).toBe(
        `v1,${createHmac('sha256', key).update(text).digest('base64')}`,
      )
    }
    const ready = got.find(({ event }) => event.type === 'generation.ready')
    expect(ready?.event.data).toEqual({
      generation_id: made.generation_id,
      status: 'ready',
      dataset_id: datasetId,
      job_id: made.job_id,
      row_count: 20,
      rows_generated: 20,
    })
    await settled(id, 'delivered')
    expect((await deliveriesOf(id)).map(({ message_id }: { message_id: string }) => message_id).sort()).toEqual(
      got.map((delivery) => delivery.id).sort(),
    )
  })

  it('is told of partial generations and failed jobs, without their data', async () => {
    await register(['generation.partial', 'job.failed'])
    const mix = { region: { north: 0.99 }, satisfaction: { 1: 0.99 } }
    const few = { conditions: { categorical: mix }, row_count: 10_000, seed: 1 }
    expect((await generate(few)).status).toBe('partial')
    const impossible = { conditions: { numeric: { 'monthly.spend': { min: 5000, max: 6000 } } } }
    expect((await generate(impossible)).status).toBe('failed')
    const got = await receiver.received(2)
    expect(got.map(({ event }) => [event.type, event.data.status]).sort()).toEqual([
      ['generation.partial', 'partial'],
      ['job.failed', 'failed'],
    ])
    const failed = got.find(({ event }) => event.type === 'job.failed')
    expect(failed?.event.data.error_code).toBe('svc_infeasible_scenario')
    expect(failed?.body).not.toContain('monthly')
  })

  it('is told once of a dataset that expires soon', async () => {
    await register(['dataset.expiring'])
    const { expires_at: end } = (await service.ask(`/v1/datasets/${datasetId}`)).body
    service.clock.aheadMs = Date.parse(end) - Date.now() - 60 * 60_000
    await sweep(service.context)
    await sweep(service.context)
    const [told] = await receiver.received(1)
    expect(told?.event).toMatchObject({ type: 'dataset.expiring', data: { dataset_id: datasetId, expires_at: end } })
    const rows = await service.db.query(`select 1 from webhook_messages where type = 'dataset.expiring'`)
    expect(rows).toHaveLength(1)
  })

  it('is told of nothing that belongs to another tenant', async () => {
    const { webhook_id: id } = await register()
    await post('/v1/webhooks', { url: receiver.url, events: ['job.completed'] }, TENANT_B)
    await generate()
    await receiver.received(2)
    await settled(id, 'delivered')
    const [other] = (await service.ask('/v1/webhooks', { tenant: TENANT_B })).body.webhooks
    const list = await service.ask(`/v1/webhooks/${other.webhook_id}/deliveries`, { tenant: TENANT_B })
    expect(list.body.deliveries).toEqual([])
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate'],
      ['GET', '/deliveries'],
    ] as const) {
      const answer = await service.ask(`/v1/webhooks/${id}${path}`, { method, tenant: TENANT_B })
      expect([path, answer.status]).toEqual([path, 404])
    }
    await service.ask(`/v1/webhooks/${other.webhook_id}`, { method: 'DELETE', tenant: TENANT_B })
  })

  it('shows its secret once, and the database has it encrypted', async () => {
    const { webhook_id: id, secret } = await register()
    expect(JSON.stringify((await service.ask('/v1/webhooks')).body)).not.toContain(secret)
    const [row] = await service.db.query('select * from webhooks where webhook_id = $1', [id])
    expect(JSON.stringify(row)).not.toContain(secret.slice('whsec_'.length))
  })
})

describe('a delivery that does not succeed', () => {
  it('is repeated under the same id with the same body', async () => {
    await register(['job.completed'])
    const statuses = [500, 302, 200]
    receiver.answer = (_delivery, reply) =>
      reply.writeHead(statuses[receiver.deliveries.length - 1] ?? 200, { location: receiver.url }).end()
    await generate()
    const got = await receiver.received(3)
    expect(new Set(got.map(({ id }) => id)).size).toBe(1)
    expect(new Set(got.map(({ body }) => body)).size).toBe(1)
  })

  it('is given up after the last pause, says why, and can be replayed', async () => {
    const { webhook_id: id } = await register(['job.completed'])
    const before = new Date(Date.now() - 60_000).toISOString()
    receiver.answer = (_delivery, reply) => reply.writeHead(503).end('no')
    await generate()
    const [failed] = await settled(id, 'failed')
    expect(failed).toMatchObject({ attempts: 4, last_status: 503, last_fault: 'The answer was 503.' })
    expect((await service.ask('/v1/webhooks')).body.webhooks[0].failing_since).toBeDefined()
    receiver.answer = (_delivery, reply) => reply.writeHead(204).end()
    expect((await post(`/v1/webhooks/${id}/replay`, { failed_since: before })).body.replayed).toBe(1)
    const [delivered] = await settled(id, 'delivered')
    expect(delivered.message_id).toBe(failed.message_id)
    expect((await service.ask('/v1/webhooks')).body.webhooks[0].failing_since).toBeUndefined()
    expect((await post(`/v1/webhooks/${id}/replay`, { message_id: failed.message_id })).body.replayed).toBe(1)
    await receiver.received(6)
  })

  it('ends when no answer comes in time', async () => {
    const { webhook_id: id } = await register(['job.completed'])
    receiver.answer = () => undefined
    await generate()
    const [failed] = await settled(id, 'failed')
    expect(failed).toMatchObject({ last_fault: 'There was no answer within 1 s.' })
    expect(failed.last_status).toBeUndefined()
  })

  it('reads no more of an answer than it needs', async () => {
    const { webhook_id: id } = await register(['job.completed'])
    let written = 0
    receiver.answer = (_delivery, reply) => {
      reply.writeHead(200)
      const piece = Buffer.alloc(64 * 1024)
      const write = (): void => {
        while (!reply.destroyed && reply.write(piece)) written += piece.length
      }
      reply.on('drain', write)
      write()
    }
    await generate()
    await settled(id, 'delivered')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(written).toBeLessThan(20 * 2 ** 20)
  })

  it('disables the webhook after five days without a success, until a test succeeds', async () => {
    const { webhook_id: id } = await register(['job.completed'])
    receiver.answer = (_delivery, reply) => reply.writeHead(500).end()
    await generate()
    await settled(id, 'failed')
    await service.db.query(`update webhooks set failing_since = now() - interval '5 days'`)
    await generate()
    const listed = async () => (await service.ask('/v1/webhooks')).body.webhooks[0]
    while ((await listed()).disabled === undefined) await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await listed()).disabled.reason).toBe('No delivery has succeeded for 5 days.')
    const count = receiver.deliveries.length
    await generate()
    await post(`/v1/webhooks/${id}/test`)
    await receiver.received(count + 1)
    expect(receiver.deliveries.at(-1)?.event.type).toBe('webhook.test')
    expect((await listed()).disabled).toBeDefined()
    expect((await post(`/v1/webhooks/${id}/replay`, { failed_since: '2026-01-01T00:00:00Z' })).status).toBe(403)
    receiver.answer = (_delivery, reply) => reply.writeHead(200).end()
    while ((await post(`/v1/webhooks/${id}/test`)).status === 429)
      await new Promise((resolve) => setTimeout(resolve, 20))
    while ((await listed()).disabled !== undefined) await new Promise((resolve) => setTimeout(resolve, 20))
    await generate()
    await receiver.received(count + 3)
    expect(receiver.deliveries.at(-1)?.event.type).toBe('job.completed')
  })

  it('disables the webhook at once if the answer is 410', async () => {
    const { webhook_id: id } = await register(['job.completed'])
    receiver.answer = (_delivery, reply) => reply.writeHead(410).end()
    await generate()
    await settled(id, 'failed')
    const listed = async () => (await service.ask('/v1/webhooks')).body.webhooks[0]
    while ((await listed()).disabled === undefined) await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await listed()).disabled.reason).toBe('The receiver answered 410: it wants no more events.')
  })
})

describe('a rotation', () => {
  it('signs by both secrets for a day, then by the new one alone', async () => {
    const { webhook_id: id, secret } = await register(['job.completed'])
    const { secret: fresh } = (await post(`/v1/webhooks/${id}/rotate`)).body
    expect(fresh).not.toBe(secret)
    await generate()
    const [both] = await receiver.received(1)
    expect([isGenuine(both!, secret), isGenuine(both!, fresh)]).toEqual([true, true])
    await service.db.query(`update webhooks set earlier_until = now() - interval '1 second'`)
    await generate()
    const [, one] = await receiver.received(2)
    expect([isGenuine(one!, secret), isGenuine(one!, fresh)]).toEqual([false, true])
  })
})

describe('a registration is refused', () => {
  it.each([
    ['ftp://receiver.example/', 'url must be https'],
    ['https://user:word@receiver.example/', 'url must not contain a user name or password'],
    ['https://receiver.example/#a', 'url must not have a fragment'],
    ['receiver.example', 'url is not an address such as https://receiver.example/events'],
    ['https://receiver.example/\n', 'url has a character that is not allowed in addresses'],
    // The service of these tests allows private addresses, and still not that of a cloud's credentials.
    ['http://169.254.169.254/latest/meta-data', 'url must be on a public address'],
  ])('for the address %j', async (url, detail) => {
    const answer = await post('/v1/webhooks', { url })
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([400, 'svc_invalid_field', detail])
  })

  it('for an address that is registered, and after ten', async () => {
    const { webhook_id: id } = await register()
    const again = await post('/v1/webhooks', { url: receiver.url })
    expect(again.body.detail).toBe(`url is registered as ${id}; rotate its secret if it is lost, or delete it first`)
    const urls = Array.from({ length: 10 }, (_, i) => `${receiver.url}/${i}`)
    const answers = await Promise.all(urls.map(async (url) => await post('/v1/webhooks', { url })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 402])
  })

  it('for unknown events and fields', async () => {
    const answer = await post('/v1/webhooks', { url: receiver.url, events: ['job.started'], secret: 'x' })
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(['events.0', 'secret'])
  })

  it('by a service that sends none', async () => {
    const silent = await startDataService({ settings: { webhooks: 'none' } })
    try {
      const answer = await silent.ask('/v1/webhooks', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url: 'https://receiver.example/' }),
      })
      expect([answer.status, answer.body.detail]).toEqual([403, 'This service sends no webhooks.'])
    } finally {
      await silent.close()
    }
  })
})

describe('the list of deliveries', () => {
  it('has pages, and takes only its own cursors', async () => {
    const { webhook_id: id } = await register(['job.completed'])
    for (let i = 0; i < 3; i++) await generate({ seed: i })
    await receiver.received(3)
    const first = (await service.ask(`/v1/webhooks/${id}/deliveries?limit=2`)).body
    expect(first.deliveries).toHaveLength(2)
    const second = (await service.ask(`/v1/webhooks/${id}/deliveries?limit=2&cursor=${first.next_cursor}`)).body
    expect(second).toMatchObject({ deliveries: [{ type: 'job.completed' }], next_cursor: null })
    const wrong = await service.ask(`/v1/webhooks/${id}/deliveries?status=failed&cursor=${first.next_cursor}`)
    expect(wrong.body.detail).toBe('cursor is not a cursor of this list')
    expect((await service.ask(`/v1/datasets?cursor=${first.next_cursor}`)).status).toBe(400)
  })
})
