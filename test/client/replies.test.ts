import { describe, expect, it } from 'vitest'
import { Credentials, TokenReply } from '../../src/client/access-replies.ts'
import {
  Dataset,
  DatasetReceipt,
  DatasetSchema,
  Generation,
  GenerationReceipt,
  JobReply,
  Problem,
} from '../../src/client/replies.ts'

const DATASET = { dataset_id: 'ds_1', status: 'ready' }
const GENERATION = { generation_id: 'gen_1', status: 'ready' }
const SUMMARY = { input_rows: 10, input_columns: 3, clean_rows: 9, clean_columns: 2 }

describe('a reply', () => {
  it.each([
    ['a dataset receipt', DatasetReceipt, DATASET],
    ['a dataset', Dataset, DATASET],
    ['a schema', DatasetSchema, { schema: [] }],
    ['a generation', Generation, GENERATION],
    ['a job', JobReply, { job_id: 'job_1', status: 'running' }],
  ])('with only the required fields is read, when it is %s', (_name, schema, record) => {
    expect(schema.parse(record)).toEqual(record)
  })

  it('may have null for absent fields, and unknown fields', () => {
    const record = {
      ...GENERATION,
      job_id: null,
      artifact_url: null,
      rows_generated: null,
      error: null,
      region: 'eu',
      __proto__: 1,
    }
    expect(Generation.parse(record)).toEqual(GENERATION)
    expect(Dataset.parse({ ...DATASET, display_name: null })).toEqual(DATASET)
  })

  it.each([
    ['dataset status', DatasetReceipt, { ...DATASET, status: 'archived' }, { status: 'unknown' }],
    ['generation status', Generation, { ...GENERATION, status: 'queued' }, { status: 'unknown' }],
    ['job status', JobReply, { job_id: 'j', status: 'in_progress' }, { status: 'unknown' }],
    ['job kind', JobReply, { job_id: 'j', status: 'running', kind: 'export' }, { kind: 'unknown' }],
    ['output format', Generation, { ...GENERATION, output_format: 'orc' }, { output_format: 'unknown' }],
  ])('with a %s of a newer service has "unknown" in its place', (_name, schema, record, read) => {
    expect(schema.parse(record)).toMatchObject(read)
  })

  it.each([
    ['status is no text', JobReply, { job_id: 'j', status: 1 }],
    ['status is missing', JobReply, { job_id: 'j' }],
    ['identifier is an array', DatasetReceipt, { ...DATASET, dataset_id: ['ds_1'] }],
    ['identifier is empty', DatasetReceipt, { ...DATASET, dataset_id: '' }],
    ['identifier is longer than an address', DatasetReceipt, { ...DATASET, dataset_id: 'x'.repeat(1001) }],
    ['identifier leads upwards', JobReply, { job_id: '..', status: 'running' }],
    ['receipt names nothing', GenerationReceipt, { status: 'processing' }],
    ['rows_generated is beyond all numbers', Generation, { ...GENERATION, rows_generated: Number.POSITIVE_INFINITY }],
    ['second identifier is an array', DatasetReceipt, { ...DATASET, job_id: ['job_1'] }],
    ['artifact_url is an array', Generation, { ...GENERATION, artifact_url: ['/a'] }],
    ['rows_generated is text', Generation, { ...GENERATION, rows_generated: '7' }],
    ['rows_generated is negative', Generation, { ...GENERATION, rows_generated: -1 }],
    ['schema is no array', DatasetSchema, { schema: {} }],
    ['column has no name', DatasetSchema, { schema: [{ levels: [] }] }],
    ['secret is missing', Credentials, { client_id: 'c', token_url: 'u', audience: 'a' }],
    ['token has a space', TokenReply, { access_token: 'a b' }],
  ])('whose %s is refused', (_name, schema, record) => {
    expect(schema.safeParse(record).success).toBe(false)
  })

  it('may name the job alone, when it answers a request', () => {
    const receipt = { job_id: 'job_1', status: 'processing' }
    expect(GenerationReceipt.parse({ ...receipt, generation_id: null })).toEqual(receipt)
  })

  it.each([
    ['2026-11-20T12:00:00Z', true],
    ['2026-11-20T12:00:00.123456+01:00', true],
    ['2026-11-20T12:00:00', false],
    ['2026-02-31T25:00:00Z', false],
    ['+275760-09-13T00:00:00Z', false],
    ['soon', false],
    ['', false],
    [1_800_000_000, false],
  ])('has the date %j: %s', (date, isRead) => {
    expect(Generation.parse({ ...GENERATION, expires_at: date })).toEqual({
      ...GENERATION,
      ...(isRead ? { expires_at: date } : {}),
    })
  })

  it('keeps valid fields that only our service has', () => {
    const odd = { targets: 'all', shortfall: 1, evidence: [], artifact: { bytes: -1 }, row_count: '7', seed: 0.5 }
    expect(Generation.parse({ ...GENERATION, ...odd })).toEqual(GENERATION)
    const evidence = { effective_rows: 120.5, largest_tilt: 4 }
    expect(Generation.parse({ ...GENERATION, evidence: { ...evidence, unlisted: 'conditional' } }).evidence).toEqual(
      evidence,
    )
    expect(JobReply.parse({ job_id: 'j', status: 'running', progress: 45, stage: 7 })).toEqual({
      job_id: 'j',
      status: 'running',
    })
  })
})

