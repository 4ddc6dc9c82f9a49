import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openUpload, rawForm } from '../data/multipart.ts'
import { startWholeService, surveyCsv, TENANT_A, type WholeService } from './whole-service.ts'

const CSV = surveyCsv(80)

let service: WholeService
beforeAll(async () => {
  service = await startWholeService()
})
afterAll(async () => {
  await service?.close()
  expect(service?.errors).toEqual([])
})

const send = async (parts: Record<string, string>, key?: string) =>
  await service.upload(CSV, { wait_seconds: '0', ...parts }, key === undefined ? {} : { key })
const refusal = async (parts: Record<string, string>) => {
  const reply = await send(parts)
  expect(reply.status).toBe(400)
  expect(reply.body.code).toBe('svc_invalid_field')
  return reply.body.errors.map(({ field }: { field: string }) => field)
}
/** The next test does not need unfinished trainings. */
const discard = async (datasetId: string) => await service.call('DELETE', `/v1/datasets/${datasetId}`)

describe('POST /v1/datasets: the request', () => {
  it('[POST /v1/datasets: seed_file] requires a seed_file', async () => {
    const form = new FormData()
    form.append('display_name', 'no file')
    const reply = await service.call('POST', '/v1/datasets', { form })
    expect(reply.body).toMatchObject({ status: 400, errors: [{ field: 'seed_file', message: 'is required' }] })
  })

  it('[POST /v1/datasets: seed_file] includes the hash of the file’s content in the fingerprint of its key', async () => {
    const first = await send({}, 'content')
    const other = await service.upload(`${CSV}R9,north,yes,1,2.0,30,2020-01-01\n`, {}, { key: 'content' })
    expect([first.status, other.status]).toEqual([202, 409])
    await discard(first.body.dataset_id)
  })

  it.each([
    ['200 characters', 'é'.repeat(200), true],
    ['201 characters', 'e'.repeat(201), false],
    ['a control character', 'a\u0007b', false],
    ['a line break', 'a\nb', false],
  ])(
    '[POST /v1/datasets: display_name] [Limits: display_name length] [Dataset: display_name] has at most 200 characters and no control characters: %s',
    async (_name, displayName, isTaken) => {
      if (!isTaken) {
        expect(await refusal({ display_name: displayName })).toEqual(['display_name'])
        return
      }
      const { body } = await send({ display_name: displayName, wait_seconds: '60' })
      expect((await service.get(`/v1/datasets/${body.dataset_id}`)).body.display_name).toBe(displayName)
    },
  )

  it.each(['true', 'false', '1', '0', 'yes', 'no', 'on', 'off', 'True', 'FALSE', 'Yes', 'nO', 'ON', 'Off'])(
    '[POST /v1/datasets: auto_clean] may be %s',
    async (word) => {
      const reply = await send({ auto_clean: word })
      expect(reply.status).toBe(202)
      await discard(reply.body.dataset_id)
    },
  )

  it.each(['', 'y', '2', 'null', 'True ', 'wahr', 'ＴＲＵＥ'])(
    '[POST /v1/datasets: auto_clean] may not be "%s"',
    async (word) => {
      expect(await refusal({ auto_clean: word })).toEqual(['auto_clean'])
    },
  )

  it('[POST /v1/datasets: auto_clean] is true by default: names become identifiers', async () => {
    const names = async (parts: Record<string, string>) => {
      const id = await service.train(CSV, parts)
      const { schema } = (await service.get(`/v1/datasets/${id}/schema`)).body
      return schema.map(({ name }: { name: string }) => name)
    }
    expect(await names({})).toContain('loyalty.member')
    expect(await names({ auto_clean: 'true' })).toContain('loyalty.member')
    expect(await names({ auto_clean: 'True' })).toContain('loyalty.member')
    expect(await names({ auto_clean: 'off' })).toContain('loyalty_member')
    expect(await names({ auto_clean: 'False' })).toContain('loyalty_member')
  })

  it.each(['-1', '61', '1.5', 'ten', '', '1e1', '+1', '0x10'])(
    '[POST /v1/datasets: wait_seconds] [POST /v1/datasets: 400] [Limits: wait_seconds (upload)] "%s" is not a whole number from 0 to 60',
    async (wait) => {
      expect(await refusal({ wait_seconds: wait })).toEqual(['wait_seconds'])
    },
  )

  it('[POST /v1/datasets: wait_seconds] [Limits: wait_seconds (upload)] may be 60, and is 0 by default', async () => {
    const waited = await send({ wait_seconds: '60' })
    const form = new FormData()
    form.append('seed_file', new Blob([CSV]), 'seed.csv')
    const unwaited = await service.call('POST', '/v1/datasets', { form })
    expect([waited.status, unwaited.status]).toEqual([200, 202])
    await service.ended(unwaited.body.job_id)
  })

  it.each([
    ['a', true],
    ['A.z_0:9-', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['with space', false],
    ['sl/ash', false],
    ['', false],
  ])(
    '[POST /v1/datasets: idempotency_key] [Limits: Idempotency key format] checks the format of "%s" as header and as form field',
    async (key, isTaken) => {
      const header = await send({}, key)
      if (isTaken) await discard(header.body.dataset_id)
      const field = await send({ idempotency_key: key })
      if (isTaken) await discard(field.body.dataset_id)
      expect([header.status, field.status]).toEqual(isTaken ? [202, 202] : [400, 400])
    },
  )

  it('[POST /v1/datasets: idempotency_key] in the form has the effect of the header', async () => {
    const first = await send({ idempotency_key: 'form-key' })
    const second = await send({ idempotency_key: 'form-key' })
    const third = await send({}, 'form-key')
    expect([second.body.dataset_id, third.body.dataset_id]).toEqual([first.body.dataset_id, first.body.dataset_id])
    await discard(first.body.dataset_id)
  })

  it.each(['Multipart/Form-Data; boundary="b 1"', 'multipart/form-data; charset=utf-8; boundary=b-1'])(
    '[Endpoints] is multipart/form-data, in any spelling: %s',
    async (type) => {
      const boundary = /boundary="?([^"]+)"?/.exec(type)?.[1]
      const body = `--${boundary}\r\nContent-Disposition: form-data; name="seed_file"; filename="a.csv"\r\n\r\n${CSV}\r\n--${boundary}--\r\n`
      const reply = await service.call('POST', '/v1/datasets', { json: body, headers: { 'content-type': type } })
      expect(reply.status).toBe(202)
      await discard(reply.body.dataset_id)
    },
  )
})

