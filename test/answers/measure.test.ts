import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coversBins, coversColumns } from '../../src/answers/counts/covers.ts'
import { measure, measuredColumns } from '../../src/answers/counts/measure.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-measure-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const columns = {
  shares: ['region'],
  numbers: ['age'],
  ranges: new Map([['age', { min: 20, max: 40 }]]),
  bins: new Map([['age', [20, 30, 40]]]),
}

async function write(format: 'parquet' | 'csv' | 'arrow'): Promise<string> {
  const path = join(folder, `a.${format}.part`)
  const written = [
    { name: 'region', kind: 'categorical', levels: ['North', 'South'], integer: false },
    { name: 'age', kind: 'numeric', integer: true, decimals: 0 },
  ] as const
  const writer = await openTableWriter(path, format, written, { tempDir: folder })
  await writer.write({
    rowCount: 5,
    columns: [
      { codes: Int32Array.of(0, 1, 1, 0, -1) },
      { values: Float64Array.of(20, 30, 41, 40, 0), valid: Uint8Array.of(1, 1, 1, 1, 0) },
    ],
  })
  await writer.close()
  return path
}

describe.each(['parquet', 'csv', 'arrow'] as const)('a %s artifact', (format) => {
  it('is counted inside the levels of a column, without the rows that have no level', async () => {
    const path = await write(format)
    const segments = [
      { by: 'region', shares: [], numbers: ['age', 'income'] },
      { by: 'town', shares: ['region'], numbers: [] },
    ]
    const asked = { shares: [], numbers: ['age', 'income'], ranges: new Map(), bins: new Map(), segments }
    const found = await measure({ path, format, tempDir: join(folder, 'tmp'), ...asked })
    expect(found.absent).toEqual(['income', 'town'])
    expect(found.segments).toMatchObject([
      [
        'region',
        [
          ['North', { rows: 2, shares: [], numbers: [['age', { n: 2, missing: 0, mean: 30 }]] }],
          ['South', { rows: 2, shares: [], numbers: [['age', { n: 2, missing: 0, mean: 35.5 }]] }],
        ],
      ],
    ])
    expect(coversColumns(found, asked)).toBe(true)
    const more = [{ by: 'region', shares: ['answer'], numbers: [] }]
    expect(coversColumns(found, { ...asked, segments: more })).toBe(false)
  })

  it('is counted as a whole: levels, numbers, and values outside a range or missing', async () => {
    const path = await write(format)
    const found = await measure({ path, format, tempDir: join(folder, 'tmp'), ...columns })
    expect(found).toMatchObject({
      rows: 5,
      shares: [
        [
          'region',
          {
            levels: [
              ['North', 2],
              ['South', 2],
            ],
            missing: 1,
          },
        ],
      ],
      outside: [['age', 2]],
      absent: [],
    })
    // An edge belongs to the bin that it begins; the last edge to the last bin.
    const bins = { edges: [20, 30, 40], counts: [1, 2], below: 0, above: 1 }
    expect(found.numbers[0]?.[1]).toMatchObject({ n: 4, missing: 1, min: 20, max: 41, mean: 32.75, bins })
    expect(coversColumns(found, columns)).toBe(true)
    expect(coversColumns(found, { ...columns, segments: [{ by: 'region', shares: [], numbers: ['age'] }] })).toBe(false)
    expect(coversColumns(found, { shares: ['region', 'income'], numbers: [] })).toBe(false)
    expect(coversBins(found, columns)).toBe(true)
    expect(coversBins(found, { bins: new Map([['age', [20, 30, 50]]]) })).toBe(false)
    expect(coversBins({ ...found, numbers: [] }, columns)).toBe(false)
    expect(await readdir(join(folder, 'tmp')).catch(() => [])).toEqual([])
  })

  it('that lacks a requested column is reported, and its other columns are counted', async () => {
    const path = await write(format)
    const asked = { ...columns, shares: ['region', 'income'], numbers: ['age', 'size'] }
    const found = await measure({ path, format, tempDir: join(folder, 'tmp'), ...asked })
    expect(found.absent).toEqual(['income', 'size'])
    expect(found.rows).toBe(5)
    expect(found.shares.map(([c]) => c)).toEqual(['region'])
  })
})

describe('the bins of an artifact', () => {
  const { study } = loadStudy(
    `version: 1
name: a
datasets: { panel: { file: panel.csv } }
defaults: { rows: 10, seed: 1 }
scenarios:
  base: {}
  old: { ranges: { age: { min: 60, max: 90 } } }
comparisons: [{ id: c, scenarios: [old], against: base, means: [spend] }]
`,
    { filename: 'a.study.yaml' },
  )
  const { scenarios, comparisons } = study!
  const schema = [
    { name: 'spend', type: 'numeric' as const, integer: true, min: 1, max: 3 },
    { name: 'age', type: 'numeric' as const, integer: true, min: 18, max: 90 },
  ]

  it('are of the means that are compared, the same on both sides', () => {
    for (const scenario of scenarios)
      expect([...measuredColumns(scenario, comparisons, schema).bins]).toEqual([['spend', [0.5, 1.5, 2.5, 3.5]]])
    expect(measuredColumns(scenarios[1]!, comparisons, schema).numbers).toEqual(['age', 'spend'])
  })

  it('are absent while the schema is unknown', () => {
    expect(measuredColumns(scenarios[0]!, comparisons, null).bins.size).toBe(0)
  })

  it('are absent if a manifest would hold too many of them', () => {
    const many = [{ ...comparisons[0]!, scenarios: Array.from({ length: 6001 }, (_, i) => `s${i}`) }]
    expect(measuredColumns(scenarios[0]!, many, schema).bins.size).toBe(0)
    expect(
      measuredColumns(scenarios[0]!, [{ ...many[0]!, scenarios: many[0]!.scenarios.slice(1) }], schema).bins.size,
    ).toBe(1)
  })
})

it('measuring refuses a file that is not an artifact', async () => {
  const path = join(folder, 'bad.parquet')
  await writeFile(path, '<html>')
  await expect(measure({ path, format: 'parquet', tempDir: join(folder, 'tmp'), ...columns })).rejects.toThrow(
    'not parquet',
  )
})
