import { describe, expect, it } from 'vitest'
import type { EstimateRequest } from '../../src/contract/estimates.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { estimated, estimatedInside } from './estimated-answer.ts'
import { STUDY } from './run-rig.ts'
import { type Interception, problem } from './service-double.ts'
import { double, rig, useRig } from './use-rig.ts'

const WHERE = { categorical: { region: ['North', 'South'] }, numeric: { age: { min: 20 } } }

const COMPARED = `${STUDY}baseline: base
comparisons:
  - id: lift
    scenarios: [more-yes]
    shares: [answer]
    where: { region: [South, North], age: { min: 20 } }
    expect: [{ scenario: more-yes, column: answer, level: "Yes", delta_min: -1, confidence: 0.95 }]
  - { id: all, scenarios: [more-yes], shares: [answer] }
`

useRig(COMPARED)

const of = async (id: string) => (await rig.manifest()).comparisons[id]!

describe('a comparison of some rows', () => {
  it('is asked for them, counted in them, and recorded with them', async () => {
    const asked: EstimateRequest[] = []
    double.estimates = (request) => {
      asked.push(request)
      return estimated(request, request.where ? { where: request.where } : {})
    }
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(asked.map(({ where }) => where)).toEqual([WHERE, undefined])
    expect(manifestFaults(await rig.manifest())).toEqual([])
    const [lift, all] = [await of('lift'), await of('all')]
    expect(lift.where).toEqual([
      { column: 'region', levels: ['South', 'North'] },
      { column: 'age', min: 20 },
    ])
    const { rows, shares } = lift.scenarios['more-yes']!
    expect(shares.answer?.Yes).toMatchObject({ basis: 'seed', answer: { difference: 0.05 } })
    const { scenarios } = await rig.manifest()
    expect(rows!.scenario).toBeGreaterThan(0)
    expect(rows!.scenario).toBeLessThan(scenarios['more-yes']!.rows.counted!)
    expect(all).not.toHaveProperty('where')
    expect(all.scenarios['more-yes']).not.toHaveProperty('rows')
    // The same outcome among other rows is another question.
    expect([lift.questions?.asked, all.questions?.asked]).toEqual([0, 0])
    // Unchanged, it asks nothing.
    const before = double.log.length
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(before)
  })

  it.each([
    ['ignores the rows', 'ignore', 'no_where_estimates'],
    ['says that it counted others', 'other', 'no_where_estimates'],
    ['refuses the question, as older versions do', 'refuse', 'estimates_refused'],
    ['has no such operation', 'none', 'no_estimates_operation'],
  ])('at a service that %s is counted in the rows, and has no interval', async (_, how, why) => {
    double.estimates = (request) =>
      estimated(request, how === 'other' && request.where ? { where: { categorical: { region: ['North'] } } } : {})
    if (how === 'refuse' || how === 'none')
      double.intercept = ({ path, body }) => {
        if (!path.endsWith('/estimates') || (how === 'refuse' && JSON.parse(String(body)).where === undefined)) return
        const [status, code] = how === 'none' ? [404, 'svc_not_found'] : [400, 'svc_invalid_field']
        return problem(status as 404, code as 'svc_not_found', 'no') as Interception
      }
    expect(await rig.run()).toMatchObject({ exitCode: 9 })
    const { rows, shares, no_estimates, effective_rows } = (await of('lift')).scenarios['more-yes']!
    expect(no_estimates).toBe(why)
    expect(effective_rows).toBeUndefined()
    expect(rows!.scenario).toBeGreaterThan(0)
    const { delta, interval, standard_error, answer } = shares.answer!.Yes!
    expect({ interval, standard_error, answer }).toEqual({ interval: null, standard_error: null, answer: undefined })
    expect(delta).not.toBeNull()
    const whole = (await of('all')).scenarios['more-yes']!.shares.answer!.Yes!
    expect(whole.interval).not.toBeNull()
  })

  it('is counted again in kept artifacts when its rows change, and nothing is generated', async () => {
    double.estimates = (request) => estimated(request, request.where ? { where: request.where } : {})
    await rig.run()
    const made = double.made('generations')
    const before = (await of('lift')).scenarios['more-yes']!.rows!.scenario
    await rig.write('demo.study.yaml', COMPARED.replace('[South, North]', '[North]'))
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(made)
    expect((await of('lift')).scenarios['more-yes']!.rows!.scenario).toBeLessThan(before)
  })

  it('has segments among its rows', async () => {
    double.estimates = (request) => ({
      ...estimatedInside(request, ['North', 'South']),
      ...(request.where && { where: request.where }),
    })
    await rig.write(
      'demo.study.yaml',
      COMPARED.replace('shares: [answer]\n    where', 'shares: [answer]\n    by: region\n    where'),
    )
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    const { rows, segments = [] } = (await of('lift')).scenarios['more-yes']!
    expect(segments.map(({ level }) => level)).toEqual(['North', 'South'])
    expect(segments.reduce((sum, segment) => sum + segment.rows.scenario, 0)).toBe(rows!.scenario)
  })
})
