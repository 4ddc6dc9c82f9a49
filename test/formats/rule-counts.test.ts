import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OutputColumn } from '../../src/base/output-table.ts'
import type { OutputFormat } from '../../src/base/result-formats.ts'
import { outcomeOf } from '../../src/base/rules/rule.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { summarizeParquet } from '../../src/formats/parquet/summarize-parquet.ts'
import { summarizeArtifact } from '../../src/formats/read-artifact.ts'
import type { ArtifactRequest, ArtifactSummary } from '../../src/formats/reading/artifact-summary.ts'
import { ruleOf } from '../engine/sampling/ruled-people.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const options = { tempDir: join(folder.path, 'tmp') }
const N = 240
const DAY = 86_400_000

const LEVELS = ['North', '3', 'it\'s "far"', '1.50']
const regionOf = (i: number) => (i % 11 === 0 ? null : LEVELS[i % 4]!)
const codeOf = (i: number) => (i % 7 === 0 ? null : 1 + (i % 5))
const amountOf = (i: number) => (i % 9 === 0 ? null : (i % 40) / 10)
const partOf = (i: number) => (i % 13 === 0 ? null : (i % 20) / 10)
const dayOf = (i: number) => (i % 17 === 0 ? null : 20_000 + (i % 30))
const timeOf = (i: number) => (i % 19 === 0 ? null : 20_000 + (i % 25) + 0.25)

const ROWS = Array.from({ length: N }, (_, i) => ({
  region: regionOf(i),
  code: codeOf(i),
  amount: amountOf(i),
  part: partOf(i),
  'a day': dayOf(i),
  at: timeOf(i),
}))

const RULES = [
  'amount <= 3',
  'amount - part = 0.1 if part < 1',
  'amount + part != 0.3',
  '0.1 * code + part <= amount + 0.7',
  '"a day" <= at',
  'at - "a day" < 0.25 if code in [1, 2]',
  '"a day" >= 2024-10-10',
  'code not in [5] if region = North',
  `region in [North, "it's ""far"""] if code <= 2 and amount > 1`,
  'region != 3',
  'region = 3 if code = 4',
  'region in ["1.50"]',
  'part in [0.5, 1, 1.5] if code = 3',
  'code = 2 if region in [Nowhere]',
].map(ruleOf)

const REQUEST: ArtifactRequest = { shares: [], ranges: new Map(), numeric: [], rules: RULES }

const COLUMNS: readonly OutputColumn[] = [
  { name: 'region', kind: 'categorical', levels: LEVELS, integer: false },
  { name: 'code', kind: 'numeric', integer: true, decimals: 0 },
  { name: 'amount', kind: 'numeric', integer: false, decimals: 2 },
  { name: 'part', kind: 'numeric', integer: false, decimals: 1 },
  { name: 'a day', kind: 'date' },
  { name: 'at', kind: 'date-time' },
]

beforeAll(async () => {
  const numbers = (of: (i: number) => number | null, unit = 1) => {
    const all = Array.from({ length: N }, (_, i) => of(i))
    return {
      values: Float64Array.from(all, (value) => (value ?? 0) * unit),
      valid: Uint8Array.from(all, (value) => (value === null ? 0 : 1)),
    }
  }
  const codes = Int32Array.from({ length: N }, (_, i) => (regionOf(i) === null ? -1 : i % 4))
  const columns = [
    { codes },
    numbers(codeOf),
    numbers(amountOf),
    numbers(partOf),
    numbers(dayOf, DAY),
    numbers(timeOf, DAY),
  ]
  for (const format of ['parquet', 'csv', 'arrow'] as const) {
    const writer = await openTableWriter(join(folder.path, `rules.${format}`), format, COLUMNS, options)
    await writer.write({ rowCount: N, columns })
    await writer.close()
  }
})

const READERS: readonly (readonly [string, OutputFormat, (path: string) => Promise<ArtifactSummary>])[] = [
  ...(['csv', 'arrow', 'parquet'] as const).map(
    (format) => [format, format, (path: string) => summarizeArtifact(path, format, REQUEST, options)] as const,
  ),
  ['parquet in DuckDB', 'parquet', (path) => summarizeParquet(path, REQUEST, options)],
]

describe.each(READERS)('rules of rows of %s', (_, format, read) => {
  it('are counted as by hand', async () => {
    const expected = RULES.map((rule) => {
      let [rows, broken] = [0, 0]
      for (const row of ROWS) {
        const value = (column: string) => row[column as keyof typeof row]
        const outcome = outcomeOf(rule, {
          number: (column) => (value(column) === null ? Number.NaN : Number(value(column))),
          level: (column) => (value(column) === null ? null : String(value(column))),
        })
        if (outcome !== 'apart') rows++
        if (outcome === 'broken') broken++
      }
      return { rule: rule.text, rows, broken }
    })
    expect(expected.filter(({ broken }) => broken > 0).length).toBeGreaterThan(9)
    const { rules } = await read(join(folder.path, `rules.${format}`))
    expect(rules!.map(({ rule, rows, broken }) => ({ rule, rows, broken }))).toEqual(expected)
    expect(rules![4]!.columns).toEqual(['a day', 'at'])
  })

  it('with a column that the file lacks are told', async () => {
    const request = { ...REQUEST, rules: [ruleOf('amount <= nothing')] }
    await expect(summarizeArtifact(join(folder.path, `rules.${format}`), format, request, options)).rejects.toThrow(
      'no column "nothing"',
    )
  })
})
