import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, useRig } from './client-rig.ts'
import {
  answer,
  badGateway,
  halfOf,
  hugeBody,
  problem,
  resetAtOnce,
  type ScriptedService,
  type Step,
  startScriptedService,
} from './scripted-service.ts'

const rig = useRig()

const PATH = '/v1/generations/gen_1/artifact'
const ROUTE = `GET ${PATH}`
const bytes = randomBytes(700_001)
const sha256 = createHash('sha256').update(bytes).digest('hex')
const parquet = { 'content-type': 'application/vnd.apache.parquet' }
const whole = answer(bytes, { headers: { ...parquet, 'content-length': String(bytes.length) } })

let folder: string
let storage: ScriptedService
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-download-'))
  storage = await startScriptedService()
})
afterEach(async () => {
  await storage.close()
  await rm(folder, { recursive: true })
})

const target = () => join(folder, 'rows.parquet')
const fetchArtifact = (
  url: string = PATH,
  fields: { maxBytes?: number; heldBytes?: number; onProgress?: (count: number) => void } = {},
) => rig.client.downloadArtifact({ url, path: target(), ...fields })

/** Sends a body in chunks, without announcing its length. */
const chunked =
  (body: Buffer, end: (exchange: Parameters<Step>[0]) => void): Step =>
  async (exchange) => {
    await exchange.received()
    exchange.response.writeHead(200, parquet)
    exchange.response.write(body, () => end(exchange))
  }

describe('a download', () => {
  it('is written completely, with its size and hash', async () => {
    rig.service.on(ROUTE, whole)
    const seen: number[] = []
    expect(await fetchArtifact(`${PATH}?sig=a%2Bb`, { onProgress: (count) => seen.push(count) })).toMatchObject({
      bytes: bytes.length,
      sha256,
    })
    expect((await readFile(target())).equals(bytes)).toBe(true)
    expect(seen.at(-1)).toBe(bytes.length)
    const [request] = rig.service.to(ROUTE)
    expect(request?.headers).toMatchObject({ authorization: 'Bearer token-1', 'accept-encoding': 'identity' })
    expect(request?.query).toBe('sig=a%2Bb')
  })

  it('in chunks, without a length, is written completely', async () => {
    rig.service.on(
      ROUTE,
      chunked(bytes, ({ response }) => response.end()),
    )
    expect(await fetchArtifact()).toMatchObject({ bytes: bytes.length, sha256 })
  })

  describe('that may stay in memory', () => {
    it('is returned without a file when it is announced as small', async () => {
      rig.service.on(ROUTE, whole)
      const { content, ...rest } = await fetchArtifact(PATH, { heldBytes: bytes.length })
      expect(rest).toMatchObject({ bytes: bytes.length, sha256 })
      expect(content?.equals(bytes)).toBe(true)
      expect(existsSync(target())).toBe(false)
    })

    it.each([
      ['announced as larger', () => whole],
      ['not announced', () => chunked(bytes, ({ response }) => response.end())],
    ])('is written to a file when its length is %s', async (_, step) => {
      rig.service.on(ROUTE, step())
      expect(await fetchArtifact(PATH, { heldBytes: bytes.length - 1 })).not.toHaveProperty('content')
      expect((await readFile(target())).equals(bytes)).toBe(true)
    })

    it('leaves nothing of an interrupted try', async () => {
      rig.service.on(
        ROUTE,
        chunked(bytes.subarray(0, 10), ({ response }) => response.destroy()),
        whole,
      )
      expect((await fetchArtifact(PATH, { heldBytes: bytes.length })).content?.equals(bytes)).toBe(true)
      expect(existsSync(target())).toBe(false)
    })
  })

  it('without bytes is an empty file', async () => {
    rig.service.on(ROUTE, answer('', { headers: { ...parquet, 'content-length': '0' } }))
    expect(await fetchArtifact()).toMatchObject({ bytes: 0 })
    expect(await readFile(target())).toHaveLength(0)
  })

  it.each([
    { name: 'half a body', step: halfOf(bytes, { headers: parquet }) },
    {
      name: 'half a body in chunks',
      step: chunked(bytes.subarray(0, 300_000), ({ request }) => request.socket.destroy()),
    },
    { name: 'a reset', step: resetAtOnce },
    { name: 'a page of a proxy', step: badGateway },
    { name: 'a 429', step: problem(429, 'svc_rate_limited') },
    { name: 'a refused token', step: problem(401, null) },
  ])('is started again after $name', async ({ step }) => {
    rig.service.on(ROUTE, step, whole)
    expect(await fetchArtifact()).toMatchObject({ bytes: bytes.length, sha256 })
    expect((await readFile(target())).equals(bytes)).toBe(true)
  })

  it('that arrives too slowly is tried again', async () => {
    const client = rig.connect({ timeouts: { lowSpeedMs: 100 } })
    const drip: Step = async ({ response, received }) => {
      await received()
      response.writeHead(200, { ...parquet, 'content-length': String(bytes.length) })
      const timer = setInterval(() => response.write('x'), 5)
      response.on('close', () => clearInterval(timer))
    }
    rig.service.on(ROUTE, drip, whole)
    const reasons: string[] = []
    const download = client.downloadArtifact(
      { url: PATH, path: target() },
      { onRetry: ({ reason }) => reasons.push(reason) },
    )
    expect(await download).toMatchObject({ bytes: bytes.length, sha256 })
    // On a busy machine the rest may come too slowly for that short a limit, too.
    expect(new Set(reasons)).toEqual(new Set(['the answer came too slowly (BODY_TOO_SLOW)']))
  })

  it('keeps nothing of a longer interrupted try', async () => {
    rig.service.on(ROUTE, halfOf(bytes, { headers: parquet }), answer('a,b\n', { headers: { 'content-length': '4' } }))
    expect(await fetchArtifact()).toMatchObject({ bytes: 4 })
    expect(await readFile(target(), 'utf8')).toBe('a,b\n')
  })

  it('replaces no file', async () => {
    rig.service.on(ROUTE, whole)
    await writeFile(target(), 'precious')
    const error = await failure(fetchArtifact())
    expect(error).toMatchObject({ kind: 'rejected', attempts: 0 })
    expect(error.message).toContain('the file to write cannot be created (EEXIST)')
    expect(await readFile(target(), 'utf8')).toBe('precious')
    expect(rig.service.requests).toEqual([])
  })
})

