import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Manifest } from '../../src/manifest/manifest.ts'
import { type Finished, makeProject, type Project, trackerFile } from '../cli/project-folder.ts'
import { manifestFaults } from '../manifest/manifest-validator.ts'

/** `few` asks for a mix that 13 of the 6,000 respondents have. */
const STUDY = `version: 1
name: sure
datasets: { tracker: { file: tracker.csv } }
defaults: { rows: 500, seed: 1, partial: accept }
scenarios:
  base: {}
  members: { shares: { loyalty.member: { "Yes": 0.75 } } }
  few:
    shares: { region: { Islands: 1 }, main.brand: { Islander: 1 } }
    ranges: { age: { min: 30, max: 38 } }
baseline: base
comparisons:
  - id: lift
    scenarios: ["*"]
    shares: [purchase.intent]
    means: [spend.last.month]
    expect:
      - { scenario: members, column: purchase.intent, level: "Yes", delta_min: -0.5, confidence: 0.95 }
      - { scenario: members, column: purchase.intent, level: "Yes", delta_min: 0.5, confidence: 0.95 }
      - { scenario: few, column: spend.last.month, delta_min: -1000, confidence: 0.5 }
`

let project: Project
let ran: Finished
let manifest: Manifest

beforeAll(async () => {
  project = await makeProject()
  await project.copy(trackerFile, 'tracker.csv')
  await project.write('sure.study.yaml', STUDY)
  ran = await project.whatif(['run', 'sure.study.yaml'])
  manifest = JSON.parse(await project.read('out/sure/manifest.json')) as Manifest
})
afterAll(() => project.remove())

it('differences of a real run have intervals from seed and generation, next to the seed’s own', () => {
  expect(manifestFaults(manifest)).toEqual([])
  const { members } = manifest.comparisons.lift!.scenarios
  expect(members?.no_estimates).toBeUndefined()
  const differences = [...Object.values(members!.shares['purchase.intent']!), members!.means['spend.last.month']!]
  expect(differences).toHaveLength(4)
  for (const { delta, interval, standard_error, seed, basis, support } of differences) {
    expect({ basis, support }).toEqual({ basis: 'seed', support: 'ok' })
    // The deviation of the rows from the seed adds to the uncertainty of the seed alone.
    expect(standard_error).toBeGreaterThanOrEqual(seed!.standard_error)
    const [low, high] = interval!
    expect(low).toBeLessThan(delta!)
    expect(high).toBeGreaterThan(delta!)
    expect(seed!.difference).toBeGreaterThan(low)
    expect(seed!.difference).toBeLessThan(high)
  }
  const factor = manifest.scenarios.members?.standard_error_factor
  expect(factor).toBeCloseTo(Math.sqrt(1 + 500 / manifest.scenarios.members!.evidence!.effective_rows), 5)
})

it('a mix that is rare in the seed gets no interval', () => {
  const { few } = manifest.comparisons.lift!.scenarios
  for (const difference of Object.values(few!.shares['purchase.intent']!))
    expect(difference).toMatchObject({ interval: null, standard_error: null, support: 'too_few_rows' })
})

it('gates with confidence use the interval; evaluating the manifest again, offline, gives the same', async () => {
  expect(ran.code).toBe(9)
  const verdicts = manifest.comparisons.lift!.gates.map(({ passed, reason }) => [passed, reason])
  expect(verdicts).toEqual([
    [true, undefined],
    [false, undefined],
    [false, 'too_few_rows'],
  ])
  const gates = await project.whatif(['gate', 'out/sure/manifest.json'])
  expect(gates).toMatchObject({ code: 9 })
  expect(gates.stdout).toMatch(/too few seed rows for an\sinterval/)
  expect(gates.stdout).not.toContain('the recorded verdict stands')
})

it('the summary shows them in 80 columns', () => {
  expect(ran.stderr).toContain('comparison lift, against base\n')
  expect(ran.stderr).toContain('  4 more have too few seed rows for an interval\n')
  expect(ran.stderr).toContain('  intervals rest on: seed and generation\n')
  const shown = ran.stderr.slice(ran.stderr.indexOf('comparison lift, against base'))
  for (const line of shown.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
})

it('an unchanged study starts no service, and has the same results', async () => {
  const again = await project.whatif(['run', 'sure.study.yaml'])
  expect(again.stderr).not.toContain('starting the embedded service')
  const { run: _, trace: __, ...results } = JSON.parse(await project.read('out/sure/manifest.json')) as Manifest
  const { run: ___, trace: ____, ...before } = manifest
  expect(results).toEqual(before)
})

it('whatif plan --estimates shows the seed’s estimates, with the service inside the command', async () => {
  const { code, stdout } = await project.whatif(['plan', 'sure.study.yaml', '--estimates', '--json'])
  expect(code).toBe(0)
  const { members, few } = JSON.parse(stdout).data.estimates.lift.scenarios
  const found = manifest.comparisons.lift!.scenarios.members!.shares['purchase.intent']!.Yes!
  expect(members.shares['purchase.intent'].Yes).toMatchObject({ delta: found.seed?.difference, seed: found.seed })
  expect(few).toMatchObject({ shares: { 'purchase.intent': {} } })
  const text = await project.whatif(['plan', 'sure.study.yaml', '--estimates'])
  expect(text.stdout).toMatch(/^ {2}few\n.*\n {6}too few seed rows$/m)
})
