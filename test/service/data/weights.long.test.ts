import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Dataset } from '../../../src/contract/datasets.ts'
import { type Answer, type DataService, form, startDataService } from './data-service.ts'

let service: DataService
beforeAll(async () => {
  service = await startDataService()
})
afterAll(async () => {
  await service.close()
  expect(service.errors).toEqual([])
})

const ROWS = 300

/** Women weigh 3, men 1; two thirds of the women have a car, and a third of the men. */
function surveyCsv(weightOf: (isWoman: boolean, row: number) => string = (isWoman) => (isWoman ? '3' : '1')): string {
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const isWoman = i % 2 === 0
    const hasCar = Math.floor(i / 2) % 3 < (isWoman ? 2 : 1)
    const age = hasCar && i % 7 === 0 ? '' : String(20 + ((i * 31) % 60))
    return [isWoman ? 'woman' : 'man', hasCar ? 'yes' : 'no', age, weightOf(isWoman, i), `note ${i % 4}`].join(',')
  })
  return `sex,car,age,pondera,notes\n${lines.join('\n')}\n`
}

async function upload(csv: string, parts: Record<string, string>, key?: string): Promise<Answer> {
  return await service.ask('/v1/datasets', {
    method: 'POST',
    body: form({ wait_seconds: '60', ...parts, seed_file: new Blob([csv]) }),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
}

async function estimate(datasetId: string) {
  const { body } = await service.ask(`/v1/datasets/${datasetId}/estimates`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scenario: { categorical: { car: { yes: 0.6 } } }, outcomes: [{ column: 'sex' }] }),
  })
  const women = body.outcomes[0].levels.find(({ level }: { level: string }) => level === 'woman')
  return { effectiveRows: body.baseline.effective_rows, women: women.baseline }
}

describe('weight_column of an upload', () => {
  it('is confirmed in the training summary, and the model learns the weighted population', async () => {
    const reply = await upload(surveyCsv(), { weight_column: 'pondera' })
    expect(reply.status).toBe(200)
    const dataset = Dataset.parse((await service.ask(`/v1/datasets/${reply.body.dataset_id}`)).body)
    // (450 + 150)² / (1350 + 150) = 240
    expect(dataset.training_summary).toMatchObject({
      weight_column: 'pondera',
      effective_rows: 240,
      training_rows: ROWS,
    })
    expect(dataset.cleaning_summary).toMatchObject({
      input_columns: 5,
      clean_columns: 4,
      dropped_columns: [
        {
          name: 'pondera',
          reason: 'case_weight',
          detail: 'It holds the weights of the rows: the model learns the weighted population.',
        },
      ],
    })
    const { schema } = (await service.ask(`/v1/datasets/${dataset.dataset_id}/schema`)).body
    expect(schema.map(({ name }: { name: string }) => name)).toEqual(['sex', 'car', 'age', 'notes'])
    const rows = surveyCsv().trim().split('\n').slice(1)
    const missing = rows.filter((row) => row.split(',')[2] === '')
    const weightOf = (row: string) => Number(row.split(',')[3])
    const missingShare = missing.reduce((sum, row) => sum + weightOf(row), 0) / 600
    expect(schema[2].missing_share).toBeCloseTo(missingShare, 12)
    expect(missingShare).not.toBeCloseTo(missing.length / ROWS, 2)
    expect(await estimate(dataset.dataset_id)).toEqual({ effectiveRows: 240, women: expect.closeTo(0.75, 1) })
  })

  it('is absent from the summary when the upload omits it or leaves it empty', async () => {
    for (const parts of [{}, { weight_column: '' }] as Record<string, string>[]) {
      const { body } = await upload(surveyCsv(), parts)
      expect(body.training_summary).not.toHaveProperty('weight_column')
      expect(body.training_summary).not.toHaveProperty('effective_rows')
      expect(await estimate(body.dataset_id)).toEqual({ effectiveRows: ROWS, women: expect.closeTo(0.5, 1) })
    }
  })

  it('gives the same model as no weights where all weights are equal', async () => {
    const equal = await upload(
      surveyCsv(() => '2.5'),
      { weight_column: 'pondera' },
    )
    const csv = surveyCsv()
      .split('\n')
      .map((line) => line.split(',').toSpliced(3, 1).join(','))
      .join('\n')
    const plain = await upload(csv, {})
    expect(equal.body.training_summary.model_id).toBe(plain.body.training_summary.model_id)
    expect(equal.body.training_summary).toMatchObject({ weight_column: 'pondera', effective_rows: ROWS })
  })

  it('belongs to the request: another column under the same key is another request', async () => {
    const first = await upload(surveyCsv(), { weight_column: 'pondera' }, 'weights')
    const again = await upload(surveyCsv(), { weight_column: 'pondera' }, 'weights')
    expect(again.body.dataset_id).toBe(first.body.dataset_id)
    expect((await upload(surveyCsv(), { weight_column: 'age' }, 'weights')).status).toBe(409)
    expect((await upload(surveyCsv(), {}, 'weights')).status).toBe(409)
  })
})

