import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'

/** 700 people: three items that some did not answer, two ratings, and whether somebody is a member. */
const PANEL = `q1,q2,q3,importance,satisfaction,member\n${Array.from({ length: 700 }, (_, i) => {
  const isMember = (i * 7) % 5 < 2
  const item = (step: number): string | number =>
    (i * step) % 17 === 0 ? '' : 1 + ((((i * step) % 29) + (isMember ? 2 : 0) + ((i * 3) % 5)) % 5)
  return `${item(11)},${item(13)},${item(5)},${1 + ((i * 19) % 5)},${item(23)},${isMember ? 'Yes' : 'No'}`
}).join('\n')}\n`

const STUDY = `version: 1
name: trust
datasets:
  panel:
    file: panel.csv
    scores: { trust: { mean: [q1, q2, q3] } }
    differences: { gap: [importance, satisfaction] }
    bands: { trust.band: { of: trust, at: [2.5, 3.5] } }
defaults: { rows: 1500, seed: 1, format: csv }
scenarios:
  base: {}
  members: { shares: { member: { "Yes": 0.7 } } }
  trusting: { means: { trust: 3.4 }, ranges: { gap: { min: -1 } } }
  bands: { shares: { trust.band: { 3.5 and over: 0.5 } } }
baseline: base
comparisons:
  - id: lift
    scenarios: [members, trusting, bands]
    means: [trust, gap, q1]
    expect: [{ scenario: trusting, column: trust, delta_min: 0.01, confidence: 0.95 }]
  - { id: by-trust, scenarios: [members], means: [gap], by: trust.band }
`

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('panel.csv', PANEL)
  await project.write('trust.study.yaml', STUDY)
})
afterAll(() => project.remove())

it('scores and differences are answered, agree with their columns, and can be asked for', async () => {
  const { code, stderr } = await project.whatif(['run', 'trust.study.yaml'])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const { comparisons } = JSON.parse(await project.read('out/trust/manifest.json'))
  const { members, trusting } = comparisons.lift.scenarios
  expect(members.means.trust.standard_error).toBeGreaterThan(0)
  expect(trusting.means.trust.answer.scenario).toBeCloseTo(3.4, 3)

  const number = (text: string | undefined): number => (text === undefined || text === '' ? Number.NaN : Number(text))
  for (const scenario of ['base', 'members', 'trusting', 'bands']) {
    const [header = '', ...rows] = (await project.read(`out/trust/${scenario}.csv`)).trimEnd().split('\n')
    const at = (name: string) => header.split(',').indexOf(name)
    let differing = 0
    for (const row of rows) {
      const cells = row.split(',')
      const of = (name: string) => number(cells[at(name)])
      const answered = [of('q1'), of('q2'), of('q3')].filter((one) => !Number.isNaN(one))
      const trust = answered.length < 2 ? Number.NaN : answered.reduce((sum, one) => sum + one, 0) / answered.length
      const agrees = (a: number, b: number) => (Number.isNaN(a) ? Number.isNaN(b) : Math.abs(a - b) <= 5e-5)
      const band = Number.isNaN(trust)
        ? ''
        : trust < 2.5
          ? 'under 2.5'
          : trust < 3.5
            ? '2.5 to under 3.5'
            : '3.5 and over'
      const isRight =
        agrees(trust, of('trust')) &&
        agrees(of('importance') - of('satisfaction'), of('gap')) &&
        cells[at('trust.band')] === band
      if (!isRight) differing++
    }
    expect({ scenario, rows: rows.length, differing }).toEqual({ scenario, rows: 1500, differing: 0 })
  }

  const inspected = await project.whatif(['inspect', 'trust.study.yaml'])
  expect(inspected.stdout).toContain('trust = mean of those of q1, q2, q3 that have a value, at least 2')
})
