import { describe, expect, it } from 'vitest'
import * as limits from '../../../src/contract/limits.ts'
import type { CleaningReport } from '../../../src/engine/cleaning/cleaning-report.ts'
import * as bounds from '../../../src/engine/cleaning/size-bounds.ts'
import { cleaningSummary, derivedColumnsSummary } from '../../../src/service/datasets/training-summary.ts'

const REPORT: CleaningReport = {
  inputRows: 100,
  inputColumns: 3,
  cleanRows: 100,
  cleanColumns: 1,
  droppedColumns: [],
  renamedColumns: [],
  splitColumns: [],
  droppedLevels: [],
  droppedRows: { empty: 0, repeatedHeader: 0 },
  notes: [],
  notesOmitted: 0,
}
const COUNTED = { namesRare: false }
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
/** Names of `bytes` bytes each, all different. */
const names = (count: number, bytes: number) => Array.from({ length: count }, (_, i) => `${i}`.padEnd(bytes, 'n'))

it('cleaning uses the bounds of the contract', () => {
  expect([limits.MAX_COLUMN_NAME_BYTES, limits.MAX_LEVEL_BYTES, limits.MAX_SCHEMA_BYTES]).toEqual([
    bounds.MAX_NAME_BYTES,
    bounds.MAX_LEVEL_BYTES,
    bounds.MAX_SCHEMA_BYTES,
  ])
})

describe('the summary of a cleaning', () => {
  const rare: CleaningReport = {
    ...REPORT,
    droppedLevels: [{ column: 'job', levels: ['Astronaut', 'Bishop'], levelsOmitted: 3, rows: 7 }],
    splitColumns: [{ from: 'pets', separator: ',', into: [], otherAnswers: ['my iguana Ed'], otherAnswersOmitted: 2 }],
  }

  it('counts rare answers without naming them', () => {
    const summary = cleaningSummary(rare, COUNTED)
    expect(summary.dropped_levels).toEqual([{ column: 'job', levels: [], levels_omitted: 5, rows: 7 }])
    expect(summary.split_columns).toEqual([{ from: 'pets', separator: ',', into: [], other_answers_omitted: 3 }])
    expect(JSON.stringify(summary)).not.toMatch(/Astronaut|Bishop|iguana/)
  })

  it('names them to the owner of the file', () => {
    const summary = cleaningSummary(rare, { namesRare: true })
    expect(summary.dropped_levels?.[0]).toEqual({
      column: 'job',
      levels: ['Astronaut', 'Bishop'],
      levels_omitted: 3,
      rows: 7,
    })
    expect(summary.split_columns?.[0]).toMatchObject({ other_answers: ['my iguana Ed'], other_answers_omitted: 2 })
  })

  it('names the sheet that was read, and counts others beyond 20', () => {
    const others = names(23, 3)
    const sheet = { name: 'Data', others }
    expect(cleaningSummary({ ...REPORT, sheet }, COUNTED).sheet).toEqual({
      name: 'Data',
      others: others.slice(0, 20),
      others_omitted: 3,
    })
    expect(cleaningSummary(REPORT, COUNTED)).not.toHaveProperty('sheet')
  })

  const renamed = (bytes: number) => names(5000, bytes).map((name) => ({ from: `${name}_`, to: name }))

  it('shows headers of hundreds of characters in full, even of 5,000 columns', () => {
    const summary = cleaningSummary({ ...REPORT, renamedColumns: renamed(300) }, COUNTED)
    expect(summary.renamed_columns?.[4999]).toEqual({
      from: `${'4999'.padEnd(300, 'n')}_`,
      to: '4999'.padEnd(300, 'n'),
    })
  })

  it('shows the beginning of every name if all names would take megabytes, and still every column', () => {
    const droppedColumns = names(5000, 1024).map((name) => ({ name, reason: 'constant' as const, detail: 'Why.' }))
    const summary = cleaningSummary({ ...REPORT, renamedColumns: renamed(1024), droppedColumns }, COUNTED)
    expect(bytesOf(summary)).toBeLessThan(4 * 2 ** 20)
    expect([summary.renamed_columns?.length, summary.dropped_columns.length]).toEqual([5000, 5000])
    expect(summary.dropped_columns[0]).toEqual({
      name: `0${'n'.repeat(99)}…`,
      reason: 'constant',
      detail: 'Why.',
    })
  })
})

it('formulas over columns with long names are listed up to a megabyte, the others counted', () => {
  const derived = names(200, 1000).map((column) => ({
    column,
    sources: names(40, 1000),
    formula: names(40, 1000).join(' + '),
    share: 1,
  }))
  const summary = derivedColumnsSummary(derived)
  expect(bytesOf(summary)).toBeLessThan(1.1 * 2 ** 20)
  expect((summary.derived_columns?.length ?? 0) + (summary.derived_columns_omitted ?? 0)).toBe(200)
  expect(summary.derived_columns?.length).toBeGreaterThan(0)
})
