import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { savBytes } from '../../formats/sav-bytes.ts'
import { startWholeService, surveyCsv, TENANT_B, type WholeService } from './whole-service.ts'

const SHARED_FILES = resolve(import.meta.dirname, '../../../../shared/data/formats')

let service: WholeService
/** Its trainings never begin. */
let idle: WholeService
beforeAll(async () => {
  service = await startWholeService()
  idle = await startWholeService({ work: false })
})
afterAll(async () => {
  await service?.close()
  await idle?.close()
  expect(service?.errors).toEqual([])
})

interface Column {
  readonly name: string
  readonly type: string
  readonly [field: string]: unknown
}

const schemaOf = async (datasetId: string): Promise<Column[]> =>
  (await service.get(`/v1/datasets/${datasetId}/schema`)).body.schema
const namesOf = async (file: string | Buffer, parts: Record<string, string> = {}) =>
  (await schemaOf(await service.train(file, parts))).map(({ name }) => name)

const levelsOf = (column: Column | undefined) => [...((column?.levels ?? []) as string[])].sort()

/** A table with one column per entry, as CSV: the cell of each row from its number. */
function table(rows: number, columns: Record<string, (row: number) => string | number>): string {
  const lines = [Object.keys(columns).join(',')]
  for (let row = 0; row < rows; row++) {
    lines.push(
      Object.values(columns)
        .map((cell) => cell(row))
        .join(','),
    )
  }
  return `${lines.join('\n')}\n`
}
const kind = (row: number) => ['a', 'b', 'c'][row % 3] as string

