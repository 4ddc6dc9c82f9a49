import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Block, OutputColumn } from '../../src/base/output-table.ts'
import type { OutputFormat } from '../../src/base/result-formats.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { summarizeParquet } from '../../src/formats/parquet/summarize-parquet.ts'
import { summarizeArtifact } from '../../src/formats/read-artifact.ts'
import type { ArtifactRequest, ArtifactSummary, RowTest } from '../../src/formats/reading/artifact-summary.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const options = { tempDir: folder.path }
const N = 1_500
const LEVELS = ["it's", 'North', 'South']

/** Region (missing in every 11th row), age (every 7th), answer, a day. */
const COLUMNS: readonly OutputColumn[] = [
  { name: 'region', kind: 'categorical', levels: LEVELS, integer: false },
  { name: 'age', kind: 'numeric', integer: true, decimals: 0 },
  { name: 'answer', kind: 'categorical', levels: ['No', 'Yes'], integer: false },
  { name: 'day', kind: 'date' },
]
const regionOf = (i: number): number => (i % 11 === 0 ? -1 : i % 3)
const ageOf = (i: number): number | null => (i % 7 === 0 ? null : 18 + ((i * 13) % 60))
const dayOf = (i: number): number => Date.UTC(2026, 0, 1 + (i % 90))

const block: Block = {
  rowCount: N,
  columns: [
    { codes: Int32Array.from({ length: N }, (_, i) => regionOf(i)) },
    {
      values: Float64Array.from({ length: N }, (_, i) => ageOf(i) ?? 0),
      valid: Uint8Array.from({ length: N }, (_, i) => (ageOf(i) === null ? 0 : 1)),
    },
    { codes: Int32Array.from({ length: N }, (_, i) => (i % 5 < 2 ? 1 : 0)) },
    { values: Float64Array.from({ length: N }, (_, i) => dayOf(i)), valid: null },
  ],
}

const GROUPS: Record<string, { readonly where: readonly RowTest[]; readonly has: (i: number) => boolean }> = {
  levels: {
    where: [{ column: 'region', levels: new Set(["it's", 'South']) }],
    has: (i) => regionOf(i) === 0 || regionOf(i) === 2,
  },
  both: {
    where: [
      { column: 'region', levels: new Set(['North']) },
      { column: 'age', min: 30, max: Number.POSITIVE_INFINITY },
    ],
    has: (i) => regionOf(i) === 1 && (ageOf(i) ?? 0) >= 30,
  },
  days: {
    where: [{ column: 'day', min: Number.NEGATIVE_INFINITY, max: Date.UTC(2026, 0, 31) }],
    has: (i) => dayOf(i) <= Date.UTC(2026, 0, 31),
  },
  nobody: { where: [{ column: 'age', min: 200, max: 300 }], has: () => false },
}

const FURTHER = new Map([['age', [0.1, 0.9]]])

/** Type 7 of Hyndman and Fan. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.min(Math.floor(at) + 1, sorted.length - 1)]!]
  return low + (high - low) * (at - Math.floor(at))
}

const REQUEST: ArtifactRequest = {
  shares: ['answer'],
  ranges: new Map(),
  numeric: [],
  groups: Object.entries(GROUPS).map(([name, { where }]) => ({
    ...{ name, where, shares: ['answer', 'region'], numeric: ['age'] },
    bins: new Map([['age', [0, 40, 100]]]),
    quantiles: FURTHER,
    segments: [{ by: 'answer', shares: ['region'], numeric: ['age'], quantiles: FURTHER }],
  })),
}

beforeAll(async () => {
  for (const format of ['parquet', 'csv', 'arrow'] as const) {
    const writer = await openTableWriter(join(folder.path, `groups.${format}`), format, COLUMNS, options)
    await writer.write(block)
    await writer.close()
  }
})

const READERS: readonly (readonly [string, OutputFormat, (path: string) => Promise<ArtifactSummary>])[] = [
  ...(['csv', 'arrow', 'parquet'] as const).map(
    (format) => [format, format, (path: string) => summarizeArtifact(path, format, REQUEST, options)] as const,
  ),
  ['parquet in DuckDB', 'parquet', (path) => summarizeParquet(path, REQUEST, options)],
]

describe.each(READERS)('groups of rows of %s', (_, format, read) => {
  it.each(Object.entries(GROUPS))('%s: are counted as by hand', async (name, { has }) => {
    const group = (await read(join(folder.path, `groups.${format}`))).groups!.get(name)!
    const rows = Array.from({ length: N }, (_, i) => i).filter(has)
    expect(group.rows).toBe(rows.length)
    const yes = rows.filter((i) => i % 5 < 2)
    const answers = [...group.shares.get('answer')!.counts]
    expect(answers).toEqual(
      rows.length === 0
        ? []
        : [
            ['No', rows.length - yes.length],
            ['Yes', yes.length],
          ],
    )
    expect(group.shares.get('region')!.missing).toBe(rows.filter((i) => regionOf(i) < 0).length)
    const ages = rows.flatMap((i) => ageOf(i) ?? [])
    const { count, missing, mean, bins, at } = group.numeric.get('age')!
    const expected = [0.1, 0.9].map((share) => [share, quantile(ages, share)])
    expect(at).toEqual(ages.length === 0 ? undefined : expected)
    expect({ count, missing }).toEqual({ count: ages.length, missing: rows.length - ages.length })
    if (ages.length > 0) expect(mean).toBeCloseTo(ages.reduce((sum, age) => sum + age, 0) / ages.length, 9)
    expect(bins?.counts).toEqual([ages.filter((age) => age < 40).length, ages.filter((age) => age >= 40).length])
    const inside = group.segments!.get('answer')!
    expect(inside.get('Yes')?.rows ?? 0).toBe(yes.length)
    const ofYes = yes.flatMap((i) => ageOf(i) ?? [])
    if (ofYes.length > 0) expect(inside.get('Yes')!.numeric.get('age')!.at![1]).toEqual([0.9, quantile(ofYes, 0.9)])
    expect(inside.get('Yes')?.numeric.get('age')?.count ?? 0).toBe(yes.filter((i) => ageOf(i) !== null).length)
  })
})
