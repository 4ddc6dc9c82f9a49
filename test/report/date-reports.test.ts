import { describe, expect, it } from 'vitest'
import { markdownTable } from '../../src/base/document/markdown-blocks.ts'
import { runSummaryPage } from '../../src/cli/ci/command-page.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { comparisonsSection } from '../../src/report/html/record/comparisons-section.ts'
import { reportJunit } from '../../src/report/report-junit.ts'
import { reportMarkdown } from '../../src/report/report-markdown.ts'
import { exampleManifest, exampleScenario } from '../answers/example-manifest.ts'
import { compared, mean } from './example-answers.ts'
import { bodyOf } from './html/matrix-manifest.ts'

const DAY = 86_400_000
const BASE = Date.parse('2026-10-14')

/** A date that moves by three days, seven inside a segment. */
const difference = (days: number) => ({
  ...mean(BASE, BASE + days * DAY, DAY / 4),
  answer: { against: BASE, scenario: BASE + days * DAY, difference: days * DAY },
})

function datesManifest(): Manifest {
  const manifest = exampleManifest({ base: exampleScenario(), more: exampleScenario() })
  const rows = { scenario: 900, against: 950 }
  const more = {
    ...compared({}, { visited: difference(3) }),
    segments: [{ level: 'north', rows, shares: {}, means: { visited: difference(7) } }],
    replicates: { ids: ['more--r1', 'more--r2'], spread: { shares: {}, means: { visited: DAY / 2 } } },
  }
  return {
    ...manifest,
    datasets: { panel: { ...manifest.datasets.panel!, columns: { visited: { kind: 'date' } } } },
    comparisons: { lift: { against: 'base', by: 'region', scenarios: { more }, gates: [] } },
  }
}

const read = { manifest: datesManifest(), digest: 'd'.repeat(64) }

describe('a date as an outcome', () => {
  it('Markdown: moments, and differences and spreads in days', () => {
    const lines = reportMarkdown(read).split('\n')
    const [start, end] = ['2026-10-14', '2026-10-17']
    expect(lines).toContain(`| \`more\` | ${start} | ${end} | +3.00 days | 2.51 to 3.49 | +3.00 | yes |  |`)
    expect(lines.find((line) => line.startsWith('| `more` | `north` |'))).toContain(
      `| ${start} | 2026-10-21 | +7.00 days | 6.51 to 7.49 |`,
    )
    expect(lines.find((line) => line.includes('standard deviation |'))).toMatch(/(\| [\d.e-]+ days ){2}\|/)
    expect(lines.join('\n')).toContain('mean of `visited` 0.50 days.')
  })

  it('page, JUnit and CI summary: days as well', () => {
    expect(bodyOf(comparisonsSection(read))).toContain('mean of <bdi>visited</bdi> 0.50 days.')
    expect(reportJunit(read)).toContain('mean of visited: +3.00 days, 95 % interval 2.51 to 3.49;')
    const { tables } = runSummaryPage('run', datesManifest(), 0, null)
    expect(markdownTable(tables.at(-1)!).rows[0]).toContain('| +3.00 days | 2.51 to 3.49 |')
  })
})
