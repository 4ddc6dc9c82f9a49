import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ownTurn } from '../../../src/base/event-loop-turns.ts'
import type { SchemaColumn } from '../../../src/contract/datasets.ts'
import { markReady } from '../../../src/service/records/dataset-records.ts'
import { readSchema, storeSchema } from '../../../src/service/records/schema-records.ts'
import { PIECE_BYTES, parseSchema, piecesOf, schemaText } from '../../../src/service/records/schema-text.ts'
import type { Queryable } from '../../../src/service/store/database.ts'
import { type DataService, form, startDataService, TENANT_A, TENANT_B } from './data-service.ts'

const column = (name: string, levels: string[]): SchemaColumn => ({ name, type: 'categorical', levels })
/** A schema of the largest size: levels of 1 KB, with characters of two and of four bytes. */
const LARGE = Array.from({ length: 40 }, (_, c) =>
  column(
    `c${c}`,
    Array.from({ length: 100 }, (_, i) => `${i}\n${(i % 2 === 0 ? 'é' : '𝐚').repeat(250)}`),
  ),
)
const bytesOf = (schema: readonly SchemaColumn[]) => Buffer.from(schemaText(schema))

let service: DataService
beforeAll(async () => {
  service = await startDataService()
})
afterAll(async () => await service?.close())

describe('the text of a schema', () => {
  it.each([
    ['none', []],
    ['one column', [column('a', ['x'])]],
    ['many small ones', Array.from({ length: 5000 }, (_, i) => column(`c${i}`, ['yes', 'no,\n']))],
    ['large ones', LARGE],
  ])('is JSON that gives the same columns when it is parsed in parts: %s', async (_name, schema) => {
    const json = bytesOf(schema)
    expect(JSON.parse(json.toString())).toEqual(schema)
    expect(await parseSchema(json)).toEqual(schema)
  })

  it('of an earlier version, in one line, is parsed too', async () => {
    expect(await parseSchema(Buffer.from(JSON.stringify(LARGE)))).toEqual(LARGE)
  })

  it('is cut into pieces of whole characters and a bounded size', () => {
    const pieces = [...piecesOf(bytesOf(LARGE))]
    expect(pieces.length).toBeGreaterThan(10)
    expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(PIECE_BYTES)
    expect(pieces.join('')).toBe(schemaText(LARGE))
  })
})

describe('tasks that wait for a turn of the event loop', () => {
  it('continue one in each turn', async () => {
    const seen: string[] = []
    const work = async (name: string) => {
      for (let i = 0; i < 2; i++) {
        await ownTurn()
        seen.push(name)
      }
    }
    const others = async () => {
      for (let i = 0; i < 3; i++) {
        await new Promise((resolve) => setImmediate(resolve))
        seen.push('others')
      }
    }
    await Promise.all([work('a'), work('b'), others()])
    expect(seen).toEqual(['a', 'others', 'b', 'others', 'a', 'others', 'b'])
  })
})