describe('a dataset in training', () => {
  it('[Decisions, Datasets: A dataset in training] is not listed; its reads and generations are 409 with Retry-After, naming the job; DELETE cancels it', async () => {
    const { body } = await idle.upload(surveyCsv(60), { wait_seconds: '0' })
    expect((await idle.get('/v1/datasets')).body.datasets).toEqual([])
    for (const reply of [
      await idle.get(`/v1/datasets/${body.dataset_id}`),
      await idle.get(`/v1/datasets/${body.dataset_id}/schema`),
      await idle.generate(body.dataset_id, { row_count: 1 }),
    ]) {
      expect(reply.body).toMatchObject({
        status: 409,
        code: 'svc_dataset_not_ready',
        detail: expect.stringContaining(body.job_id),
      })
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    await idle.call('DELETE', `/v1/datasets/${body.dataset_id}`)
    expect((await idle.get(`/v1/jobs/${body.job_id}`)).body.status).toBe('cancelled')
  })

  it('[Decisions, Generations: wait_seconds] [POST /v1/datasets: 202] is not answered with 202 before its wait has passed', async () => {
    const startMs = performance.now()
    const { status } = await idle.upload(surveyCsv(60), { wait_seconds: '1' })
    expect(status).toBe(202)
    // Only a lower bound: a slow machine may take longer.
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(1000)
  })
})

describe('Decisions, Datasets: Idempotency', () => {
  const CSV = surveyCsv(60)

  it('[Decisions, Datasets: Idempotency] file name, order of the parts, spelling and wait_seconds do not count; a replay has the same ids and the current state', async () => {
    const first = await service.upload(CSV, { auto_clean: 'yes', wait_seconds: '0' }, { key: 'same' })
    const form = new FormData()
    form.append('seed_file', new Blob([CSV]), 'another-name.csv')
    form.append('wait_seconds', '60')
    form.append('auto_clean', '1')
    const again = await service.call('POST', '/v1/datasets', { form, key: 'same' })
    expect([first.status, again.status]).toEqual([202, 200])
    expect(again.body).toMatchObject({ dataset_id: first.body.dataset_id, status: 'ready' })
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body.request_id).toBe(again.headers.get('x-request-id'))
    const spelt = await service.upload(CSV, { auto_clean: 'TRUE' }, { key: 'same' })
    expect([spelt.status, spelt.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  })

  it.each<[string, string, Record<string, string>]>([
    ['content', `${CSV}R1,north,yes,1,2.0,30,2020-01-01\n`, {}],
    ['display_name', CSV, { display_name: 'other' }],
    ['auto_clean', CSV, { auto_clean: 'no' }],
  ])('[Decisions, Datasets: Idempotency] %s counts', async (part, file, parts) => {
    const first = await idle.upload(CSV, { wait_seconds: '0' }, { key: `counts-${part}` })
    const other = await idle.upload(file, { wait_seconds: '0', ...parts }, { key: `counts-${part}` })
    expect([first.status, other.status, other.body.code]).toEqual([202, 409, 'svc_idempotency_conflict'])
    expect(other.headers.get('retry-after')).toBeNull()
  })

  it('[Decisions, Datasets: Idempotency] a key belongs to a tenant and an operation', async () => {
    const mine = await service.upload(CSV, {}, { key: 'scope' })
    const theirs = await service.upload(CSV, {}, { key: 'scope', tenant: TENANT_B })
    const generation = await service.generate(mine.body.dataset_id, { row_count: 1 }, { key: 'scope' })
    expect(theirs.body.dataset_id).not.toBe(mine.body.dataset_id)
    expect([theirs, generation].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, null])
  })

  it('[Decisions, Datasets: Idempotency] a request refused with 4xx does not use up its key, nor does a training that fails', async () => {
    const refused = [
      await service.upload(CSV, { wait_seconds: '61' }, { key: 'fresh' }),
      await service.upload('%PDF-1.7 a document', {}, { key: 'fresh' }),
      await service.upload(surveyCsv(49), {}, { key: 'fresh' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400])
    const made = await service.upload(CSV, {}, { key: 'fresh' })
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([200, null])
  })

  it('[Decisions, Datasets: Idempotency] is optional: without a key every request makes its own', async () => {
    const [one, other] = [await service.upload(CSV), await service.upload(CSV)]
    expect(one.body.dataset_id).not.toBe(other.body.dataset_id)
  })

  it('[Decisions, Datasets: Header and form key both given] the header has precedence', async () => {
    const first = await idle.upload(CSV, { wait_seconds: '0', idempotency_key: 'form' }, { key: 'header' })
    const byHeader = await idle.upload(CSV, { wait_seconds: '0' }, { key: 'header' })
    const byForm = await idle.upload(CSV, { wait_seconds: '0' }, { key: 'form' })
    expect(byHeader.body.dataset_id).toBe(first.body.dataset_id)
    expect(byForm.body.dataset_id).not.toBe(first.body.dataset_id)
  })

  it('[Decisions, Datasets: display_name] is counted in code points; C0, DEL and C1 are refused; empty means null', async () => {
    const name = async (displayName: string) =>
      (await service.upload(CSV, { display_name: displayName })).body.dataset_id as string | undefined
    const shown = async (displayName: string) =>
      (await service.get(`/v1/datasets/${await name(displayName)}`)).body.display_name
    expect(await shown('😀'.repeat(200))).toBe('😀'.repeat(200))
    expect(await shown('')).toBeNull()
    for (const refused of ['😀'.repeat(201), 'a\u0001', 'a\u007f', 'a\u0085'])
      expect(await name(refused)).toBeUndefined()
  })
})

describe('seed files', () => {
  const HEADER = ['colour', 'amount']
  const cells = (row: number): [string, number] => [kind(row), 10 + (row % 37)]
  const csv = (separator = ',') =>
    [HEADER, ...Array.from({ length: 80 }, (_, row) => cells(row))].map((line) => line.join(separator)).join('\n')
  const sav = (compression: 0 | 1 | 2) =>
    savBytes({
      compression,
      variables: [
        { name: 'COLOUR', width: 8 },
        { name: 'AMOUNT' },
        {
          name: 'ANSWER',
          labels: [
            [1, 'agree'],
            [2, 'disagree'],
          ],
          missing: { count: 1, values: [9] },
        },
      ],
      rows: Array.from({ length: 80 }, (_, row) => [...cells(row), row % 10 === 0 ? 9 : 1 + (row % 2)]),
    })

  it.each<[string, () => Promise<string | Buffer> | string | Buffer]>([
    ['CSV', () => csv()],
    ['TSV', () => csv('\t')],
    [
      'Excel (.xlsx)',
      async () =>
        Buffer.from(
          await writeXlsx({
            sheets: [{ name: 'Data', rows: [HEADER, ...Array.from({ length: 80 }, (_, row) => cells(row))] }],
          }),
        ),
    ],
    ['SAV', () => sav(1)],
    ['ZSAV', () => sav(2)],
    [
      'Parquet',
      async () => {
        const made = await service.generate(await service.train(csv()), { row_count: 80, wait_seconds: 60 })
        return (await service.get(made.body.artifact_url)).bytes
      },
    ],
  ])(
    '[Decisions, Datasets: File type] [POST /v1/datasets: seed_file] %s is recognized by its content, whatever its name',
    async (_name, make) => {
      const id = await service.train(await make())
      const [colour, amount] = await schemaOf(id)
      expect([colour?.name.toLowerCase(), amount?.name.toLowerCase()]).toEqual(['colour', 'amount'])
      expect(levelsOf(colour)).toEqual(['a', 'b', 'c'])
      expect(amount).toMatchObject({ type: 'numeric', integer: true })
    },
  )

  it.skipIf(!existsSync(SHARED_FILES)).each([
    ['excel/Absenteeism_at_work.xls', 200, undefined],
    ['excel/pass_protected.xlsx', 400, 'svc_unreadable_file'],
    ['sav/hotel-encrypted.sav', 400, 'svc_unreadable_file'],
    ['parquet/encrypted_footer_pare.parquet', 400, 'svc_unreadable_file'],
  ])('[Decisions, Datasets: File type] %s is answered with %i', async (file, status, code) => {
    const reply = await service.upload(readFileSync(resolve(SHARED_FILES, file)))
    expect([reply.status, reply.body.code]).toEqual([status, code])
    if (code !== undefined) expect(reply.body.detail).toMatch(/password|encrypt/i)
  })

  it.each([2, 3])(
    '[Decisions, Datasets: File type] the first sheet of a workbook that is not empty is read below its title rows, and named: a table of %i columns',
    async (width) => {
      const more = (cell: string | number) => (width === 3 ? [cell] : [])
      const answers = Array.from({ length: 80 }, (_, row) => [...cells(row), ...more(row % 29)])
      const rows = [['Coffee survey'], [], [...HEADER, ...more('age')], ...answers]
      const workbook = await writeXlsx({
        sheets: [
          { name: 'Empty', rows: [] },
          { name: 'Answers', rows },
        ],
      })
      const reply = await service.upload(Buffer.from(workbook))
      expect(reply.body.cleaning_summary).toMatchObject({ input_rows: 80, input_columns: width })
      expect(reply.body.cleaning_summary.notes.join(' ')).toContain('Answers')
    },
  )

  const german = `größe,n\n${Array.from({ length: 60 }, (_, row) => `${row % 2 === 0 ? 'groß' : 'klein'},${row % 31}`).join('\n')}\n`

  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(german)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${german}`)],
    ['UTF-16', Buffer.from(`\ufeff${german}`, 'utf16le')],
    ['Windows-1252', Buffer.from(german, 'latin1')],
  ])('[Decisions, Datasets: CSV] is read in %s', async (_name, bytes) => {
    const [column] = await schemaOf(await service.train(bytes))
    expect(column).toMatchObject({ name: 'größe', levels: expect.arrayContaining(['groß', 'klein']) })
  })

  it('[Decisions, Datasets: CSV] is read with the delimiter, quotes and decimal comma that it has', async () => {
    const lines = ['name;price', ...Array.from({ length: 80 }, (_, row) => `"${kind(row)}; ""x""";${row % 40},5`)]
    const [name, price] = await schemaOf(await service.train(lines.join('\r\n')))
    expect(name?.levels).toContain('a; "x"')
    expect(price).toMatchObject({ type: 'numeric', min: 0, max: 40 })
  })

  it('[Decisions, Datasets: CSV] title lines are skipped; ragged rows are reported; empty and equal headers get names', async () => {
    const titled = await service.upload(`Coffee survey\n\n${csv()}`)
    expect(titled.body.cleaning_summary).toMatchObject({ input_rows: 80, input_columns: 2 })
    const ragged = await service.upload(`${csv()}\na\nb,1,2,3\n`)
    const said = ragged.status === 200 ? ragged.body.cleaning_summary.notes.join(' ') : ragged.body.detail
    expect(said).toMatch(/row|record|line|cell|column/i)
    const names = await namesOf(
      `a,,a\n${Array.from({ length: 80 }, (_, row) => `${kind(row)},${row % 31},${row % 29}`).join('\n')}\n`,
    )
    expect(new Set(names).size).toBe(3)
    expect(names.every((name) => name !== '')).toBe(true)
  })

  it('[Decisions, Datasets: SAV] value labels become levels, user-missing values missing', async () => {
    const answer = (await schemaOf(await service.train(sav(1)))).find(({ name }) => /answer/i.test(name))
    expect(levelsOf(answer)).toEqual(['agree', 'disagree'])
    expect(answer?.missing_share).toBeCloseTo(0.1, 10)
  })

  it('[Decisions, Datasets: Missing values] are recognized in all spellings, modelled, and missing again in generated rows', async () => {
    const gaps = ['', 'NA', 'N/A', 'NaN', 'null']
    const id = await service.train(
      table(400, {
        answer: (row) => (row % 4 === 0 ? (gaps[(row / 4) % 5] as string) : kind(row)),
        n: (row) => row % 31,
      }),
    )
    const [answer] = await schemaOf(id)
    expect(answer).toMatchObject({ missing_share: 0.25 })
    expect(levelsOf(answer)).toEqual(['a', 'b', 'c'])
    const made = await service.generate(id, { row_count: 400, seed: 1, output_format: 'csv', wait_seconds: 60 })
    const rows = parse((await service.get(made.body.artifact_url)).text, { columns: true }) as Record<string, string>[]
    const missing = rows.filter((row) => row.answer === '').length
    expect(missing).toBeGreaterThan(60)
    expect(missing).toBeLessThan(140)
  })
})

describe('cleaning', () => {
  it('[Decisions, Datasets: Column kinds] numbers, dates and counts are numeric; text, booleans, 0/1 and Likert items categorical', async () => {
    const schema = await schemaOf(
      await service.train(
        table(400, {
          text: kind,
          truth: (row) => String(row % 2 === 0),
          ticked: (row) => row % 2,
          likert: (row) => 1 + (row % 5),
          gapped: (row) => [1, 2, 3, 5][row % 4] as number,
          tens: (row) => 10 * (row % 3),
          visits: (row) => row % 13,
          price: (row) => (row % 90) / 8,
          day: (row) => `2024-03-${String(1 + (row % 28)).padStart(2, '0')}`,
          moment: (row) => `2024-03-01T${String(row % 24).padStart(2, '0')}:30:00`,
          time: (row) => `${String(row % 24).padStart(2, '0')}:30:00`,
        }),
      ),
    )
    expect(Object.fromEntries(schema.map(({ name, type }) => [name, type]))).toEqual({
      text: 'categorical',
      truth: 'categorical',
      ticked: 'categorical',
      likert: 'categorical',
      gapped: 'categorical',
      tens: 'numeric',
      visits: 'numeric',
      price: 'numeric',
      day: 'numeric',
      moment: 'numeric',
      time: expect.any(String),
    })
    expect(schema.find(({ name }) => name === 'likert')?.levels).toEqual(
      expect.arrayContaining(['1', '2', '3', '4', '5']),
    )
  })

  it('[Decisions, Datasets: Cleaning (auto_clean true)] renames to letters, digits and dots', async () => {
    const headers = ['a_b', 'a b', '__x--y__', '2nd', '%%%', 'größe', 'Ünï.çøde', 'a.b']
    const lines = [
      headers.join(','),
      ...Array.from({ length: 80 }, (_, row) =>
        headers.map((_h, i) => kind(row * (i + 1) + Math.floor(row / 7))).join(','),
      ),
    ]
    const names = await namesOf(lines.join('\n'))
    expect(names.slice(2, 7)).toEqual(['x.y', 'X2nd', 'column.5', 'größe', 'Ünï.çøde'])
    expect([names[0], names[1], names[7]].sort()).toEqual(['a.b', 'a.b.1', 'a.b.2'])
  })

  it('[Decisions, Datasets: Cleaning (auto_clean true)] [Decisions, Datasets: cleaning_summary] [Dataset: cleaning_summary] drops columns without information, with a reason for each', async () => {
    const rows = 600
    const words = ['quite', 'good', 'coffee', 'today', 'really']
    const { body } = await service.upload(
      table(rows, {
        kept: kind,
        constant: () => 'same',
        nearly: (row) => (row < 3 ? 'x' : 'same'),
        empty_mostly: (row) => (row < 20 ? kind(row) : ''),
        respondent: (row) => `R${row}`,
        number: (row) => row + 1,
        comment: (row) => `${words[row % 5]} ${words[(row + 1) % 5]} ${words[(row * 3) % 5]} no ${row % 500}`,
        city: (row) => (row < 400 ? `city ${row % 200}` : 'Berlin'),
        a_price: (row) => row + 0.25,
      }),
    )
    const { cleaning_summary: summary } = body
    const reasons = Object.fromEntries(
      summary.dropped_columns.map(({ name, reason }: { name: string; reason: string }) => [name, reason]),
    )
    expect(reasons).toEqual({
      constant: 'constant',
      nearly: 'near_zero_variance',
      empty_mostly: 'mostly_missing',
      respondent: 'identifier',
      number: 'identifier',
      comment: 'free_text',
      city: 'too_many_levels',
    })
    for (const { detail } of summary.dropped_columns) expect(detail).toMatch(/\d|same/)
    expect(summary).toMatchObject({ input_rows: rows, input_columns: 9, clean_columns: 2 })
    expect(summary.renamed_columns).toEqual([{ from: 'a_price', to: 'a.price' }])
    expect(await schemaOf(body.dataset_id)).toHaveLength(summary.clean_columns)
  })

  it('[Decisions, Datasets: Cleaning (auto_clean true)] drops empty rows and repeated headers, and counts them', async () => {
    const [header, ...rows] = table(80, { k: kind, n: (row) => row % 31 })
      .trim()
      .split('\n')
    const { cleaning_summary: summary } = (
      await service.upload([header, ...rows, ',', header, ...rows.toReversed(), ','].join('\n'))
    ).body
    expect(summary).toMatchObject({ input_rows: 163, clean_rows: 160, dropped_rows: { empty: 2, repeated_header: 1 } })
  })

  it('[Decisions, Datasets: Cleaning (auto_clean true)] rare levels become missing and are counted', async () => {
    const { body } = await service.upload(
      table(600, { k: (row) => (row < 4 ? 'rare' : row < 9 ? 'kept' : kind(row)), n: (row) => row % 31 }),
    )
    expect(body.cleaning_summary.dropped_levels).toEqual([{ column: 'k', levels: [], levels_omitted: 1, rows: 4 }])
    const [column] = await schemaOf(body.dataset_id)
    expect(column?.levels).toContain('kept')
    expect(column?.levels).not.toContain('rare')
    expect(column?.missing_share).toBeCloseTo(4 / 600, 10)
  })

  it('[Decisions, Datasets: auto_clean false] keeps names, made unique, and everything that can be modelled', async () => {
    const lines = table(80, { a_b: kind, constant: () => 'same', n: (row) => row + 1, nothing: () => '' })
    const names = await namesOf(lines.replace('constant', 'a_b'), { auto_clean: 'false' })
    expect(names).toEqual(['a_b', expect.stringMatching(/^a_b.+/), 'n'])
  })

  it('[Decisions, Datasets: Too few rows] fewer than 50 clean rows are svc_untrainable_dataset, 50 are enough', async () => {
    const few = await service.upload(table(49, { k: kind, n: (row) => row % 31 }))
    const enough = await service.upload(table(50, { k: kind, n: (row) => row % 31 }))
    expect([few.status, few.body.code, enough.status]).toEqual([400, 'svc_untrainable_dataset', 200])
    expect(few.body.detail).toContain('49 rows')
  })
})
