import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ERROR_CATALOGUE, type ErrorCode } from '../../../src/contract/errors.ts'
import { MAX_WAIT_SECONDS } from '../../../src/contract/limits.ts'
import { buildOpenApi } from '../../../src/contract/openapi/openapi.ts'
import { TAGS, type Tag } from '../../../src/contract/operation.ts'
import { DOCUMENTED_OPERATIONS, OPERATIONS } from '../../../src/contract/operations.ts'
import type { Problem } from '../../../src/contract/problem.ts'
import { createApp } from '../../../src/service/app.ts'
import { openTestStore, startTestService, type TestService, type TestStore } from './test-service.ts'

type Content = Record<string, { schema?: unknown; example?: unknown; examples?: Record<string, unknown> }>

interface ResponseObject {
  headers: Record<string, unknown>
  content?: Content
}

interface OperationObject {
  operationId: string
  servers?: unknown
  requestBody?: { content: Content }
  responses: Record<string, unknown>
}

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
  it('names exactly the routes that the app serves', async () => {
    const served: string[] = []
    const app = createApp(service.context)
    app.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) {
        if (name !== 'HEAD') served.push(`${name} ${url.replace(/:([a-z_]+)/g, '{$1}')}`)
      }
    })
    await app.ready()
    await app.close()
    // Without its last slash the address of the reference only redirects.
    expect(served.filter((route) => route !== 'GET /__docs__').sort()).toEqual(
      OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort(),
    )
  })

  it('states who may call: 401 without a token exactly if one is required', async () => {
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
    expect(ids).toEqual([
      'createDataset',
      'createDatasetOfUpload',
      'deleteDataset',
      'createGeneration',
      'createGenerations',
    ])
  })
})

