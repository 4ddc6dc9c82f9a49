import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MAX_OPEN_UPLOADS, SeedUpload, SeedUploadPart, UPLOAD_PART_BYTES } from '../../../src/contract/uploads.ts'
import { removeBatch } from '../../../src/service/retention/blob-remover.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import { type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from '../data/data-service.ts'
import { S3Server } from '../storage/s3-server.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const digest = (bytes: Buffer) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
const HOUR_MS = 3_600_000

/** Two parts of other rows each time. */
const large = () => {
  const rows = surveyCsv(200)
  return Buffer.from(
    `${rows}${randomBytes(8).toString('hex')}\n`.repeat(Math.ceil((1.5 * UPLOAD_PART_BYTES) / rows.length)),
  )
}

let service: DataService

beforeAll(async () => {
  service = await startDataService({ work: false })
})
afterAll(async () => await service?.close())
afterEach(async () => {
  service.clock.aheadMs = 0
  await service.db.query('delete from uploads')
  await service.db.query('update doomed_blobs set due_at = now() where not removing')
  while ((await removeBatch(service.context)) > 0);
})

const post = async (path: string, body: object, { tenant = TENANT_A, key = '' } = {}) =>
  await service.ask(path, {
    method: 'POST',
    tenant,
    headers: { 'content-type': 'application/json', ...(key !== '' && { 'idempotency-key': key }) },
    body: JSON.stringify(body),
  })
const begin = async (file: Buffer, tenant = TENANT_A) =>
  await post('/v1/uploads', { sha256: sha256(file), bytes: file.length }, { tenant })
const partOf = (file: Buffer, number: number) =>
  file.subarray((number - 1) * UPLOAD_PART_BYTES, number * UPLOAD_PART_BYTES)
const send = async (
  id: string,
  number: number | string,
  bytes: Buffer,
  headers: Record<string, string> = {},
  tenant = TENANT_A,
) =>
  await service.ask(`/v1/uploads/${id}/parts?number=${number}`, {
    method: 'POST',
    tenant,
    headers: { 'content-type': 'application/octet-stream', 'content-digest': digest(bytes), ...headers },
    body: new Uint8Array(bytes),
  })
const finish = async (id: string, key: string, fields: object = {}) =>
  await post(`/v1/uploads/${id}/dataset`, fields, { key })
const parts = async () => (await service.blobs()).filter((name) => name.startsWith('upl_')).length
/** Blobs are removed by the service itself, too. */
const expectParts = async (count: number) => {
  while ((await removeBatch(service.context)) > 0);
  await expect.poll(parts).toBe(count)
}
const swept = async () => {
  await sweep(service.context)
  while ((await removeBatch(service.context)) > 0);
}

describe('a seed file in parts', () => {
  it('becomes a dataset with the bytes of the file, and its parts go', async () => {
    const file = large()
    const { status, body } = await begin(file)
    expect(status).toBe(200)
    expect(SeedUpload.parse(body)).toEqual(body)
    expect(body).toMatchObject({ part_bytes: UPLOAD_PART_BYTES, received_parts: [] })
    const id = body.upload_id
    // In any sequence.
    for (const number of [2, 1]) {
      const sent = await send(id, number, partOf(file, number))
      expect(SeedUploadPart.parse(sent.body)).toEqual(sent.body)
    }
    const fields = { display_name: 'Two parts', auto_clean: false, weight_column: 'weight' }
    const made = await finish(id, 'k-1', fields)
    expect(made).toMatchObject({ status: 202, body: { status: 'processing' } })
    const [row] = await service.db.query(
      'select seed_bytes, seed_sha256, display_name, auto_clean, weight_column from datasets where dataset_id = $1',
      [made.body.dataset_id],
    )
    expect(row).toEqual({
      seed_bytes: file.length,
      seed_sha256: sha256(file),
      display_name: 'Two parts',
      auto_clean: false,
      weight_column: 'weight',
    })
    await expectParts(0)
    // A repeat after a lost answer, when the parts are gone; and the whole file under the same key.
    const again = await finish(id, 'k-1', fields)
    expect(again).toMatchObject({ status: 202, body: { dataset_id: made.body.dataset_id } })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const whole = await service.ask('/v1/datasets', {
      method: 'POST',
      headers: { 'idempotency-key': 'k-1' },
      body: form({ ...fields, auto_clean: 'false', seed_file: new Blob([new Uint8Array(file)]) }),
    })
    expect(whole).toMatchObject({ status: 202, body: { dataset_id: made.body.dataset_id } })
    expect((await finish(id, 'k-1', { ...fields, display_name: 'Other' })).body.code).toBe('svc_idempotency_conflict')
    // It has ended: the same file begins anew.
    expect((await finish(id, 'k-2', fields)).status).toBe(404)
    expect((await send(id, 1, partOf(file, 1))).status).toBe(404)
    expect((await begin(file)).body.upload_id).not.toBe(id)
  })

  it('goes on where it stopped, whoever asks for the same file', async () => {
    const file = large()
    const { upload_id: id } = (await begin(file)).body
    await send(id, 2, partOf(file, 2))
    expect((await begin(file)).body).toMatchObject({ upload_id: id, received_parts: [2] })
    expect((await finish(id, 'k-3')).body).toMatchObject({
      status: 400,
      errors: [{ field: 'upload_id', message: 'lacks 1 of 2 parts, such as 1' }],
    })
    // A part again takes the place of the first.
    await send(id, 2, partOf(file, 2))
    await expectParts(1)
  })

  it('takes no part with other bytes than it says', async () => {
    const file = large()
    const { upload_id: id } = (await begin(file)).body
    const last = partOf(file, 2)
    const faults = [
      [
        await send(id, 2, last, { 'content-digest': digest(file) }),
        'Content-Digest',
        'is not that of the bytes that arrived',
      ],
      [await send(id, 2, last, { 'content-digest': 'md5=:AA==:' }), 'Content-Digest', 'must be sha-256=:<base64>:'],
      [await send(id, 2, last.subarray(1)), 'body', `must have ${last.length} bytes`],
      [await send(id, 2, Buffer.concat([last, last])), 'body', `must have ${last.length} bytes`],
      [await send(id, 3, last), 'number', 'must be at most 2'],
      [await send(id, 0, last), 'number', 'must be a whole number from 1'],
    ] as const
    for (const [answer, field, message] of faults)
      expect(answer.body).toMatchObject({ status: 400, errors: [{ field, message }] })
    expect((await send(id, 1, last, { 'content-type': 'text/csv' })).status).toBe(415)
    expect((await begin(file)).body.received_parts).toEqual([])
    await expectParts(0)
  })

  it('is refused where the parts do not make the announced file, and begins anew', async () => {
    const file = large()
    const { upload_id: id } = (await post('/v1/uploads', { sha256: 'ab'.repeat(32), bytes: file.length })).body
    for (const number of [1, 2]) await send(id, number, partOf(file, number))
    expect((await finish(id, 'k-4')).body).toMatchObject({
      status: 400,
      errors: [{ field: 'upload_id', message: 'has parts that do not make the announced file; begin again' }],
    })
    expect((await finish(id, 'k-4')).status).toBe(404)
    await expectParts(0)
  })

  it('begins anew where a part is lost, as after a backup', async () => {
    const file = large()
    const { upload_id: id } = (await begin(file)).body
    for (const number of [1, 2]) await send(id, number, partOf(file, number))
    const [part] = await service.db.query<{ blob_key: string }>('select blob_key from upload_parts where number = 2')
    await service.context.blobs.delete(part!.blob_key)
    expect((await finish(id, 'k-6')).status).toBe(404)
    expect((await begin(file)).body).toMatchObject({ upload_id: expect.not.stringContaining(id), received_parts: [] })
  })

  it('is not another tenant’s to see, send or use', async () => {
    const file = large()
    const { upload_id: id } = (await begin(file)).body
    await send(id, 1, partOf(file, 1))
    const theirs = (await begin(file, TENANT_B)).body
    expect(theirs).toMatchObject({ received_parts: [] })
    expect(theirs.upload_id).not.toBe(id)
    expect((await send(id, 2, partOf(file, 2), {}, TENANT_B)).status).toBe(404)
    expect((await post(`/v1/uploads/${id}/dataset`, {}, { tenant: TENANT_B })).status).toBe(404)
  })
})

