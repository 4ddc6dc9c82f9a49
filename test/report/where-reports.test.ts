import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { whereText, whereWords } from '../../src/answers/words/where-text.ts'
import { answerLines } from '../../src/cli/output/answer-lines.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { reportHtml } from '../../src/report/html/page/page.ts'
import { reportCsv } from '../../src/report/report-csv.ts'
import { reportJunit } from '../../src/report/report-junit.ts'
import { reportMarkdown } from '../../src/report/report-markdown.ts'
import { exampleManifest, exampleScenario, sureComparison } from '../answers/example-manifest.ts'

const WHERE = [
  { column: 'region', levels: ['North', 'South'] },
  { column: 'age', min: 18, max: 34 },
  { column: 'visited', min: '2026-10-01' },
]

function filtered(): Manifest {
  const whole = sureComparison()
  const scenarios = Object.fromEntries(
    Object.entries(whole.scenarios).map(([id, result]) => [
      id,
      {
        ...result,
        rows: { against: 410, scenario: 398 },
        bases: { intent: { scenario: { rows: 205 }, against: { rows: 211 } } },
      },
    ]),
  )
  return exampleManifest(
    { base: exampleScenario({ shares: {}, ranges: {} }), more: exampleScenario() },
    { comparisons: { lift: { ...whole, where: WHERE, scenarios } } },
  )
}

const read = () => parseManifest(JSON.stringify(filtered()))
const WORDS = 'region North, South; age 18 to 34; visited 2026-10-01 and above'

describe('the rows of a comparison', () => {
  it('are told in words, with the rows of the seed behind its figures', () => {
    expect(whereWords(WHERE)).toBe(WORDS)
    expect(whereWords([{ column: 'age', max: 30 }])).toBe('age up to 30')
    expect(whereWords(undefined)).toBeNull()
    expect(whereText(filtered().comparisons.lift!)).toBe(`counted in rows with ${WORDS} (205 to 211 rows of the seed)`)
  })

  it('stand in the terminal, Markdown, JUnit, CSV and the page', () => {
    const { manifest } = read()
    expect(answerLines(manifest, 200).join('\n')).toContain(
      `  counted in rows with ${WORDS} (205 to 211 rows of the seed)`,
    )
    const markdown = reportMarkdown(read())
    const said = `ounted in rows with \`${WORDS}\` (205 to 211 rows of the seed).`
    expect(markdown).toContain(`\nC${said}`)
    expect(markdown).toContain(`\nIts outcomes are c${said}`)
    expect(reportJunit(read())).toContain(WORDS)
    const rows: Record<string, string>[] = parse(reportCsv(read()), { columns: true, bom: true })
    expect(rows.find(({ figure }) => figure === 'where')).toMatchObject({ comparison: 'lift', value: WORDS })
    expect(rows.find(({ figure }) => figure === 'rows_scenario')?.value).toBe('398')
    const page = reportHtml(read())
    expect(page).toMatch(/in rows with [^(]*\(205 to 211 rows of the seed\)<\/span>/)
    expect(page.split('region North, South').length - 1).toBeGreaterThanOrEqual(2)
  })
})

describe('quantiles', () => {
  const found = { against: 40, scenario: 43, delta: 3, interval: [1.2, 4.8] as [number, number], standard_error: 0.9 }
  const quantiles = {
    age: { '0.5': { ...found, basis: 'seed' as const, support: 'ok' as const }, '0.9': { ...found, delta: -2 } },
  }

  function manifestOf(): Manifest {
    const whole = sureComparison()
    const scenarios = Object.fromEntries(
      Object.entries(whole.scenarios).map(([id, result]) => [
        id,
        { ...result, quantiles, no_quantiles: 'no_quantile_estimates' as const },
      ]),
    )
    return exampleManifest(
      { base: exampleScenario({ shares: {}, ranges: {} }), more: exampleScenario() },
      { comparisons: { lift: { ...whole, scenarios } } },
    )
  }

  it('stand in the terminal, Markdown, JUnit, CSV and the page under their names', () => {
    const manifest = parseManifest(JSON.stringify(manifestOf()))
    expect(reportMarkdown(manifest)).toContain('### Median of `age`')
    expect(reportMarkdown(manifest)).toContain('### 90 % quantile of `age`')
    expect(reportJunit(manifest)).toContain('median of age: +3')
    const rows: Record<string, string>[] = parse(reportCsv(manifest), { columns: true, bom: true })
    const medians = rows.filter(({ figure }) => figure?.startsWith('quantile_0.5_'))
    expect(medians.find(({ figure }) => figure === 'quantile_0.5_delta')).toMatchObject({ column: 'age', value: '3' })
    expect(medians.some(({ figure }) => figure === 'quantile_0.5_interval_low')).toBe(true)
    expect(reportHtml(manifest)).toContain('Median of ')
    const lines = answerLines(manifest.manifest, 200).join('\n')
    expect(lines).toContain('age median')
    expect(lines).toContain('no intervals of quantiles: the service tells no quantiles')
  })
})
