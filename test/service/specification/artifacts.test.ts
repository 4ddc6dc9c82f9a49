import { createHash } from 'node:crypto'
import { tableFromIPC } from '@uwdata/flechette'
import { parse } from 'csv-parse/sync'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { panelCsv } from './seeds.ts'
import { type Call, startWholeService, TENANT_B, type WholeService } from './whole-service.ts'

const COLUMNS = ['brand', 'is.member', 'satisfaction', 'visits', 'price', 'joined.on', 'answered.at']
const SCENARIO = {
  categorical: {
    brand: { Arabica: 0.5, Robusta: 0.1 },
    satisfaction: { 1: 0.05, 5: 0.333 },
    'is.member': { yes: 0.7 },
  },
  numeric: { visits: { min: 3, max: 17 }, 'joined.on': { min: '2020-06-01', max: '2021-12-31' } },
}

let service: WholeService
let panel: string
let url: string
let whole: Buffer
let etag: string
beforeAll(async () => {
  service = await startWholeService()
  panel = await service.train(panelCsv(3000))
  const made = await service.generate(panel, { row_count: 100, seed: 3, output_format: 'csv', wait_seconds: 60 })
  url = made.body.artifact_url
  etag = `"${made.body.artifact.sha256}"`
  whole = (await service.get(url)).bytes
})
afterAll(async () => {
  await service?.close()
  expect(service?.errors).toEqual([])
})

const download = async (headers: Record<string, string> = {}, call: Call = {}) =>
  await service.get(url, { headers, ...call })

/** The values of each row as text, null for a missing one, dates as RFC 3339. Readers of other projects read them. */
const READERS: Record<string, (bytes: Buffer) => Promise<Record<string, unknown>[]>> = {
  csv: async (bytes) => parse(bytes, { columns: true, cast: (value) => (value === '' ? null : value) }),
  parquet: async (bytes) => (await parquetReadObjects({ file: fileOf(bytes), compressors })).map(asText),
  arrow: async (bytes) =>
    (tableFromIPC(bytes, { useDate: true }).toArray() as Record<string, unknown>[]).map((row) => asText({ ...row })),
}
const fileOf = (bytes: Buffer) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
const asText = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value === null || value === undefined) return [name, null]
      if (value instanceof Date) {
        const text = value.toISOString()
        return [name, name === 'joined.on' ? text.slice(0, 10) : text]
      }
      return [name, String(value)]
    }),
  )

