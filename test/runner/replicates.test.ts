import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../src/answers/manifest/review-manifest.ts'
import type { EstimateRequest } from '../../src/contract/estimates.ts'
import { reportHtml } from '../../src/report/html/page/page.ts'
import { reportCsv } from '../../src/report/report-csv.ts'
import { reportMarkdown } from '../../src/report/report-markdown.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { estimated } from './estimated-answer.ts'
import { double, rig, useRig } from './use-rig.ts'

const STUDY = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 100, seed: 5, format: csv }
scenarios:
  base: { description: As it is., replicates: 2 }
  more:
    replicates: 3
    matrix:
      axes: [{ name: size, set: [shares, answer, "Yes"], values: { some: 0.6, most: 0.9 } }]
baseline: base
comparisons:
  - id: lift
    scenarios: ["more--*"]
    shares: [answer]
    means: [age]
    expect: [{ scenario: more--most, column: answer, level: "Yes", delta_min: 0.1 }]
`
const MOST = ['more--most--r1', 'more--most--r2', 'more--most--r3']

useRig(STUDY)

const read = async () => parseManifest(await rig.read('out/demo/manifest.json'))

describe('a run of replicates', () => {
  it('generates each replicate with its own seed, as a scenario of its own', async () => {
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    const manifest = await rig.manifest()
    expect(manifestFaults(manifest)).toEqual([])
    expect(double.made('generations')).toBe(8)
    expect(MOST.map((id) => manifest.scenarios[id]!.request!.seed)).toEqual([5, 6, 7])
    expect(manifest.scenarios['more--most--r2']).toMatchObject({
      ...{ status: 'ready', group: 'more', axes: { size: 'most' } },
      replicate: { of: 'more--most', number: 2 },
      artifact: { path: 'more--most--r2.csv' },
    })
    expect(manifest.scenarios['base--r1']!.description).toBe('As it is.')
    expect(manifest.study.baseline).toBe('base')
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(8)
  })

  it('compares the rows of all replicates', async () => {
    await rig.run()
    const { comparisons, scenarios } = await rig.manifest()
    const { lift } = comparisons
    expect(lift).toMatchObject({ against: 'base', against_replicates: ['base--r1', 'base--r2'] })
    expect(Object.keys(lift!.scenarios)).toEqual(['more--most', 'more--some'])
    const yes = async (ids: readonly string[]) => {
      const rows = (await Promise.all(ids.map((id) => rig.read(`out/demo/${scenarios[id]!.artifact!.path}`)))).flatMap(
        (file) => file.trimEnd().split('\n').slice(1),
      )
      return rows.filter((row) => row.split(',').includes('Yes')).length / rows.length
    }
    const { answer } = lift!.scenarios['more--most']!.shares
    expect(answer!.Yes!.scenario).toBeCloseTo(await yes(MOST), 5)
    expect(answer!.Yes!.against).toBeCloseTo(await yes(['base--r1', 'base--r2']), 5)
    expect(lift!.scenarios['more--most']!.replicates!.ids).toEqual(MOST)
    expect(lift!.scenarios['more--most']!.means.age!.scenario).toMatchObject({ n: 300, q50: null })
  })

  it('asks for the estimates of a scenario once', async () => {
    const asked: EstimateRequest[] = []
    double.estimates = (request) => {
      asked.push(request)
      return estimated(request)
    }
    // The gate is judged on the answer, which is smaller than the difference in the rows.
    expect(await rig.run()).toMatchObject({ exitCode: 9 })
    expect(asked.map(({ scenario }) => scenario)).toEqual([
      { categorical: { answer: { Yes: 0.6 } } },
      { categorical: { answer: { Yes: 0.9 } } },
    ])
    const manifest = await rig.manifest()
    expect(manifest.comparisons.lift!.scenarios['more--some']!.shares.answer!.Yes).toMatchObject({ basis: 'seed' })
    expect(evaluateGates(manifest).gates.every(({ gate, recordedPassed }) => gate.passed === recordedPassed)).toBe(true)
  })

  it('compares the replicates that have a result when another fails', async () => {
    double.feasible = (body) => (body.seed === 6 && body.conditions?.categorical?.answer?.Yes === 0.9 ? 0 : 100)
    expect(await rig.run()).toMatchObject({ exitCode: 7 })
    const found = await read()
    expect(found.manifest.scenarios['more--most--r2']).toMatchObject({ status: 'failed' })
    expect(found.manifest.comparisons.lift!.scenarios['more--most']).toMatchObject({
      status: 'compared',
      replicates: { ids: ['more--most--r1', 'more--most--r3'] },
    })
    expect(reportMarkdown(found)).toContain(
      '`more--most` takes 2 of 3 replicates together: `more--most--r1`, `more--most--r3`.',
    )
  })

  it('reports which scenarios are pooled, and what the spread measures', async () => {
    await rig.run()
    const found = await read()
    const markdown = reportMarkdown(found)
    expect(markdown).toContain('`base` takes 2 replicates together: `base--r1`, `base--r2`.')
    const { spread } = found.manifest.comparisons.lift!.scenarios['more--most']!.replicates!
    expect(markdown).toMatch(
      /`more--most` takes 3 replicates together: .*\. From replicate to replicate the difference varies by \(standard deviation\): .*`answer` `Yes` [\d.]+ points.*\. This measures the noise of generation, not the sampling of the seed\./,
    )
    expect(reportCsv(found)).toContain(`answer,Yes,share_spread,${spread.shares.answer!.Yes}`)
    const page = reportHtml(found)
    expect(page).toMatch(/<bdi>more--most<\/bdi> takes 3 replicates together/)
    expect(page).toContain('This measures the noise of generation, not the sampling of the seed.')
    expect(page).toContain('size most')
    expect(page).toContain('Along size')
    expect(page).not.toMatch(/NaN|Infinity|undefined/)
  })
})