describe('the OpenAPI document', () => {
  const addresses = { baseUrl: 'https://service.example', authUrl: 'https://identity.example' }
  const document = buildOpenApi(addresses) as {
    openapi: string
    info: { version: string }
    servers: { url: string }[]
    tags: { name: string; description: string }[]
    paths: Record<string, Record<string, OperationObject>>
    components: Record<string, Record<string, { additionalProperties?: unknown }>>
  }

  it('is served, with the address of the service', async () => {
    const answer = await service.get('/openapi.json')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual(buildOpenApi({ ...service.context.addresses, takesExtensions: false }))
  })

  it('is OpenAPI 3.1.0 of contract 1.0.0', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0'])
    expect(document.servers).toEqual([{ url: 'https://service.example' }])
  })

  it('has no pages for people: no call of a generated client returns one', () => {
    const pages = OPERATIONS.filter(({ isPage }) => isPage).map(({ path }) => path)
    expect(pages.sort()).toEqual([
      '/__docs__/',
      '/__docs__/{file}',
      '/dashboard',
      '/docs',
      '/explore',
      '/favicon.ico',
      '/llms-full.txt',
      '/llms.txt',
    ])
    expect(pages.filter((path) => path in document.paths)).toEqual([])
    expect(JSON.stringify(document)).not.toContain('"text/html"')
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/', '/errors', '/healthz', '/oauth/token']))
  })

  it('distinguishes the kinds of columns by their type, and lists the fields of each', () => {
    const { SchemaColumn, CategoricalColumn, NumericColumn } = document.components.schemas as Record<string, unknown>
    expect(SchemaColumn).toMatchObject({
      oneOf: [{ $ref: '#/components/schemas/CategoricalColumn' }, { $ref: '#/components/schemas/NumericColumn' }],
      discriminator: { propertyName: 'type' },
    })
    expect(CategoricalColumn).toMatchObject({ required: ['name', 'type', 'levels'] })
    expect(NumericColumn).toMatchObject({ required: ['name', 'type', 'min', 'max', 'integer'] })
    expect(CategoricalColumn).not.toHaveProperty('properties.min')
    expect(NumericColumn).not.toHaveProperty('properties.levels')
  })

  it('has every operation under its id', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(ids.sort()).toEqual(DOCUMENTED_OPERATIONS.map((operation) => operation.operationId).sort())
  })

  it('has every component that it refers to, and no other', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1])
    const { securitySchemes, ...kinds } = document.components
    const held = Object.entries(kinds).flatMap(([kind, entries]) =>
      Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
    )
    expect([...new Set(references)].sort()).toEqual(held.sort())
    expect(Object.keys(securitySchemes ?? {})).toEqual(['bearer', 'operator'])
  })

  it('has a path for every operation, and no others', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented.sort()).toEqual(DOCUMENTED_OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('describes every group of operations, and uses each', () => {
    expect(document.tags.filter(({ description }) => description.length < 20)).toEqual([])
    const used = new Set(DOCUMENTED_OPERATIONS.map(({ tag }) => tag))
    expect(document.tags.map(({ name }) => name)).toEqual(Object.keys(TAGS))
    expect(Object.keys(TAGS).filter((tag) => !used.has(tag as Tag))).toEqual([])
  })

  it('has X-Request-Id on every reply, and Retry-After on each 429, 503 and 409', () => {
    for (const { path, method } of DOCUMENTED_OPERATIONS) {
      for (const [status, response] of Object.entries(operationAt(path, method).responses)) {
        const { headers } = resolve<ResponseObject>(response)
        const wanted = ['429', '503', '409'].includes(status) ? ['X-Request-Id', 'Retry-After'] : ['X-Request-Id']
        expect([method, path, status, Object.keys(headers)]).toEqual([
          method,
          path,
          status,
          expect.arrayContaining(wanted),
        ])
      }
    }
  })

  it('names a separate identity provider as the server of its own operations', () => {
    const elsewhere = Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId, servers }) =>
        servers === undefined ? [] : [[operationId, servers]],
      ),
    )
    const servers = [{ url: addresses.authUrl, description: 'The identity provider.' }]
    expect(elsewhere).toEqual([
      ['mintToken', servers],
      ['getJsonWebKeySet', servers],
      ['getAuthorizationServerMetadata', servers],
    ])
    expect(JSON.stringify(buildOpenApi({ ...addresses, authUrl: addresses.baseUrl }))).not.toContain(
      '"servers":[{"url":"https://identity',
    )
  })

  it('bounds integers only where the service does', () => {
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER))
    expect(document.components.schemas?.GenerationRequest).toMatchObject({
      properties: {
        row_count: { type: 'integer', minimum: 1 },
        wait_seconds: { minimum: 0, maximum: MAX_WAIT_SECONDS },
      },
    })
  })

  it('forbids unknown fields in requests and allows them in replies', () => {
    const { schemas = {} } = document.components
    expect(schemas.GenerationRequest?.additionalProperties).toBe(false)
    expect(schemas.SignupRequest?.additionalProperties).toBe(false)
    for (const name of [
      'Generation',
      'Dataset',
      'DatasetList',
      'Job',
      'Problem',
      'CategoricalColumn',
      'NumericColumn',
    ]) {
      expect([name, schemas[name]?.additionalProperties]).toEqual([name, undefined])
    }
  })

  it('describes 401 exactly where a token is required', () => {
    for (const { path, method, security, operationId } of DOCUMENTED_OPERATIONS) {
      const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
      expect([operationId, '401' in responses]).toEqual([
        operationId,
        security !== 'none' || operationId === 'mintToken',
      ])
    }
  })

  it('is the same whenever it is built', () => {
    expect(JSON.stringify(buildOpenApi(addresses))).toBe(JSON.stringify(document))
  })

  describe('its examples', () => {
    const validator = new Ajv2020({ strict: false, validateFormats: false })
    validator.addSchema(document, 'service')

    /** Schema references inside the document, relative to its root. */
    const check = (schema: unknown, value: unknown): string => {
      const text = JSON.stringify(schema).replaceAll('"#/', '"service#/')
      validator.validate(JSON.parse(text), value)
      return validator.errorsText(validator.errors)
    }

    it.each(DOCUMENTED_OPERATIONS.map((operation) => [operation.operationId, operation] as const))(
      '%s: one for each JSON body, valid against its schema',
      (_id, { path, method, request, responses }) => {
        const operation = operationAt(path, method)
        const contents = [
          ...(request === undefined ? [] : [{ of: 'request', content: operation.requestBody?.content ?? {} }]),
          ...Object.entries(operation.responses).map(([status, response]) => ({
            of: status,
            content: resolve<ResponseObject>(response).content ?? {},
          })),
        ]
        for (const { of, content } of contents) {
          for (const [type, { schema, example, examples }] of Object.entries(content)) {
            if (schema === undefined || /^(text|image)\//.test(type)) continue
            const values = [
              ...(example === undefined ? [] : [example]),
              ...Object.values(examples ?? {}).map((named) => resolve<{ value: unknown }>(named).value),
            ]
            // Problems of codes have theirs; that of a range outside an artifact has no code.
            const isNeeded = of !== '416'
            expect([of, type, values.length > 0 || !isNeeded]).toEqual([of, type, true])
            for (const value of values) {
              expect([of, type, check(schema, value)]).toEqual([of, type, 'No errors'])
            }
            const ours = of === 'request' ? request?.content[type] : responses[Number(of)]?.content?.[type]
            if (ours) for (const value of values) expect(ours.safeParse(value).error).toBeUndefined()
          }
        }
      },
    )

    it('show a problem of every code that a reply can have, as the service writes it', () => {
      const codes = Object.entries(document.components.examples ?? {}).map(([name, named]) => {
        const { value } = named as unknown as { value: Problem }
        const entry = ERROR_CATALOGUE[name as ErrorCode]
        expect(value).toMatchObject({ code: name, status: entry.status, title: entry.title })
        expect(value.type).toBe(`https://service.example/errors/${name}`)
        return name
      })
      // No operation of the document answers a wrong method.
      const never = ['svc_method_not_allowed']
      const inReplies = Object.keys(ERROR_CATALOGUE).filter(
        (code) => ERROR_CATALOGUE[code as ErrorCode].status !== null,
      )
      expect(codes.sort()).toEqual(inReplies.filter((code) => !never.includes(code)).sort())
    })
  })

  function operationAt(path: string, method: string): OperationObject {
    const operation = document.paths[path]?.[method.toLowerCase()]
    if (operation === undefined) throw new Error(`The document has no ${method} ${path}.`)
    return operation
  }

  function resolve<Kind>(piece: unknown): Kind {
    const { $ref } = piece as { $ref?: string }
    if ($ref === undefined) return piece as Kind
    const path = $ref.slice(2).split('/')
    return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as Kind
  }
})

