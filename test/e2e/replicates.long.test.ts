import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { type Finished, makeProject, type Project, shortTracker } from '../cli/project-folder.ts'

const STUDY = `version: 1
name: repeated
datasets: { tracker: { file: tracker.csv } }
defaults: { rows: 400, seed: 100, partial: accept }
scenarios:
  base: {}
  once: { shares: { loyalty.member: { "Yes": 0.75 } } }
  often: { replicates: 5, shares: { loyalty.member: { "Yes": 0.75 } } }
baseline: base
comparisons:
  - { id: lift, scenarios: ["*"], shares: [purchase.intent], means: [spend.last.month] }
`

let project: Project
let planned: Finished
let ran: Finished
let manifest: Manifest

beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('tracker.csv', shortTracker(['loyalty_member', 'purchase_intent', 'spend_last_month']))
  await project.write('repeated.study.yaml', STUDY)
  planned = await project.whatif(['plan', 'repeated.study.yaml'])
  ran = await project.whatif(['run', 'repeated.study.yaml'])
  manifest = JSON.parse(await project.read('out/repeated/manifest.json')) as Manifest
})
afterAll(() => project.remove())

it('a plan shows each replicate, and counts its rows', () => {
  expect(planned.code).toBe(0)
  for (let i = 1; i <= 5; i++) expect(planned.stdout).toContain(`often--r${i}`)
  // The first replicate and `once` are one request.
  expect(planned.stdout).toContain('2,400')
})

it('five replicates have rows of their own, and are one side of the comparison', () => {
  expect(ran.code, ran.stderr).toBe(0)
  expect(manifestFaults(manifest)).toEqual([])
  const ids = ['often--r1', 'often--r2', 'often--r3', 'often--r4', 'often--r5']
  const digests = ids.map((id) => manifest.scenarios[id]!.artifact!.sha256)
  expect(new Set(digests).size).toBe(5)
  const { once, often } = manifest.comparisons.lift!.scenarios
  expect(Object.keys(manifest.comparisons.lift!.scenarios)).toEqual(['often', 'once'])
  expect(often!.replicates!.ids).toEqual(ids)
  // The first replicate has the seed of the single scenario, so it is the same file.
  expect(manifest.scenarios.once!.artifact!.sha256).toBe(digests[0])
  const [single, pooled] = [once!, often!].map((side) => side.shares['purchase.intent']!.Yes!)
  // The seed says the same, however many rows are generated.
  expect(pooled).toMatchObject({ basis: 'seed', answer: single!.answer, interval: single!.interval })
  expect(often!.means['spend.last.month']!.scenario!.n).toBeGreaterThan(1800)
  expect(often!.replicates!.spread.shares['purchase.intent']!.Yes).toBeGreaterThan(0)
})

it('the reports say which replicates are pooled', async () => {
  expect(ran.stderr).toContain('1 scenario is pooled from 5 replicates')
  await project.whatif(['report', 'out/repeated/manifest.json', '--md', 'report.md'])
  const sentence = 'This measures the noise of generation, not the sampling of the seed.'
  expect(await project.read('report.md')).toContain('`often` takes 5 replicates together: `often--r1`')
  expect(await project.read('report.md')).toContain(sentence)
  const page = await project.read('out/repeated/report.html')
  expect(page).toContain(' 1 scenario is pooled from 5 replicates.')
  expect(page).toContain('<bdi>often</bdi> takes 5 replicates together')
  expect(page).toContain(sentence)
})

it('a further replicate costs only its own rows', async () => {
  await project.write('repeated.study.yaml', STUDY.replace('replicates: 5', 'replicates: 6'))
  const { stderr } = await project.whatif(['run', 'repeated.study.yaml'])
  expect(stderr).toContain('billed in this run: 400 rows')
})
