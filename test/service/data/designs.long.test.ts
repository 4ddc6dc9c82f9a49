import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Dataset } from '../../../src/contract/datasets.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { decodeModel } from '../../../src/engine/model/model-file.ts'
import { trainFile } from '../../../src/service/datasets/train-file.ts'
import { tempFolder } from '../../formats/temp-folder.ts'
import { type Answer, type DataService, form, startDataService } from './data-service.ts'

const folder = tempFolder()

let service: DataService
beforeAll(async () => {
  service = await startDataService()
})
afterAll(async () => {
  await service.close()
  expect(service.errors).toEqual([])
})

const ROWS = 300
const REPLICATES = 4
const weightOf = (row: number) => 1 + (row % 3)
/** The row's region; South has one cluster. */
const regionOf = (row: number) => (row < 30 ? 'South' : row % 2 === 0 ? 'North' : 'East')
const psuOf = (row: number) => (row < 30 ? 9 : row % 10)
const replicateOf = (row: number, r: number) =>
  row % REPLICATES === r ? 0 : (weightOf(row) * REPLICATES) / (REPLICATES - 1)

type Change = (cells: Record<string, string>, row: number) => Record<string, string>

/** Answers, and the columns of a design. */
function surveyCsv(change: Change = (cells) => cells): string {
  const lines = Array.from({ length: ROWS }, (_, i) =>
    change(
      {
        car: Math.floor(i / 2) % 3 < 2 ? 'yes' : 'no',
        age: String(20 + ((i * 31) % 60)),
        region: regionOf(i),
        psu: String(psuOf(i)),
        w: String(weightOf(i)),
        ...Object.fromEntries(Array.from({ length: REPLICATES }, (_, r) => [`rw${r + 1}`, String(replicateOf(i, r))])),
      },
      i,
    ),
  )
  return [Object.keys(lines[0]!), ...lines.map((cells) => Object.values(cells))]
    .map((cells) => cells.join(','))
    .join('\n')
}

