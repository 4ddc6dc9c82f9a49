import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SensitivityRecord } from '../../src/records/sensitivity.ts'
import type { SolutionRecord } from '../../src/records/solution.ts'
import { makeProject, type Project, shortTracker } from './project-folder.ts'

const published = (name: string) =>
  new Ajv({ strict: true, strictTypes: false }).compile(
    JSON.parse(readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8')),
  )
interface ExpectedFigure {
  readonly delta: number
  readonly interval: readonly [number, number]
}
/** A scenario of a comparison, as the plan expects it. */
interface Expected {
  readonly shares: Readonly<Record<string, Readonly<Record<string, ExpectedFigure>>>>
  readonly means: Readonly<Record<string, ExpectedFigure>>
  readonly quantiles: Readonly<Record<string, Readonly<Record<string, ExpectedFigure>>>>
}

const isPublished = published('sensitivity.v1.json')
const isPublishedSolution = published('solution.v1.json')

/** `share`: of members, in the scenario that plans are asked about. */
const studyWith = (share: number): string => `version: 1
name: coffee
datasets: { tracker: { file: tracker.csv } }
scenarios:
  now: { rows: 100, seed: 1 }
  moved: { rows: 100, seed: 1, shares: { loyalty.member: { "Yes": ${share} } } }
comparisons:
  - id: some
    against: now
    scenarios: [moved]
    shares: [purchase.intent]
    means: [spend.last.month]
    quantiles: { spend.last.month: [0.5, 0.9] }
    where: { region: [North, South], age: { min: 25, max: 60 } }
`

const WHERE = ['--where', 'region=North', '--where', 'region=South', '--where', 'age=25..60']
const TOLD = [
  { column: 'region', levels: ['North', 'South'] },
  { column: 'age', min: 25, max: 60 },
]

describe('levers of a figure in some rows, and of quantiles', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('tracker.csv', shortTracker())
    await project.write('coffee.study.yaml', studyWith(0.5))
    expect(await project.whatif(['validate', 'coffee.study.yaml'])).toMatchObject({ code: 0 })
  })
  afterAll(() => project.remove())

  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await project.whatif([...args, '--json'])
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout).data
  }
  /** What the plan expects of the comparison, with the share of members. */
  const planned = async (share: number): Promise<Expected> => {
    await project.write('coffee.study.yaml', studyWith(share))
    return (await json('plan', 'coffee.study.yaml', '--estimates')).estimates.some.scenarios.moved
  }

  it.each([
    ['purchase.intent.Yes', {}, (of: Expected) => of.shares['purchase.intent']?.Yes],
    ['spend.last.month', {}, (of: Expected) => of.means['spend.last.month']],
    ['quantiles.spend.last.month.0.5', { quantile: 0.5 }, (of: Expected) => of.quantiles['spend.last.month']?.['0.5']],
    ['quantiles.spend.last.month.0.9', { quantile: 0.9 }, (of: Expected) => of.quantiles['spend.last.month']?.['0.9']],
  ])('are those of plan --estimates: %s', async (outcome, figure, of) => {
    const asked = ['--outcome', outcome, ...WHERE]
    const found: SensitivityRecord = await json('sensitivity', 'coffee.study.yaml', ...asked)
    expect(isPublished(found), JSON.stringify(isPublished.errors)).toBe(true)
    expect(found).toMatchObject({ figure, where: TOLD })
    const member = found.levers.find(({ column }) => column === 'loyalty.member')!
    const moved = of(await planned(member.to!))!
    expect(member.difference).toBe(moved.delta)
    expect(member.interval).toEqual(moved.interval)
    expect(found.not_moved).toContainEqual({
      column: 'visits.last.month',
      why: 'numbers move shares and means of all rows alone',
    })

    const solve = ['solve', 'coffee.study.yaml', 'now', '--lever', 'loyalty.member.Yes', '--by', '0.01']
    const solution: SolutionRecord = await json(...solve, ...asked)
    expect(isPublishedSolution(solution), JSON.stringify(isPublishedSolution.errors)).toBe(true)
    expect(solution).toMatchObject({ figure, where: TOLD })
    // The lever is the share among all rows.
    expect(solution.lever.value).toBeCloseTo(member.from!, 3)
    const half = of(await planned(0.5))!
    expect(solution.curve.find(({ value }) => value === 0.5)).toMatchObject({
      difference: half.delta,
      interval: half.interval,
    })
  })

  it('name the figure and its rows', async () => {
    const args = ['--outcome', 'quantiles.spend.last.month.0.5', '--where', 'region=North']
    const { stdout } = await project.whatif(['sensitivity', 'coffee.study.yaml', ...args])
    expect(stdout).toMatch(/^spend\.last\.month median in tracker of rows with region North: \d/)
    const solve = ['solve', 'coffee.study.yaml', 'now', '--lever', 'loyalty.member.Yes', '--by', '1', ...args]
    expect((await project.whatif(solve)).stdout).toMatch(
      /^scenario now: spend\.last\.month median of rows with region North \d/,
    )
  })

  it.each([
    [4, '--outcome', 'quantiles.spend.last.mont.0.5', 'did you mean quantiles.spend.last.month.0.5?'],
    [4, '--outcome', 'quantiles.region.0.5', 'the dataset has no number of this name'],
    [4, '--outcome', 'quantiles.age.1.5', 'age.1.5: 1.5 is no share of the rows; expected 0.01 to 0.99'],
    [4, '--outcome', 'quantiles.age', 'expected one of a number, such as quantiles.age.0.5 for the median'],
    [4, '--where', 'regio=North', 'the dataset has no column of this name\nDid you mean region?'],
    [4, '--where', 'region=Nort', 'the column has no such level\nDid you mean North?'],
    [4, '--where', 'last.visit=2020..2021', 'last.visit has dates'],
    [2, '--where', 'region', 'expected COLUMN=LEVEL, such as region=North'],
    [2, '--where', 'age=young', 'expected COLUMN=LEVEL'],
    [2, '--where', 'age=..', 'expected COLUMN=LEVEL'],
    [2, '--where', 'age=60..18', '60 is above 18'],
  ])('exit with %i for %s %s', async (code, option, text, message) => {
    const others = option === '--outcome' ? [] : ['--outcome', 'purchase.intent.Yes']
    const found = await project.whatif(['sensitivity', 'coffee.study.yaml', option, text, ...others])
    expect(found.code).toBe(code)
    expect(found.stderr).toContain(message)
  })
})
