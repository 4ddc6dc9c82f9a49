import { describe, expect, it } from 'vitest'
import type { RawColumn } from '../../../src/base/raw-table.ts'
import { applyDeclarations } from '../../../src/data/declare/apply-declarations.ts'
import { DeclarationError } from '../../../src/data/declare/declaration-error.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { numbers, texts } from '../../engine/cleaning/raw-columns.ts'
import { columnOf, readColumn } from '../../formats/read-column.ts'

const ANSWER = texts('answer', ['yes', 'no', 'no', 'yes', 'yes', 'no'])
const REGION = { ...texts('region', ['South', 'South', 'East', 'East', 'East', 'North']), label: 'Region of the farm' }
const PSU = numbers('psu', [4711, 4712, 4711, 4713, 4711, 4711])
const WEIGHT = numbers('w', [10, 20, 10, 20, 10, 20])
const RW = [1, 2, 3].map((r) =>
  numbers(
    `rw${r}`,
    [10, 20, 10, 20, 10, 20].map((w, row) => (row % 3 === r - 1 ? 0 : 1.5 * w)),
  ),
)

const apply = (declarations: Declarations, ...columns: readonly RawColumn[]) =>
  applyDeclarations(
    {
      rowCount: 6,
      sampleRows: 6,
      columns: [ANSWER, ...columns],
      droppedRows: { empty: 0, repeatedHeader: 0 },
      notes: [],
    },
    declarations,
  )

const remarksOf = async (...args: Parameters<typeof apply>) =>
  (await apply(...args)).remarks.map(({ key, text }) => `${key}: ${text}`)

async function faultsOf(...args: Parameters<typeof apply>): Promise<readonly string[]> {
  const error: unknown = await apply(...args).catch((thrown: unknown) => thrown)
  if (!(error instanceof DeclarationError)) throw error
  return error.texts
}

const replicated = (columns: string, rest: object = {}): Declarations => ({
  weight: 'w',
  design: { replicateWeights: { columns, type: 'jackknife', ...rest } },
})

describe('declared strata and clusters', () => {
  it('become numbers in the sequence of their first rows, without label and values', async () => {
    const { table } = await apply({ design: { strata: 'region', clusters: 'psu' } }, REGION, PSU)
    expect(readColumn(table, 'region')).toEqual([0, 0, 1, 1, 1, 2])
    expect(readColumn(table, 'psu')).toEqual([0, 1, 0, 2, 0, 0])
    expect(columnOf(table, 'region')).not.toHaveProperty('label')
    expect(JSON.stringify(table.columns.slice(1))).not.toMatch(/South|4711/)
    expect(readColumn(table, 'answer')).toEqual(['yes', 'no', 'no', 'yes', 'yes', 'no'])
  })

  it('are counted in a remark, and strata with a single cluster in another', async () => {
    expect(await remarksOf({ design: { strata: 'region', clusters: 'psu' } }, REGION, PSU)).toEqual([
      'design: The rows were drawn in 3 strata of column "region" and 5 clusters of column "psu". Only numbers are sent for them, not the values of the file.',
      'design: 1 stratum has a single cluster. Such a stratum is centred at the mean of all clusters, as "adjust" of R’s survey package.',
    ])
    expect(await remarksOf({ design: { clusters: 'psu' } }, PSU)).toEqual([
      'design: The rows were drawn in 3 clusters of column "psu". Only numbers are sent for them, not the values of the file.',
    ])
  })

  it('may be dates and truth values too', async () => {
    const day = numbers('day', [0, 0, 86_400_000, 86_400_000, 0, 0], 'date')
    const urban = texts('urban', ['true', 'false', 'true', 'true', 'false', 'true'], 'boolean')
    const { table } = await apply({ design: { strata: 'urban', clusters: 'day' } }, day, urban)
    expect(readColumn(table, 'day')).toEqual([0, 0, 1, 1, 0, 0])
    expect(readColumn(table, 'urban')).toEqual([0, 1, 0, 0, 1, 0])
  })

  it.each<[string, Declarations, readonly RawColumn[], readonly string[]]>([
    [
      'a misspelt column',
      { design: { strata: 'regoin', clusters: 'psu' } },
      [REGION, PSU],
      ['`design` of "regoin": the file has no such column; did you mean "region"?'],
    ],
    [
      'missing values in both',
      { design: { strata: 'region', clusters: 'psu' }, missing: { psu: [4711] } },
      [texts('region', ['a', null, 'b', 'b', 'a', 'b']), PSU],
      [
        '`design` of "region": no value is in 1 row (row 2); every row was drawn in some stratum and cluster: complete them in the file, or leave these rows out',
        '`design` of "psu": no value is in 4 rows (rows 1, 3, 5, 6); every row was drawn in some stratum and cluster: complete them in the file, or leave these rows out',
      ],
    ],
    [
      'one cluster',
      { design: { clusters: 'psu' } },
      [numbers('psu', [1, 1, 1, 1, 1, 1])],
      ['`design` of "psu": all rows are one cluster; standard errors need at least two clusters; name another column'],
    ],
    [
      'one cluster in each stratum',
      { design: { strata: 'region', clusters: 'psu' } },
      [REGION, numbers('psu', [1, 1, 2, 2, 2, 2])],
      [
        '`design` of "psu": each stratum has a single cluster; standard errors need two clusters in at least one stratum; name another column',
      ],
    ],
    [
      'a dropped column',
      { design: { clusters: 'psu' }, drop: ['psu'] },
      [PSU],
      ['`design` of "psu": the study drops the column; take it out of `drop`'],
    ],
  ])('are refused for %s', async (_what, declarations, columns, messages) => {
    expect(await faultsOf(declarations, ...columns)).toEqual(messages)
  })
})

