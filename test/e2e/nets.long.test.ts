import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'

/** 600 people: satisfaction from 1 to 5, and a recommendation from 0 to 10 that some did not give. */
const PANEL = `satisfaction,recommend,member\n${Array.from({ length: 600 }, (_, i) => {
  const isMember = (i * 7) % 5 < 2
  const satisfaction = 1 + (((i * 13) % 23) % (isMember ? 7 : 5)) - (isMember && ((i * 13) % 23) % 7 > 4 ? 2 : 0)
  const recommend = i % 19 === 0 ? '' : Math.min(10, (((i * 11) % 29) % 10) + (isMember ? 1 : 0))
  return `${satisfaction},${recommend},${isMember ? 'Yes' : 'No'}`
}).join('\n')}\n`

const STUDY = `version: 1
name: tops
datasets:
  panel:
    file: panel.csv
    nets: { satisfied: { of: satisfaction, levels: [4, 5] } }
    nps: recommend
defaults: { rows: 2000, seed: 1, format: csv }
scenarios:
  base: {}
  members: { shares: { member: { "Yes": 0.7 } } }
  happier: { shares: { satisfied: { "Yes": 0.6 } } }
baseline: base
comparisons:
  - id: lift
    scenarios: [members, happier]
    shares: [satisfaction, satisfied]
    means: [satisfaction, recommend.nps]
    expect: [{ scenario: happier, column: satisfied, level: "Yes", delta_min: 0.01, confidence: 0.95 }]
`

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('panel.csv', PANEL)
  await project.write('tops.study.yaml', STUDY)
})
afterAll(() => project.remove())

it('nets and net promoter scores are answered, agree with their columns, and can be asked for', async () => {
  const { code, stderr } = await project.whatif(['run', 'tops.study.yaml'])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const { comparisons } = JSON.parse(await project.read('out/tops/manifest.json'))
  const { members, happier } = comparisons.lift.scenarios
  const of = (share: { answer: { difference: number } }) => share.answer.difference
  for (const { shares, means } of [members, happier]) {
    const levels = shares.satisfaction
    expect(of(shares.satisfied.Yes)).toBeCloseTo(of(levels['4']) + of(levels['5']), 5)
    const mean = [1, 2, 3, 4, 5].reduce((sum, level) => sum + level * of(levels[level]), 0)
    expect(of(means.satisfaction)).toBeCloseTo(mean, 4)
  }
  expect(members.means['recommend.nps'].standard_error).toBeGreaterThan(0)
  expect(happier.shares.satisfied.Yes.scenario).toBe(0.6)

  for (const scenario of ['base', 'members', 'happier']) {
    const [header = '', ...rows] = (await project.read(`out/tops/${scenario}.csv`)).trimEnd().split('\n')
    const at = (name: string) => header.split(',').indexOf(name)
    for (const row of rows) {
      const cells = row.split(',')
      expect(cells[at('satisfied')]).toBe(Number(cells[at('satisfaction')]) >= 4 ? 'Yes' : 'No')
      const recommend = cells[at('recommend')]!
      const score =
        recommend === '' ? '' : recommend === '9' || recommend === '10' ? '100' : Number(recommend) <= 6 ? '-100' : '0'
      expect(cells[at('recommend.nps')]).toBe(score)
    }
  }
})
