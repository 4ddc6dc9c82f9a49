import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ARTIFACT_URL_LIFETIME_SECONDS } from '../../../src/contract/limits.ts'
import { OPERATIONS } from '../../../src/contract/operations.ts'
import { type DataService, form, startDataService, surveyCsv, TENANT_A, TENANT_B } from '../data/data-service.ts'

let service: DataService
let datasetId: string
let jobId: string
let generationId: string
let uploadId: string
let webhookId: string
let artifactUrl: string
let otherArtifactUrl: string

beforeAll(async () => {
  service = await startDataService({ settings: { webhooks: 'private' } })
  for (const display_name of ['first', 'second', 'third']) {
    const parts = { seed_file: new Blob([surveyCsv(60)]), wait_seconds: '60', display_name }
    const made = await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })
    expect(made.body.status).toBe('ready')
    datasetId = made.body.dataset_id
  }
  const [generation, other] = [await generate(), await generate()]
  generationId = generation.generation_id
  jobId = generation.job_id
  const registered = await service.ask('/v1/webhooks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'http://127.0.0.1:9/', events: ['job.failed'] }),
  })
  webhookId = registered.body.webhook_id
  const begun = await service.ask('/v1/uploads', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sha256: 'ab'.repeat(32), bytes: 10 }),
  })
  uploadId = begun.body.upload_id
  artifactUrl = generation.artifact_url
  otherArtifactUrl = other.artifact_url
})
afterAll(async () => await service?.close())

async function generate() {
  const answer = await service.ask(`/v1/datasets/${datasetId}/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ row_count: 20, output_format: 'csv', wait_seconds: 60 }),
  })
  expect(answer.body.status).toBe('ready')
  return answer.body
}

/** Identifiers of another tenant, by the name of their path parameter. */
const IDS: Readonly<Record<string, () => string>> = {
  dataset_id: () => datasetId,
  job_id: () => jobId,
  generation_id: () => generationId,
  webhook_id: () => webhookId,
  upload_id: () => uploadId,
}

/** A new operation with an identifier comes into this table by itself; a new kind of identifier fails it. */
const WITH_ID = OPERATIONS.filter(({ path, security }) => security === 'bearer' && path.includes('{'))

/** Bodies that are valid, so that only the identifier can be the reason of a refusal. */
const BODIES: Readonly<Record<string, string>> = {
  createGenerations: '{"generations":[{"idempotency_key":"k","request":{"row_count":1}}]}',
  estimateDifferences: '{"scenario":{},"outcomes":[{"column":"age"}]}',
  replayWebhook: '{"message_id":"msg_1"}',
  createDatasetOfUpload: '{}',
}

/** Types of bodies that are no JSON. */
const TYPES: Readonly<Record<string, string>> = { sendUploadPart: 'application/octet-stream' }

describe('a resource of another tenant', () => {
  it('is checked by every operation with an identifier', () => {
    const names = WITH_ID.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string))
    expect(new Set(names)).toEqual(new Set(Object.keys(IDS)))
    expect(WITH_ID.length).toBeGreaterThanOrEqual(7)
  })

  it.each(WITH_ID.map(({ operationId, method, path }) => [operationId, method, path] as const))(
    'is as unknown to %s as one that never existed',
    async (operationId, method, path) => {
      const at = (id: (name: string) => string): string => path.replace(/\{(\w+)\}/g, (_all, name) => id(name))
      const mine = at((name) => (IDS[name] as () => string)())
      // The artifact's own signed address, as its owner has it.
      const query = operationId === 'downloadArtifact' ? artifactUrl.slice(artifactUrl.indexOf('?')) : ''
      const body = BODIES[operationId] ?? '{"row_count":1}'
      const init = {
        method,
        ...(method === 'POST' && { headers: { 'content-type': TYPES[operationId] ?? 'application/json' }, body }),
      }
      const [foreign, unknown] = [
        await service.ask(`${mine}${query}`, { ...init, tenant: TENANT_B }),
        await service.ask(`${at((name) => `${name.slice(0, 3)}_never`)}${query}`, { ...init, tenant: TENANT_B }),
      ]
      const withoutId = (body: object) => ({ ...body, request_id: '' })
      expect(foreign.status).toBe(404)
      expect(withoutId(foreign.body)).toEqual(withoutId(unknown.body))
      // Its owner still has it.
      if (method === 'GET') expect((await service.ask(`${mine}${query}`)).status).toBe(200)
    },
  )

  it('is neither in a list nor counted by one', async () => {
    expect((await service.ask('/v1/datasets', { tenant: TENANT_B })).body).toMatchObject({
      datasets: [],
      next_cursor: null,
    })
    expect((await service.ask('/v1/datasets')).body.datasets).toHaveLength(3)
  })

  it('cannot be reached by naming a tenant, an owner or an identifier in a request', async () => {
    for (const field of ['tenant_id', 'client_id', 'dataset_id', 'generation_id', 'job_id', 'status', 'expires_at']) {
      const answer = await service.ask(`/v1/datasets/${datasetId}/generations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ row_count: 1, [field]: 'ten_A' }),
      })
      expect(answer.body).toMatchObject({ status: 400, errors: [{ field, message: 'is not a known field' }] })
      const upload = await service.ask('/v1/datasets', {
        method: 'POST',
        body: form({ [field]: 'ten_A', seed_file: new Blob([surveyCsv(60)]) }),
      })
      expect(upload.body).toMatchObject({ status: 400, errors: [{ field, message: 'is not a known part' }] })
      const headers = { [field.replace('_', '-')]: 'ten_A', [`x-${field.replace('_', '-')}`]: 'ten_A' }
      const list = await service.ask(`/v1/datasets/${datasetId}?${field}=ten_A`, { tenant: TENANT_B, headers })
      expect(list.status).toBe(404)
    }
  })
})