describe('a cleaning summary', () => {
  it.each([
    ['plain names', ['id'], { name: 'id', reason: 'unknown' }],
    [
      'entries of ours',
      [{ name: 'id', reason: 'identifier', detail: 'd' }],
      { name: 'id', reason: 'identifier', detail: 'd' },
    ],
    ['entries under another key', [{ column: 'id', reason: 'low signal' }], { name: 'id', reason: 'low signal' }],
    ['entries without a reason', [{ name: 'id', reason: null }], { name: 'id', reason: 'unknown' }],
  ])('lists dropped columns given as %s', (_name, dropped, read) => {
    const record = { ...DATASET, cleaning_summary: { ...SUMMARY, dropped_columns: dropped } }
    expect(Dataset.parse(record).cleaning_summary).toEqual({ ...SUMMARY, dropped_columns: [read] })
  })

  it.each([
    ['text', 'clean'],
    ['a summary without columns', { input_rows: 1 }],
    ['entries of dropped columns that are none', { ...SUMMARY, dropped_columns: [7] }],
    ['a count below zero', { ...SUMMARY, clean_rows: -1, dropped_columns: [] }],
    ['a broken count', { ...SUMMARY, input_columns: 2.5, dropped_columns: [] }],
  ])('that is %s is left out', (_name, cleaning_summary) => {
    expect(Dataset.parse({ ...DATASET, cleaning_summary })).toEqual(DATASET)
  })

  it('keeps the fields of the specification if the rest has another form', () => {
    const split = { from: 'drinks', separator: ', ', into: [{ name: 'drinks.milk', option: 'Milk', rows: 7 }] }
    const read = (rest: object) =>
      Dataset.parse({ ...DATASET, cleaning_summary: { ...SUMMARY, dropped_columns: [], ...rest } }).cleaning_summary
    expect(read({ split_columns: [split] })).toEqual({ ...SUMMARY, dropped_columns: [], split_columns: [split] })
    for (const split_columns of ['drinks', ['drinks'], [{ from: 'drinks' }], { drinks: 2 }, null])
      expect(read({ split_columns })).toEqual({ ...SUMMARY, dropped_columns: [] })
    expect(read({ renamed_columns: { a: 'b' }, dropped_levels: 3, dropped_rows: 4, notes: 'none' })).toEqual({
      ...SUMMARY,
      dropped_columns: [],
    })
  })
})

describe('a training summary', () => {
  const TRAINING = { trained_at: '2026-11-20T12:00:00.000Z', duration_ms: 12 }
  const read = (summary: object) => Dataset.parse({ ...DATASET, training_summary: summary }).training_summary

  it('is read when it has only the fields that the specification requires', () => {
    expect(read(TRAINING)).toEqual(TRAINING)
    expect(read({ ...TRAINING, quality: null, quality_note: 'too few rows' })).toEqual({
      ...TRAINING,
      quality_note: 'too few rows',
    })
  })

  it('has the known figures of quality, and is not refused for unknown ones', () => {
    const c2st = { auc: 0.52, chance: 0.02, rows: 1000 }
    expect(read({ ...TRAINING, quality: 'good' })).toEqual(TRAINING)
    expect(read({ ...TRAINING, quality: { score: 97 } })).toEqual(TRAINING)
    const odd = { pairs: 'fine', held_out_rows: 2.5, dcr: null, training_rows: -1, copies: { share: -1, reference: 0 } }
    expect(read({ ...TRAINING, quality: { c2st, ...odd } })).toEqual({
      ...TRAINING,
      quality: { c2st },
    })
  })

  it('has slopes below zero, and no areas below zero', () => {
    const pmse = { value: 0.001, expected: 0.002, ratio: 0.5, standardized: -2.1, parameters: 8 }
    const interval = { slope: -0.1, low: -0.3, high: 0.1 }
    const differences = { ...interval, outcomes: 1, median: interval, lowest: [{ column: 'a', ...interval }] }
    const attack = { rows_per_row: 1, auc: -0.5, chance: 0.1, told: 0, told_chance: 0.1 }
    const quality = { pmse, differences, membership: { queries: 5, at: [attack] } }
    expect(read({ ...TRAINING, quality })).toEqual({ ...TRAINING, quality: { pmse, differences } })
  })
})

