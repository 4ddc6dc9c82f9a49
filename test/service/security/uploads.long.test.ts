import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type DataService, form, startDataService, surveyCsv, TENANT_A } from '../data/data-service.ts'
import { BOUNDARY, rawForm } from '../data/multipart.ts'

let service: DataService
let token: string
const CSV = surveyCsv(60)
const FILE = { name: 'seed_file', filename: 'a.csv', value: CSV }
const END = `--${BOUNDARY}--\r\n`

// Without workers, tests read uploads as they were stored.
beforeAll(async () => {
  service = await startDataService({ work: false })
  token = await service.token(TENANT_A)
})
afterAll(async () => await service?.close())
afterEach(async () => {
  expect(service.errors).toEqual([])
  expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200)
})

async function post(body: Buffer | string, contentType = `multipart/form-data; boundary=${BOUNDARY}`) {
  const response = await fetch(`${service.baseUrl}/v1/datasets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    body: new Uint8Array(Buffer.from(body)),
  })
  const text = await response.text()
  return { status: response.status, body: JSON.parse(text), text, id: response.headers.get('x-request-id') }
}

const part = (headers: string, value: string): string => `--${BOUNDARY}\r\n${headers}\r\n\r\n${value}\r\n`
const DISPOSITION = 'Content-Disposition: form-data; name="seed_file"; filename="a.csv"'

async function counted() {
  const [row] = await service.db.query<{ datasets: number; blobs: number; keys: number }>(
    `select (select count(*) from datasets) as datasets, (select count(*) from doomed_blobs) as blobs,
       (select count(*) from idempotency_keys) as keys`,
  )
  return { ...row, files: (await service.blobs()).length }
}

describe('a multipart body that is refused, and leaves nothing', () => {
  it.each<[string, () => Buffer | string, string?]>([
    ['ten thousand parts', () => rawForm(Array.from({ length: 10_000 }, () => ({ name: 'display_name', value: 'x' })))],
    ['ten thousand parts without a name', () => rawForm(Array.from({ length: 10_000 }, () => ({ value: 'x' })))],
    ['two files', () => rawForm([FILE, FILE])],
    ['two files and a large second one', () => rawForm([FILE, { ...FILE, value: 'a,b\n'.repeat(1 << 20) }])],
    ['a text part of 10 MB', () => rawForm([{ name: 'display_name', value: 'x'.repeat(10 << 20) }, FILE])],
    ['a part header of 10 MB', () => `${part(`${DISPOSITION}\r\nX: ${'x'.repeat(10 << 20)}`, CSV)}${END}`],
    ['a part header that never ends', () => `--${BOUNDARY}\r\n${'X: y\r\n'.repeat(2 << 20)}`],
    ['a preamble of 10 MB', () => Buffer.concat([Buffer.alloc(10 << 20, 'x'), Buffer.from('\r\n'), rawForm([FILE])])],
    ['no boundary in it', () => CSV],
    ['another boundary', () => rawForm([FILE]), 'multipart/form-data; boundary=other'],
    ['no boundary named', () => rawForm([FILE]), 'multipart/form-data'],
    ['an empty boundary', () => rawForm([FILE]), 'multipart/form-data; boundary='],
    ['an empty quoted boundary', () => rawForm([FILE]), 'multipart/form-data; boundary=""'],
    ['its end in the middle of a boundary', () => rawForm([FILE], `--${BOUNDARY.slice(0, 5)}`)],
    ['a file behind the end', () => `${END}${part(DISPOSITION, CSV)}${END}`],
    ['a name in another case', () => `${part(DISPOSITION.replace('seed_file', 'SEED_FILE'), CSV)}${END}`],
    ['a name in brackets', () => `${part(DISPOSITION.replace('seed_file', 'seed_file[]'), CSV)}${END}`],
    ['a name that ends a line', () => `${part(DISPOSITION.replace('seed_file', 'seed_file\nx'), CSV)}${END}`],
    ['a file by another disposition', () => `${part(DISPOSITION.replace('form-data', 'attachment'), CSV)}${END}`],
    ['no disposition', () => `${part('Content-Type: text/csv', CSV)}${END}`],
    ['__proto__ as a part', () => rawForm([{ name: '__proto__', value: 'x' }, FILE])],
    ['constructor as a part', () => rawForm([{ name: 'constructor', value: 'x' }, FILE])],
    [
      'a nested multipart',
      () =>
        `${part(
          'Content-Disposition: form-data; name="files"\r\nContent-Type: multipart/mixed; boundary=inner',
          `--inner\r\n${DISPOSITION}\r\n\r\n${CSV}\r\n--inner--`,
        )}${END}`,
    ],
  ])('with %s', async (_name, body, contentType) => {
    const before = await counted()
    const answer = await post(body(), contentType)
    expect([answer.status, answer.body.code]).toEqual([400, 'svc_invalid_field'])
    expect(answer.body.request_id).toBe(answer.id)
    await expect.poll(counted).toEqual(before)
  })
})

describe('a multipart body that is read as intended', () => {
  it.each<[string, () => Buffer | string, string?]>([
    ['a path as file name', () => rawForm([{ ...FILE, filename: '../../../../etc/passwd' }])],
    ['a Windows path as file name', () => rawForm([{ ...FILE, filename: 'C:\\\\windows\\\\x.csv' }])],
    ['control characters in the file name', () => rawForm([{ ...FILE, filename: 'a\u0001\u007f\u0000.csv' }])],
    ['a file name of 4 kB', () => rawForm([{ ...FILE, filename: 'a'.repeat(4096) }])],
    ['an encoded file name', () => `${part(`${DISPOSITION}; filename*=UTF-8''%2e%2e%2fx`, CSV)}${END}`],
    [
      'a transfer encoding that says base64',
      () => `${part(`${DISPOSITION}\r\nContent-Transfer-Encoding: base64`, CSV)}${END}`,
    ],
    ['an unknown charset', () => `${part(`${DISPOSITION}\r\nContent-Type: text/csv; charset=nonsense`, CSV)}${END}`],
    ['a type that is no table', () => `${part(`${DISPOSITION}\r\nContent-Type: image/png`, CSV)}${END}`],
    ['headers named as properties', () => `${part(`__proto__: x\r\nconstructor: y\r\n${DISPOSITION}`, CSV)}${END}`],
    ['a preamble and an epilogue', () => `preamble\r\n${rawForm([FILE]).toString()}epilogue\r\n${END}`],
    ['a boundary in quotes', () => rawForm([FILE]), `multipart/form-data; boundary="${BOUNDARY}"`],
    ['more parameters', () => rawForm([FILE]), `multipart/form-data; charset=utf-8; boundary=${BOUNDARY}; x=y`],
  ])('with %s the file is stored byte by byte, under a name of our own', async (_name, body, contentType) => {
    const answer = await post(body(), contentType)
    expect([answer.status, answer.body.status]).toEqual([202, 'processing'])
    const stored = await readFile(join(service.dataDir, 'blobs', 'seeds', answer.body.dataset_id), 'utf8')
    expect(stored).toBe(CSV)
  })
})

describe('an upload', () => {
  it('of a compressed body is 415: sizes mean what they say', async () => {
    const answer = await service.ask('/v1/datasets', {
      method: 'POST',
      headers: { 'content-encoding': 'gzip' },
      body: form({ seed_file: new Blob([CSV]) }),
    })
    expect(answer.status).toBe(415)
  })

  it('that breaks off leaves nothing, wherever it does', async () => {
    const before = await counted()
    // All in one test: the rest is stored after the connection has closed.
    for (const bytes of [0, 1, 40, 200, 2000]) {
      const body = rawForm([{ name: 'idempotency_key', value: `broken-${bytes}` }, FILE])
      const socket = connect(service.port, '127.0.0.1')
      const head = [
        'POST /v1/datasets HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${token}`,
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
        `Content-Length: ${body.length}`,
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      // A connection that is reset has ended, too.
      socket.resume().on('error', () => undefined)
      socket.end(body.subarray(0, bytes))
      await new Promise((resolve) => socket.once('close', resolve))
    }
    await expect.poll(counted).toEqual(before)
  })

  it('makes one dataset of 20 at once with one key', async () => {
    const before = await counted()
    const answers = await Promise.all(
      Array.from(
        { length: 20 },
        async () =>
          await service.ask('/v1/datasets', {
            method: 'POST',
            headers: { 'idempotency-key': 'at-once' },
            body: form({ seed_file: new Blob([CSV]) }),
          }),
      ),
    )
    const made = answers.filter(({ status }) => status === 202)
    expect(new Set(made.map(({ body }) => body.dataset_id)).size).toBe(1)
    expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([])
    expect((await counted()).datasets).toBe((before.datasets as number) + 1)
  })
})
