import { Buffer } from 'node:buffer'
import { expect, it } from 'vitest'
import { MAX_TARGETS_BYTES } from '../../../src/contract/limits.ts'
import { targetResults } from '../../../src/service/generations/generation-job.ts'

const sharesOf = (column: string, levels: number) => ({
  shares: [{ column, levels: Array.from({ length: levels }, (_, i) => [String(i), 1 / levels] as const) }],
  ranges: [],
})

it('targets are reported with the achieved shares', () => {
  const counts = new Map([['c', new Map([['0', 30]])]])
  expect(targetResults(sharesOf('c', 2), counts, 40)).toEqual([
    { column: 'c', level: '0', target: 0.5, achieved: 0.75, count: 30 },
    { column: 'c', level: '1', target: 0.5, achieved: 0, count: 0 },
  ])
})

it('all levels of a column are reported, and as many as fit for a column with a very long name', () => {
  expect(targetResults(sharesOf('c', 10_000), new Map(), 1)).toHaveLength(10_000)
  const cut = targetResults(sharesOf('c'.repeat(1_024), 10_000), new Map(), 1)
  expect(cut.length).toBeGreaterThan(900)
  expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(MAX_TARGETS_BYTES)
})
