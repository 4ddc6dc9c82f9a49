/** A question with several answers, from the upload to the generated rows. */

import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Dataset, DatasetSchema } from '../../../src/contract/datasets.ts'
import { type DataService, form, startDataService } from './data-service.ts'

const ROWS = 800
const OPTIONS = ['Coffee', 'Tea', 'Milk, warm or cold']

/** Every fifth respondent was not asked; a few typed an answer of their own. */
function drinksCsv(): string {
  const lines = ['age,drinks']
  let state = 7
  const draw = (n: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  for (let i = 0; i < ROWS; i++) {
    const chosen = OPTIONS.filter((_, at) => draw(10) < 6 - at)
    if (draw(200) === 0) chosen.push(`my own ${i}`)
    lines.push(`${18 + draw(60)},"${draw(5) === 0 ? '' : chosen.join(', ')}"`)
  }
  return `${lines.join('\n')}\n`
}

let service: DataService
let datasetId: string
// biome-ignore lint/suspicious/noExplicitAny: the body as it came
let summary: any
beforeAll(async () => {
  service = await startDataService()
  const { body } = await service.ask('/v1/datasets', {
    method: 'POST',
    body: form({ wait_seconds: '60', seed_file: new Blob([drinksCsv()]) }),
  })
  datasetId = body.dataset_id
  summary = body.cleaning_summary
})
afterAll(async () => {
  await service.close()
  expect(service.errors).toEqual([])
})

const NAMES = ['drinks.Coffee', 'drinks.Tea', 'drinks.Milk.warm.or.cold']

describe('a question with several answers', () => {
  it('is listed in the summary with its options, and the arithmetic of columns holds', async () => {
    expect(summary).toMatchObject({
      input_columns: 2,
      clean_columns: 4,
      dropped_columns: [],
      renamed_columns: [],
      split_columns: [{ from: 'drinks', separator: ',', into: NAMES.map((name, i) => ({ name, option: OPTIONS[i] })) }],
    })
    // Answers of single people are counted, not named.
    expect(summary.split_columns[0].other_answers).toBeUndefined()
    expect(summary.split_columns[0].other_answers_omitted).toBeGreaterThan(0)
    const { body } = await service.ask(`/v1/datasets/${datasetId}`)
    expect(Dataset.parse(body).cleaning_summary).toEqual(summary)
  })

  it('has a column of 0 and 1 per option in the schema', async () => {
    const { body } = await service.ask(`/v1/datasets/${datasetId}/schema`)
    for (const [i, column] of DatasetSchema.parse(body).schema.slice(1).entries()) {
      expect(column).toMatchObject({
        name: NAMES[i],
        type: 'categorical',
        levels: expect.arrayContaining(['0', '1']),
        source_name: 'drinks',
        source_option: OPTIONS[i],
      })
    }
  })

  it('has whole numbers, missing together, in the requested shares', async () => {
    const { status, body } = await service.ask(`/v1/datasets/${datasetId}/generations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        row_count: 500,
        seed: 3,
        wait_seconds: 60,
        conditions: { categorical: { 'drinks.Tea': { '1': 0.5, '0': 0.4 } } },
      }),
    })
    expect([status, body.status]).toEqual([200, 'ready'])
    const response = await fetch(`${service.baseUrl}${body.artifact_url}`, {
      headers: { authorization: `Bearer ${await service.token('ten_A')}` },
    })
    const rows = await parquetReadObjects({ file: await response.arrayBuffer(), compressors })
    const counted = (value: unknown) => rows.filter((row) => row['drinks.Tea'] === value).length
    expect([counted(1), counted(0), counted(null)]).toEqual([250, 200, 50])
    for (const row of rows) {
      const missing = NAMES.filter((name) => row[name] === null).length
      expect([0, NAMES.length]).toContain(missing)
      for (const name of NAMES) expect([0, 1, null]).toContain(row[name])
    }
  })
})
