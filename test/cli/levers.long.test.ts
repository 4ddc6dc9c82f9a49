import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EstimateRequest } from '../../src/contract/estimates.ts'
import type { SensitivityRecord } from '../../src/records/sensitivity.ts'
import type { SolutionRecord } from '../../src/records/solution.ts'
import { estimated } from '../runner/estimated-answer.ts'
import { type DoubleProject, makeDoubleProject } from './double-project.ts'
import { makeProject, type Project, shortTracker } from './project-folder.ts'

const published = (name: string) =>
  new Ajv({ strict: true, strictTypes: false }).compile(
    JSON.parse(readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8')),
  )
const isPublished = published('sensitivity.v1.json')
const isPublishedSolution = published('solution.v1.json')

describe('whatif sensitivity, over a service that is steered', () => {
  let test: DoubleProject
  beforeEach(async () => {
    test = await makeDoubleProject({ sharesProcess: true })
  })
  afterEach(() => test.remove())
  const whatif = (...args: string[]) => test.project.whatif(args, { env: { ...test.env, COLUMNS: '80' } })
  const sensitivity = (...args: string[]) => whatif('sensitivity', 'demo.study.yaml', ...args)
  const trained = async () => expect(await whatif('validate', 'demo.study.yaml')).toMatchObject({ code: 0 })

  it('asks for every lever in one request, and for each alone where the service does not know the field', async () => {
    const columns = [
      { name: 'answer', type: 'categorical', levels: ['Yes', 'No'], level_shares: [0.5, 0.5] },
      { name: 'region', type: 'categorical', levels: ['North', 'South', 'West'], level_shares: [0.5, 0.3, null] },
      { name: 'member', type: 'categorical', levels: ['No', 'Yes'], level_shares: [0.95, 0.05] },
      { name: 'age', type: 'numeric', min: 18, max: 90, quantiles: { q50: 40 } },
      { name: 'income', type: 'numeric', min: 0, max: 9000 },
    ]
    test.double.intercept = ({ path }) =>
      path.endsWith('/schema') ? { status: 200, json: { schema: columns } } : undefined
    await trained()
    const asked: EstimateRequest[] = []
    const answer = (request: EstimateRequest, knowsFurther: boolean): object => {
      asked.push(request)
      return estimated(request, knowsFurther ? { further: request.further?.map(() => estimated(request)) } : {})
    }
    test.double.estimates = (request) => answer(request, true)
    const atOnce = await sensitivity('--outcome', 'answer.Yes')
    expect(asked).toHaveLength(1)
    const further = asked[0]?.further ?? []
    // Of two levels the rarer one; none whose share is unknown; of a number those above the median against the others.
    expect(further).toEqual([
      { scenario: { categorical: { region: { North: 0.6 } } }, baseline: {} },
      { scenario: { categorical: { region: { South: 0.4 } } }, baseline: {} },
      { scenario: { categorical: { member: { Yes: 0.15 } } }, baseline: {} },
      {
        scenario: { numeric: { age: { min: expect.closeTo(40, 9), max: 90 } } },
        baseline: { numeric: { age: { min: 18, max: 40 } } },
      },
    ])
    expect(atOnce.stdout).toMatch(/^age above median +\+10\.0 points +\+0\.50 /m)
    expect(atOnce.stdout).toContain('not moved: income (the service does not tell its median)')
    asked.length = 0
    test.double.estimates = (request) => answer(request, false)
    const alone = await sensitivity('--outcome', 'answer.Yes')
    expect(alone).toEqual(atOnce)
    expect(alone.code).toBe(0)
    // One request in vain, then one for the figure and one for each lever.
    expect(asked).toHaveLength(2 + further.length)
    expect(test.double.made('generations')).toBe(0)
  })

  it('ends as plan --estimates does where nothing is known', async () => {
    expect(await sensitivity('--outcome', 'answer.Yes')).toMatchObject({
      code: 4,
      stderr: 'error: not known: the dataset panel is not trained\nwhatif validate trains it and bills nothing.\n',
    })
    await trained()
    expect(await sensitivity('--outcome', 'answer.Yes')).toMatchObject({
      code: 4,
      stderr: 'error: not known: the service does not estimate differences from the seed\n',
    })
    test.double.estimates = (request) => estimated(request)
    expect(await sensitivity('--outcome', 'answer.Yess')).toMatchObject({
      code: 4,
      stderr: 'error: --outcome answer.Yess: answer has no such figure; did you mean answer.Yes?\n',
    })
    expect(await sensitivity('--outcome', 'answer.Yes', '--of', 'other')).toMatchObject({
      code: 2,
      stderr: 'error: the study has no dataset other\nName one with --of: panel\n',
    })
  })
})

describe('whatif sensitivity, on the data of the example', () => {
  let project: Project
  let rows: Record<string, string>[]
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    const csv = shortTracker()
    await project.write('tracker.csv', csv)
    await project.write(
      'coffee.study.yaml',
      'version: 1\nname: coffee\ndatasets: { tracker: { file: tracker.csv } }\nscenarios:\n  now: { rows: 100, seed: 1 }\n  young: { rows: 100, seed: 1, ranges: { age: { max: 40 } }, shares: { loyalty.member: { "Yes": 0.6 } } }\n',
    )
    const [head = '', ...lines] = csv.trimEnd().split('\n')
    const names = head.split(',').map((name) => name.replaceAll('_', '.'))
    rows = lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i]!, value])))
    expect(await project.whatif(['validate', 'coffee.study.yaml'])).toMatchObject({ code: 0 })
  })
  afterAll(() => project.remove())

  const rate = (some: readonly Record<string, string>[]): number =>
    some.filter((row) => row['purchase.intent'] === 'Yes').length / some.length

  it('moves shares and numbers as arithmetic on the rows does, and tells it as the published schema says', async () => {
    const args = ['sensitivity', 'coffee.study.yaml', '--outcome', 'purchase.intent.Yes', '--json']
    const { code, stdout } = await project.whatif(args)
    expect(code).toBe(0)
    const data: SensitivityRecord = JSON.parse(stdout).data
    expect(isPublished(data), JSON.stringify(isPublished.errors)).toBe(true)
    expect(data.figure).toEqual({ column: 'purchase.intent', level: 'Yes', value: expect.closeTo(rate(rows), 6) })
    const leverOf = (column: string) => data.levers.find((lever) => lever.column === column)

    const [members, others] = [true, false].map((isMember) =>
      rows.filter((row) => (row['loyalty.member'] === 'Yes') === isMember),
    ) as [typeof rows, typeof rows]
    const member = leverOf('loyalty.member')
    expect(member).toMatchObject({ level: 'Yes', moved: 0.1, support: 'ok' })
    const natural = members.length / rows.length
    expect(member?.from).toBeCloseTo(natural, 3)
    expect(member?.difference).toBeCloseTo(((member?.to ?? 0) - natural) * (rate(members) - rate(others)), 6)

    const age = leverOf('age')
    const [above, below] = [true, false].map((isAbove) =>
      rows.filter(({ age: value }) => value !== '' && Number(value) > (age?.split ?? 0) === isAbove),
    ) as [typeof rows, typeof rows]
    expect(age?.difference).toBeCloseTo(0.1 * (rate(above) - rate(below)), 6)
    expect(data.not_moved).toEqual([{ column: 'last.visit', why: 'dates are not moved' }])

    // The strongest of those beyond chance first.
    const beyond = data.levers.filter((lever) => lever.beyond_chance)
    expect(data.levers.slice(0, beyond.length)).toEqual(beyond)
    const sizes = beyond.map(({ difference = 0 }) => Math.abs(difference))
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    expect(data.questions).toEqual({ asked: data.levers.length, beyond_chance: beyond.length })
  })

  it('draws it in 80 columns: what falls to the left, what rises to the right', async () => {
    const args = ['sensitivity', 'coffee.study.yaml', '--outcome', 'purchase.intent.Yes']
    const { code, stdout } = await project.whatif(args, { env: { COLUMNS: '80' } })
    expect(code).toBe(0)
    const lines = stdout.split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(lines[0]).toBe(`purchase.intent Yes in tracker: ${(100 * rate(rows)).toFixed(1)} % in the data as they are`)
    expect(stdout).toMatch(/^satisfaction 5 +\d+\.\d → \d+\.\d % +\+\d\.\d+ +\d\.\d+ to \d\.\d+ +│█+$/m)
    expect(stdout).toMatch(/^satisfaction 2 +.* -\d\.\d+ +-\d\.\d+ to -\d\.\d+ +█+│$/m)
    expect(stdout).toMatch(/^\d+ more levers with smaller differences; --all shows them$/m)
    const all = await project.whatif([...args, '--all'])
    expect(all.stdout).not.toContain('more lever')
  })

  const solve = (...args: string[]) =>
    project.whatif(['solve', 'coffee.study.yaml', ...args], { env: { COLUMNS: '80' } })
  const MEMBERS = ['--lever', 'shares.loyalty.member.Yes', '--outcome', 'purchase.intent.Yes'] as const

  it('is asked backwards: the share that moves the figure by so much, as arithmetic on the rows gives it', async () => {
    const { code, stdout } = await solve('now', ...MEMBERS, '--by', '+0.05', '--json')
    expect(code).toBe(0)
    const data: SolutionRecord = JSON.parse(stdout).data
    expect(isPublishedSolution(data), JSON.stringify(isPublishedSolution.errors)).toBe(true)
    const [members, others] = [true, false].map((isMember) =>
      rows.filter((row) => (row['loyalty.member'] === 'Yes') === isMember),
    ) as [typeof rows, typeof rows]
    const natural = members.length / rows.length
    const slope = rate(members) - rate(others)
    expect(data.lever).toEqual({ column: 'loyalty.member', level: 'Yes', value: expect.closeTo(natural, 6) })
    expect(data.solution?.value).toBeCloseTo(natural + 0.05 / slope, 4)
    expect(data.solution?.low).toBeLessThan(data.solution!.value)
    expect(data.solution?.high).toBeGreaterThan(data.solution!.value)
    const { below = 1, above = 0 } = data.leaves_chance
    expect([below < natural, above > natural]).toEqual([true, true])
    // Nobody has the share of today for certain: the difference leaves chance beyond its own error.
    expect(above - natural).toBeGreaterThan(Math.sqrt((natural * (1 - natural)) / rows.length))
    expect(data.curve.map(({ value }) => value)).toEqual(Array.from({ length: 11 }, (_, i) => i / 10))
  })

  it('is asked backwards within a scenario, whose other conditions stay', async () => {
    const { stdout } = await solve('young', ...MEMBERS, '--by', '-0.02')
    const lines = stdout.split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(lines[0]).toMatch(/^scenario young: purchase\.intent Yes \d+\.\d+ %, loyalty\.member Yes 60\.0 %$/)
    expect(stdout).toMatch(/^-2 points at loyalty\.member Yes [45]\d\.\d % \(95 % interval .* to .*\)/m)
    expect(stdout).toMatch(/^ +60\.0 % +.* \+?-?0\.0+ points +/m)
  })

  it('says what is out of reach, and what cannot be asked', async () => {
    expect((await solve('now', ...MEMBERS, '--by', '+0.9')).stdout).toMatch(
      /^\+90 points is out of reach: loyalty\.member Yes moves it by \+\d+\.\d points at most,\nat 100\.0 %$/m,
    )
    const refusal = async (...args: string[]) => {
      const { code, stderr } = await solve(...args)
      return [code, stderr]
    }
    expect(await refusal('nw', ...MEMBERS, '--by', '0.1')).toEqual([
      2,
      'error: the study has no scenario nw\nDid you mean now?\n',
    ])
    expect(await refusal('now', '--lever', 'age', '--outcome', 'purchase.intent.Yes', '--by', '0.1')).toEqual([
      2,
      'error: --lever age: a number has no share that could be moved\nName a level.\n',
    ])
    expect((await refusal('now', ...MEMBERS, '--by', '0'))[0]).toBe(2)
  })
})