describe('a signed list cursor', () => {
  const firstPage = async (): Promise<string> => (await service.ask('/v1/datasets?limit=1')).body.next_cursor
  const page = async (cursor: string, tenant = TENANT_A, limit = 1) =>
    await service.ask(`/v1/datasets?limit=${limit}&cursor=${encodeURIComponent(cursor)}`, { tenant })
  const REFUSED = { status: 400, code: 'svc_invalid_field', errors: [{ field: 'cursor' }] }

  it('is refused with any one character changed', async () => {
    const cursor = await firstPage()
    expect((await page(cursor)).status).toBe(200)
    for (let i = 0; i < cursor.length; i++) {
      for (const character of new Set(['A', 'B', '.', '_'])) {
        if (cursor[i] === character) continue
        const { body } = await page(cursor.slice(0, i) + character + cursor.slice(i + 1))
        expect(body).toMatchObject(REFUSED)
      }
    }
  })

  it('is refused when it is cut, extended, doubled or made in another way', async () => {
    const cursor = await firstPage()
    const [text, signature] = cursor.split('.') as [string, string]
    const own = Buffer.from(JSON.stringify(['2030-01-01T00:00:00.000Z', 'ds_x'])).toString('base64url')
    const wrong = ['', text, `${text}.`, `.${signature}`, `${cursor}.`, `${cursor}=`, ` ${cursor}`, `${cursor}\0`]
    for (const changed of [
      ...wrong,
      `${own}.${signature}`,
      `${own}.`,
      cursor.toLowerCase(),
      `${cursor}.${signature}`,
    ]) {
      expect((await page(changed)).body).toMatchObject(REFUSED)
    }
    expect((await service.ask(`/v1/datasets?cursor=${cursor}&cursor=${cursor}`)).status).toBe(400)
  })

  it('is refused to another tenant', async () => {
    expect((await page(await firstPage(), TENANT_B)).body).toMatchObject(REFUSED)
  })

  it('continues with another limit from the same position', async () => {
    const { body } = await page(await firstPage(), TENANT_A, 100)
    expect(body.datasets.map((dataset: { display_name: string }) => dataset.display_name)).toEqual(['second', 'first'])
  })
})

