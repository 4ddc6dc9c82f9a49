import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
    const elsewhere = Object.keys(paths).filter((path) => !path.startsWith('/v1/'))
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

  it('[Versioning 2] requests are closed and replies open: fields can be added to what clients read', async () => {
    const { components } = (await get('/openapi.json')).body
    expect(components.schemas.GenerationRequest.additionalProperties).toBe(false)
    expect(components.schemas.Generation.additionalProperties).not.toBe(false)
  })

  it('[Versioning 4] every code in the contract is one that the service answers with, and has its page’s address', async () => {
    const { body } = await service.get('/v1/datasets?limit=0')
    expect(body.type).toBe(`${service.baseUrl}/errors/${body.code}`)
  })
})