describe('the error catalogue', () => {
  it('gives every code the service prefix, and a status unless only jobs have it', () => {
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
    // A result is cached for a second.
    service.clock.nowMs += 1000
    try {
      expect((await service.get('/livez')).status).toBe(200)
      expect((await service.get('/readyz')).status).toBe(503)
      const answer = await service.get('/healthz')
      expect([answer.status, answer.body]).toEqual([503, { status: 'unavailable', version: '0.0.0-test' }])
      expect(answer.headers.get('retry-after')).toBe('5')
    } finally {
      healthy[method] = original
      service.clock.nowMs += 1000
    }
  })

  it('/healthz checks database and storage once a second, however often it is requested', async () => {
    const { blobs } = service.context
    const check = vi.spyOn(blobs, 'check')
    service.clock.nowMs += 1000
    const ask = async (times: number) =>
      await Promise.all(Array.from({ length: times }, async () => (await service.get('/healthz')).status))
    expect(new Set(await ask(20))).toEqual(new Set([200]))
    expect(check).toHaveBeenCalledTimes(1)
    service.clock.nowMs += 999
    await ask(1)
    expect(check).toHaveBeenCalledTimes(1)
    service.clock.nowMs += 1
    await ask(5)
    expect(check).toHaveBeenCalledTimes(2)
    // Set back by an hour: an old answer would be kept for as long.
    service.clock.nowMs -= 3_600_000
    await ask(1)
    expect(check).toHaveBeenCalledTimes(3)
    check.mockRestore()
  })
})
