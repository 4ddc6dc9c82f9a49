import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type DataService, form, startDataService, surveyCsv, TENANT_A } from './data-service.ts'
import { BOUNDARY, openUpload, type RawPart, rawForm } from './multipart.ts'

const CSV = surveyCsv(60)

// Without workers jobs stay queued, so that tests can read what an upload leaves.
let service: DataService
beforeAll(async () => {
  service = await startDataService({ work: false })
})
afterAll(async () => {
  await service.close()
})
afterEach(async () => {
  for (const { dataset_id: id } of await service.db.query<{ dataset_id: string }>('select dataset_id from datasets')) {
    await service.ask(`/v1/datasets/${id}`, { method: 'DELETE' })
  }
})

const upload = async (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
  await service.ask('/v1/datasets', { method: 'POST', body, headers })
const uploadRaw = async (parts: readonly RawPart[], end?: string) =>
  await upload(new Uint8Array(rawForm(parts, end)), { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` })

const traces = async () => ({
  datasets: (await service.db.query('select dataset_id from datasets')).length,
  jobs: (await service.db.query(`select job_id from jobs where status <> 'cancelled'`)).length,
  keys: (await service.db.query('select key from idempotency_keys')).length,
  orphans: (await service.db.query('select blob_key from doomed_blobs')).length,
  blobs: (await service.blobs()).length,
})
const NOTHING = { datasets: 0, jobs: 0, keys: 0, orphans: 0, blobs: 0 }

describe('an upload', () => {
  it('is recorded with its file, and answered before the training', async () => {
    const reply = await upload(form({ seed_file: new Blob([CSV]), display_name: 'Täst 😀' }))
    expect(reply.status).toBe(202)
    expect(reply.body).toEqual({
      dataset_id: expect.stringMatching(/^ds_[A-Za-z0-9]{22}$/),
      status: 'processing',
      request_id: reply.headers.get('x-request-id'),
      job_id: expect.stringMatching(/^job_[A-Za-z0-9]{22}$/),
    })
    const [row] = await service.db.query(
      'select display_name, auto_clean, seed_bytes, seed_sha256, status from datasets where dataset_id = $1',
      [reply.body.dataset_id],
    )
    expect(row).toEqual({
      display_name: 'Täst 😀',
      auto_clean: true,
      seed_bytes: Buffer.byteLength(CSV),
      seed_sha256: createHash('sha256').update(CSV).digest('hex'),
      status: 'processing',
    })
    await expect.poll(traces).toEqual({ datasets: 1, jobs: 1, keys: 0, orphans: 0, blobs: 1 })
    const job = await service.ask(`/v1/jobs/${reply.body.job_id}`)
    expect(job.body).toMatchObject({ job_id: reply.body.job_id, status: 'queued', kind: 'training', progress: 0 })
    expect(job.body).not.toHaveProperty('dataset_id')
  })

  it.each<[string, RawPart[], { display_name: string | null; auto_clean: boolean }]>([
    [
      'the file last',
      [
        { name: 'display_name', value: 'x' },
        { name: 'auto_clean', value: 'off' },
      ],
      { display_name: 'x', auto_clean: false },
    ],
    ['an empty display name', [{ name: 'display_name', value: '' }], { display_name: null, auto_clean: true }],
    [
      '200 code points of two units each',
      [{ name: 'display_name', value: '😀'.repeat(200) }],
      { display_name: '😀'.repeat(200), auto_clean: true },
    ],
    [
      'a text part that brings a file name',
      [{ name: 'auto_clean', filename: 'x.txt', value: 'no' }],
      { display_name: null, auto_clean: false },
    ],
  ])('may have %s', async (_name, before, expected) => {
    const reply = await uploadRaw([...before, { name: 'seed_file', filename: 'a.csv', value: CSV }])
    expect(reply.status).toBe(202)
    const [row] = await service.db.query('select display_name, auto_clean from datasets where dataset_id = $1', [
      reply.body.dataset_id,
    ])
    expect(row).toEqual(expected)
  })

  it('may have the file first, and without a file name', async () => {
    const reply = await uploadRaw([
      { name: 'seed_file', value: CSV },
      { name: 'auto_clean', value: '0' },
    ])
    expect(reply.status).toBe(202)
  })

  it.each(['true', '1', 'yes', 'on', 'false', '0', 'no', 'off'])('accepts the word %s for auto_clean', async (word) => {
    const reply = await upload(form({ seed_file: new Blob([CSV]), auto_clean: word }))
    expect(reply.status).toBe(202)
    const [row] = await service.db.query<{ auto_clean: boolean }>('select auto_clean from datasets')
    expect(row?.auto_clean).toBe(['true', '1', 'yes', 'on'].includes(word))
  })

  it.each<[string, RawPart[], object[]]>([
    ['no file', [{ name: 'display_name', value: 'x' }], [{ field: 'seed_file', message: 'is required' }]],
    [
      'two files',
      [
        { name: 'seed_file', value: CSV },
        { name: 'seed_file', value: CSV },
      ],
      [{ field: 'seed_file', message: 'is given more than once' }],
    ],
    [
      'a repeated part',
      [
        { name: 'auto_clean', value: '1' },
        { name: 'auto_clean', value: '1' },
        { name: 'seed_file', value: CSV },
      ],
      [{ field: 'auto_clean', message: 'is given more than once' }],
    ],
    [
      'an unknown part',
      [
        { name: 'seed_file', value: CSV },
        { name: 'displayname', value: 'x' },
      ],
      [{ field: 'displayname', message: 'is not a known part', suggestion: 'display_name' }],
    ],
    [
      'a part without a name',
      [{ value: 'x' }, { name: 'seed_file', value: CSV }],
      [{ field: 'body', message: 'has a part without a name' }],
    ],
    [
      'an unknown auto_clean',
      [
        { name: 'auto_clean', value: 'TRUTH' },
        { name: 'seed_file', value: CSV },
      ],
      [{ field: 'auto_clean', message: 'must be one of true, 1, yes, on, false, 0, no, off, in any case' }],
    ],
    [
      'a long display name',
      [
        { name: 'display_name', value: 'x'.repeat(201) },
        { name: 'seed_file', value: CSV },
      ],
      [{ field: 'display_name', message: 'must be at most 200 characters long' }],
    ],
    [
      'a huge display name',
      [
        { name: 'display_name', value: 'x'.repeat(10_000) },
        { name: 'seed_file', value: CSV },
      ],
      [{ field: 'display_name', message: 'is too long' }],
    ],
    [
      'a malformed key',
      [
        { name: 'idempotency_key', value: 'a b' },
        { name: 'seed_file', value: CSV },
      ],
      [{ field: 'idempotency_key', message: 'must match ^[A-Za-z0-9._:-]{1,128}$' }],
    ],
    [
      'several faults',
      [
        { name: 'wait_seconds', value: '61' },
        { name: 'nonsense', value: '' },
        { name: 'auto_clean', value: '' },
      ],
      [
        { field: 'nonsense', message: 'is not a known part' },
        { field: 'seed_file', message: 'is required' },
        { field: 'auto_clean', message: 'must be one of true, 1, yes, on, false, 0, no, off, in any case' },
        { field: 'wait_seconds', message: 'must be a whole number from 0 to 60' },
      ],
    ],
  ])('with %s is refused, and leaves nothing', async (_name, parts, errors) => {
    const reply = await uploadRaw(parts)
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ code: 'svc_invalid_field', errors })
    await expect.poll(traces).toEqual(NOTHING)
  })

  it.each(['\u0000', '\u001f', '\u007f', '\u0085', '\n'])(
    'refuses the control character %j in a name',
    async (character) => {
      const reply = await uploadRaw([
        { name: 'display_name', value: `a${character}b` },
        { name: 'seed_file', value: CSV },
      ])
      expect(reply.body.errors).toEqual([{ field: 'display_name', message: 'must not hold control characters' }])
    },
  )

  it.each(['-1', '61', '1.5', '', ' 1', '1e1', '0x1', 'ten'])('refuses wait_seconds "%s"', async (value) => {
    const reply = await uploadRaw([
      { name: 'wait_seconds', value },
      { name: 'seed_file', value: CSV },
    ])
    expect(reply.status).toBe(400)
    expect(reply.body.errors).toEqual([{ field: 'wait_seconds', message: 'must be a whole number from 0 to 60' }])
  })

  it.each([
    ['application/json', JSON.stringify({ seed_file: 'x' })],
    ['text/csv', CSV],
    ['application/x-www-form-urlencoded', 'seed_file=x'],
    ['nonsense', 'x'],
  ])('in %s is refused with 415, which names the right content type', async (type, body) => {
    const reply = await upload(body, { 'content-type': type })
    expect(reply.status).toBe(415)
    expect(reply.body.code).toBe('svc_unsupported_content_type')
    expect(reply.body.detail).toBe('Send the seed file as multipart/form-data.')
  })

  it('without content type or body is refused with 415', async () => {
    const reply = await service.ask('/v1/datasets', { method: 'POST' })
    expect(reply.status).toBe(415)
  })

  it('without a boundary is refused', async () => {
    const reply = await upload(new Uint8Array(rawForm([])), { 'content-type': 'multipart/form-data' })
    expect(reply.status).toBe(400)
    expect(reply.body.errors).toEqual([{ field: 'body', message: 'has no boundary in its Content-Type' }])
  })

  it.each([
    ['ends before its last boundary', rawForm([{ name: 'seed_file', value: CSV }], '')],
    ['ends in the middle of a part', rawForm([{ name: 'seed_file', value: CSV }], '').subarray(0, 200)],
    ['is no multipart at all', Buffer.from('hello')],
    ['is empty', Buffer.alloc(0)],
  ])('whose body %s is refused, and leaves nothing', async (_name, bytes) => {
    const reply = await upload(new Uint8Array(bytes), { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` })
    expect(reply.status).toBe(400)
    expect(reply.body.code).toBe('svc_invalid_field')
    await expect.poll(traces).toEqual(NOTHING)
  })

  it('with more parts than a form has is refused', async () => {
    const parts = Array.from({ length: 200 }, (_, i) => ({ name: `p${i}`, value: '' }))
    const reply = await uploadRaw(parts)
    expect(reply.body.errors).toEqual([{ field: 'body', message: 'has more than 100 parts' }])
  })

  it.each([
    ['an empty file', Buffer.alloc(0), 'empty'],
    ['a PNG image', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'), 'PNG'],
    ['a web page', Buffer.from('<!doctype html><html><body>Sign in</body></html>'), 'web page'],
  ])('of %s is refused while it is received, and leaves nothing', async (_name, bytes, word) => {
    const reply = await uploadRaw([{ name: 'seed_file', value: bytes }], undefined)
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ code: 'svc_unreadable_file', detail: expect.stringContaining(word) })
    await expect.poll(traces).toEqual(NOTHING)
  })

  it('that is aborted leaves neither blob nor row nor key', async () => {
    const open = await openUpload(service, TENANT_A, { 'idempotency-key': 'broken-off' })
    const body = rawForm([{ name: 'seed_file', filename: 'a.csv', value: Buffer.alloc(1 << 20, 'a,b\n') }])
    await open.write(body.subarray(0, 1 << 19))
    await expect.poll(async () => (await service.blobs()).length).toBe(1)
    open.abort()
    await expect(open.reply).rejects.toThrow()
    await expect.poll(traces).toEqual(NOTHING)
  })
})