async function upload(csv: string, parts: Record<string, string>, key?: string): Promise<Answer> {
  return await service.ask('/v1/datasets', {
    method: 'POST',
    body: form({ wait_seconds: '60', ...parts, seed_file: new Blob([csv]) }),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
}

const STRATIFIED = { strata: 'region', clusters: 'psu' }
const REPLICATED = { replicate_weights: { columns: 'r*', type: 'jackknife' } } as const

/** The model that the service would store. */
async function modelOf(
  csv: string,
  given: { design: typeof STRATIFIED | typeof REPLICATED | null; weightColumn: string | null },
) {
  const seedPath = folder.write('seed.csv', csv)
  const modelPath = `${folder.path}/model`
  const tempDir = `${folder.path}/scratch`
  await writeFile(modelPath, '')
  const task = { seedPath, modelPath, tempDir, scratchBytes: 1e9, cpuMs: 600_000, autoClean: true, namesRare: true }
  const control = { signal: new AbortController().signal, onProgress: () => {} }
  const limits = { limitTime: () => {}, limitSpace: () => {} }
  await trainFile({ ...task, ...given, threads: 1, quality: false, disclosure: 'exact' }, control, limits)
  return decodeModel(await readFile(modelPath))
}

const undrawn = ({ design: _, ...model }: Model) => model

describe('design of an upload', () => {
  it('is confirmed with what its columns hold, and they leave the table', async () => {
    const reply = await upload(surveyCsv(), { design: JSON.stringify(STRATIFIED), weight_column: 'w' })
    expect(reply.status).toBe(200)
    const dataset = Dataset.parse((await service.ask(`/v1/datasets/${reply.body.dataset_id}`)).body)
    expect(dataset.training_summary).toMatchObject({
      weight_column: 'w',
      design: STRATIFIED,
      // South, with one cluster; of the even and odd numbers one each.
      design_counts: { strata: 3, clusters: 11, lonely_strata: 1, replicates: 0 },
    })
    expect(dataset.cleaning_summary).toMatchObject({
      input_columns: 5 + REPLICATES,
      clean_columns: 2 + REPLICATES,
      dropped_columns: [
        { name: 'w', reason: 'case_weight' },
        { name: 'region', reason: 'survey_design' },
        { name: 'psu', reason: 'survey_design' },
      ],
    })
    const { schema } = (await service.ask(`/v1/datasets/${dataset.dataset_id}/schema`)).body
    expect(schema.map(({ name }: { name: string }) => name).slice(0, 3)).toEqual(['car', 'age', 'rw1'])
  })

  it('is confirmed with its replicate weights, which never include the weight', async () => {
    const csv = surveyCsv(({ w, ...cells }) => ({ rw: w!, ...cells }))
    const design = { replicate_weights: { columns: 'rw*', type: 'fay', rho: 0.5, scale: 0.25, rscales: [1, 1, 2, 1] } }
    const { status, body } = await upload(csv, { design: JSON.stringify(design), weight_column: 'rw' })
    expect(status).toBe(200)
    expect(body.training_summary).toMatchObject({ design, design_counts: { replicates: REPLICATES } })
    expect(body.cleaning_summary).toMatchObject({ clean_columns: 4 })
  })

  it('is absent from the summary when the upload omits it or leaves it empty', async () => {
    for (const parts of [{}, { design: '' }] as Record<string, string>[]) {
      const { body } = await upload(surveyCsv(), parts)
      expect(body.training_summary).not.toHaveProperty('design')
      expect(body.training_summary).not.toHaveProperty('design_counts')
    }
  })

  it('belongs to the request: another one under the same key is another request', async () => {
    const first = await upload(surveyCsv(), { design: JSON.stringify(STRATIFIED) }, 'designs')
    const again = await upload(surveyCsv(), { design: '{ "clusters": "psu", "strata": "region" }' }, 'designs')
    expect(again.body.dataset_id).toBe(first.body.dataset_id)
    expect((await upload(surveyCsv(), { design: '{"clusters":"psu"}' }, 'designs')).status).toBe(409)
    expect((await upload(surveyCsv(), {}, 'designs')).status).toBe(409)
  })

  it.each([
    ['no JSON', '{', 'design'],
    ['JSON that is no object', '[]', 'design'],
    ['nothing', '{}', 'design'],
    ['an unknown key', '{"clusters":"psu","fpc":"n"}', 'design'],
    ['one column as both', '{"clusters":"psu","strata":"psu"}', 'design'],
    ['the column of weights', '{"clusters":"w"}', 'design'],
    ['strata beside replicate weights', JSON.stringify({ ...STRATIFIED, ...REPLICATED }), 'design'],
    ['Fay without rho', '{"replicate_weights":{"columns":"r*","type":"fay"}}', 'design'],
    ['rho 1', '{"replicate_weights":{"columns":"r*","type":"fay","rho":1}}', 'design.replicate_weights.rho'],
    ['an unknown type', '{"replicate_weights":{"columns":"r*","type":"JK1"}}', 'design.replicate_weights.type'],
    ['a name that no header has', '{"clusters":"a\\u0000"}', 'design.clusters'],
  ])('is refused for %s', async (_what, design, field) => {
    const { status, body } = await upload(surveyCsv(), { design, weight_column: 'w' })
    expect(status).toBe(400)
    expect(body.errors.map((fault: { field: string }) => fault.field)).toEqual([field])
  })

  it('is refused for replicate weights without a weight', async () => {
    const { status, body } = await upload(surveyCsv(), { design: JSON.stringify(REPLICATED) })
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ field: 'design', message: 'has replicate_weights, which need weight_column' }])
  })
})

