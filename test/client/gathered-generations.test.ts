import { expect, it } from 'vitest'
import { buildOpenApi } from '../../src/contract/openapi/openapi.ts'
import { failure, useRig } from './client-rig.ts'
import { type Exchange, json, type Step } from './scripted-service.ts'

const rig = useRig()

const SINGLE = 'POST /v1/datasets/ds_1/generations'
const BATCH = 'POST /v1/datasets/ds_1/generations/batch'
const DOCUMENT = 'GET /openapi.json'
const OFFER = buildOpenApi({ baseUrl: 'https://service.example', authUrl: 'https://service.example' })

interface BatchBody {
  readonly generations: readonly { readonly idempotency_key: string; readonly request: { readonly seed: number } }[]
}

const receipt = (seed: number) => ({ generation_id: `gen_${seed}`, job_id: `job_${seed}`, status: 'processing' })
/** Accepts entries unless `refuses` names their seed. */
const accepting =
  (refuses: (seed: number) => boolean = () => false): Step =>
  async (exchange: Exchange) => {
    const { generations } = JSON.parse((await exchange.received()).toString()) as BatchBody
    const entries = generations.map(({ idempotency_key, request: { seed } }) => ({
      idempotency_key,
      ...(refuses(seed) ? { problem: { status: 402, code: 'svc_quota_exceeded' } } : { generation: receipt(seed) }),
    }))
    await json({ entries }, { headers: { 'x-request-id': 'req_batch' } })(exchange)
  }
const single: Step = async (exchange) => {
  const { seed } = JSON.parse((await exchange.received()).toString())
  await json(receipt(seed), { status: 202 })(exchange)
}
const post = (seed: number, more = '') =>
  rig.client.createGeneration({
    datasetId: 'ds_1',
    body: `{"row_count":10,"seed":${seed}${more}}`,
    idempotencyKey: `key:${seed}`,
  })
const all = (count: number, more = '') => Promise.all(Array.from({ length: count }, (_, seed) => post(seed, more)))
const idsOf = (replies: readonly { value: { generation_id?: string | undefined } }[]) =>
  replies.map(({ value }) => value.generation_id)
const expected = (count: number) => Array.from({ length: count }, (_, seed) => `gen_${seed}`)

it('requests that are made together are one batch, each with its key and its bytes', async () => {
  rig.service.on(DOCUMENT, json(OFFER))
  rig.service.on(BATCH, accepting())
  const replies = await all(20)
  expect(idsOf(replies)).toEqual(expected(20))
  const sent = rig.service.to(BATCH)
  expect(sent).toHaveLength(1)
  expect(sent[0]!.body.toString()).toContain('{"idempotency_key":"key:3","request":{"row_count":10,"seed":3}}')
  expect(rig.service.to(SINGLE)).toEqual([])
  expect(replies[0]).toMatchObject({ requestId: 'req_batch', replayed: false, attempts: 1 })
})

it('few requests are sent one by one, and nobody asks about batches', async () => {
  rig.service.on(SINGLE, single)
  expect(idsOf(await all(7))).toEqual(expected(7))
  expect([rig.service.to(SINGLE).length, rig.service.to(DOCUMENT).length]).toEqual([7, 0])
})

it.each([
  ['does not have them', json({ openapi: '3.1.0', paths: {} })],
  ['has no document', json({ title: 'Not Found' }, { status: 404 })],
])('a service that %s gets single requests', async (_, document) => {
  rig.service.on(DOCUMENT, document)
  rig.service.on(SINGLE, single)
  expect(idsOf(await all(12))).toEqual(expected(12))
  expect(idsOf(await all(12))).toEqual(expected(12))
  expect([rig.service.to(BATCH).length, rig.service.to(DOCUMENT).length]).toEqual([0, 1])
})

it('what a batch refuses is sent by itself, and rejects with the answer to that', async () => {
  rig.service.on(DOCUMENT, json(OFFER))
  rig.service.on(
    BATCH,
    accepting((seed) => seed === 5),
  )
  rig.service.on(SINGLE, json({ status: 402, code: 'svc_quota_exceeded', detail: 'No rows left.' }, { status: 402 }))
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, seed) => post(seed)))
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(Array.from({ length: 10 }, (_, i) => i !== 5))
  expect(await failure(Promise.reject((outcomes[5] as PromiseRejectedResult).reason))).toMatchObject({ kind: 'quota' })
  expect(rig.service.to(SINGLE).map(({ headers }) => headers['idempotency-key'])).toEqual(['key:5'])
})

it.each([
  ['fails', json({ status: 400, code: 'svc_invalid_field' }, { status: 400 })],
  ['is answered with something else', json({ entries: 'none' })],
  ['is answered without its entries', json({ entries: [{ idempotency_key: 'key:99' }] })],
])('when a batch %s, its entries are sent by themselves', async (_, answer) => {
  rig.service.on(DOCUMENT, json(OFFER))
  rig.service.on(BATCH, answer)
  rig.service.on(SINGLE, single)
  expect(idsOf(await all(9))).toEqual(expected(9))
  expect(rig.service.to(SINGLE)).toHaveLength(9)
})

it('a batch has at most 500 entries and half a megabyte', async () => {
  rig.service.on(DOCUMENT, json(OFFER))
  rig.service.on(BATCH, accepting())
  expect(idsOf(await all(1_100))).toEqual(expected(1_100))
  const sizes = () =>
    rig.service.to(BATCH).map(({ body }) => (JSON.parse(body.toString()) as BatchBody).generations.length)
  expect(sizes()).toEqual([500, 500, 100])
  await all(100, `,"conditions":{"categorical":{"${'x'.repeat(20_000)}":{"a":1}}}`)
  expect(Math.max(...rig.service.to(BATCH).map(({ bodyBytes }) => bodyBytes))).toBeLessThan(600_000)
  expect(
    sizes()
      .slice(3)
      .reduce((sum, size) => sum + size),
  ).toBe(100)
})