describe('declared replicate weights', () => {
  it('are sent as they are, and said with their type and scale', async () => {
    const { table, remarks } = await apply(replicated('rw*'), WEIGHT, ...RW)
    expect(table.columns.slice(1)).toEqual([WEIGHT, ...RW])
    expect(remarks.map(({ text }) => text)).toContain(
      '3 replicate weights from "rw1" to "rw3", type jackknife, scale 0.667.',
    )
  })

  it('do not include the weight, whose name a pattern may match', async () => {
    const pwgtp = numbers('rw', [10, 20, 10, 20, 10, 20])
    const remarks = await remarksOf({ ...replicated('rw*', { scale: 4 / 3 }), weight: 'rw' }, pwgtp, ...RW)
    expect(remarks.at(-1)).toBe('design: 3 replicate weights from "rw1" to "rw3", type jackknife, scale 1.33.')
  })

  it.each<[string, Declarations, readonly RawColumn[], readonly string[]]>([
    [
      'a pattern that names no column',
      replicated('repwt*'),
      RW,
      [
        '`design` of "repwt*": the pattern names 0 columns of replicate weights, and needs at least 2; write a pattern such as "rw*", with * for any text',
      ],
    ],
    [
      'a pattern that names too many columns',
      replicated('r*'),
      Array.from({ length: 1_001 }, (_, i) => numbers(`r${i}`, [1, 1, 1, 1, 1, 1])),
      ['`design` of "r*": the pattern names 1,001 columns, more than 1,000; name fewer columns'],
    ],
    [
      'factors for other columns',
      replicated('rw*', { rscales: [1, 1] }),
      RW,
      [
        '`design` of "rw*": the pattern names 3 columns, and `rscales` has 2 numbers; write one for each column, in their sequence in the file',
      ],
    ],
    [
      'columns that hold no weights',
      replicated('rw*'),
      [
        texts('rw1', ['1', 'x', '1', '1', '1', '1']),
        numbers('rw2', [1, null, 1, null, 1, 1]),
        numbers('rw3', [1, 1, -1, 1, 1, 1]),
        numbers('rw4', [0, 0, 0, 0, 0, 0]),
      ],
      [
        '`design` of "rw1": a replicate weight is a number, and the column holds other values; write a pattern that leaves it out',
        '`design` of "rw2": no replicate weight is in 2 rows (rows 2, 4); write 0 for rows that a replicate leaves out',
        '`design` of "rw3": a replicate weight is not negative: 1 value (row 3)',
        '`design` of "rw4": no row has a replicate weight above 0',
      ],
    ],
    [
      'factors of the weight in place of weights',
      replicated('rw*'),
      [numbers('rw1', [0, 1.5, 1.5, 0, 1.5, 1.5]), numbers('rw2', [1.5, 0, 1.5, 1.5, 0, 1.5])],
      [
        '`design` of "rw*": the replicate weights are 0.0667 times the weight on average; they are read as weights, not as factors of the weight: multiply them by it in the file',
      ],
    ],
  ])('are refused for %s', async (_what, declarations, columns, messages) => {
    expect(await faultsOf(declarations, WEIGHT, ...columns)).toEqual(messages)
  })
})
