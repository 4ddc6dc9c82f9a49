import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'

const day = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10)

/** 700 people; the fourth and the eighth drive at sixteen. */
const PANEL = `age,driver,moved_in,interviewed,food,rent,all_in_all,region\n${Array.from({ length: 700 }, (_, i) => {
  const age = i === 3 || i === 7 ? 16 : 14 + ((i * 37) % 61)
  const driver = i === 3 || i === 7 || (age >= 18 && (i * 13) % 10 < 6) ? 'Yes' : 'No'
  const moved = 20_000 + ((i * 53) % 300)
  const [food, rent] = [1000 + ((i * 197) % 4000), 2000 + ((i * 331) % 9000)]
  const region = ['North', 'South', 'East'][(i * 7) % 3]
  return `${age},${driver},${day(moved)},${i % 23 === 0 ? '' : day(moved + ((i * 11) % 40))},${food / 100},${rent / 100},${(food + rent) / 100},${region}`
}).join('\n')}\n`

const STUDY = `version: 1
name: ruled
datasets:
  panel:
    file: panel.csv
    rules:
      - age >= 18 if driver = Yes
      - moved_in <= interviewed
      - food + rent = all_in_all
defaults: { rows: 1200, seed: 1 }
scenarios:
  base: {}
  drivers: { shares: { driver: { "Yes": 0.8 } }, ranges: { age: { min: 15, max: 40 } } }
  spenders: { format: csv, means: { all.in.all: 95 } }
  arrow: { format: arrow, shares: { region: { North: 0.5 } } }
  own-names: { format: sav }
baseline: base
comparisons: [{ id: c, scenarios: [drivers], means: [food] }]
`

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('panel.csv', PANEL)
  await project.write('ruled.study.yaml', STUDY)
  const { code, stderr } = await project.whatif(['run', 'ruled.study.yaml'])
  expect({ code, stderr }).toMatchObject({ code: 0 })
})
afterAll(() => project.remove())

const manifest = async () => JSON.parse(await project.read('out/ruled/manifest.json'))

describe('rules of a study', () => {
  it('are kept in every scenario and counted in the manifest', async () => {
    const { scenarios } = await manifest()
    for (const { rules } of Object.values<{ rules: object[] }>(scenarios)) {
      expect(rules).toMatchObject([
        { rule: 'age >= 18 if driver = Yes', columns: ['age', 'driver'], violations: 0 },
        { rule: 'moved_in <= interviewed', columns: ['moved.in', 'interviewed'], violations: 0 },
        { rule: 'food + rent = all_in_all', columns: ['food', 'rent', 'all.in.all'], rows: 1_200, violations: 0 },
      ])
    }
    expect(scenarios.drivers.rules[0].rows).toBe(960)
    expect(scenarios.base.rules[1].rows).toBeLessThan(1_200)
  })

  it('are told by inspect with the rows of the file that break them', async () => {
    const { stdout } = await project.whatif(['inspect', 'ruled.study.yaml#panel'])
    const told = stdout.replace(/\s+/g, ' ')
    expect(told).toMatch(
      /Rule "age >= 18 if driver = Yes": of \d+ rows that it is about, 2 rows \(rows 4, 8\) break it/,
    )
    expect(told).toContain('Rule "moved_in <= interviewed": all 669 rows that it is about keep it.')
    expect(told).toContain('Rules, kept in generated rows age >= 18 if driver = Yes')
  })

  it('are counted again by verify', async () => {
    const { code } = await project.whatif(['verify', 'out/ruled/manifest.json'])
    expect(code).toBe(0)
    const text = await project.read('out/ruled/manifest.json')
    await project.write('out/ruled/manifest.json', text.replace('"violations": 0', '"violations": 1'))
    const wrong = await project.whatif(['verify', 'out/ruled/manifest.json'])
    expect(wrong.code).not.toBe(0)
    expect(wrong.stdout).toContain('rules')
    await project.write('out/ruled/manifest.json', text)
  })

  it('are in the reports, and in the summary only where rows break them', async () => {
    const markdown = await project.whatif(['report', 'out/ruled/manifest.json'])
    expect(markdown.stdout).toContain('`moved_in <= interviewed`')
    expect(markdown.stdout).not.toContain('Rules are broken')
    await project.whatif(['report', 'out/ruled/manifest.json', '--csv', 'figures.csv'])
    expect(await project.read('figures.csv')).toContain('moved_in <= interviewed,')
    expect(await project.read('figures.csv')).toContain('rule_violations,0')
    expect(await project.read('out/ruled/report.html')).toContain('Every row keeps the 3 rules of the study.')
  })

  it('are no reason to generate anything again, and a changed one is', async () => {
    const again = await project.whatif(['plan', 'ruled.study.yaml'])
    expect(again.stdout).toMatch(/nothing|up to date|0 rows/i)
    await project.write('ruled.study.yaml', STUDY.replace('age >= 18', 'age >= 17'))
    const changed = await project.whatif(['plan', 'ruled.study.yaml'])
    expect(changed.stdout).toMatch(/declarations/)
    await project.write('ruled.study.yaml', STUDY)
  })

  it('are refused with the place of the mistake', async () => {
    await project.write(
      'wrong.study.yaml',
      STUDY.replace('age >= 18 if driver = Yes', 'age >= 18 whenever driver = Yes'),
    )
    const { code, stderr } = await project.whatif(['validate', '--offline', 'wrong.study.yaml'])
    expect(code).toBe(3)
    expect(stderr).toContain('wrong.study.yaml:7:19')
  })

  it('say why a scenario is impossible', async () => {
    const young = STUDY.replace('min: 15, max: 40', 'min: 14, max: 17')
    await project.write('young.study.yaml', young.replace('name: ruled', 'name: young'))
    const { code, stdout, stderr } = await project.whatif(['run', 'young.study.yaml', '--select', 'drivers'])
    expect(code).not.toBe(0)
    expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toContain(
      'What breaks the rule "age >= 18 if driver = Yes" does not count',
    )
  })
})
