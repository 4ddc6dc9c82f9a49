import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { estimated, estimatedInside } from '../runner/estimated-answer.ts'
import { problem } from '../runner/service-double.ts'
import { DEMO_STUDY, type DoubleProject, makeDoubleProject } from './double-project.ts'

const schema = (name: string) =>
  new Ajv({ strict: true, strictTypes: false }).compile(
    JSON.parse(readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8')),
  )
const isPublished = schema('plan-estimates.v1.json')
const isPublishedRows = schema('plan-feasible-rows.v1.json')

const COMPARED = `${DEMO_STUDY}baseline: base
comparisons:
  - { id: lift, scenarios: [more-yes, young], shares: [answer], means: [age] }
`

const BY_ANSWER = COMPARED.replace('shares: [answer], means: [age]', 'means: [age], by: answer')

let test: DoubleProject
beforeEach(async () => {
  test = await makeDoubleProject({ sharesProcess: true })
  await test.project.write('demo.study.yaml', COMPARED)
})
afterEach(() => test.remove())

const whatif = (...args: string[]) => test.project.whatif(args, { env: test.env })
const plan = (...args: string[]) => whatif('plan', 'demo.study.yaml', '--estimates', ...args)
const trained = async () => expect(await whatif('validate', 'demo.study.yaml')).toMatchObject({ code: 0 })
/** The printed lines about comparisons. */
const expected = (stdout: string) => stdout.slice(stdout.indexOf('\ncomparison '))

describe('whatif plan --estimates', () => {
  it('shows the answers of each comparison in the words of the run to come, in 80 columns', async () => {
    await trained()
    test.double.estimates = (request) => estimated(request)
    const { code, stdout, stderr } = await plan()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    // 0.05 ± 1.959964 · 0.02, 2 ± 1.959964 · 0.5
    expect(expected(stdout)).toBe(`
comparison lift, against base: expected differences
                        From → to   Difference  95 % interval
  more-yes
    answer No     50.0 % → 55.0 %  +5.0 points     1.1 to 8.9
    answer North  50.0 % → 55.0 %  +5.0 points     1.1 to 8.9
    answer Yes    50.0 % → 55.0 %  +5.0 points     1.1 to 8.9
    age mean          40.0 → 42.0         +2.0     1.0 to 3.0
  young
    answer No     50.0 % → 55.0 %  +5.0 points     1.1 to 8.9
    answer North  50.0 % → 55.0 %  +5.0 points     1.1 to 8.9
    answer Yes    50.0 % → 55.0 %  +5.0 points     1.1 to 8.9
    age mean          40.0 → 42.0         +2.0     1.0 to 3.0

The expected differences are the answers that the run will give: those of the
seed, reweighted to both scenarios. They do not depend on the number of rows.
Differences of shares are in points, those of dates in days, those of other
means in the unit of their column.
`)
    expect(test.double.made('generations')).toBe(0)
  })

  it('has them in --json too, as the published schema says', async () => {
    await trained()
    test.double.estimates = (request) => estimated(request)
    const { code, stdout } = await plan('--json')
    expect(code).toBe(0)
    const { estimates } = JSON.parse(stdout).data
    expect(isPublished(estimates), JSON.stringify(isPublished.errors)).toBe(true)
    expect(estimates.lift.scenarios.young).toMatchObject({
      rows: { scenario: 100, against: 100 },
      effective_rows: { scenario: 100, against: 100 },
      shares: { answer: { Yes: { delta: 0.05, standard_error: 0.02, support: 'ok' } } },
    })
  })

  it('shows the answers in segments, and names those of which nothing is known', async () => {
    await test.project.write('demo.study.yaml', BY_ANSWER)
    await trained()
    const nobody = { status: 'too_few_rows', low_support: true }
    const outcomes = [{ column: 'age', statistic: 'mean' }]
    test.double.estimates = (request) => {
      const answer = estimatedInside(request, ['North', 'Yes']) as { readonly segments?: object[] }
      const few = { level: 'No', status: 'too_few_rows', scenario: nobody, baseline: nobody, outcomes }
      return { ...answer, ...(answer.segments && { segments: [...answer.segments, few] }) }
    }
    const { stdout } = await plan()
    expect(expected(stdout)).toContain(`
  in segments of answer
                From → to  Difference  95 % interval
  more-yes, North
    age mean  40.0 → 42.0        +2.0     1.0 to 3.0
  more-yes, Yes
    age mean  40.0 → 42.0        +2.0     1.0 to 3.0
`)
    expect(expected(stdout)).toContain('  not known of No: no rows of the seed, or too few\n')
    const { estimates } = JSON.parse((await plan('--json')).stdout).data
    expect(isPublished(estimates), JSON.stringify(isPublished.errors)).toBe(true)
    expect(estimates.lift.by).toBe('answer')
    expect(estimates.lift.scenarios.young.segments).toMatchObject([
      { level: 'North', means: { age: { delta: 2 } } },
      { level: 'Yes', means: { age: { delta: 2 } } },
      { level: 'No', means: {} },
    ])
  })

  it('has the answers of all rows where the service does not know segments', async () => {
    await test.project.write('demo.study.yaml', BY_ANSWER)
    await trained()
    test.double.estimates = ({ by: _, ...request }) => estimated(request)
    const { stdout } = await plan()
    expect(expected(stdout)).toContain('age mean  40.0 → 42.0')
    expect(expected(stdout)).toContain(
      '  in segments of answer\n  not known: the service does not estimate differences inside segments\n',
    )
    const { estimates } = JSON.parse((await plan('--json')).stdout).data
    expect(isPublished(estimates), JSON.stringify(isPublished.errors)).toBe(true)
  })

  it('says before the order which scenarios cannot have all their rows, and why', async () => {
    await trained()
    const detail = 'The rows are to be 0.7 Yes; 2 of 4,903 seed rows are.'
    test.double.estimates = (request) => {
      if (request.rows === undefined) return estimated(request)
      const isShort = request.scenario.categorical?.answer?.Yes === 0.7
      const shortfall = { detail, binding: [{ column: 'answer', level: 'Yes', target: 0.7, seed_rows: 2 }] }
      return estimated(request, isShort ? { feasible_rows: 66, shortfall } : { feasible_rows: request.rows })
    }
    const { code, stdout } = await plan()
    expect(code).toBe(0)
    expect(stdout).toContain(`
feasible rows: fewer than asked for
  scenario more-yes: at most 66 of 100 rows; The rows are to be 0.7 Yes; 2 of
  4,903 seed rows are.
`)
    const rows = JSON.parse((await plan('--json')).stdout).data.feasible_rows
    expect(isPublishedRows(rows), JSON.stringify(isPublishedRows.errors)).toBe(true)
    // The baseline has no conditions: nothing limits it, and nobody asks.
    expect(rows).toEqual({
      'more-yes': { requested: 100, feasible: 66, detail },
      young: { requested: 100, feasible: 100 },
    })
    expect(test.double.made('generations')).toBe(0)
  })

  it('says so when all of them can', async () => {
    await trained()
    test.double.estimates = (request) => estimated(request, { feasible_rows: request.rows })
    expect((await plan()).stdout).toContain('\nfeasible rows: all that the scenarios with conditions ask for\n')
  })

  it('is silent about rows if the service does not know the question, and asks it once', async () => {
    await trained()
    let asked = 0
    test.double.estimates = (request) => {
      if (request.rows !== undefined) asked++
      return estimated(request)
    }
    const { stdout } = await plan()
    expect(stdout).not.toContain('feasible rows')
    expect(stdout).toContain('comparison lift, against base')
    expect(asked).toBe(1)
  })

  it('asks once about a scenario with replicates, and expects the rows of all of them', async () => {
    await test.project.write('demo.study.yaml', COMPARED.replace('young: {', 'young: { replicates: 4,'))
    await trained()
    let asked = 0
    test.double.estimates = (request) => {
      if (request.rows === undefined) asked++
      return estimated(request)
    }
    const { code, stdout } = await plan('--json')
    expect(code).toBe(0)
    const { lift } = JSON.parse(stdout).data.estimates
    expect(asked).toBe(2)
    expect(Object.keys(lift.scenarios)).toEqual(['more-yes', 'young'])
    expect(lift.scenarios.young.rows).toEqual({ scenario: 400, against: 100 })
  })

  it('says that a dataset is not trained, and asks the service nothing', async () => {
    const { code, stdout } = await plan()
    expect(code).toBe(0)
    expect(expected(stdout)).toBe(`
comparison lift, against base: expected differences
  not known: the dataset is not trained; whatif validate trains it and bills
  nothing
`)
    expect(test.double.log).toEqual([])
    const { estimates } = JSON.parse((await plan('--json')).stdout).data
    expect(isPublished(estimates)).toBe(true)
    expect(estimates.lift.scenarios.young).toMatchObject({ no_estimates: 'not_trained' })
  })

  it.each([
    ['has no such operation', () => undefined, 'the service does not estimate differences from the seed'],
    [
      'refuses',
      ({ path }: { path: string }) =>
        path.endsWith('/estimates') ? { status: 400, json: { ...problem(400, null, 'no').json } } : undefined,
      'the service refused to estimate them',
    ],
    [
      'has lost the dataset',
      ({ path }: { path: string }) => (/datasets\/ds/.test(path) ? { status: 404, json: {} } : undefined),
      'the dataset is no longer at the service',
    ],
  ])('still prints the plan when the service %s', async (_, intercept, why) => {
    await trained()
    test.double.intercept = intercept
    const { code, stdout } = await plan()
    expect(code).toBe(0)
    expect(expected(stdout)).toBe(`\ncomparison lift, against base: expected differences\n  not known: ${why}\n`)
  })

  it('exits as without it when the service refuses the credentials', async () => {
    await trained()
    test.double.intercept = ({ path }) => (path === '/oauth/token' ? { status: 401, json: {} } : undefined)
    const { code, stdout } = await plan('--detailed-exitcode')
    expect(code).toBe(20)
    expect(expected(stdout)).toContain('not known: the service gave no answer')
  })

  it('reports it when a study has no comparison of the selected scenarios', async () => {
    const { code, stdout } = await plan('--select', 'base')
    expect(code).toBe(0)
    expect(stdout).toMatch(/\nexpected differences: none, because no comparison has selected scenarios\n$/)
  })
})

describe('a run that is killed after its rows and before the estimates of the seed', () => {
  it('continues: nothing is generated again, and the intervals are printed', async () => {
    const asked = new Promise<void>((resolve) => {
      test.double.intercept = ({ path }) => {
        if (!path.endsWith('/estimates')) return undefined
        resolve()
        return new Promise<undefined>(() => {})
      }
    })
    const run = test.project.start(['run', 'demo.study.yaml', '--yes'], { env: test.env })
    await asked
    run.kill('SIGKILL')
    expect(await run.finished).toMatchObject({ signal: 'SIGKILL' })
    test.double.intercept = () => undefined
    test.double.estimates = (request) => estimated(request)
    const { code, stderr } = await whatif('run', 'demo.study.yaml', '--yes')
    expect(code).toBe(0)
    expect(test.double.made('generations')).toBe(3)
    expect(stderr).toContain('intervals rest on: the seed, reweighted to both scenarios')
    for (const line of stderr.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
    const manifest = JSON.parse(await test.project.read('out/demo/manifest.json')) as Manifest
    expect(manifest.comparisons.lift?.scenarios.young?.shares.answer?.Yes).toMatchObject({ basis: 'seed' })
  })
})