describe('POST /v1/datasets: the answers', () => {
  it('[POST /v1/datasets: 200] [States and transitions 6] a dataset that is trained within the wait is 200 with its summaries', async () => {
    const reply = await send({ wait_seconds: '60' })
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      dataset_id: expect.any(String),
      status: 'ready',
      request_id: reply.headers.get('x-request-id'),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      cleaning_summary: expect.objectContaining({ input_rows: 80, dropped_columns: expect.any(Array) }),
      training_summary: expect.objectContaining({ duration_ms: expect.any(Number) }),
    })
  })

  it('[POST /v1/datasets: 202] [States and transitions 7] [States and transitions 8] [Dataset: status] a dataset that is not trained within the wait is 202 with dataset and job; the completed job has the dataset', async () => {
    const reply = await send({})
    expect(reply.status).toBe(202)
    expect(reply.body).toEqual({
      dataset_id: expect.any(String),
      status: 'processing',
      request_id: reply.headers.get('x-request-id'),
      job_id: expect.any(String),
    })
    const job = await service.ended(reply.body.job_id)
    expect(job.body).toMatchObject({ status: 'completed', dataset_id: reply.body.dataset_id })
    const dataset = (await service.get(`/v1/datasets/${reply.body.dataset_id}`)).body
    expect(dataset).toMatchObject({ status: 'ready', cleaning_summary: {}, training_summary: {} })
  })

  it('[POST /v1/datasets: 400] [Errors: 400 svc_invalid_field] all faults of the form are reported', async () => {
    const fields = await refusal({
      wait_seconds: 'x',
      auto_clean: 'maybe',
      display_name: 'x'.repeat(201),
      colour: 'red',
    })
    expect(fields.sort()).toEqual(['auto_clean', 'colour', 'display_name', 'wait_seconds'])
  })

  it('[POST /v1/datasets: 409] [Errors: 409 svc_idempotency_conflict] the same key with a different body is refused', async () => {
    const first = await send({ display_name: 'a' }, 'conflict')
    const second = await send({ display_name: 'b' }, 'conflict')
    expect(second.body).toMatchObject({
      type: `${service.baseUrl}/errors/svc_idempotency_conflict`,
      title: 'Conflict',
      status: 409,
      code: 'svc_idempotency_conflict',
    })
    await discard(first.body.dataset_id)
  })

  it('[POST /v1/datasets: 409] [Errors: 409 svc_idempotency_conflict] a request whose key is still in flight is refused', async () => {
    const open = await openUpload(service, TENANT_A, { 'idempotency-key': 'in-flight' })
    const body = rawForm([{ name: 'seed_file', filename: 'a.csv', value: CSV }])
    await open.write(body.subarray(0, 200))
    // The key is taken when the headers have come: until then the second request would be the first.
    const isHeld = async () =>
      (await service.db.query(`select key from idempotency_keys where key = 'in-flight'`)).length > 0
    await expect.poll(isHeld).toBe(true)
    const during = await send({}, 'in-flight')
    open.end(body.subarray(200))
    const first = await open.reply
    expect(during.body).toMatchObject({ status: 409, code: 'svc_idempotency_conflict' })
    expect(first.status).toBe(202)
    await discard(first.body.dataset_id)
  })

  it.each(['application/json', 'text/csv', 'multipart/mixed; boundary=x', 'multipart/form-datax; boundary=x'])(
    '[POST /v1/datasets: 415] [Errors: 415 svc_unsupported_content_type] %s is not multipart/form-data',
    async (type) => {
      const reply = await service.call('POST', '/v1/datasets', { json: 'a,b\n', headers: { 'content-type': type } })
      expect(reply.body).toMatchObject({ status: 415, code: 'svc_unsupported_content_type' })
    },
  )

  it('[POST /v1/datasets] is marked as costing the customer something', async () => {
    const { paths } = (await service.get('/openapi.json', { tenant: null })).body
    expect(paths['/v1/datasets'].post['x-openai-isConsequential']).toBe(true)
    expect(paths['/v1/datasets'].get).not.toHaveProperty('x-openai-isConsequential')
  })
})
