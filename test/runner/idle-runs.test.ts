import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { RunInterruptedError } from '../../src/runner/interface/exit-code.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { type RunChange, STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig()

/** One scenario changed: the run must call the service, and the others are up to date. */
const changeOne = () => rig.write('demo.study.yaml', STUDY.replace('Yes: 0.7', 'Yes: 0.8'))

/** A run that is interrupted as soon as it asks the service for anything but a token. */
async function interruptedRun(change: RunChange = {}) {
  const controller = new AbortController()
  double.intercept = ({ path }) => {
    if (path.startsWith('/v1/')) controller.abort(new RunInterruptedError('SIGINT'))
    return undefined
  }
  const result = await rig.run({ ...change, env: { ...change.env, signal: controller.signal } })
  double.intercept = () => undefined
  return result
}

const manifestText = () => rig.read('out/demo/manifest.json')
const recordOf = async (id: string) => JSON.parse(await rig.read(`out/demo/runs/${id}.json`)) as Manifest
const statuses = (manifest: Manifest) =>
  Object.fromEntries(Object.entries(manifest.scenarios).map(([id, { status }]) => [id, status]))

describe('a run that is interrupted before anything is generated', () => {
  it('leaves the manifest of the previous run, and lists existing and missing results in its own record', async () => {
    await rig.run()
    const before = await manifestText()
    await changeOne()
    const result = await interruptedRun()
    expect(result).toMatchObject({ exitCode: 130, reason: 'interrupted', keepsLast: true, digest: null })
    expect(await manifestText()).toBe(before)
    const record = await recordOf(result.manifest.run.id)
    expect(result.manifestPath).toBe(join(rig.root, `out/demo/runs/${record.run.id}.json`))
    expect(manifestFaults(record)).toEqual([])
    expect(record).toMatchObject({ status: 'interrupted', outcome: { exit_code: 130 }, totals: { ready: 2 } })
    expect(statuses(record)).toEqual({ base: 'ready', 'more-yes': 'not_started', young: 'ready' })
    expect(record.run.actions).toEqual({ base: 'reused', 'more-yes': 'not_started', young: 'reused' })
    expect(await rig.list('out/demo')).toEqual([
      'base.csv',
      'manifest.json',
      'more-yes.csv',
      'run-record.json',
      'runs',
      'young.csv',
    ])
  })

  it('evaluates the gates of existing results, next to the interruption', async () => {
    // No share of 100 rows is 0.705.
    const study = STUDY.replace('Yes: 0.7', 'Yes: 0.705').replace(
      'shares:',
      'expect: { shares: { tolerance: 0.001 } }, shares:',
    )
    await rig.write('demo.study.yaml', study)
    expect(await rig.run()).toMatchObject({ exitCode: 9 })
    await rig.write('demo.study.yaml', study.replace('max: 30', 'max: 31'))
    expect(await interruptedRun()).toMatchObject({ exitCode: 130, also: ['gates_failed'] })
  })

  it('leaves it as well when not even the seed file was read', async () => {
    await rig.run()
    const before = await manifestText()
    const controller = new AbortController()
    const result = await rig.run({
      env: {
        signal: controller.signal,
        onEvent: ({ type }) => {
          if (type === 'dataset.hashing') controller.abort(new RunInterruptedError('SIGTERM'))
        },
      },
    })
    expect(result).toMatchObject({ exitCode: 143 })
    expect(await manifestText()).toBe(before)
    expect(await recordOf(result.manifest.run.id)).toMatchObject({ status: 'interrupted' })
  })

  it('leaves it unchanged when the service cannot be reached', async () => {
    await rig.run()
    const before = await manifestText()
    await rig.write('seeds/panel.csv', 'id,region,answer,age\nr1,North,Yes,20\n')
    double.intercept = ({ path }) => (path.startsWith('/v1/') ? 'drop' : undefined)
    const result = await rig.run()
    expect(result).toMatchObject({ exitCode: 11, manifest: { status: 'interrupted', totals: { not_started: 3 } } })
    expect(await manifestText()).toBe(before)
  })

  it('writes its own where there is none', async () => {
    const result = await interruptedRun()
    const manifestPath = join(rig.root, 'out/demo/manifest.json')
    expect(result).toMatchObject({ exitCode: 130, keepsLast: false, manifestPath })
    expect(await rig.manifest()).toMatchObject({ status: 'interrupted', totals: { not_started: 3 } })
  })

  it('writes its own, with the existing results, to replace the manifest of a killed run', async () => {
    await rig.run()
    await rig.write('out/demo/manifest.json', (await manifestText()).replace('"complete"', '"running"'))
    await changeOne()
    const result = await interruptedRun()
    const manifest = await rig.manifest()
    expect(manifest).toMatchObject({ status: 'interrupted', run: { id: result.manifest.run.id } })
    expect(statuses(manifest)).toEqual({ base: 'ready', 'more-yes': 'not_started', young: 'ready' })
  })

  it('does not treat new columns of a comparison as counted', async () => {
    await rig.run()
    await rig.write(
      'demo.study.yaml',
      `${STUDY.replace('Yes: 0.7', 'Yes: 0.8')}baseline: base\ncomparisons: [{ id: c, scenarios: [young], shares: [region] }]\n`,
    )
    const { manifest } = await interruptedRun()
    expect(statuses(manifest)).toEqual({ base: 'not_started', 'more-yes': 'not_started', young: 'not_started' })
    expect(manifest.scenarios.base?.rows).toEqual({ requested: 100, reported: null, counted: null, fill: null })
  })
})

it('a run reports up-to-date results while it waits for the service', async () => {
  await rig.run()
  await changeOne()
  const seen: Manifest[] = []
  await interruptedRun({
    env: {
      client: async () => {
        seen.push(await rig.manifest())
        return rig.environment().client()
      },
    },
  })
  expect(seen).toHaveLength(1)
  expect(seen[0]?.status).toBe('running')
  expect(statuses(seen[0]!)).toEqual({ base: 'ready', 'more-yes': 'not_started', young: 'ready' })
})
