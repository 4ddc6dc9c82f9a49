import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'

/** 600 people aged 18 to 77; half are members, who spend more; a fifth did not say what they spend. */
const PEOPLE = `region,member,age,spend\n${Array.from({ length: 600 }, (_, i) => {
  const isMember = i % 2 === 0
  const age = 18 + ((i * 37) % 60)
  const spend = i % 5 === 3 ? '' : (age * (isMember ? 1.5 : 0.7) + ((i * 13) % 40)).toFixed(2)
  return `${['North', 'South', 'East'][i % 3]},${isMember ? 'Yes' : 'No'},${age},${spend}`
}).join('\n')}\n`

const study = (means: string) => `version: 1
name: spend
datasets: { panel: { file: people.csv } }
defaults: { rows: 500, seed: 1, format: csv, expect: { fill: { min: 1 } } }
baseline: now
scenarios:
  now: {}
  spenders:
    shares: { member: { "Yes": 0.7 } }
    ranges: { age: { min: 20, max: 70 } }
    means: ${means}
    expect: { means: { tolerance: 0.01 } }
  curve:
    matrix: { axes: [{ name: age, set: [means, age], values: { young: 40, old: 55 } }] }
comparisons:
  - { id: ages, scenarios: [spenders, "curve--*"], shares: [region, member], means: [age, spend] }
`

describe('a study with means, from the file to the report', () => {
  let project: Project
  let output: { readonly stdout: string; readonly stderr: string }
  const manifest = async () => JSON.parse(await project.read('out/spend/manifest.json'))
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('people.csv', PEOPLE)
    await project.write('spend.study.yaml', study('{ age: { min: 50, max: 52 }, spend: 75 }'))
    const { code, ...streams } = await project.whatif(['run', 'spend.study.yaml'])
    expect({ code, ...streams }).toMatchObject({ code: 0 })
    output = streams
  })
  afterAll(() => project.remove())

  it('the file has the means, its ranges and its shares', async () => {
    const [head, ...lines] = (await project.read('out/spend/spenders.csv')).trimEnd().split('\r\n')
    const cells = lines.map((line) => line.split(','))
    const column = (name: string) => cells.map((row) => row[head!.split(',').indexOf(name)]!)
    const spent = column('spend').flatMap((text) => (text === '' ? [] : [Number(text)]))
    expect(spent.reduce((sum, value) => sum + value, 0) / spent.length).toBeCloseTo(75, 4)
    const ages = column('age').map(Number)
    expect(ages.reduce((sum, value) => sum + value, 0) / 500).toBeGreaterThanOrEqual(50)
    expect([Math.min(...ages) >= 20, Math.max(...ages) <= 70]).toEqual([true, true])
    expect(column('member').filter((member) => member === 'Yes')).toHaveLength(350)
  })

  it('the manifest, the terminal and the reports hold target against achieved', async () => {
    const { scenarios, comparisons } = await manifest()
    expect(scenarios.spenders.means).toMatchObject({
      age: { target: { min: 50, max: 52 }, delta: 0, values: 500 },
      spend: { target: 75 },
    })
    expect(Math.abs(scenarios.spenders.means.spend.delta)).toBeLessThan(1e-4)
    expect(scenarios.spenders.gates.map(({ id, passed }: { id: string; passed: boolean }) => [id, passed])).toEqual([
      ['fill', true],
      ['means:age', true],
      ['means:spend', true],
    ])
    expect(scenarios['curve--old'].means.age).toMatchObject({ target: 55, achieved: 55 })
    const { means, shares } = comparisons.ages.scenarios.spenders
    expect([means.spend.asked_for, means.age.asked_for, shares.region.North.asked_for]).toEqual([true, true, undefined])
    expect(means.spend.answer.scenario).toBeCloseTo(75, 8)
    expect(output.stderr).toContain('shares met · in range · means met')
    const [markdown, csv] = [
      await project.whatif(['report', 'out/spend/manifest.json']),
      await project.whatif(['report', 'out/spend/manifest.json', '--csv', 'report.csv']),
    ]
    expect(csv.code).toBe(0)
    expect(markdown.stdout.split('## Means\n')).toHaveLength(2)
    expect(markdown.stdout).toContain('| `spenders` | `age` | 50 to 52 |')
    expect(await project.read('report.csv')).toMatch(/spenders.*spend.*mean_target.*75/)
    expect(await project.read('out/spend/report.html')).toContain('All 4 means are met.')
    expect((await project.whatif(['gate', 'out/spend/manifest.json'])).code).toBe(0)
  })

  it('the plan names what changes, and the lock what the means use', async () => {
    expect((await project.whatif(['plan', 'spend.study.yaml', '--detailed-exitcode'])).code).toBe(0)
    await project.write('spend.study.yaml', study('{ age: { min: 50 }, spend: 80 }'))
    const { stdout } = await project.whatif(['plan', 'spend.study.yaml'])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('changed: means.age.max removed, means.spend 75 → 80;')
    expect((await project.whatif(['lock', 'spend.study.yaml'])).code).toBe(0)
    await project.write('people.csv', PEOPLE.replace('region,member,age,spend', 'region,member,age,spent'))
    const drift = await project.whatif(['validate', 'spend.study.yaml'])
    expect(drift.code).toBe(4)
    expect(drift.stderr).toContain('spend')
    await project.write('people.csv', PEOPLE)
  })

  it('a mean that cannot be is refused before the order, and by the service', async () => {
    await project.write('spend.study.yaml', study('{ age: 70, spend: 75 }'))
    const plan = await project.whatif(['plan', 'spend.study.yaml', '--estimates'])
    expect(plan.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /scenario spenders: none of 500 rows; The mean of age is to be 70; .* The nearest possible mean is about 69\.65/,
    )
    const run = await project.whatif(['run', 'spend.study.yaml'])
    expect(run.code).toBe(7)
    const { error } = (await manifest()).scenarios.spenders
    expect(error.code).toBe('svc_infeasible_scenario')
    expect(error.detail).toContain('with age from 20 to 70')
  })
})
