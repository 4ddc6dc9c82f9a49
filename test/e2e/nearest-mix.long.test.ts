import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'

/** Nobody in the north has the plan plus. */
const PEOPLE = `plan,region,age\n${Array.from({ length: 600 }, (_, i) => {
  const plan = i % 3 === 0 ? 'plus' : i % 3 === 1 ? 'basic' : 'trial'
  const region = plan === 'plus' ? 'south' : i % 2 === 0 ? 'north' : 'south'
  return `${plan},${region},${20 + ((i * 7) % 50)}`
}).join('\n')}\n`

const study = (conditions: readonly string[]) => `version: 1
name: mixes
datasets: { panel: { file: people.csv } }
defaults: { rows: 500, seed: 1, format: csv }
scenarios:
  now: {}
  both:
    ranges: { age: { min: 25, max: 60 } }
${conditions.map((line) => `    ${line}\n`).join('')}`

describe('a scenario that cannot have its rows, from the plan to the run of its nearest mix', () => {
  let project: Project
  const MIX = 'shares: { plan: { plus: 0.35 }, region: { north: 0.65 } }'
  const WORDS = 'The nearest mix with all rows moves shares by 30 points:'

  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('people.csv', PEOPLE)
    await project.write('mixes.study.yaml', study(['shares: { plan: { plus: 0.5 }, region: { north: 0.8 } }']))
    expect((await project.whatif(['validate', 'mixes.study.yaml'])).code).toBe(0)
  })
  afterAll(() => project.remove())

  it('validate tells it where it is asked, also of cells alone', async () => {
    const { code, stderr } = await project.whatif(['validate', '--estimates', 'mixes.study.yaml'])
    expect(code).toBe(0)
    expect(stderr).toContain(`    ${WORDS}\n      ${MIX}\n`)
    await project.write('cells.study.yaml', study(['cells: [{ of: [plan, region], shares: [[plus, north, 0.5]] }]']))
    const asked = await project.whatif(['validate', '--estimates', '--json', 'cells.study.yaml'])
    const { both } = JSON.parse(asked.stdout).data['cells.study.yaml'].feasible_rows
    expect(both).toMatchObject({ requested: 500, feasible: 0 })
    const refused = await project.whatif(['validate', '--estimates', '--offline', 'mixes.study.yaml'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('leave one of them out') })
  })

  it('the plan tells it before anything is ordered', async () => {
    const { code, stdout } = await project.whatif(['plan', '--estimates', 'mixes.study.yaml'])
    expect(code).toBe(0)
    expect(stdout).toContain(`    ${WORDS}\n      ${MIX}\n`)
    const { stdout: json } = await project.whatif(['plan', '--estimates', '--json', 'mixes.study.yaml'])
    expect(JSON.parse(json).data.feasible_rows.both.nearest_mix).toEqual({
      conditions: { categorical: { plan: { plus: 0.35 }, region: { north: 0.65 } } },
      moved_share: 0.3,
    })
  })

  it('the run that fails tells it on the terminal, in the manifest and in the reports', async () => {
    const { code, stderr } = await project.whatif(['run', 'mixes.study.yaml'])
    expect(code).toBe(7)
    expect(stderr).toContain(`      ${MIX}\n`)
    const { scenarios } = JSON.parse(await project.read('out/mixes/manifest.json'))
    expect(scenarios.both).toMatchObject({
      status: 'failed',
      error: { code: 'svc_infeasible_scenario' },
      shortfall: { nearest_mix: { moved_share: 0.3 } },
    })
    const { stdout: markdown } = await project.whatif(['report', 'out/mixes/manifest.json'])
    expect(markdown).toContain(`\`${MIX}\``)
    expect(await project.read('out/mixes/report.html')).toContain(`<code>${MIX}</code>`)
  })

  it('pasted into the study, it runs', async () => {
    await project.write('mixes.study.yaml', study([MIX]))
    const { code, stderr } = await project.whatif(['run', 'mixes.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('500 of 500 rows') })
    const { scenarios } = JSON.parse(await project.read('out/mixes/manifest.json'))
    expect(scenarios.both).toMatchObject({ status: 'ready', rows: { requested: 500, counted: 500 } })
    expect(scenarios.both).not.toHaveProperty('shortfall')
  })
})
