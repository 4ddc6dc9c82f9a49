import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { type Finished, makeProject, type Project, trackerFile } from '../cli/project-folder.ts'

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
  project = await makeProject({ sharesProcess: true })
  await project.copy(trackerFile, 'tracker.csv')
  await project.write('sure.study.yaml', STUDY)
  ran = await project.whatif(['run', 'sure.study.yaml'])
  manifest = JSON.parse(await project.read('out/sure/manifest.json')) as Manifest
})
afterAll(() => project.remove())

it('differences of a real run have the answer of the seed, with its interval, beside the counts of the rows', () => {
  expect(manifestFaults(manifest)).toEqual([])
  const { members } = manifest.comparisons.lift!.scenarios
  expect(members?.no_estimates).toBeUndefined()
  const differences = [...Object.values(members!.shares['purchase.intent']!), members!.means['spend.last.month']!]
  expect(differences).toHaveLength(4)
  for (const { delta, answer, interval, standard_error, basis, support } of differences) {
    expect({ basis, support }).toEqual({ basis: 'seed', support: 'ok' })
    const [low, high] = interval!
    expect((low + high) / 2).toBeCloseTo(answer!.difference, 5)
    expect(high - low).toBeGreaterThan(2 * 1.95 * standard_error!)
    // The rows are near the answer, and are not it.
    expect(Math.abs(delta! - answer!.difference)).toBeLessThan(4 * standard_error!)
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
  expect(ran.stderr).toContain('  intervals rest on: the seed, reweighted to both scenarios\n')
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
  const { answer, interval, standard_error } = found
  expect(members.shares['purchase.intent'].Yes).toMatchObject({ delta: answer!.difference, interval, standard_error })
  for (const one of Object.values(few.shares['purchase.intent']))
    expect(one).toMatchObject({ interval: null, support: 'too_few_rows' })
  const text = await project.whatif(['plan', 'sure.study.yaml', '--estimates'])
  expect(text.stdout).toMatch(/^ {2}few\n.* –\n {6}too few seed rows$/m)
})