describe('a model with a design', () => {
  it('has strata and clusters of each row, and the trees of the same file without these columns', async () => {
    const model = await modelOf(surveyCsv(), { design: STRATIFIED, weightColumn: 'w' })
    const codes = (codeOf: (row: number) => string) => {
      const known: string[] = []
      return Array.from({ length: ROWS }, (_, row) => {
        if (!known.includes(codeOf(row))) known.push(codeOf(row))
        return known.indexOf(codeOf(row))
      })
    }
    expect(Array.from(model.design!.strata!)).toEqual(codes(regionOf))
    expect(Array.from(model.design!.clusters!)).toEqual(codes((row) => `${regionOf(row)} ${psuOf(row)}`))
    expect(model.design!.replicates).toBeNull()
    const without = surveyCsv(({ region: _region, psu: _psu, ...cells }) => cells)
    expect(undrawn(model)).toEqual(await modelOf(without, { design: null, weightColumn: 'w' }))
  })

  it('has replicate weights in the unit of its case weights, and the scale of the type', async () => {
    const model = await modelOf(
      surveyCsv(({ region: _, ...cells }) => cells),
      { design: REPLICATED, weightColumn: 'w' },
    )
    const { weights, scale, rscales } = model.design!.replicates!
    expect([scale, rscales]).toEqual([0.75, [1, 1, 1, 1]])
    for (const [r, replicate] of weights.entries()) {
      const expected = Array.from(model.weights!, (weight, row) => (row % REPLICATES === r ? 0 : (weight * 4) / 3))
      for (const [row, weight] of replicate.entries()) expect(weight).toBeCloseTo(expected[row]!, 12)
    }
  })
})

describe('columns that do not say how the rows were drawn', () => {
  it.each<[string, Change, object, string]>([
    [
      'are not in the file',
      (cells) => cells,
      { clusters: 'psuu' },
      'The file has no column "psuu" to take clusters from. Did you mean "psu"?',
    ],
    [
      'have rows without a value',
      (cells, i) => ({ ...cells, region: i % 100 === 8 ? '' : cells.region! }),
      STRATIFIED,
      'The column of strata "region" has no value in 3 of 300 rows. Every row needs one.',
    ],
    [
      'hold one cluster',
      (cells) => ({ ...cells, psu: '7' }),
      { clusters: 'psu' },
      'The rows have one cluster. At least two are needed to tell how far samples differ.',
    ],
    [
      'hold one cluster in each stratum',
      (cells) => ({ ...cells, psu: cells.region! }),
      STRATIFIED,
      'Each stratum has a single cluster. At least one stratum needs two to tell how far samples differ.',
    ],
    [
      'are too few replicate weights',
      (cells) => cells,
      { replicate_weights: { columns: 'rw1', type: 'brr' } },
      'The pattern "rw1" of replicate weights names 1 columns of the file. From 2 to 1,000 are needed.',
    ],
    [
      'are other replicate weights than those that have factors',
      (cells) => cells,
      { replicate_weights: { columns: 'rw*', type: 'jackknife', rscales: [1, 1] } },
      'The pattern "rw*" of replicate weights names 4 columns, and `rscales` has 2 numbers.',
    ],
    [
      'hold text in place of replicate weights',
      (cells) => ({ ...cells, rw2: cells.car! }),
      { replicate_weights: { columns: 'rw*', type: 'brr' } },
      'The replicate weight "rw2" must hold numbers.',
    ],
    [
      'lack replicate weights in some rows',
      (cells, i) => ({ ...cells, rw2: i % 100 === 8 ? '' : cells.rw2! }),
      { replicate_weights: { columns: 'rw*', type: 'brr' } },
      'The replicate weight "rw2" has no number in 3 of 300 rows. Every row needs one; 0 leaves a row out.',
    ],
    [
      'hold negative replicate weights',
      (cells, i) => ({ ...cells, rw2: i === 8 ? '-1' : cells.rw2! }),
      { replicate_weights: { columns: 'rw*', type: 'brr' } },
      'The replicate weight "rw2" is negative in some rows. A weight is 0 or more.',
    ],
    [
      'hold no replicate weight above 0',
      (cells) => ({ ...cells, rw2: '0' }),
      { replicate_weights: { columns: 'rw*', type: 'brr' } },
      'The replicate weight "rw2" is 0 in all rows.',
    ],
  ])('fail the training when they %s', async (_what, change, design, detail) => {
    const { status, body } = await upload(surveyCsv(change), { design: JSON.stringify(design), weight_column: 'w' })
    expect({ status, code: body.code, detail: body.detail }).toEqual({
      status: 400,
      code: 'svc_untrainable_dataset',
      detail,
    })
  })
})
