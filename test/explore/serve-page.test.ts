import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedPage, servePage } from '../../src/explore/serve-page.ts'
import type { ExploredDataset, Question } from '../../src/explore/wire/messages.ts'
import { readMessage } from '../../src/explore/wire/read-message.ts'

const asked: Question[] = []
const DATASET: ExploredDataset = {
  name: 'panel',
  rows: 10,
  columns: [],
  first: { outcomes: [], where: [] },
  comparisons: [],
  studyFile: null,
}
let page: ServedPage
let token: string

beforeAll(async () => {
  page = await servePage({
    port: 0,
    files: { html: '<!doctype html>', script: 'let a', style: 'a{}' },
    routes: {
      'GET /dataset': () => DATASET,
      'POST /answers': (body) => {
        const question = readMessage('answers', body)
        if (question !== null) asked.push(question)
        return question === null ? null : { kind: 'refused', message: 'no' }
      },
    },
    reportAt: (path) => (path === '/report/unguessable' ? '<!doctype html>report' : null),
  })
  token = page.url.split('#token=')[1] as string
})
afterAll(() => page.close())

interface Sent {
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Not by fetch, which does not let a caller choose the host. */
async function send({ path = '/dataset', headers = {}, body }: Sent) {
  const url = new URL(path, page.url)
  return await new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((settle, fail) => {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request(url, { method, headers: { authorization: `Bearer ${token}`, ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('end', () => settle({ status: response.statusCode as number, headers: response.headers, text }))
    })
    sent.on('error', fail).end(body)
  })
}

describe('the server of the page', () => {
  it('tells the dataset to whom has the token', async () => {
    expect(JSON.parse((await send({})).text)).toMatchObject({ name: 'panel' })
  })

  it.each([
    { name: 'no token', headers: { authorization: '' }, status: 401 },
    { name: 'a wrong token', headers: { authorization: 'Bearer x' }, status: 401 },
    { name: 'a page of another origin', headers: { origin: 'http://evil.example' }, status: 403 },
    { name: 'a page of another port', headers: { origin: 'http://127.0.0.1:1' }, status: 403 },
    { name: 'a DNS name that points to this machine', headers: { host: 'evil.example' }, status: 421 },
    { name: 'a DNS name that begins like this machine', headers: { host: '127.0.0.1.evil.example' }, status: 421 },
  ])('refuses $name', async ({ headers, status }) => {
    const reply = await send({ headers })
    expect(reply.status).toBe(status)
    expect(reply.text).not.toContain('panel')
  })

  it('serves a forwarded port', async () => {
    const headers = { host: 'localhost:9000', origin: 'http://localhost:9000' }
    expect((await send({ headers })).status).toBe(200)
  })

  it('serves the page without a token, and without data', async () => {
    const reply = await send({ path: '/', headers: { authorization: '' } })
    expect(reply).toMatchObject({ status: 200, text: '<!doctype html>' })
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect(reply.headers['content-security-policy']).not.toContain('unsafe')
  })

  it('serves a report to who knows its path, and to nobody else', async () => {
    const headers = { authorization: '' }
    const reply = await send({ path: '/report/unguessable', headers })
    expect(reply).toMatchObject({ status: 200, text: '<!doctype html>report' })
    expect(reply.headers['content-security-policy']).toContain("connect-src 'none'")
    expect((await send({ path: '/report/other', headers })).status).toBe(401)
  })

  it.each([
    '',
    '{',
    '{"conditions":{},"outcomes":[],"where":[]}',
    '{"conditions":{"x":1},"outcomes":[{"column":"a","of":"mean"}],"where":[]}',
  ])('asks nothing for %j', async (body) => {
    expect((await send({ path: '/answers', body })).status).toBe(400)
    expect(asked).toEqual([])
  })

  it('passes a question on', async () => {
    const question = {
      conditions: { categorical: { a: { Yes: 0.5 } } },
      outcomes: [{ column: 'b', of: 'shares' }],
      where: [],
    } as const
    const reply = await send({ path: '/answers', body: JSON.stringify(question) })
    expect(JSON.parse(reply.text)).toEqual({ kind: 'refused', message: 'no' })
    expect(asked).toEqual([question])
  })
})