describe('GET {artifact_url}', () => {
  it('[GET {artifact_url} 1] [GET {artifact_url} 2] [Authentication 3] is relative to the service, and requires the bearer token', async () => {
    expect(url.startsWith('/')).toBe(true)
    expect((await download()).status).toBe(200)
    expect((await download({}, { tenant: null })).body).toMatchObject({ status: 401, type: 'about:blank' })
    expect((await download({}, { tenant: TENANT_B })).body).toMatchObject({ status: 404 })
  })

  it.each([
    ['parquet', 'application/vnd.apache.parquet', /^PAR1.*PAR1$/s],
    ['csv', 'text/csv; charset=utf-8; header=present', /^brand,is\.member,/],
    ['arrow', 'application/vnd.apache.arrow.file', /^ARROW1.*ARROW1$/s],
  ])(
    '[GET {artifact_url} 1] [Decisions, Generations: Artifact] has the format asked for: %s',
    async (format, contentType, shape) => {
      const made = await service.generate(panel, { row_count: 20, output_format: format, wait_seconds: 60 })
      const artifact = await service.get(made.body.artifact_url)
      expect(artifact.headers.get('content-type')).toBe(contentType)
      expect(artifact.bytes.toString('latin1')).toMatch(shape)
      expect(made.body.artifact).toEqual({
        bytes: artifact.bytes.length,
        sha256: createHash('sha256').update(artifact.bytes).digest('hex'),
      })
    },
  )

  it.each(['parquet', 'csv', 'arrow'])(
    '[Decisions, Generations: Record] [Decisions, Generations: Artifact] a %s file has the columns of the schema, the counts of the record, and the ranges asked for',
    async (format) => {
      const made = await service.generate(panel, {
        row_count: 600,
        seed: 1,
        output_format: format,
        wait_seconds: 60,
        conditions: SCENARIO,
      })
      const rows = (await READERS[format]?.((await service.get(made.body.artifact_url)).bytes)) ?? []
      expect(rows).toHaveLength(made.body.rows_generated)
      expect(Object.keys(rows[0] ?? {})).toEqual(COLUMNS)
      expect(made.body.targets).toHaveLength(5)
      for (const { column, level, target, achieved, count } of made.body.targets) {
        expect([column, level, rows.filter((row) => row[column] === level).length]).toEqual([column, level, count])
        expect(achieved).toBe(count / rows.length)
        expect(Math.abs(count - target * rows.length)).toBeLessThan(1)
      }
      for (const row of rows) {
        expect(row.visits).toMatch(/^([3-9]|1[0-7])$/)
        expect(String(row.price)).toMatch(/^\d+(\.\d{1,2})?$/)
        expect(row['joined.on']).toMatch(/^(2020-(0[6-9]|1[0-2])|2021-\d\d)-\d\d$/)
        // CSV has no zone; the readers of the other formats show moments as UTC.
        const written = format === 'csv' ? row['answered.at'] : String(row['answered.at']).replace(/\.000Z$/, '')
        expect(written).toMatch(/^2023-0[1-3]-\d\dT\d\d:\d\d:\d\d$/)
      }
      expect(rows.some((row) => row.brand === null)).toBe(true)
    },
  )

  it('[Decisions, Generations: Artifact] the formats hold the same rows', async () => {
    const read = async (format: string) => {
      const body = { row_count: 50, seed: 9, output_format: format, wait_seconds: 60 }
      const rows =
        (await READERS[format]?.((await service.get((await service.generate(panel, body)).body.artifact_url)).bytes)) ??
        []
      const numbers = (row: Record<string, unknown>) => ({
        ...row,
        price: Number(row.price),
        'answered.at': Date.parse(String(row['answered.at']).replace(/(:\d\d)$/, '$1Z')),
      })
      return rows.map(numbers)
    }
    const [csv, parquet, arrow] = [await read('csv'), await read('parquet'), await read('arrow')]
    expect(parquet).toEqual(csv)
    expect(arrow).toEqual(csv)
  })

  it('[Decisions, Generations: Artifact] Parquet is compressed with zstd; integers are integers, dates are dates', async () => {
    const made = await service.generate(panel, { row_count: 50, wait_seconds: 60 })
    const metadata = parquetMetadata(fileOf((await service.get(made.body.artifact_url)).bytes))
    const types = Object.fromEntries(
      metadata.schema.slice(1).map(({ name, type, converted_type: converted }) => [name, [type, converted]]),
    )
    expect(Object.keys(types)).toEqual(COLUMNS)
    expect(types.brand?.[0]).toBe('BYTE_ARRAY')
    for (const column of ['satisfaction', 'visits']) expect(types[column]?.[0]).toMatch(/^INT(32|64)$/)
    expect(types.price?.[0]).toBe('DOUBLE')
    expect(types['joined.on']?.[1]).toBe('DATE')
    expect(types['answered.at']?.[1]).toMatch(/^TIMESTAMP/)
    const codecs = metadata.row_groups.flatMap(({ columns }) => columns.map((column) => column.meta_data?.codec))
    expect(new Set(codecs)).toEqual(new Set(['ZSTD']))
  })

  it('[Decisions, Generations: Artifact] Arrow has the same types', async () => {
    const made = await service.generate(panel, { row_count: 50, output_format: 'arrow', wait_seconds: 60 })
    const { fields } = tableFromIPC((await service.get(made.body.artifact_url)).bytes).schema
    // Arrow's type numbers: 2 integer, 3 floating point, 5 text, 8 date, 10 timestamp, -1 dictionary.
    const types = Object.fromEntries(fields.map(({ name, type }) => [name, type.typeId]))
    expect(Object.keys(types)).toEqual(COLUMNS)
    expect([-1, 5]).toContain(types.brand)
    expect([types.satisfaction, types.visits, types.price, types['joined.on'], types['answered.at']]).toEqual([
      2, 2, 3, 8, 10,
    ])
  })

  it('[Decisions, Generations: Artifact] CSV is UTF-8 by RFC 4180, with a header and no byte order mark', async () => {
    const lines = ['größe,answer']
    for (let i = 0; i < 120; i++)
      lines.push(`${i % 2 === 0 ? '"klein, ""sehr"""' : 'groß'},${i % 3 === 0 ? 'ja' : 'nein'}`)
    const id = await service.train(`${lines.join('\n')}\n`)
    const made = await service.generate(id, { row_count: 20, output_format: 'csv', wait_seconds: 60 })
    const { text } = await service.get(made.body.artifact_url)
    expect(text.startsWith('größe,answer\r\n')).toBe(true)
    expect(text.endsWith('\r\n')).toBe(true)
    const rows = parse(text, { columns: true }) as Record<string, string>[]
    expect(new Set(rows.map((row) => row.größe))).toEqual(new Set(['klein, "sehr"', 'groß']))
  })

  it.each<[string, number, (bytes: Buffer) => Buffer]>([
    ['bytes=0-9', 206, (bytes) => bytes.subarray(0, 10)],
    ['bytes=10-', 206, (bytes) => bytes.subarray(10)],
    ['bytes=-5', 206, (bytes) => bytes.subarray(-5)],
    ['bytes=-99999999', 206, (bytes) => bytes],
    ['bytes=0-99999999', 206, (bytes) => bytes],
    ['Bytes=0-0', 206, (bytes) => bytes.subarray(0, 1)],
    ['bytes=5-2', 200, (bytes) => bytes],
    ['bytes=0-1,3-4', 200, (bytes) => bytes],
    ['bytes=a-b', 200, (bytes) => bytes],
    ['rows=1-2', 200, (bytes) => bytes],
  ])('[Decisions, Generations: Artifact] answers the range %s with %i', async (range, status, expected) => {
    const reply = await download({ range })
    expect(reply.status).toBe(status)
    expect(reply.bytes.equals(expected(whole))).toBe(true)
    expect(reply.headers.get('content-length')).toBe(String(reply.bytes.length))
    if (status === 206)
      expect(reply.headers.get('content-range')).toMatch(new RegExp(`^bytes \\d+-\\d+/${whole.length}$`))
  })

  it.each(['bytes=99999999-', 'bytes=-0'])(
    '[Decisions, Generations: Artifact] answers the range %s, which lies outside of it, with 416',
    async (range) => {
      const reply = await download({ range })
      expect([reply.status, reply.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`])
      expect(reply.headers.get('content-type')).toBe('application/problem+json')
      expect(reply.headers.get('content-disposition')).toBeNull()
    },
  )

  it('[Decisions, Generations: Artifact] has an ETag for conditional requests and ranges', async () => {
    expect((await download()).headers.get('etag')).toBe(etag)
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const unchanged = await download({ 'if-none-match': match })
      expect([match, unchanged.status, unchanged.bytes.length]).toEqual([match, 304, 0])
      expect(unchanged.headers.get('etag')).toBe(etag)
    }
    expect((await download({ 'if-none-match': '"other"' })).status).toBe(200)
    expect((await download({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await download({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
    expect((await download({ range: 'bytes=0-1', 'if-range': `W/${etag}` })).status).toBe(200)
    expect((await download({ range: 'bytes=0-1', 'if-range': new Date().toUTCString() })).status).toBe(200)
  })

  it('[Decisions, Generations: Artifact] answers HEAD as GET, without the bytes', async () => {
    const [get, head] = [await download(), await service.call('HEAD', url)]
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    for (const name of ['content-length', 'content-type', 'etag', 'accept-ranges', 'content-disposition']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
    }
  })

  it('[Decisions, Generations: Artifact] an altered address is refused', async () => {
    const id = /gen_[A-Za-z0-9]+/.exec(url)?.[0] as string
    for (const changed of [
      url.replace(/expires=\d/, 'expires=9'),
      url.replace(/signature=.../, 'signature=AAA'),
      url.replace(/[?].*/, ''),
      url.replace(id, 'gen_0000000000000000000000'),
    ]) {
      expect((await service.get(changed)).body).toMatchObject({ status: 404, code: 'svc_not_found' })
    }
  })

  it('[Limits: Managed download URL lifetime] [Decisions, Generations: Artifact] an address is valid for 15 minutes; GET generation gives a fresh one', async () => {
    const made = await service.generate(panel, { row_count: 5, wait_seconds: 60 })
    const address: string = made.body.artifact_url
    service.clock.aheadMs += 15 * 60_000 - 60_000
    expect((await service.get(address)).status).toBe(200)
    service.clock.aheadMs += 60_000
    expect((await service.get(address)).body).toMatchObject({ status: 410, code: 'svc_artifact_url_expired' })
    const fresh = (await service.get(`/v1/generations/${made.body.generation_id}`)).body.artifact_url
    expect((await service.get(fresh)).status).toBe(200)
  })

  it('[Limits: Default retention] [DELETE /v1/datasets/{dataset_id} 1] an artifact is removed with its generation, 24 hours after it was made, even if its dataset is deleted before', async () => {
    const made = await service.generate(panel, { row_count: 5, wait_seconds: 60 }, { key: 'kept-as-long' })
    const { created_at: from, expires_at: to, generation_id: id } = made.body
    expect(Date.parse(to) - Date.parse(from)).toBe(24 * 60 * 60_000)
    await service.call('DELETE', `/v1/datasets/${panel}`)
    service.clock.aheadMs += Date.parse(to) - service.context.now() - 60_000
    const fresh = (await service.get(`/v1/generations/${id}`)).body.artifact_url
    expect((await service.get(fresh)).status).toBe(200)
    service.clock.aheadMs += 60_000
    expect((await service.get(`/v1/generations/${id}`)).status).toBe(404)
    expect((await service.get(fresh)).status).toBe(404)
  })
})
