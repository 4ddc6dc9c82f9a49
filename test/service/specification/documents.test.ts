import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE } from '../../../src/contract/errors.ts'
import { startWholeService, type WholeService } from './whole-service.ts'

let service: WholeService
beforeAll(async () => {
  service = await startWholeService({ work: false })
})
afterAll(async () => {
  await service?.close()
})

const get = async (path: string, accept?: string) =>
  await service.get(path, { tenant: null, ...(accept !== undefined && { headers: { accept } }) })

describe('Utility and documentation routes', () => {
  it('[GET /healthz] [Decisions, Utility routes] says ok with the version', async () => {
    const reply = await get('/healthz')
    expect([reply.status, reply.body]).toEqual([200, { status: 'ok', version: service.context.settings.version }])
  })

  it('[GET /] [Decisions, Utility routes] is a short page for people and JSON for clients', async () => {
    expect((await get('/', 'text/html')).headers.get('content-type')).toMatch(/^text\/html/)
    expect((await get('/')).body).toMatchObject({ openapi: '/openapi.json', health: '/healthz' })
  })

  it('[GET /openapi.json] is the machine-readable contract', async () => {
    const reply = await get('/openapi.json')
    expect(reply.status).toBe(200)
    expect(Object.keys(reply.body)).toEqual(expect.arrayContaining(['openapi', 'info', 'paths', 'components']))
  })

  it.each([
    ['[GET /docs] [Decisions, Utility routes] the guide', '/docs'],
    ['[GET /__docs__/] [Decisions, Utility routes] the reference', '/__docs__/'],
  ])('%s is a page', async (_name, path) => {
    const reply = await get(path, 'text/html')
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)])
    expect(reply.text).toMatch(/<!doctype html>/i)
  })

  it('[GET /__docs__/] works offline: everything it loads comes from the service', async () => {
    const { text } = await get('/__docs__/', 'text/html')
    const loaded = [...text.matchAll(/<(?:script|link)[^>]+(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string)
    expect(loaded.length).toBeGreaterThan(0)
    for (const address of loaded) {
      const url = new URL(address, `${service.baseUrl}/__docs__/`)
      expect(url.origin).toBe(service.baseUrl)
      expect([address, (await get(url.pathname)).status]).toEqual([address, 200])
    }
  })

  it('[GET /llms.txt, /llms-full.txt] are guides as text, one shorter than the other', async () => {
    const [short, full] = [await get('/llms.txt'), await get('/llms-full.txt')]
    for (const { status, headers } of [short, full]) {
      expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/(plain|markdown)/)])
    }
    expect(full.text.length).toBeGreaterThan(short.text.length)
    expect(full.text).toContain('/v1/datasets')
  })

  it('[GET /errors] is the index of all codes', async () => {
    const codes = (await get('/errors')).body.errors.map(({ code }: { code: string }) => code)
    expect(codes.sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort())
    expect((await get('/errors', 'text/html')).text).toContain('svc_quota_exceeded')
  })

  it.each(Object.keys(ERROR_CATALOGUE))(
    "[GET /errors/{code}] [Decisions, General: Codes beyond the specification's] gives the cause, fix, retryability and support of %s",
    async (code) => {
      const { body } = await get(`/errors/${code}`)
      expect(body).toMatchObject({
        code,
        cause: expect.any(String),
        fix: expect.any(String),
        retryable: expect.any(Boolean),
        support: expect.any(String),
      })
      expect((await get(`/errors/${code}`, 'text/html')).text).toContain(code)
    },
  )

  it('[GET /errors/{code}] is 404 for an unknown code', async () => {
    expect((await get('/errors/svc_none')).body).toMatchObject({ status: 404, code: 'svc_not_found' })
  })

  it('[Endpoints] operations have the ids that the specification names', async () => {
    const { paths } = (await get('/openapi.json')).body
    const ids = [
      paths['/v1/datasets'].post,
      paths['/v1/datasets'].get,
      paths['/v1/datasets/{dataset_id}'].get,
      paths['/v1/datasets/{dataset_id}/schema'].get,
      paths['/v1/datasets/{dataset_id}/generations'].post,
      paths['/v1/jobs/{job_id}'].get,
    ].map(({ operationId }) => operationId)
    expect(ids).toEqual([
      'createDataset',
      'listDatasets',
      'getDataset',
      'getDatasetSchema',
      'createGeneration',
      'getJob',
    ])
  })
})

describe('Versioning', () => {
  it('[Versioning 1] the contract is 1.0.0, in OpenAPI 3.1.0, under /v1/', async () => {
    const { openapi, info, paths } = (await get('/openapi.json')).body
    expect([openapi, info.version]).toEqual(['3.1.0', '1.0.0'])
    const elsewhere = Object.keys(paths).filter((path) => !/^\/(operator\/)?v1\//.test(path))
    expect(elsewhere.filter((path) => /dataset|generation|job|signup$|credential/.test(path))).toEqual([])
  })

  it.each(['/v2', '/v2/datasets', '/v0/datasets', '/datasets', '/V1/datasets', '/v1.0/datasets'])(
    '[Versioning 1] there is no other surface: %s is 404',
    async (path) => {
      expect((await service.get(path)).body).toMatchObject({ status: 404, code: 'svc_not_found' })
    },
  )

  it.each(['/v1/datasets/', '/v1/datasets/x/', '/v1/jobs/x/', '/v1//datasets'])(
    '[Versioning 1] a path has one spelling: %s is 404',
    async (path) => {
      expect((await service.get(path)).body).toMatchObject({ status: 404, code: 'svc_not_found' })
    },
  )

  it('[Versioning 2] requests allow no unknown fields, and replies do: fields can be added to what clients read', async () => {
    const { components } = (await get('/openapi.json')).body
    expect(components.schemas.GenerationRequest.additionalProperties).toBe(false)
    expect(components.schemas.Generation.additionalProperties).not.toBe(false)
  })

  it('[Versioning 4] every code in the contract is used by the service, and has the address of its page', async () => {
    const { body } = await service.get('/v1/datasets?limit=0')
    expect(body.type).toBe(`${service.baseUrl}/errors/${body.code}`)
  })
})
