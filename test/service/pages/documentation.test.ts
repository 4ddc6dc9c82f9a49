import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE, type ErrorCode } from '../../../src/contract/errors.ts'
import * as limits from '../../../src/contract/limits.ts'
import { buildOpenApi } from '../../../src/contract/openapi/openapi.ts'
import { DOCUMENTED_OPERATIONS, OPERATIONS } from '../../../src/contract/operations.ts'
import { PAGE_ASSETS, PageBook } from '../../../src/service/pages/page-book.ts'
import { openTestStore, startTestService, type TestService, type TestStore } from '../http/test-service.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[]
const DOCUMENTS = [
  '/',
  '/docs',
  '/__docs__/',
  '/explore',
  '/errors',
  '/errors/svc_not_found',
  '/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
]

const src = resolve(import.meta.dirname, '../../../src')

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

const read = async (path: string, headers: Record<string, string> = {}) => (await service.get(path, headers)).text

describe('every document', () => {
  it.each([...DOCUMENTS, ...PAGE_ASSETS.map((name) => `/__docs__/${name}`)])(
    '%s is 200, the same without a body for HEAD, and 304 for a client that has it',
    async (path) => {
      const answer = await service.get(path, HTML)
      const etag = answer.headers.get('etag') as string
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache'])
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)

      const head = await fetch(service.baseUrl + path, { method: 'HEAD', headers: HTML })
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)))

      const again = await service.get(path, { ...HTML, 'if-none-match': `"other", W/${etag}` })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
      expect(again.headers.get('x-request-id')).toMatch(/^req_/)
    },
  )

  it.each(DOCUMENTS)('%s allows GET and HEAD alone', async (path) => {
    const answer = await service.post(path, {})
    expect([answer.status, answer.headers.get('allow'), answer.body.code]).toEqual([
      405,
      'GET, HEAD',
      'svc_method_not_allowed',
    ])
  })

  const MISSING = [
    '/nothing',
    '/docs/',
    '/__docs__/nothing.js',
    '/__docs__/..%2fpage-book.js',
    '/__docs__/.swagger-ui.css',
    '/errors/svc_nothing',
    '/errors/constructor',
    `/errors/${'x'.repeat(2000)}`,
  ]

  it.each(MISSING)('%s does not exist: browsers get a page with links and the request id', async (path) => {
    const answer = await service.get(path, HTML)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([
      404,
      'text/html; charset=utf-8',
      'accept',
    ])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    for (const href of ['/', '/docs', '/__docs__/', '/errors']) expect(answer.text).toContain(`<a href="${href}">`)
    expect(answer.text).toContain(`<code>${answer.headers.get('x-request-id')}</code>`)
    const head = await fetch(service.baseUrl + path, { method: 'HEAD', headers: HTML })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      404,
      'text/html; charset=utf-8',
      '',
    ])
  })

  it.each(MISSING)('%s does not exist: other clients get a problem record', async (path) => {
    for (const accept of [
      '*/*',
      'application/json',
      'application/json, text/html;q=0.9',
      'text/html;q=0, */*;q=0.1',
      'text/html;q=0.5, application/problem+json, */*;q=0.8',
      'image/svg+xml',
    ]) {
      const answer = await service.get(path, { accept })
      expect([accept, answer.status, answer.headers.get('content-type'), answer.body?.code]).toEqual([
        accept,
        404,
        'application/problem+json',
        'svc_not_found',
      ])
    }
  })

  it('a resource that an operation does not find is a problem record, for browsers too', async () => {
    const bearer = { authorization: `Bearer ${await service.token()}` }
    for (const path of ['/v1/nothing', '/v1/signup/req_nobody', '/%761/nothing', '/oauth/nothing', '/.well-known/x']) {
      const answer = await service.get(path, { ...HTML, ...bearer })
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, 'application/problem+json'])
    }
    const posted = await service.post('/nothing', {}, HTML)
    expect([posted.status, posted.body.code]).toEqual([404, 'svc_not_found'])
  })

  it('the icon is at the address that browsers request', async () => {
    const icon = await service.get('/favicon.ico')
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(icon.text).toBe((await service.get('/__docs__/icon.svg')).text)
  })

  it('the reference without its last slash redirects to it, at any public address', async () => {
    const answer = await fetch(`${service.baseUrl}/__docs__`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '__docs__/'])
    expect((await fetch(`${service.baseUrl}/__docs__`)).url).toBe(`${service.baseUrl}/__docs__/`)
  })

  it('counts against the rate of its address', async () => {
    const hasty = await startTestService(store, {
      settings: { rateLimits: true, addressRate: { perSecond: 1, burst: 2 } },
    })
    try {
      const statuses = []
      for (let i = 0; i < 3; i++) statuses.push((await hasty.get('/docs')).status)
      expect(statuses).toEqual([200, 200, 429])
      expect((await hasty.get('/')).status).toBe(200)
    } finally {
      await hasty.close()
    }
  })
})

