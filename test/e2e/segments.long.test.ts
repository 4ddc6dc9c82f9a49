import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { type Finished, makeProject, type Project, trackerFile } from '../cli/project-folder.ts'

const STUDY = `version: 1
name: divided
datasets:
  tracker:
    file: tracker.csv
    bands: { age.band: { of: age, at: [30, 45, 60] } }
defaults: { rows: 2000, seed: 1, partial: accept }
scenarios:
  base: {}
  members: { shares: { loyalty.member: { "Yes": 0.75 } } }
  mainland: { shares: { region: { Islands: 0 }, loyalty.member: { "Yes": 0.75 } } }
baseline: base
comparisons:
  - { id: by-region, scenarios: ["*"], shares: [purchase.intent], means: [spend.last.month], by: region }
  - { id: by-age, scenarios: [members], shares: [purchase.intent], by: age.band }
`

let project: Project
let ran: Finished
let manifest: Manifest

beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.copy(trackerFile, 'tracker.csv')
  await project.write('divided.study.yaml', STUDY)
  ran = await project.whatif(['run', 'divided.study.yaml'])
  manifest = JSON.parse(await project.read('out/divided/manifest.json')) as Manifest
})
afterAll(() => project.remove())

it('differences inside regions have intervals from the seed’s own estimates there', () => {
  expect(ran.code).toBe(0)
  expect(manifestFaults(manifest)).toEqual([])
  const { members } = manifest.comparisons['by-region']!.scenarios
  const segments = members!.segments!
  expect(segments.map(({ level }) => level).sort()).toEqual(['East', 'Islands', 'North', 'South', 'West'])
  const whole = members!.shares['purchase.intent']!.Yes!
  for (const { rows, shares, means, no_estimates } of segments) {
    expect(no_estimates).toBeUndefined()
    expect(rows.against).toBeGreaterThan(0)
    for (const { basis, interval, standard_error } of [shares['purchase.intent']!.Yes!, means['spend.last.month']!]) {
      expect(basis).toBe('seed')
      if (interval === null || interval === undefined) continue
      expect(interval[0]).toBeLessThan(interval[1])
      expect(standard_error).toBeGreaterThan(0)
    }
    expect(shares['purchase.intent']!.Yes!.standard_error ?? Infinity).toBeGreaterThan(whole.standard_error!)
  }
  expect(segments.reduce((sum, { rows }) => sum + rows.scenario, 0)).toBe(2000)
})

it('a region that a scenario excludes has no difference, and the report says so', async () => {
  const { mainland } = manifest.comparisons['by-region']!.scenarios
  const islands = mainland!.segments!.find(({ level }) => level === 'Islands')!
  expect(islands).toMatchObject({ rows: { scenario: 0 }, shares: {}, means: {} })
  await project.whatif(['report', 'out/divided/manifest.json', '--md', 'report.md'])
  const text = await project.read('report.md')
  expect(text).toContain('### Shares of `purchase.intent` by `region`')
  expect(text).toContain('Without rows on one side: `Islands` in `mainland`.')
  expect(text).toMatch(/\| `members` \| `North` \| [\d,]+ → [\d,]+ \|/)
})

it('a declared band divides a comparison, in the order of the ages', async () => {
  const { members } = manifest.comparisons['by-age']!.scenarios
  expect(members!.segments!.map(({ level }) => level)).toEqual(['under 30', '30-44', '45-59', '60 and over'])
  await project.whatif(['report', 'out/divided/manifest.json', '--csv', 'report.csv'])
  const [head, ...lines] = (await project.read('report.csv')).trimEnd().split('\n')
  // Behind the byte order mark, by which Excel reads its letters.
  expect(head).toBe('\ufeffdataset,scenario,comparison,gate,column,level,figure,value,segment')
  const found = lines.filter((line) => line.startsWith(',members,by-age,,purchase.intent,Yes,share_delta,'))
  expect(found.map((line) => line.split(',').at(-1))).toEqual(['', 'under 30', '30-44', '45-59', '60 and over'])
})

it('a misspelt column is refused before anything is generated, with the right one', async () => {
  await project.write(
    'wrong.study.yaml',
    STUDY.replace('by: region', 'by: regoin').replace('name: divided', 'name: wrong'),
  )
  const { code, stderr } = await project.whatif(['run', 'wrong.study.yaml'])
  expect(code).toBe(4)
  expect(stderr).toContain('error S2102 column "regoin" does not exist after cleaning')
  expect(stderr).toContain('did you mean "region"?')
})

it('segments of a number are refused with the bands to declare', async () => {
  await project.write(
    'number.study.yaml',
    STUDY.replace('by: region', 'by: age').replace('name: divided', 'name: number'),
  )
  const { code, stderr } = await project.whatif(['run', 'number.study.yaml'])
  expect(code).toBe(4)
  expect(stderr).toContain('error S4308 column "age" is numeric and has no segments')
})
