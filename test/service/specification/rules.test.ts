import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/contract/operations.ts'
import { UNEVEN_SCENARIO, unevenCsv } from './seeds.ts'
import { type ApprovedClient, startWholeService, surveyCsv, TENANT_B, type WholeService } from './whole-service.ts'

let service: WholeService
let survey: string
let uneven: string
let client: ApprovedClient
beforeAll(async () => {
  service = await startWholeService()
  client = await service.newClient()
  survey = await service.train(surveyCsv(400))
  uneven = await service.train(unevenCsv())
})
afterAll(async () => {
  await service?.close()
  expect(service?.errors).toEqual([])
})

describe('Rules that hold for the whole service', () => {
  it('[Rules] [Authentication 4] a company signs up, claims, mints, uploads, generates and downloads', async () => {
    const { bearer } = client
    const datasetId = await service.train(surveyCsv(100), {}, { bearer })
    const schema = (await service.get(`/v1/datasets/${datasetId}/schema`, { bearer })).body.schema
    expect(schema[0]).toMatchObject({ name: 'region', levels: expect.arrayContaining(['north']) })
    for (const format of ['parquet', 'csv', 'arrow']) {
      const made = await service.generate(
        datasetId,
        {
          row_count: 40,
          output_format: format,
          wait_seconds: 60,
          conditions: { categorical: { region: { north: 0.5 } } },
        },
        { bearer },
      )
      expect(made.body).toMatchObject({ status: 'ready', rows_generated: 40, targets: [{ count: 20 }] })
      const artifact = await service.get(made.body.artifact_url, { bearer })
      expect([artifact.status, artifact.bytes.length]).toEqual([200, made.body.artifact.bytes])
    }
  })

  it('[Rules 1] a company has no credentials before its approval', async () => {
    const signup = { company_name: 'Not yet', contact_email: 'notyet@example.com' }
    const { request_id: id } = (await service.post('/v1/signup', signup, { tenant: null })).body
    expect((await service.get(`/v1/signup/${id}`, { tenant: null })).body).toEqual({
      request_id: id,
      status: 'pending',
    })
    expect((await service.get('/v1/datasets', { tenant: null })).status).toBe(401)
  })

  it('[Rules 1] [Authentication 6] credentials give access to their own tenant’s resources only', async () => {
    const colleague = await service.newClient(client.tenantId)
    const datasetId = await service.train(surveyCsv(100), {}, { bearer: client.bearer })
    const seen = await Promise.all(
      [client.bearer, colleague.bearer, await service.token(TENANT_B)].map(
        async (bearer) => (await service.get(`/v1/datasets/${datasetId}`, { bearer })).status,
      ),
    )
    expect(seen).toEqual([200, 200, 404])
  })

  it('[Rules 2] training and generation answer 202 and are followed by their job', async () => {
    const upload = await service.upload(surveyCsv(100), { wait_seconds: '0' })
    const trained = await service.ended(upload.body.job_id)
    const generation = await service.generate(upload.body.dataset_id, { row_count: 10 })
    const generated = await service.ended(generation.body.job_id)
    expect([upload.status, generation.status]).toEqual([202, 202])
    expect([trained.body.status, generated.body.status]).toEqual(['completed', 'completed'])
  })

  it('[Rules 3] conditions name the cleaned schema, not headers, dropped columns or dropped levels', async () => {
    const header = 'kept_column,constant_column,answer'
    const rows = Array.from({ length: 400 }, (_, i) => `${i % 2 === 0 ? 'a' : 'b'},same,${i < 3 ? 'rare' : i % 3}x`)
    const datasetId = await service.train(`${header}\n${rows.join('\n')}\n`)
    const with_ = async (categorical: object) =>
      (await service.generate(datasetId, { row_count: 10, wait_seconds: 60, conditions: { categorical } })).body
    expect(await with_({ 'kept.column': { a: 0.5 } })).toMatchObject({ status: 'ready' })
    for (const categorical of [
      { kept_column: { a: 0.5 } },
      { 'constant.column': { same: 1 } },
      { answer: { rare: 0.5 } },
    ]) {
      expect(await with_(categorical)).toMatchObject({ status: 400, code: 'svc_unknown_condition_column' })
    }
  })

  it('[Rules 4] [Limits: Rows returned] a generation returns fewer rows when it must, and never more', async () => {
    for (const rowCount of [1, 7, 100, 10_000]) {
      const { body } = await service.generate(uneven, {
        row_count: rowCount,
        output_format: 'csv',
        wait_seconds: 60,
        conditions: UNEVEN_SCENARIO,
      })
      const lines = (await service.get(body.artifact_url)).text.trimEnd().split('\r\n')
      expect(lines.length - 1).toBe(body.rows_generated)
      expect(body.rows_generated).toBeLessThanOrEqual(rowCount)
      expect(body.status).toBe(body.rows_generated < rowCount ? 'partial' : 'ready')
      if (rowCount === 10_000) expect(body.status).toBe('partial')
    }
  })

  it('[Rules 4] usage counts the rows generated, not the rows requested', async () => {
    const { bearer, tenantId } = client
    const datasetId = await service.train(unevenCsv(), {}, { bearer })
    const used = async (): Promise<number> => {
      const { tenants } = (await service.operator('/tenants?limit=100')).body
      return tenants.find((tenant: { tenant_id: string }) => tenant.tenant_id === tenantId).rows_used
    }
    const before = await used()
    const body = { row_count: 10_000, wait_seconds: 60, conditions: UNEVEN_SCENARIO }
    const made = await service.generate(datasetId, body, { bearer })
    expect(made.body.status).toBe('partial')
    expect((await used()) - before).toBe(made.body.rows_generated)
  })

  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/', 200],
    ['HEAD', '/v1/datasets', 200],
    ['GET', '/v1/datasets', 200],
    ['GET', '/v1/datasets?limit=0', 400],
    ['GET', '/v1/datasets/ds_unknown', 404],
    ['GET', '/v1/jobs/job_unknown', 404],
    ['GET', '/nowhere', 404],
    ['PATCH', '/v1/datasets', 405],
    ['OPTIONS', '/v1/datasets', 405],
    ['POST', '/v1/signup', 400],
    ['POST', '/v1/datasets', 415],
  ])('[Rules 5] %s %s, answered with %i, has an X-Request-Id', async (method, path, status) => {
    const reply = await service.call(method, path)
    expect(reply.status).toBe(status)
    expect(reply.headers.get('x-request-id')).toMatch(/^req_[A-Za-z0-9]{22}$/)
    if (status >= 400 && method !== 'HEAD') expect(reply.body.request_id).toBe(reply.headers.get('x-request-id'))
  })

  it('[Rules 5] records carry the request_id of the reply', async () => {
    const made = await service.generate(survey, { row_count: 5, wait_seconds: 60 })
    const replies = [
      made,
      await service.get('/v1/datasets'),
      await service.get(`/v1/datasets/${survey}`),
      await service.get(`/v1/datasets/${survey}/schema`),
      await service.get(`/v1/generations/${made.body.generation_id}`),
      await service.get(`/v1/jobs/${made.body.job_id}`),
    ]
    for (const reply of replies) expect(reply.body.request_id).toBe(reply.headers.get('x-request-id'))
  })

  it('[Rules 6] every POST that creates work accepts an Idempotency-Key, and creates the work once', async () => {
    const { bearer } = client
    const twice = async (post: () => Promise<{ headers: Headers; body: Record<string, unknown> }>, id: string) => {
      const [first, second] = [await post(), await post()]
      expect(second.body[id]).toBe(first.body[id])
      expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    }
    await twice(() => service.upload(surveyCsv(100), {}, { key: 'upload', bearer }), 'dataset_id')
    await twice(() => service.generate(survey, { row_count: 5 }, { key: 'generation' }), 'generation_id')
    await twice(
      () => service.post('/v1/credential-rotations', undefined, { key: 'rotation', bearer }),
      'credential_claim_token',
    )
    const keyed = OPERATIONS.filter(({ parameters }) => parameters?.some(({ name }) => name === 'Idempotency-Key'))
    expect(keyed.map(({ operationId }) => operationId).sort()).toEqual([
      'createDataset',
      // `datasets/seed-uploads.test.ts` repeats it.
      'createDatasetOfUpload',
      'createGeneration',
      'rotateCredentials',
    ])
  })

  it('[Resources and their fields] [Versioning 5] identifiers are strings, never arrays', async () => {
    const upload = await service.upload(surveyCsv(100), { wait_seconds: '0' })
    const job = await service.ended(upload.body.job_id)
    const made = await service.generate(survey, { row_count: 5, wait_seconds: 60 })
    const identifiers = [
      upload.body.dataset_id,
      upload.body.job_id,
      upload.body.request_id,
      job.body.job_id,
      job.body.dataset_id,
      job.body.request_id,
      made.body.generation_id,
      made.body.job_id,
      made.body.dataset_id,
      made.body.artifact_url,
      made.body.request_id,
      (await service.get('/v1/datasets')).body.datasets[0].dataset_id,
    ]
    expect(identifiers.map((value) => typeof value)).toEqual(identifiers.map(() => 'string'))
  })

  it('[Events] nobody needs subscriptions: jobs and generations show progress, and webhooks are marked as an extension', () => {
    const told = OPERATIONS.filter(({ path }) => /webhook|event|callback|subscri/.test(path))
    for (const { tag, description } of told) {
      expect(tag).toBe('webhooks')
      expect(description).toMatch(/^Extension: not in the specification\./)
    }
  })
})
