/** Comparisons of data that no longer have what the study names: the file of the next month. */

import { describe, expect, it } from 'vitest'
import { runSummary } from '../../src/cli/output/run-summary.ts'
import type { EstimateRequest } from '../../src/contract/estimates.ts'
import { reportMarkdown } from '../../src/report/report-markdown.ts'
import { foreseeDifferences } from '../../src/runner/estimates/foresee-differences.ts'
import { lockStudy } from '../../src/runner/lock-study.ts'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { estimated } from './estimated-answer.ts'
import { SEED_CSV, STUDY } from './run-rig.ts'
import { problem } from './service-double.ts'
import { double, rig, useRig } from './use-rig.ts'

const COMPARED = `${STUDY.replace(/ {2}(more-yes|young):.*\n/g, '')}  north: { shares: { region: { North: 0.4 } } }
policy: { drift: warn }
baseline: base
comparisons:
  - id: lift
    scenarios: [north]
    shares: [region, answer]
    means: [age]
    expect:
      - { scenario: north, column: answer, level: "Yes", delta_min: -0.5, delta_max: 0.5 }
`

useRig(COMPARED)

const asked: EstimateRequest[] = []

/** A service that refuses, as ours does, a request that names what the dataset does not have. */
function estimates(columns: readonly string[]) {
  asked.length = 0
  double.estimates = (request) => {
    asked.push(request)
    return estimated(request)
  }
  double.intercept = ({ path, body }) => {
    if (!path.endsWith('/estimates')) return undefined
    const { outcomes, by } = JSON.parse(body.toString('utf8')) as EstimateRequest
    const isKnown = [...outcomes.map(({ column }) => column), ...(by === undefined ? [] : [by])].every((column) =>
      columns.includes(column),
    )
    return isKnown ? undefined : problem(422, 'svc_unknown_column', 'no such column')
  }
}

/** Runs the study on the first file, locks it, and puts the next one in its place. */
async function nextMonth(study: string, seed: string): Promise<void> {
  await rig.write('demo.study.yaml', study)
  await lockStudy(await rig.request(), rig.environment(), {
    check: false,
    hashLevels: false,
    newSalt: () => '5'.repeat(32),
  })
  await rig.write('seeds/panel.csv', seed)
}

const lift = async () => (await rig.manifest()).comparisons.lift!

describe('a comparison whose column is gone', () => {
  const seed = SEED_CSV.replace('answer,age', 'answer,years')

  it('keeps the answers of the others, and names the column in the record and in the summary', async () => {
    await nextMonth(COMPARED, seed)
    estimates(['region', 'answer', 'years'])
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(asked.map(({ outcomes }) => outcomes.map(({ column }) => column))).toEqual([['region', 'answer']])
    const { not_compared: absent, scenarios } = await lift()
    expect(absent).toEqual([{ column: 'age', as: 'means' }])
    expect(scenarios.north).toMatchObject({
      shares: { answer: { Yes: { basis: 'seed', answer: { difference: 0.05 } } } },
      means: { age: { delta: null } },
    })
    expect(scenarios.north?.no_estimates).toBeUndefined()
    const manifest = await rig.manifest()
    expect(manifestFaults(manifest)).toEqual([])
    const words = 'not compared, because the data do not have it: '
    expect(runSummary(manifest, { manifestPath: 'm', width: 200, service: 'embedded' })).toContain(`${words}age mean`)
    expect(reportMarkdown({ manifest, digest: 'd' })).toContain(`N${words.slice(1)}\`age mean\``)
  })

  it('asks nothing if nothing else is compared, and says so', async () => {
    await nextMonth(COMPARED.replace(/ {4}(shares: \[region|expect).*\n/g, '').replace(/ {6}- .*\n/, ''), seed)
    estimates(['region', 'answer', 'years'])
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(asked).toEqual([])
    expect((await lift()).scenarios.north?.no_estimates).toBe('estimates_not_asked')
  })

  it('asks nothing about segments of a column that is gone', async () => {
    const byRegion = COMPARED.replace('means: [age]', 'means: [age]\n    by: region')
      .replace(/ {2}north:.*\n/, '  north: { shares: { answer: { "Yes": 0.4 } } }\n')
      .replace('[region, answer]', '[answer]')
    await nextMonth(byRegion, SEED_CSV.replace('region,', 'area,'))
    estimates(['answer', 'age'])
    await rig.run()
    expect(asked.map(({ by }) => by)).toEqual([undefined])
    const { not_compared: absent, scenarios } = await lift()
    expect(absent).toEqual([{ column: 'region', as: 'segments' }])
    expect(scenarios.north).toMatchObject({ means: { age: { answer: { difference: 2 } } } })
  })

  it('is left out of the expected differences as well', async () => {
    await nextMonth(COMPARED, seed)
    estimates(['region', 'answer', 'years'])
    await rig.run()
    asked.length = 0
    const request = await rig.request()
    const { plan, facts } = await planFromDisk(request, rig.environment())
    const client = await rig.environment().client()
    const call = { signal: new AbortController().signal, deadlineMs: rig.clock.now() + 60_000 }
    const found = await foreseeDifferences(request.study, plan, { open: async () => client, call, facts })
    await client.close()
    expect(asked).toHaveLength(1)
    expect(found.lift?.scenarios.north).toMatchObject({ means: {}, shares: { answer: { Yes: { delta: 0.05 } } } })
  })
})

describe('a gate on a level', () => {
  it('that is gone has nothing to evaluate and fails the run, though the figures of 0 would pass', async () => {
    await nextMonth(COMPARED, SEED_CSV.replaceAll('Yes', 'Y'))
    estimates(['region', 'answer', 'age'])
    expect(await rig.run()).toMatchObject({ exitCode: 9, reason: 'gates_failed' })
    const { gates, not_compared: absent } = await lift()
    expect(gates).toMatchObject([{ id: 'delta:north:answer:Yes', evaluated: 0, passed: false, actual: null }])
    expect(absent).toEqual([{ column: 'answer', level: 'Yes', as: 'shares' }])
  })

  it('that the data still have is evaluated, whatever else has changed', async () => {
    await nextMonth(COMPARED, SEED_CSV.replaceAll('West', 'Centre'))
    estimates(['region', 'answer', 'age'])
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    const { gates, not_compared: absent } = await lift()
    expect(gates).toMatchObject([{ evaluated: 1, passed: true, actual: 0.05 }])
    expect(absent).toBeUndefined()
  })

  it('has nothing to evaluate in rows of which a level under where is gone, as if they were the rest of them', async () => {
    const where = COMPARED.replace('    means: [age]\n', '    means: [age]\n    where: { region: [West, South] }\n')
    await nextMonth(where, SEED_CSV.replaceAll('West', 'Centre'))
    estimates(['region', 'answer', 'age'])
    expect(await rig.run()).toMatchObject({ exitCode: 9, reason: 'gates_failed' })
    const { gates, not_compared: absent, scenarios } = await lift()
    expect(gates).toMatchObject([{ evaluated: 0, passed: false, actual: null }])
    expect(absent).toContainEqual({ column: 'region', level: 'West', as: 'where' })
    expect(scenarios.north?.means).toMatchObject({ age: { delta: null } })
  })

  it('is evaluated in rows of which all levels under where are there', async () => {
    const where = COMPARED.replace('    means: [age]\n', '    means: [age]\n    where: { region: [North, South] }\n')
    await nextMonth(where, SEED_CSV.replaceAll('West', 'Centre'))
    estimates(['region', 'answer', 'age'])
    await rig.run()
    expect((await lift()).gates).toMatchObject([{ evaluated: 1 }])
  })
})