describe('pages', () => {
  it.each(['/', '/docs', '/errors', '/errors/svc_internal', '/nothing'])(
    '%s runs no script and loads from the service only',
    async (path) => {
      const page = await service.get(path, HTML)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(page.text).not.toMatch(/<script|style=|<style|onload=/)
      expect(page.text.match(/<h1>/g)).toHaveLength(1)
    },
  )

  it('the reference runs only scripts of the service', async () => {
    const page = await service.get('/__docs__/', HTML)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  it.each(['/', '/errors', '/errors/svc_not_found'])('%s is JSON for clients', async (path) => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.9', 'text/html;q=0, */*']) {
      const answer = await service.get(path, { accept })
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('vary')).toBe('accept')
    }
  })

  it('link to the path of the public address, where it has one', () => {
    const page = String(bookOf('https://data.example/synthetic').start()?.body)
    const hrefs = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1])
    expect(hrefs.length).toBeGreaterThan(10)
    expect(hrefs.filter((href) => !href?.startsWith('/synthetic/'))).toEqual([])
  })

  it('escape the public address', () => {
    const book = bookOf('https://data.example/a"><script>alert(1)</script>')
    for (const page of [book.start(), book.guide(), book.errorIndex()]) {
      expect(String(page.body)).not.toContain('<script')
    }
  })

  it('show the rate limits of this service, or say that it has none', () => {
    const guideOf = (facts: typeof FACTS) => String(new PageBook(facts).guide().body)
    const clientRate = { perSecond: 77, burst: 1234 }
    expect(guideOf({ ...FACTS, clientRate })).toContain('77 a second, 1,234 at once')
    expect(guideOf({ ...FACTS, rateLimits: false })).toContain('not counted by this service')
  })
})

const FACTS = {
  baseUrl: 'https://data.example',
  foreignIssuer: null,
  authUrl: 'https://identity.example',
  version: '1.2.3',
  claims: 'status' as const,
  rateLimits: true,
  clientRate: { perSecond: 500, burst: 2000 },
  addressRate: { perSecond: 20, burst: 100 },
  clientQuestions: 5000,
  webhooks: 'public' as const,
}

describe('the guide on claims', () => {
  const guideOf = (claims: 'status' | 'operator') => String(new PageBook({ ...FACTS, claims }).guide().body)

  it('says how long others could claim if the status shows the token, and does not ask to keep an id secret', () => {
    const page = guideOf('status')
    expect(page).toContain('for at most 7 days after the approval')
    expect(page).toContain('anybody who knows your contact e-mail can claim instead of you')
    expect(page).not.toContain('keep that to yourself')
  })

  it('says that the operator gives the token, where that is configured', () => {
    const page = guideOf('operator')
    expect(page).toContain('The operator gives you the one-time claim token')
    expect(page).not.toContain('can claim instead of you')
    expect(page).not.toContain('a one-time <code>credential_claim_token</code>')
  })
})

function bookOf(baseUrl: string): PageBook {
  return new PageBook({ ...FACTS, baseUrl })
}

describe('the guide of a service whose tokens another identity provider mints', () => {
  const issuer = 'https://login.example/tenant'
  const own = /credential-claims|credential-rotations|credentials\.json/

  it('names that provider, and does not describe credentials of the service itself', () => {
    const page = String(new PageBook({ ...FACTS, foreignIssuer: issuer }).guide().body)
    expect(page).toContain(issuer)
    expect(page).not.toMatch(own)
    expect(String(bookOf('https://data.example').guide().body)).toMatch(own)
  })
})

describe('the error catalogue, /errors, its pages, /llms-full.txt and the code of the service name the same codes:', () => {
  it('the index, as a page and as JSON', async () => {
    const page = await read('/errors', HTML)
    expect([...page.matchAll(/href="\/errors\/([^"]+)"/g)].map((match) => match[1])).toEqual(CODES)
    const { errors } = (await service.get('/errors')).body as { errors: { code: string; url: string }[] }
    expect(errors).toEqual(CODES.map((code) => ({ code, ...ERROR_CATALOGUE[code], url: `/errors/${code}` })))
  })

  it.each(CODES)('%s has a page with cause, fix, retryability and support, and the same as JSON', async (code) => {
    const { cause, fix, support, retryable } = ERROR_CATALOGUE[code]
    const words = textOf(await read(`/errors/${code}`, HTML))
    for (const part of [code, cause, fix, support]) expect(words).toContain(part.replaceAll('`', ''))
    expect(words).toContain(retryable ? 'Yes, unchanged' : 'No. The same request')
    expect((await service.get(`/errors/${code}`)).body).toEqual({
      code,
      ...ERROR_CATALOGUE[code],
      url: `/errors/${code}`,
    })
  })

  it('the guide as text', async () => {
    const guide = await read('/llms-full.txt')
    const catalogue = guide.slice(guide.indexOf('## Error catalogue'))
    expect([...catalogue.matchAll(/^### (.+)$/gm)].map((match) => match[1])).toEqual(CODES)
    for (const code of CODES) expect(catalogue).toContain(ERROR_CATALOGUE[code].fix)
  })

  it('the service', () => {
    const named = new Set<string>()
    for (const file of readdirSync(join(src, 'service'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue
      const text = readFileSync(join(src, 'service', file), 'utf8')
      for (const [code] of text.matchAll(/\bsvc_[a-z_]+/g)) named.add(code)
    }
    expect([...named].sort()).toEqual([...CODES].sort())
  })

  it('a problem record: its type is the address of its page', async () => {
    const problem = (await service.get('/v1/signup/req_nobody')).body as { type: string }
    expect(problem.type).toBe(`${service.baseUrl}/errors/svc_not_found`)
    expect((await fetch(problem.type)).status).toBe(200)
  })
})

describe('the limits on the pages', () => {
  /** How each constant is written; a new one needs an entry, and a row of the table. */
  const WRITTEN: Record<keyof typeof limits, string> = {
    MAX_SEED_FILE_BYTES: `${limits.MAX_SEED_FILE_BYTES / 2 ** 20} MB`,
    MAX_DISPLAY_NAME_CODE_POINTS: `${limits.MAX_DISPLAY_NAME_CODE_POINTS} characters`,
    MAX_WAIT_SECONDS: `0 to ${limits.MAX_WAIT_SECONDS}, default 0`,
    MAX_PAGE_SIZE: `limit 1 to ${limits.MAX_PAGE_SIZE}`,
    TOKEN_LIFETIME_SECONDS: `${limits.TOKEN_LIFETIME_SECONDS / 3600} hours`,
    CLAIM_TOKEN_LIFETIME_SECONDS: `${limits.CLAIM_TOKEN_LIFETIME_SECONDS / 3600} hours, once`,
    MAX_PENDING_SIGNUPS: '10,000 wait at most',
    PENDING_SIGNUP_DAYS: `after ${limits.PENDING_SIGNUP_DAYS} days`,
    MAX_ROTATIONS: `${limits.MAX_ROTATIONS} in `,
    ROTATION_WINDOW_SECONDS: `in ${limits.ROTATION_WINDOW_SECONDS / 3600} hours`,
    DEFAULT_RETENTION_HOURS: `${limits.DEFAULT_RETENTION_HOURS} hours, at most`,
    MAX_RETENTION_HOURS: `at most ${limits.MAX_RETENTION_HOURS} hours`,
    ARTIFACT_URL_LIFETIME_SECONDS: `${limits.ARTIFACT_URL_LIFETIME_SECONDS / 60} minutes`,
    MAX_JSON_BODY_BYTES: `${limits.MAX_JSON_BODY_BYTES / 2 ** 20} MB and `,
    MAX_JSON_KEYS: '20,000 keys',
    MAX_OPEN_BODY_BYTES: `${limits.MAX_OPEN_BODY_BYTES / 2 ** 10} KiB and `,
    MAX_OPEN_JSON_KEYS: '1,000 keys',
    MAX_COLUMN_NAME_BYTES: '1 KiB of UTF-8 a name',
    MAX_REPLICATE_COLUMNS: '2 to 1,000 columns',
    MAX_LEVEL_BYTES: '1 KiB a level',
    MAX_SCHEMA_BYTES: `${limits.MAX_SCHEMA_BYTES / 2 ** 20} MB; `,
    DEFAULT_REQUEST_ROW_CAP: '1,000,000 unless',
    MAX_ESTIMATE_OUTCOMES: `${limits.MAX_ESTIMATE_OUTCOMES}, and the `,
    MAX_ESTIMATED_LEVELS: `${limits.MAX_ESTIMATED_LEVELS} most frequent levels`,
    MAX_CELL_TABLES: `at most ${limits.MAX_CELL_TABLES} tables`,
    MAX_CELLS: `tables of ${limits.MAX_CELLS} cells`,
    MAX_MEANS: `at most ${limits.MAX_MEANS} columns`,
    MAX_FURTHER: `at most ${limits.MAX_FURTHER} further scenarios`,
    MAX_TOGETHER: `at most ${limits.MAX_TOGETHER} other scenarios`,
    MAX_QUANTILES: `1 to ${limits.MAX_QUANTILES}, from `,
    LEAST_QUANTILE: `from ${limits.LEAST_QUANTILE} to 0.99`,
    MAX_FILTERS: `1 to ${limits.MAX_FILTERS} columns, and `,
    MAX_FILTER_LEVELS: 'at most 1,000 levels of each',
    MAX_ESTIMATED_SEGMENTS: `at most ${limits.MAX_ESTIMATED_SEGMENTS} levels`,
    MAX_WEBHOOKS: `at most ${limits.MAX_WEBHOOKS}; addresses`,
    MAX_WEBHOOK_URL: 'addresses of 2,048 characters',
    MAX_WEBHOOK_DESCRIPTION: `descriptions of ${limits.MAX_WEBHOOK_DESCRIPTION}`,
    WEBHOOK_RETRY_HOURS: `repeated for ${limits.WEBHOOK_RETRY_HOURS} hours`,
    WEBHOOK_ANSWER_SECONDS: `an answer may take ${limits.WEBHOOK_ANSWER_SECONDS} s`,
    WEBHOOK_DISABLED_AFTER_DAYS: `disabled after ${limits.WEBHOOK_DISABLED_AFTER_DAYS} days`,
    WEBHOOK_KEPT_DAYS: `kept for ${limits.WEBHOOK_KEPT_DAYS} days`,
    WEBHOOK_OVERLAP_HOURS: `signs for ${limits.WEBHOOK_OVERLAP_HOURS} hours`,
    MAX_REPLAYED_DELIVERIES: 'at most 1,000 messages',
    EXPIRY_NOTICE_HOURS: `${limits.EXPIRY_NOTICE_HOURS} hours before the end`,
    MAX_TARGETS_BYTES: `as many as fit into ${limits.MAX_TARGETS_BYTES / 2 ** 20} MB`,
    MAX_PROBLEM_BYTES: `at most ${limits.MAX_PROBLEM_BYTES / 2 ** 10} KiB`,
    MAX_PROBLEM_ENTRIES: `${limits.MAX_PROBLEM_ENTRIES} in one problem record`,
  }

  it('are exactly those of the contract', async () => {
    expect(Object.keys(WRITTEN).sort()).toEqual(Object.keys(limits).sort())
    const page = await read('/docs', HTML)
    const section = textOf(page.slice(page.indexOf('<h2 id="limits"'), page.indexOf('<h2 id="versioning"')))
    const guide = await read('/llms-full.txt')
    const plain = guide.slice(guide.indexOf('\n## Limits'), guide.indexOf('\n## Versioning')).replaceAll('`', '')
    for (const [name, words] of Object.entries(WRITTEN)) {
      expect([name, section]).toEqual([name, expect.stringContaining(words)])
      expect([name, plain]).toEqual([name, expect.stringContaining(words)])
    }
  })
})

describe('/llms.txt', () => {
  it('has the form of llmstxt.org: title, quotation, sections of links that work', async () => {
    const text = await read('/llms.txt')
    const [title, quotation, ...rest] = text.trimEnd().split('\n\n')
    expect(title).toMatch(/^# \S/)
    expect(quotation).toMatch(/^> \S/)
    const lines = rest.flatMap((part) => part.split('\n'))
    expect(
      lines.filter((line) => !/^(## \S|- \[[^\]]+\]\(http[^)]+\): )/.test(line) && !line.includes('[Health]')),
    ).toEqual([])
    const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map((match) => match[1] as string)
    for (const link of links) {
      const answer = await fetch(link)
      expect([link, answer.status]).toEqual([link, 200])
      await answer.text()
    }
  })
})

describe('/llms-full.txt', () => {
  it('has every operation with its parameters, replies and records, every record with its fields', async () => {
    const text = await read('/llms-full.txt')
    for (const { path, isPage } of OPERATIONS) if (isPage) expect(text).toContain(`- \`GET ${path}\` `)
    for (const { method, path, operationId, parameters = [], responses } of DOCUMENTED_OPERATIONS) {
      const start = text.indexOf(`### \`${method} ${path}\` (${operationId})\n`)
      expect([operationId, start > 0]).toEqual([operationId, true])
      const section = text.slice(start, text.indexOf('\n##', start + 3))
      for (const { name } of parameters) expect(section).toContain(`| \`${name}\` |`)
      for (const status of Object.keys(responses)) expect(section).toContain(`- \`${status}\` `)
    }
    const { schemas } = buildOpenApi({ ...FACTS, takesExtensions: false }).components as {
      schemas: Record<string, { properties?: object }>
    }
    const records = text.slice(text.indexOf('## Records'))
    for (const [name, { properties = {} }] of Object.entries(schemas)) {
      const start = records.indexOf(`### ${name}\n`)
      expect([name, start > 0]).toEqual([name, true])
      const section = records.slice(start, records.indexOf('\n##', start + 3))
      for (const field of Object.keys(properties))
        expect([name, section]).toEqual([name, expect.stringContaining(`| \`${field}\` |`)])
    }
  })

  it('describes every step, with the addresses of this service', async () => {
    const text = await read('/llms-full.txt')
    const titles = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1])
    expect(titles.slice(0, 14)).toEqual([
      'In short',
      'Quickstart',
      'Access',
      'Upload and training',
      'The cleaned schema',
      'A scenario',
      'Polling',
      'Download',
      'How sure a difference is',
      'Errors',
      'Idempotency',
      'Limits',
      'Versioning',
      'Documents',
    ])
    expect(text).toContain(`BASE=${service.baseUrl}\n`)
    expect(text).not.toMatch(/undefined|\[object|NaN/)
  })
})

function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, '').replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
}
