import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { panelCsv } from './seeds.ts'
import { startWholeService, type WholeService } from './whole-service.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly levels?: string[]
  readonly [field: string]: unknown
}

const RARE = 'Excelsa'

let service: WholeService
let datasetId: string
let columns: Map<string, Column>
beforeAll(async () => {
  service = await startWholeService()
  // Four rows have a level of their own: fewer than a level needs.
  const lines = panelCsv(600).split('\n')
  const csv = lines.map((line, i) => (i >= 1 && i <= 4 ? line.replace(/^[^,]*/, RARE) : line)).join('\n')
  datasetId = await service.train(csv)
  const { body } = await service.get(`/v1/datasets/${datasetId}/schema`)
  columns = new Map(body.schema.map((column: Column) => [column.name, column]))
})
afterAll(async () => {
  await service?.close()
  expect(service?.errors).toEqual([])
})

describe('GET /v1/datasets/{dataset_id}/schema', () => {
  it('[Schema] [GET /v1/datasets/{dataset_id}/schema 1] is an array of columns with names, and with levels where they are categorical', async () => {
    const reply = await service.get(`/v1/datasets/${datasetId}/schema`)
    expect(reply.status).toBe(200)
    expect(reply.body.schema.map(({ name }: Column) => name)).toEqual([
      'brand',
      'is.member',
      'satisfaction',
      'visits',
      'price',
      'joined.on',
      'answered.at',
    ])
    for (const { type, levels } of reply.body.schema as Column[]) {
      if (type === 'categorical') expect(levels?.every((level) => typeof level === 'string')).toBe(true)
      else expect(levels).toBeUndefined()
    }
  })

  it('[Schema] has the retained levels only', () => {
    expect([...(columns.get('brand')?.levels ?? [])].sort()).toEqual(['Arabica', 'Liberica', 'Robusta'])
  })

  it('[Decisions, Datasets: Schema entry] has levels with the most frequent first, and min, max and integer for numbers', async () => {
    const counts = new Map<string, number>()
    for (const line of panelCsv(600).split('\n').slice(5, -1)) {
      const [brand = ''] = line.split(',')
      if (brand !== '') counts.set(brand, (counts.get(brand) ?? 0) + 1)
    }
    const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([brand]) => brand)
    expect(columns.get('brand')?.levels).toEqual(byCount)
    expect(columns.get('visits')).toMatchObject({ type: 'numeric', min: 0, max: 24, integer: true })
    expect(columns.get('price')).toMatchObject({ type: 'numeric', integer: false })
  })

  it('[Decisions, Datasets: Schema entry] has the name in the seed and the share of missing values', () => {
    expect(columns.get('is.member')).toMatchObject({ source_name: 'is_member', missing_share: 0 })
    expect(columns.get('brand')).toMatchObject({ source_name: 'brand' })
    expect(columns.get('brand')?.missing_share).toBeGreaterThan(0.05)
    expect(columns.get('brand')?.missing_share).toBeLessThan(0.2)
  })

  it('[Decisions, Datasets: Schema entry] names the kind of dates, with their ends as RFC 3339 text', () => {
    expect(columns.get('joined.on')).toMatchObject({
      type: 'numeric',
      format: 'date',
      min: expect.stringMatching(/^2020-\d\d-\d\d$/),
      max: expect.stringMatching(/^2022-\d\d-\d\d$/),
    })
    expect(columns.get('answered.at')).toMatchObject({
      type: 'numeric',
      format: 'date-time',
      min: expect.stringMatching(/^2023-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    })
  })

  it('[Decisions, Datasets: Schema entry] has the shares of levels and the quantiles of numbers in the seed file', () => {
    const column = columns.get('brand')!
    const lines = panelCsv(600).split('\n').slice(5, -1)
    const shares = column.levels!.map((level) => lines.filter((line) => line.startsWith(`${level},`)).length / 600)
    expect(column.level_shares).toEqual(shares.map((share) => Math.round(share * 1000) / 1000))
    const visits = lines.map((line) => Number(line.split(',')[3])).sort((a, b) => a - b)
    const median = visits[299]!
    expect(columns.get('visits')!.quantiles).toMatchObject({ q50: expect.any(Number), q95: expect.any(Number) })
    expect((columns.get('visits') as unknown as { quantiles: { q50: number } }).quantiles.q50).toBeCloseTo(median, -0.5)
    expect(columns.get('joined.on')!.quantiles).toMatchObject({ q50: expect.stringMatching(/^2021-\d\d-\d\d$/) })
  })

  it('[Schema] its ranges and levels are accepted as conditions', async () => {
    const categorical: Record<string, object> = {}
    const numeric: Record<string, object> = {}
    for (const { name, levels, min, max } of columns.values()) {
      if (levels !== undefined) categorical[name] = { [levels[0] as string]: 0.4 }
      else numeric[name] = { min, max }
    }
    const { body } = await service.generate(datasetId, {
      row_count: 20,
      wait_seconds: 60,
      conditions: { categorical, numeric },
    })
    expect(body).toMatchObject({ status: 'ready', rows_generated: 20 })
  })
})