it('a seed file in parts is stored in a bucket, too', async () => {
  const bucket = await S3Server.start()
  const inBucket = await startDataService({ work: false, settings: { objectStorage: bucket.storage } })
  const local = service
  try {
    service = inBucket
    const file = large()
    const { upload_id: id } = (await begin(file)).body
    for (const number of [1, 2]) expect((await send(id, number, partOf(file, number))).status).toBe(200)
    expect((await bucket.objects()).filter((key) => key.startsWith('studies/parts/'))).toHaveLength(2)
    const { body } = await finish(id, 'k-5')
    expect(body).toMatchObject({ status: 'processing' })
    while ((await removeBatch(service.context)) > 0);
    await expect.poll(() => bucket.objects()).toEqual([`studies/seeds/${body.dataset_id}`])
  } finally {
    service = local
    await inBucket.close()
    await bucket.close()
  }
})

describe('the bounds of a tenant', () => {
  it('hold for the number of uploads: the oldest ends', async () => {
    const ids: string[] = []
    for (let i = 0; i <= MAX_OPEN_UPLOADS; i++) {
      service.clock.aheadMs += 1000
      ids.push((await post('/v1/uploads', { sha256: String(i).repeat(64), bytes: 1 })).body.upload_id)
    }
    const rows = await service.db.query<{ upload_id: string }>('select upload_id from uploads order by created_at')
    expect(rows.map(({ upload_id }) => upload_id)).toEqual(ids.slice(1))
  })

  it('hold for bytes, those of open uploads included', async () => {
    const { seed_bytes: used } = (await service.ask('/v1/usage')).body.stored
    await service.db.query('update tenants set stored_bytes_limit = $1 where tenant_id = $2', [used + 1000, TENANT_A])
    try {
      const ask = async (name: string, bytes: number) =>
        (await post('/v1/uploads', { sha256: name.repeat(64), bytes })).status
      expect([await ask('a', 1001), await ask('a', 600), await ask('b', 401), await ask('b', 400)]).toEqual([
        402, 200, 402, 200,
      ])
    } finally {
      await service.db.query('update tenants set stored_bytes_limit = null where tenant_id = $1', [TENANT_A])
    }
    expect((await post('/v1/uploads', { sha256: 'a'.repeat(64), bytes: 500 * 2 ** 20 + 1 })).status).toBe(400)
  })

  it('hold for time: what nobody goes on with is removed', async () => {
    const file = large()
    const { upload_id: id } = (await begin(file)).body
    await send(id, 1, partOf(file, 1))
    service.clock.aheadMs = 23 * HOUR_MS
    await swept()
    await expectParts(1)
    service.clock.aheadMs = 25 * HOUR_MS
    expect((await send(id, 2, partOf(file, 2))).status).toBe(404)
    await swept()
    await expectParts(0)
    expect(await service.db.query('select 1 from uploads')).toEqual([])
  })
})