describe('a signed artifact address', () => {
  const download = async (url: string, tenant = TENANT_A) => await service.ask(url, { tenant })

  it('is invalid with any one character of its signature changed', async () => {
    expect((await download(artifactUrl)).status).toBe(200)
    const start = artifactUrl.indexOf('signature=') + 'signature='.length
    for (let i = start; i < artifactUrl.length; i++) {
      for (const character of ['A', 'B', 'C', '-', '%20']) {
        if (artifactUrl[i] === character) continue
        const changed = artifactUrl.slice(0, i) + character + artifactUrl.slice(i + 1)
        expect([changed, (await download(changed)).status]).toEqual([changed, 404])
      }
    }
  })

  it.each<[string, (url: URL) => void]>([
    ['a later end', (url) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1))],
    ['an earlier end', (url) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) - 1))],
    ['its end in other words', (url) => url.searchParams.set('expires', `0${url.searchParams.get('expires')}`)],
    ['a sign before its end', (url) => url.searchParams.set('expires', `+${url.searchParams.get('expires')}`)],
    ['an endless end', (url) => url.searchParams.set('expires', 'Infinity')],
    ['no end', (url) => url.searchParams.delete('expires')],
    ['an empty end', (url) => url.searchParams.set('expires', '')],
    ['two ends', (url) => url.searchParams.append('expires', url.searchParams.get('expires') as string)],
    ['no signature', (url) => url.searchParams.delete('signature')],
    ['an empty signature', (url) => url.searchParams.set('signature', '')],
    ['two signatures', (url) => url.searchParams.append('signature', url.searchParams.get('signature') as string)],
    ['padding', (url) => url.searchParams.set('signature', `${url.searchParams.get('signature')}=`)],
    ['a NUL behind', (url) => url.searchParams.set('signature', `${url.searchParams.get('signature')}\0`)],
    ['upper-case names', (url) => rename(url, 'expires', 'EXPIRES')],
    ['brackets', (url) => rename(url, 'signature', 'signature[]')],
    [
      'the query of another generation',
      (url) => {
        url.search = new URL(otherArtifactUrl, 'http://x').search
      },
    ],
    [
      'the path of another generation',
      (url) => {
        url.pathname = new URL(otherArtifactUrl, 'http://x').pathname
      },
    ],
  ])('with %s is invalid', async (_name, change) => {
    const url = new URL(artifactUrl, 'http://x')
    change(url)
    const answer = await download(`${url.pathname}${url.search}`)
    expect(answer.body).toMatchObject({ status: 404, code: 'svc_not_found' })
  })

  it('is 404 for another tenant, and 401 without a token', async () => {
    expect((await download(artifactUrl, TENANT_B)).status).toBe(404)
    const open = await fetch(`${service.baseUrl}${artifactUrl}`)
    expect(open.status).toBe(401)
    const token = encodeURIComponent(await service.token(TENANT_A))
    for (const more of [`&access_token=${token}`, `&token=${token}`, `&authorization=Bearer%20${token}`]) {
      expect((await fetch(`${service.baseUrl}${artifactUrl}${more}`)).status).toBe(401)
    }
  })

  it('is 410 for its owner after its time, and 404 for others', async () => {
    service.clock.aheadMs = ARTIFACT_URL_LIFETIME_SECONDS * 1000 + 1000
    try {
      expect((await download(artifactUrl)).body).toMatchObject({ status: 410, code: 'svc_artifact_url_expired' })
      expect((await download(artifactUrl, TENANT_B)).status).toBe(404)
    } finally {
      service.clock.aheadMs = 0
    }
  })
})

function rename(url: URL, from: string, to: string): void {
  const value = url.searchParams.get(from) as string
  url.searchParams.delete(from)
  url.searchParams.set(to, value)
}