describe('a download that fails leaves no file', () => {
  afterEach(async () => {
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    [403, 'forbidden'],
    [404, 'not_found'],
    [410, 'gone'],
  ])('when the link answers %i', async (status, kind) => {
    rig.service.on(ROUTE, problem(status, null))
    const error = await failure(fetchArtifact(`${PATH}?sig=signature`))
    expect(error).toMatchObject({ kind, status, attempts: 1 })
    expect(error.message).toContain(`GET ${PATH} was answered with ${status}`)
    expect(error.message).not.toContain('signature')
  })

  it('when the body breaks off each time', async () => {
    rig.service.on(ROUTE, halfOf(bytes, { headers: parquet }))
    expect(await failure(fetchArtifact())).toMatchObject({ kind: 'network', attempts: 6 })
  })

  it.each([
    { name: 'part of the artifact', step: answer(bytes, { status: 206, headers: parquet }), says: 'no whole artifact' },
    {
      name: 'a page',
      step: answer('<html>', { headers: { 'content-type': 'text/html' } }),
      says: 'a page instead of the artifact',
      attempts: 6,
    },
    {
      name: 'a record',
      step: answer('{}', { headers: { 'content-type': 'application/problem+json' } }),
      says: 'a record of type application/problem+json instead of the artifact',
      attempts: 6,
    },
    {
      name: 'an encoding',
      step: answer(bytes, { headers: { ...parquet, 'content-encoding': 'gzip' } }),
      says: 'a body in the encoding gzip, which was not asked for',
    },
    {
      name: 'a body that ends with its connection',
      step: (({ request }) =>
        void request.socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\n\r\na,b\r\n')) as Step,
      says: 'a body without a recognizable end',
    },
  ])('when the answer is $name', async ({ step, says, attempts = 1 }) => {
    rig.service.on(ROUTE, step)
    const error = await failure(fetchArtifact())
    expect(error).toMatchObject({ kind: 'reply', attempts })
    expect(error.message).toContain(says)
  })

  it('when it has more bytes than accepted, announced or not', async () => {
    rig.service.on(
      ROUTE,
      hugeBody(50_000_000),
      chunked(bytes, ({ response }) => response.end()),
    )
    for (const maxBytes of [1_000_000, 700_000]) {
      const error = await failure(fetchArtifact(PATH, { maxBytes }))
      expect(error).toMatchObject({ kind: 'too_large', status: null })
      expect(error.message).toContain(`more than the ${maxBytes} bytes that are accepted`)
    }
  })

  it('when it is aborted half-way', async () => {
    const reason = new Error('enough')
    const control = new AbortController()
    rig.service.on(ROUTE, hugeBody(50_000_000))
    const download = { url: PATH, path: target(), onProgress: () => control.abort(reason) }
    await expect(rig.client.downloadArtifact(download, { signal: control.signal })).rejects.toBe(reason)
  })

  it('when the deadline comes half-way', async () => {
    const stalled: Step = chunked(bytes, () => {})
    rig.service.on(ROUTE, stalled)
    const call = rig.client.downloadArtifact({ url: PATH, path: target() }, { deadlineMs: rig.clock.now() + 150 })
    expect(await failure(call)).toMatchObject({ kind: 'deadline' })
  })

  it.each([
    '//evil.example/x',
    'ftp://evil.example/x',
    'file:///etc/passwd',
    'https:///',
    'http',
    'https://user:pw@host/x',
    '/a\\b',
    '\t/a',
    '/a b',
    'javascript:1',
  ])('when the address is %j', async (url) => {
    const error = await failure(fetchArtifact(url))
    expect(error).toMatchObject({ kind: 'reply', status: null, attempts: 0 })
    expect(error.message).toContain('it was not fetched')
    expect(rig.service.requests).toEqual([])
  })
})

describe('the bearer token of a download', () => {
  it('is sent to the origin of the service, in any spelling of the address', async () => {
    rig.service.on(ROUTE, whole)
    await fetchArtifact(`${rig.service.url}${PATH}`)
    expect(rig.service.to(ROUTE)[0]?.headers.authorization).toBe('Bearer token-1')
  })

  it('is not sent to another origin', async () => {
    storage.on('GET /bucket/rows', whole)
    expect(await fetchArtifact(`${storage.url}/bucket/rows?X-Amz-Signature=abc`)).toMatchObject({ sha256 })
    const [request] = storage.requests
    expect(request?.headers).not.toHaveProperty('authorization')
    expect(request?.query).toBe('X-Amz-Signature=abc')
    expect(rig.service.requests).toEqual([])
  })

  it.each([301, 302, 303, 307, 308])(
    'is not sent after a redirect %i, to another origin or the same',
    async (status) => {
      rig.service.on(ROUTE, answer('', { status, headers: { location: `${storage.url}/bucket/rows?sig=1` } }))
      storage.on('GET /bucket/rows', answer('', { status, headers: { location: `${rig.service.url}/back` } }))
      rig.service.on('GET /back', whole)
      expect(await fetchArtifact()).toMatchObject({ sha256 })
      expect(rig.service.to(ROUTE)[0]?.headers.authorization).toBe('Bearer token-1')
      expect(storage.requests[0]?.headers).not.toHaveProperty('authorization')
      expect(rig.service.to('GET /back')[0]?.headers).not.toHaveProperty('authorization')
    },
  )

  it('is kept when a storage refuses a request', async () => {
    storage.on('GET /bucket/rows', answer('<Error/>', { status: 401, headers: { 'content-type': 'application/xml' } }))
    expect(await failure(fetchArtifact(`${storage.url}/bucket/rows`))).toMatchObject({ kind: 'auth', attempts: 1 })
  })
})

describe('redirects of a download', () => {
  it('end after five', async () => {
    rig.service.on(ROUTE, answer('', { status: 302, headers: { location: PATH } }))
    const error = await failure(fetchArtifact())
    expect(error).toMatchObject({ kind: 'reply', status: 302 })
    expect(rig.service.to(ROUTE)).toHaveLength(6)
  })

  it.each(['ftp://evil.example/', 'http://user:pw@127.0.0.1/', 'http://\u0080', 'gopher:x'])(
    'to %j are refused',
    async (location) => {
      const step: Step = ({ request }) => {
        const head = `HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`
        request.socket.end(Buffer.from(head, 'latin1'))
      }
      rig.service.on(ROUTE, step)
      expect(await failure(fetchArtifact())).toMatchObject({ kind: 'reply', status: null })
      expect(await readdir(folder)).toEqual([])
    },
  )
})
