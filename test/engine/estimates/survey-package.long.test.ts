import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { isSurveyInstalled, type SurveyFigures, surveyFigures } from './run-survey.ts'
import {
  CELL_CASES,
  DESIGN_CASES,
  MEAN_CASES,
  QUANTILE_CASES,
  REPLICATE_CASES,
  SHARED_CASES,
  SMALL_CASES,
} from './survey-cases.ts'
import recorded from './survey-figures.json' with { type: 'json' }
import { people240, type SurveyRow } from './survey-people.ts'
import { peopleWithReplicates, REPLICATE_KINDS } from './survey-replicates.ts'
import { seedOfRows, toldFigures, workedOut } from './survey-seed.ts'

const folder = resolve(import.meta.dirname, '../../../../shared/data')
const pathOf = (table: string): string => resolve(folder, `${table}.csv`)
const found = SHARED_CASES.filter(({ table }) => existsSync(pathOf(table)))

const isMissing = !isSurveyInstalled()

/** Cells that are all numbers are numbers; an empty one is missing. */
function rowsOf(table: string): SurveyRow[] {
  const rows: Record<string, string>[] = parse(readFileSync(pathOf(table)), { columns: true })
  const isNumeric = new Map(
    Object.keys(rows[0]!).map((name) => [
      name,
      rows.every((row) => row[name] === '' || !Number.isNaN(Number(row[name]))),
    ]),
  )
  const cell = (name: string, text: string) => (text === '' ? null : isNumeric.get(name) ? Number(text) : text)
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, text]) => [name, cell(name, text)])))
}

describe.skipIf(isMissing)('R’s survey package, run now', () => {
  it('gives the recorded figures', () => {
    const cases = [...SMALL_CASES, ...DESIGN_CASES, ...MEAN_CASES, ...CELL_CASES, ...REPLICATE_CASES]
    const withReplicates = REPLICATE_KINDS.map((kind) => [`people ${kind}`, peopleWithReplicates(kind)])
    const now = surveyFigures(cases, { people: people240(), ...Object.fromEntries(withReplicates) })
    expect([...now.keys()]).toEqual(Object.keys(recorded))
    for (const [name, figures] of now) {
      const before = recorded[name as keyof typeof recorded]
      for (const key of ['scenario', 'baseline', 'standardError'] as const)
        expect(Math.abs(figures[key] / before[key] - 1)).toBeLessThan(1e-7)
    }
  })
})

describe.skipIf(isMissing)('quantiles of R’s survey package', () => {
  const rows = people240()
  let figures: Map<string, SurveyFigures>
  beforeAll(() => {
    figures = surveyFigures(QUANTILE_CASES, { people: rows })
  })

  it.each(QUANTILE_CASES)('$name: both sides to 1e-6, the error with the slope of another interval', async (of) => {
    const expected = figures.get(of.name)!
    const told = await toldFigures(await seedOfRows(rows, of), of)
    expect(Math.abs(told.scenario / expected.scenario - 1)).toBeLessThan(1e-6)
    expect(Math.abs(told.baseline / expected.baseline - 1)).toBeLessThan(1e-6)
    const ratio = told.standardError / expected.standardError
    // Whole years hide more than R's error counts (quantile-estimates.ts).
    expect(ratio).toBeGreaterThan(0.95)
    expect(ratio).toBeLessThan(of.outcome === 'age' ? 1.3 : 1.1)
  })
})

describe.skipIf(isMissing || found.length === 0)('R’s survey package on real tables', () => {
  const tables = Object.fromEntries([...new Set(found.map(({ table }) => table))].map((name) => [name, rowsOf(name)]))
  let figures: Map<string, SurveyFigures>

  beforeAll(() => {
    figures = surveyFigures(found, tables)
  })

  it.each(found)(
    '$name: scenario and baseline to 1e-6, the standard error to 1e-6 or near the jackknife',
    async (of) => {
      const expected = figures.get(of.name)!
      const rows = tables[of.table]!.filter((_, i) => i % (of.every ?? 1) === 0)
      const seed = await seedOfRows(rows, of)
      const told = await toldFigures(seed, of)
      expect(Math.abs(told.scenario / expected.scenario - 1)).toBeLessThan(1e-6)
      expect(Math.abs(told.baseline / expected.baseline - 1)).toBeLessThan(1e-6)
      const { linearisedError } = await workedOut(seed, rows, of)
      if (of.method === 'linearised') expect(Math.abs(linearisedError / expected.standardError - 1)).toBeLessThan(1e-6)
      else expect(Math.abs(told.standardError / expected.standardError - 1)).toBeLessThan(0.01)
    },
  )
})
