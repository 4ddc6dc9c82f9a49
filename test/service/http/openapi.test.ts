import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE } from '../../../src/contract/errors.ts'
import { buildOpenApi } from '../../../src/contract/openapi.ts'
import { OPERATIONS } from '../../../src/contract/operations.ts'
import { createApp } from '../../../src/service/app.ts'
import { openTestStore, startTestService, type TestService, type TestStore } from './test-service.ts'

let store: TestStore
let service: TestService

beforeAll(async () => {
  store = await openTestStore()
  service = await startTestService(store)
})
afterAll(async () => {
  await service?.close()
  await store?.close()
})

describe('the table of operations', () => {
  it('is what the app serves, both ways', async () => {
    const served: string[] = []
    const app = createApp(service.context)
    app.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) {
        if (name !== 'HEAD') served.push(`${name} ${url.replace(/:([a-z_]+)/g, '{$1}')}`)
      }
    })
    await app.ready()
    await app.close()
    expect(served.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('tells truly who may call: without a token 401 where one is wanted, and only there', async () => {
    for (const { method, path, security } of OPERATIONS) {
      const answer = await fetch(service.baseUrl + path.replace(/\{[a-z_]+\}/g, 'x'), { method })
      expect([`${method} ${path}`, answer.status === 401]).toEqual([`${method} ${path}`, security !== 'none'])
      await answer.text()
    }
  })

  it('names every operation once', () => {
    const ids = OPERATIONS.map((operation) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(
      expect.arrayContaining([
        'createDataset',
        'listDatasets',
        'getDataset',
        'getDatasetSchema',
        'createGeneration',
        'getJob',
      ]),
    )
  })

  it('describes each path parameter, and no other', () => {
    for (const { path, parameters = [] } of OPERATIONS) {
      const inPath = [...path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1])
      expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath)
    }
  })

  it('marks what costs the customer something', () => {
    const ids = OPERATIONS.filter((operation) => operation.consequential).map((operation) => operation.operationId)
    expect(ids).toEqual(['createDataset', 'deleteDataset', 'createGeneration'])
  })
})

describe('the OpenAPI document', () => {
  const document = buildOpenApi('https://service.example') as {
    openapi: string
    info: { version: string }
    servers: { url: string }[]
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>
    components: { schemas: Record<string, { additionalProperties?: unknown }> }
  }

  it('is served, with the address of the service', async () => {
    const answer = await service.get('/openapi.json')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual(buildOpenApi(service.baseUrl))
  })

  it('is OpenAPI 3.1.0 of contract 1.0.0', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0'])
    expect(document.servers).toEqual([{ url: 'https://service.example' }])
  })

  it('has every operation under its id', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(ids.sort()).toEqual(OPERATIONS.map((operation) => operation.operationId).sort())
  })

  it('refers only to what it holds, and holds only what is referred to', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1])
    const schemas = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
    expect([...new Set(references)].sort()).toEqual(schemas.sort())
  })

  it('forbids unknown fields in requests and allows them in replies', () => {
    const { schemas } = document.components
    expect(schemas.GenerationRequest?.additionalProperties).toBe(false)
    expect(schemas.SignupRequest?.additionalProperties).toBe(false)
    for (const name of ['Generation', 'Dataset', 'DatasetList', 'Job', 'Problem', 'SchemaColumn']) {
      expect([name, schemas[name]?.additionalProperties]).toEqual([name, undefined])
    }
  })

  it('describes 401 exactly where a token is wanted', () => {
    for (const { path, method, security, operationId } of OPERATIONS) {
      const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
      expect([operationId, '401' in responses]).toEqual([
        operationId,
        security !== 'none' || operationId === 'mintToken',
      ])
    }
  })

  it('is the same whenever it is built', () => {
    expect(JSON.stringify(buildOpenApi('https://service.example'))).toBe(JSON.stringify(document))
  })
})

describe('the error catalogue', () => {
  it('gives every code the service prefix and a status, but for those of jobs alone', () => {
    for (const [code, { status }] of Object.entries(ERROR_CATALOGUE)) {
      expect(code).toMatch(/^svc_[a-z_]+$/)
      expect(status === null || (status >= 400 && status < 600)).toBe(true)
    }
  })
})

describe('the utility routes', () => {
  it('/healthz says ok with the version', async () => {
    const answer = await service.get('/healthz')
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok', version: '0.0.0-test' }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it.each(['db', 'blobs'] as const)('/healthz is 503 when %s does not answer', async (part) => {
    const fail = async () => {
      throw new Error('gone')
    }
    const healthy = service.context[part] as unknown as Record<'query' | 'check', () => Promise<never>>
    const method = part === 'db' ? 'query' : 'check'
    const original = healthy[method]
    healthy[method] = fail
    try {
      const answer = await service.get('/healthz')
      expect([answer.status, answer.body]).toEqual([503, { status: 'unavailable', version: '0.0.0-test' }])
      expect(answer.headers.get('retry-after')).toBe('5')
    } finally {
      healthy[method] = original
    }
  })

  it('/ is a page for people and JSON for clients', async () => {
    const page = await service.get('/', { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('href="/openapi.json"')
    const index = await service.get('/', { accept: '*/*' })
    expect(index.body).toMatchObject({ openapi: '/openapi.json', token_url: `${service.baseUrl}/oauth/token` })
    expect([page, index].map((answer) => answer.headers.get('vary'))).toEqual(['accept', 'accept'])
  })
})