describe('a large schema', () => {
  const DATASET = 'ds_pieces'
  const sent: { readonly sql: string; readonly bytes: number }[] = []
  /** A database that records the sizes of its statements and answers. */
  const watched: Queryable = {
    async query<Row>(sql: string, parameters: readonly unknown[] = []) {
      const rows = await service.db.query<Row>(sql, parameters)
      sent.push({ sql, bytes: JSON.stringify(parameters).length + JSON.stringify(rows).length })
      return rows
    },
  }

  beforeEach(async () => {
    sent.length = 0
    await service.db.query('delete from datasets where dataset_id = $1', [DATASET])
    await service.db.query(
      `insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, seed_bytes, seed_sha256, seed_blob,
         created_at, expires_at)
       values ($1, $2, 'job_x', 'processing', true, 'req_x', 1, 'x', 'seeds/x', now(), now() + interval '1 day')`,
      [DATASET, TENANT_A],
    )
  })

  const store = async (attempt: number, schema: readonly SchemaColumn[]) =>
    await storeSchema(watched, DATASET, attempt, bytesOf(schema))

  async function makeReady(schema: Awaited<ReturnType<typeof store>>): Promise<void> {
    const trained = { modelBlob: 'models/x', modelBytes: 1, schema, cleaningSummary: {}, trainingSummary: {} }
    await markReady(service.db, { dataset_id: DATASET, seed_blob: 'seeds/x' }, trained as never, Date.now())
  }

  it('is written and read by statements of a bounded size', async () => {
    await makeReady(await store(1, LARGE))
    const read = await readSchema(watched, TENANT_A, DATASET)
    expect(JSON.parse(String(read))).toEqual(LARGE)
    expect(sent.length).toBeGreaterThan(20)
    // The text is JSON again, with its quotes and line ends escaped.
    expect(Math.max(...sent.map(({ bytes }) => bytes))).toBeLessThan(1.5 * PIECE_BYTES)
    expect(await readSchema(watched, TENANT_B, DATASET)).toBeNull()
  })

  it('comes from the recorded attempt, even if a late one writes others', async () => {
    const late = LARGE.map((one) => ({ ...one, name: `late_${one.name}` }))
    const place = await store(2, LARGE)
    await store(1, late)
    await makeReady(place)
    expect(JSON.parse(String(await readSchema(watched, TENANT_A, DATASET)))).toEqual(LARGE)
    expect(await store(1, late)).toBeNull()
  })

  it('can be written again after an interruption', async () => {
    await store(1, LARGE.slice(0, 20))
    await makeReady(await store(1, LARGE))
    expect(JSON.parse(String(await readSchema(watched, TENANT_A, DATASET)))).toEqual(LARGE)
  })

  it('is removed with its dataset, and is never stored in part', async () => {
    await makeReady(await store(1, LARGE))
    const reading = readSchema(watched, TENANT_A, DATASET)
    await service.db.query('delete from datasets where dataset_id = $1', [DATASET])
    expect(await reading).toBeNull()
    expect(await service.db.query('select piece from schema_pieces where dataset_id = $1', [DATASET])).toEqual([])
    expect(await store(2, LARGE)).toBeNull()
  })
})

describe('the schema of an upload with many long levels', () => {
  it('is stored in pieces and sent whole, and misspelt names are refused without a transaction', async () => {
    const level = (c: number, i: number) => `${c}-${i} `.padEnd(120, 'é')
    const columns = Array.from({ length: 30 }, (_, c) => c)
    const rows = Array.from({ length: 600 }, (_, i) => columns.map((c) => level(c, (i + c) % 30)).join(','))
    const csv = [columns.map((c) => `c${c}`).join(','), ...rows].join('\n')
    const body = form({ wait_seconds: '60', seed_file: new Blob([csv]) })
    const { dataset_id: dataset } = (await service.ask('/v1/datasets', { method: 'POST', body })).body
    const stored = 'select piece from schema_pieces where dataset_id = $1'
    expect((await service.db.query(stored, [dataset])).length).toBeGreaterThan(1)
    const { schema } = (await service.ask(`/v1/datasets/${dataset}/schema`)).body
    expect(schema.map(({ levels }: { levels: string[] }) => levels.length)).toEqual(columns.map(() => 30))

    const order = async (wanted: string) =>
      await service.ask(`/v1/datasets/${dataset}/generations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          row_count: 2,
          wait_seconds: 60,
          conditions: { categorical: { c1: { [wanted]: 0.5 } } },
        }),
      })
    expect((await order(level(1, 3))).body).toMatchObject({ status: 'ready' })
    const transaction = vi.spyOn(service.db, 'transaction')
    expect((await order(`${level(1, 3)}!`)).body).toMatchObject({ code: 'svc_unknown_condition_column' })
    expect(transaction).not.toHaveBeenCalled()
    transaction.mockRestore()
    // The cached schema of a removed dataset is not served.
    await service.ask(`/v1/datasets/${dataset}`, { method: 'DELETE' })
    expect((await order('misspelt')).body).toMatchObject({ code: 'svc_not_found' })
  })
})