describe('a column that holds no weights', () => {
  it.each([
    [
      'is not in the file',
      surveyCsv(),
      'pondra',
      'The file has no column "pondra" to take weights from. Did you mean "pondera"?',
    ],
    [
      'is not in the file, nor is any like it',
      surveyCsv(),
      'w',
      'The file has no column "w" to take weights from. Send its name as it is in the header.',
    ],
    ['is text', surveyCsv(), 'notes', 'The weight column "notes" must hold numbers, and holds text.'],
    [
      'holds dates',
      surveyCsv((_, i) => `2024-01-${String(1 + (i % 28)).padStart(2, '0')}`),
      'pondera',
      'The weight column "pondera" must hold numbers, and holds dates.',
    ],
    [
      'has a negative weight',
      surveyCsv((_, i) => (i === 8 ? '-1' : '1.5')),
      'pondera',
      'The weight column "pondera" has negative weights. A weight is 0 or more.',
    ],
    [
      'has rows without a weight',
      surveyCsv((_, i) => (i % 100 === 8 ? '' : String(1 + (i % 3)))),
      'pondera',
      'The weight column "pondera" has no weight in 3 of 300 rows. Every row needs a finite number; 0 leaves a row out.',
    ],
    [
      'is 0 throughout',
      surveyCsv(() => '0'),
      'pondera',
      'The weight column "pondera" holds 0 in all rows. A row of weight 0 counts for nobody.',
    ],
    [
      'leaves few effective rows',
      surveyCsv((_, i) => (i < 40 ? '1000' : '1')),
      'pondera',
      'The weight column "pondera" leaves fewer than 50 effective rows, (sum of weights)² / sum of squared weights: a few rows outweigh all others. Trim the largest weights, or name another column.',
    ],
    [
      'holds numbers too large to be summed up',
      surveyCsv((_, i) => (i % 2 === 0 ? '1e300' : '1e299')),
      'pondera',
      'The weight column "pondera" holds numbers too large to be summed up. Divide all weights by their mean.',
    ],
    [
      'holds numbers whose sum is too large to be squared',
      surveyCsv((_, i) => (i % 2 === 0 ? '1e152' : '2e152')),
      'pondera',
      'The weight column "pondera" holds numbers too large to be summed up. Divide all weights by their mean.',
    ],
    [
      'holds numbers too small to be summed up',
      surveyCsv((_, i) => (i % 2 === 0 ? '1e-170' : '2e-170')),
      'pondera',
      'The weight column "pondera" holds numbers too small to be summed up. Divide all weights by their mean.',
    ],
  ])('is refused when it %s', async (_name, csv, column, detail) => {
    const { status, body, headers } = await upload(csv, { weight_column: column })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'svc_untrainable_dataset', detail })
    expect(body.request_id).toBe(headers.get('x-request-id'))
  })

  it('is refused when it contains infinity', async () => {
    const { status, body } = await upload(
      surveyCsv((_, i) => (i === 8 ? 'Infinity' : '1.5')),
      { weight_column: 'pondera' },
    )
    expect(status).toBe(400)
    expect(body.detail).toMatch(
      /^The weight column "pondera" (must hold numbers, and holds text|has no weight in 1 of 300 rows)/,
    )
  })
})

describe('the part weight_column', () => {
  it.each([
    ['a NUL character', 'pon\u0000dera', 'must not hold NUL characters'],
    ['more than a name may have', 'é'.repeat(513), 'must be at most 1024 bytes long'],
  ])('is refused with %s', async (_name, value, message) => {
    const { status, body } = await upload(surveyCsv(), { weight_column: value })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'svc_invalid_field', errors: [{ field: 'weight_column', message }] })
  })

  it('is suggested for a misspelt name', async () => {
    const { body } = await upload(surveyCsv(), { weights_column: 'pondera' })
    expect(body.errors).toEqual([
      { field: 'weights_column', message: 'is not a known part', suggestion: 'weight_column' },
    ])
  })
})
