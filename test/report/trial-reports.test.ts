import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../src/answers/manifest/review-manifest.ts'
import { manifestFindings } from '../../src/cli/ci/findings.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { answerSection } from '../../src/report/html/answer/first-screen.ts'
import { reportCsv } from '../../src/report/report-csv.ts'
import { reportJunit } from '../../src/report/report-junit.ts'
import { exampleManifest, exampleScenario, gateResult } from '../answers/example-manifest.ts'
import { bodyOf } from './html/matrix-manifest.ts'
import { readXml } from './read-xml.ts'

const STUDY = exampleManifest({
  more: exampleScenario({
    gates: [
      gateResult('shares:intent', { expected: { tolerance: 0.005 }, actual: 0.01, passed: false }),
      gateResult('fill', { expected: { min: 0.5 }, actual: 1, passed: true }),
    ],
  }),
})
const TRIAL: Manifest = { ...STUDY, run: { ...STUDY.run, trial: 50 } }

const read = (manifest: Manifest) => parseManifest(JSON.stringify(manifest))
const junit = (manifest: Manifest) => readXml(reportJunit(read(manifest)))
const withTag = (manifest: Manifest, tag: string) => junit(manifest).elements.filter((element) => element.tag === tag)

describe('the reports of a trial', () => {
  it('JUnit: a gate that did not pass is skipped with its figures, because none counts', () => {
    expect(junit(STUDY).root).toMatchObject({ failures: '1', skipped: '0' })
    expect(junit(TRIAL).root).toMatchObject({ failures: '0', errors: '0', skipped: '1' })
    expect(withTag(TRIAL, 'skipped').map(({ attributes }) => attributes.message)).toEqual([
      expect.stringMatching(/^gates do not count in a trial: expected tolerance 0\.5 points, found 1 points/),
    ])
  })

  it('JUnit: every suite says that it is a trial', () => {
    const trials = (manifest: Manifest) =>
      withTag(manifest, 'property').filter(({ attributes }) => attributes.name === 'trial')
    expect(trials(STUDY)).toEqual([])
    expect(trials(TRIAL)).toHaveLength(withTag(TRIAL, 'testsuite').length)
    expect(trials(TRIAL)[0]!.attributes.value).toContain('trial with at most 50 rows per scenario')
  })

  it('CSV: a row says how many rows a scenario has at most', () => {
    expect(reportCsv(read(TRIAL))).toMatch(/^,,,,,,trial_rows,50$/m)
    expect(reportCsv(read(STUDY))).not.toContain('trial_rows')
  })

  it('the page does not show a failed gate as if it counted', () => {
    const screen = (manifest: Manifest) => bodyOf(answerSection(read(manifest)))
    expect(screen(STUDY)).toContain('<li class="bad"><strong>Gate failed:</strong>')
    expect(screen(TRIAL)).toContain('<li class="warn"><strong>Gate failed, which does not count:</strong>')
  })

  it('CI: a gate that did not pass is a warning, as for the manifest of a run', () => {
    const levels = (manifest: Manifest) =>
      manifestFindings(manifest, evaluateGates(manifest), { places: () => null, forgiven: new Set() }).map(
        ({ level, title }) => `${level} ${title}`,
      )
    expect(levels(STUDY)).toEqual(['error gate shares:intent'])
    expect(levels(TRIAL)).toEqual(['warning gate shares:intent'])
  })
})