describe('a cleaned schema', () => {
  it('has levels as text, because conditions name them as text', () => {
    const { schema } = DatasetSchema.parse({ schema: [{ name: 'q1', levels: [1, '2', true, 0.5] }] })
    expect(schema).toEqual([{ name: 'q1', levels: ['1', '2', 'true', '0.5'] }])
  })

  it('has the option of a split column where it is text', () => {
    const column = { name: 'drinks.milk', source_name: 'drinks' }
    const { schema } = DatasetSchema.parse({
      schema: [
        { ...column, source_option: 'Milk' },
        { ...column, source_option: 1 },
        { ...column, source_option: null },
      ],
    })
    expect(schema).toEqual([{ ...column, source_option: 'Milk' }, column, column])
  })

  it('has a label where it is a text, as one line of at most 1 KiB', () => {
    const column = { name: 'q1', levels: ['Yes', 'No'] }
    const { schema } = DatasetSchema.parse({
      schema: [
        { ...column, label: 'Do you\nagree?' },
        { ...column, label: 'x'.repeat(100_000) },
        { ...column, label: '\u001b' },
        { ...column, label: 7 },
        { ...column, label: null },
      ],
    })
    expect(schema).toEqual([
      { ...column, label: 'Do you agree?' },
      { ...column, label: `${'x'.repeat(1021)}…` },
      column,
      column,
      column,
    ])
  })

  it('has the order of levels where the service states it in our shape', () => {
    const column = { name: 'visits', levels: ['Often', 'Never', 'Sometimes'] }
    const ordered = { from: 'words', levels: ['Never', 'Sometimes', 'Often'], apart: [] }
    const { schema } = DatasetSchema.parse({
      schema: [
        { ...column, ordered },
        { ...column, ordered: true },
        { ...column, ordered: { ...ordered, from: 'elsewhere' } },
        { ...column, ordered: null },
      ],
    })
    expect(schema).toEqual([{ ...column, ordered }, column, column, column])
  })

  it('has bounds that are numbers or text, and no unknown kind', () => {
    const columns = [
      { name: 'age', type: 'numeric', min: 18, max: 99, integer: true },
      { name: 'day', min: '2026-01-01', max: '2026-12-31', format: 'week' },
      { name: 'odd', type: 'ordinal', min: [1], max: {} },
    ]
    expect(DatasetSchema.parse({ schema: columns }).schema).toEqual([
      columns[0],
      { name: 'day', min: '2026-01-01', max: '2026-12-31' },
      { name: 'odd' },
    ])
  })
})

describe('the error of failed work', () => {
  it.each([
    ['our record', { code: 'svc_infeasible_scenario', detail: 'd' }, { code: 'svc_infeasible_scenario', detail: 'd' }],
    ['text', 'it broke', { code: 'unknown', detail: 'it broke' }],
    ['a message', { message: 'it broke' }, { code: 'unknown', detail: 'it broke' }],
    ['a problem record', { title: 'Failed', status: 500, code: 'c' }, { code: 'c', detail: 'Failed' }],
    ['a number', 7, undefined],
  ])('is read from %s', (_name, error, read) => {
    expect(JobReply.parse({ job_id: 'j', status: 'failed', error }).error).toEqual(read)
  })

  it('is bounded', () => {
    expect(JobReply.parse({ job_id: 'j', status: 'failed', error: 'x'.repeat(1_000_000) }).error?.detail).toHaveLength(
      4000,
    )
  })
})

describe('a problem record', () => {
  it('is read as far as it is valid', () => {
    expect(Problem.parse({ title: 'Bad Request', detail: 7, errors: [{ field: 'a' }], schema_hint: [] })).toEqual({
      title: 'Bad Request',
    })
    expect(Problem.parse({})).toEqual({})
    expect(Problem.safeParse('Bad Request').success).toBe(false)
  })
})
