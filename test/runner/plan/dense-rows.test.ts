import { describe, expect, it } from 'vitest'
import { ROW_DENSITY_RISK } from '../../../src/contract/row-density.ts'
import type { RecordedCleaning, UploadRecord } from '../../../src/records/state/datasets.ts'
import { renderPlan } from '../../../src/runner/plan/render-plan.ts'
import { at, BASE, HOUR, NOW, type PlanChange, past, planOf, SEED_SHA } from './plan-case.ts'

const cleaningOf = (cleanRows: number): RecordedCleaning => ({
  inputRows: cleanRows + 3,
  cleanRows,
  inputColumns: 4,
  cleanColumns: 2,
  dropped: [],
  renamed: [],
})

const trained = (cleanRows: number): Partial<UploadRecord> => ({ cleaning: cleaningOf(cleanRows) })

/** Trained by a study of other scenarios, so that all scenarios of a text are still to be bought. */
const notesOf = (text: string, upload: Partial<UploadRecord>, change: PlanChange = {}) =>
  planOf(text, { past: past(BASE, {}, upload), ...change }).density

const BIG = BASE.replace('base: {}', 'base: { rows: 40000 }')
const ALL_BIG = BASE.replace('rows: 100', 'rows: 40000')

describe('a plan that would buy more than 20 rows for each row of the seed', () => {
  it('notes the scenario at the place of its rows, and explains the risk', () => {
    const found = notesOf(BIG, trained(1000))
    expect(found).toMatchObject([{ severity: 'note', code: 'N4404', range: { start: { line: 7 } } }])
    expect(found[0]?.summary).toBe(
      'base asks for 40,000 rows: more than 20 rows for each of the 1,000 seed rows of dataset panel',
    )
    expect(found[0]?.detail).toBe(ROW_DENSITY_RISK)
  })

  it('counts the rows that cleaning left, and notes nothing up to 20 rows for each of them', () => {
    expect(notesOf(BIG, trained(2000))).toEqual([])
    expect(notesOf(BIG, trained(1999))).toHaveLength(1)
  })

  it('has one note where several scenarios share the dataset', () => {
    const [found, ...others] = notesOf(ALL_BIG, trained(1000))
    expect(others).toEqual([])
    expect(found?.summary).toBe(
      '3 scenarios ask for more than 20 rows for each of the 1,000 seed rows of dataset panel',
    )
    expect(found?.detail.split('\n')[0]).toBe('Rows: base 40,000, more-yes 40,000, young 40,000.')
  })

  it('names five of many scenarios, and counts the rest', () => {
    const more = Array.from({ length: 6 }, (_, i) => `  s${i}: { rows: ${30_000 + i} }\n`).join('')
    const [found] = notesOf(`${BASE}${more}`, trained(1000))
    expect(found?.summary).toMatch(/^6 scenarios ask/)
    expect(found?.detail).toContain('Rows: s0 30,000, s1 30,001, s2 30,002, s3 30,003, s4 30,004 and 1 more.')
  })

  it('has a note for each dataset whose rows are known', () => {
    const text = `version: 1
name: demo
datasets: { panel: { file: a.csv }, same: { file: copy-of-a.csv }, unknown: { file: b.csv } }
defaults: { rows: 40000, seed: 1 }
scenarios: { one: { dataset: panel }, two: { dataset: same }, three: { dataset: unknown } }
`
    const bytes = 18
    const seedFiles = new Map([
      ['panel', { sha256: SEED_SHA, bytes }],
      ['same', { sha256: SEED_SHA, bytes }],
      ['unknown', { sha256: 'f'.repeat(64), bytes }],
    ])
    expect(notesOf(text, trained(1000), { input: { seedFiles } }).map(({ summary }) => summary)).toEqual([
      'one asks for 40,000 rows: more than 20 rows for each of the 1,000 seed rows of dataset panel',
      'two asks for 40,000 rows: more than 20 rows for each of the 1,000 seed rows of dataset same',
    ])
  })

  it('also counts the copies of generated rows', () => {
    const [found] = notesOf(`${BIG}  twin: { rows: 40000 }\n`, trained(1000))
    expect(found?.detail).toMatch(/^Rows: base 40,000, twin 40,000\.\n/)
  })

  it('shows the note at the end of its text, in 80 columns', () => {
    const plan = planOf(BIG, { past: past(BASE, {}, trained(1000)) })
    const text = renderPlan(plan, { now: NOW })
    expect(text).toContain(`
  note N4404: base asks for 40,000 rows: more than 20 rows for each of the 1,000
  seed rows of dataset panel
    Further rows add no information, and raise the risk for the people in the
`)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})

describe('the number of seed rows', () => {
  it('is unknown before a training, so the plan has no note', () => {
    expect(planOf(BIG).density).toEqual([])
  })

  it.each([
    ['the service does not report the rows that cleaning left', { cleaning: null }],
    ['cleaning left no rows', trained(0)],
  ])('is unknown where %s', (_, upload) => {
    expect(notesOf(BIG, upload)).toEqual([])
  })

  it('is unknown when another seed file was trained', () => {
    expect(notesOf(BIG, trained(1000), { seedSha: 'f'.repeat(64) })).toEqual([])
  })

  it('is still known after the dataset has expired', () => {
    expect(notesOf(BIG, { ...trained(1000), expiresAt: at(NOW - HOUR) })).toHaveLength(1)
  })

  it('is known from the training of the same file in another scope', () => {
    expect(notesOf(BIG, { ...trained(1000), label: '2026-11-19' })).toHaveLength(1)
  })
})

describe('a plan that buys no dense rows', () => {
  it('has no note about up-to-date scenarios', () => {
    expect(planOf(ALL_BIG, { past: past(ALL_BIG, {}, trained(1000)) }).density).toEqual([])
  })

  it('has no note about scenarios that are not selected', () => {
    const options = { selection: { select: ['young'], exclude: [] } }
    expect(notesOf(BIG, trained(1000), { options })).toEqual([])
  })
})
