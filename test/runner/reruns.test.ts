import { copyFile, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../src/runner/interface/run-event.ts'
import type { Action } from '../../src/runner/plan/plan.ts'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import { run } from '../../src/runner/run-study.ts'
import { makeRig, SEED_CSV, STUDY } from './run-rig.ts'
import { problem, startServiceDouble } from './service-double.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig()

const DAY = 24 * 3600_000
const actions = async () => ({ ...(await rig.manifest()).run.actions })
const planned = (which: 'first' | 'last' = 'last'): Record<string, Action> => {
  const plans = rig.events.filter((e): e is Extract<RunEvent, { type: 'plan' }> => e.type === 'plan')
  const plan = (which === 'first' ? plans[0] : plans.at(-1))!.plan
  return Object.fromEntries(plan.scenarios.map((s) => [s.id, s.action]))
}
const keysOf = (ending: string) =>
  double.log.filter((r) => r.method === 'POST' && r.path.endsWith(ending)).map((r) => r.key!)
const gone = (path: string) => rm(join(rig.root, path), { recursive: true, force: true })

it('a run emits a plan again only after new facts', async () => {
  await rig.run()
  const plans = rig.events.flatMap((e) => (e.type === 'plan' ? [JSON.stringify(e.plan)] : []))
  expect(plans.length).toBeGreaterThan(1)
  expect(plans.filter((plan, i) => plan === plans[i - 1])).toEqual([])
})

describe('a second run', () => {
  it('of a study with edits of form only asks for nothing and has the same digest', async () => {
    const gates = 'expect: { shares: { tolerance: 0.2 } }'
    const study = STUDY.replace('shares: {', `${gates}, shares: { region: { North: 0.2, South: 0.4 }, `)
    await rig.write('demo.study.yaml', study)
    const first = await rig.run()
    const asked = double.log.length
    const [head = '', scenarios = ''] = study.split('scenarios:\n')
    const reordered = `${head}scenarios:\n${scenarios.trimEnd().split('\n').reverse().join('\n')}\n`
    const edited = reordered
      .replace('name: demo', '# why\nname: demo\ndescription: words\ntags: [a]')
      .replace(
        'region: { North: 0.2, South: 0.4 }, answer: { Yes: 0.7 }',
        'answer: { "Yes": .70 }, region: { South: 4e-1, North: 0.2 }',
      )
      .replace('rows: 100', 'rows: 0100')
    await rig.write('demo.study.yaml', edited)
    const second = await rig.run()
    expect(second).toMatchObject({ exitCode: 0, digest: first.digest })
    expect(double.log.length).toBe(asked)
    expect((await rig.manifest()).scenarios['more-yes']?.gates.map(({ id }) => id)).toEqual([
      'shares:answer',
      'shares:region',
    ])
  })

  it('generates what changed and nothing else, and says what changed', async () => {
    await rig.run()
    await rig.write('demo.study.yaml', STUDY.replace('Yes: 0.7', 'Yes: 0.6').replace('max: 30', 'max: 35'))
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(5)
    expect(planned('first')['more-yes']).toEqual({
      kind: 'generate',
      epoch: 0,
      reason: { kind: 'changed', changes: [{ field: 'shares.answer.Yes', before: '0.7', after: '0.6' }] },
    })
    expect(planned('first').young).toMatchObject({
      reason: { changes: [{ field: 'ranges.age.max', before: '30', after: '35' }] },
    })
    expect(await actions()).toEqual({ base: 'reused', 'more-yes': 'generated', young: 'generated' })
  })

  it('after the seed file changed trains again and generates everything from the new model', async () => {
    await rig.run()
    await rig.write('seeds/panel.csv', `${SEED_CSV}r40,North,Yes,33\n`)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('datasets')).toBe(2)
    expect(double.made('generations')).toBe(6)
    expect(planned('first').base).toMatchObject({
      reason: { kind: 'changed', changes: [{ field: 'dataset panel: seed file' }] },
    })
  })

  it('recognises renamed scenarios and moves their files', async () => {
    await rig.run()
    const asked = double.log.length
    await rig.write('demo.study.yaml', STUDY.replace('more-yes', 'mostly-yes'))
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(asked)
    expect(planned()['mostly-yes']).toMatchObject({ kind: 'reuse', renamedFrom: 'more-yes' })
    const files = (await rig.list('out/demo')).filter((name) => name.endsWith('.csv'))
    expect(files).toEqual(['base.csv', 'mostly-yes.csv', 'young.csv'])
  })

  it('follows the output folder by copying', async () => {
    await rig.run()
    const asked = double.log.length
    await rig.write('demo.study.yaml', `${STUDY}output: { dir: results }\n`)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(asked)
    expect(await rig.list('results')).toEqual([
      'base.csv',
      'manifest.json',
      'more-yes.csv',
      'run-record.json',
      'runs',
      'young.csv',
    ])
  })

  it('generates duplicates once and copies them', async () => {
    await rig.write('demo.study.yaml', `${STUDY}  twin: { shares: { answer: { Yes: 7e-1 } } }\n`)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
    expect(await actions()).toMatchObject({ 'more-yes': 'generated', twin: 'copied' })
    expect(await rig.read('out/demo/twin.csv')).toBe(await rig.read('out/demo/more-yes.csv'))
    expect((await rig.manifest()).run.rows_billable).toBe(300)
  })
})

describe('a lost file', () => {
  it('is fetched again while the service has it', async () => {
    await rig.run()
    await gone('out/demo/base.csv')
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
    expect(await actions()).toMatchObject({ base: 'downloaded' })
  })

  it('is never assumed to be expired: the service is asked, and only its 404 leads to a new purchase', async () => {
    await rig.run()
    await gone('out/demo/base.csv')
    rig.clock.advance(2 * DAY)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(planned('first').base).toMatchObject({ kind: 'regenerate', certain: false, fromEpoch: 0, epoch: 1 })
    expect(double.made('generations')).toBe(3)

    await gone('out/demo/base.csv')
    double.forget('generations')
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(planned().base).toMatchObject({ kind: 'regenerate', certain: true, fromEpoch: 0, epoch: 1 })
    expect(keysOf('/generations').at(-1)).toMatch(/\.e1$/)
    expect(await actions()).toEqual({ base: 'generated', 'more-yes': 'reused', young: 'reused' })
  })

  it('whose model is gone is generated from a new model, under a new key at epoch 0', async () => {
    await rig.run()
    await gone('out/demo/base.csv')
    double.forget('generations')
    double.forget('datasets')
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(keysOf('/v1/datasets').map((k) => k.split('.').at(-1))).toEqual(['e0', 'e1'])
    expect(keysOf('/generations').at(-1)).toMatch(/\.e0$/)
    expect(new Set(keysOf('/generations')).size).toBe(4)
  })
})

describe('a lost state', () => {
  it('is restored by keys: nothing is paid twice, and files on disk are accepted', async () => {
    const first = await rig.run()
    await gone('.whatif')
    const second = await rig.run()
    expect(second).toMatchObject({ exitCode: 0, digest: first.digest })
    expect(double.made('generations')).toBe(3)
    expect(double.made('datasets')).toBe(1)
    expect((await rig.manifest()).run.rows_billable).toBe(0)
  })

  it('with a service that lost its work but not its keys leads to new epochs, each of which is shown', async () => {
    await rig.run()
    await gone('.whatif')
    await gone('out')
    double.forget('generations')
    double.forget('datasets')
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(keysOf('/v1/datasets').map((k) => k.split('.').at(-1))).toEqual(['e0', 'e0', 'e1'])
    expect(
      keysOf('/generations')
        .slice(3)
        .every((k) => k.endsWith('.e0')),
    ).toBe(true)
  })

  it('with replays of lost work again and again ends after three new epochs', async () => {
    double.intercept = (r) =>
      r.method === 'GET' && r.path.startsWith('/v1/generations/') ? problem(404, 'svc_not_found', 'gone') : undefined
    expect(await rig.run({ options: { concurrency: 1 } })).toMatchObject({ exitCode: 7 })
    expect(
      keysOf('/generations')
        .slice(0, 4)
        .map((k) => k.split('.').at(-1)),
    ).toEqual(['e0', 'e1', 'e2', 'e3'])
    expect((await rig.manifest()).scenarios.base?.error).toMatchObject({ code: 'dead_replay' })
    expect(rig.events.filter((e) => e.type === 'scenario.bumped').length).toBe(9)
  })
})

describe('two runs of one study without a common lock', () => {
  it('at the same time send the same keys, and nothing is paid twice', async () => {
    const other = await makeRig(double)
    const results = await Promise.all([rig.run(), other.run()])
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    expect(results[0].digest).toBe(results[1].digest)
    expect(results[0].manifest.run.rows_billable + results[1].manifest.run.rows_billable).toBe(300)
    expect([double.made('datasets'), double.made('generations')]).toEqual([1, 3])
    await other.remove()
  })
})

describe('a dataset that ends while a run generates from it', () => {
  it('is uploaded again, and the rest is generated from the new one', async () => {
    let posts = 0
    double.intercept = (r) => {
      if (r.method === 'POST' && r.path.endsWith('/generations') && ++posts === 2) double.forget('datasets')
      return undefined
    }
    expect(await rig.run({ options: { concurrency: 1 } })).toMatchObject({ exitCode: 0 })
    expect(double.made('datasets')).toBe(2)
    expect(double.made('generations')).toBe(3)
    expect(rig.events.some((e) => e.type === 'dataset.expired')).toBe(true)
  })

  it('is not uploaded again over the budget of new datasets', async () => {
    await rig.write('demo.study.yaml', `${STUDY}budget: { new_datasets_per_run: 1 }\n`)
    let posts = 0
    double.intercept = (r) => {
      if (r.method === 'POST' && r.path.endsWith('/generations') && ++posts === 2) double.forget('datasets')
      return undefined
    }
    expect(await rig.run({ options: { concurrency: 1 } })).toMatchObject({ exitCode: 6, reason: 'over_budget' })
    expect(double.made('datasets')).toBe(1)
    expect(await rig.manifest()).toMatchObject({ status: 'interrupted', totals: { ready: 1, not_started: 2 } })
  })
})

describe('forced runs', () => {
  it('are refused when no forced scenario is selected', async () => {
    const options = { selection: { select: ['young'], exclude: [] }, force: { select: ['base'], exclude: [] } }
    expect(await rig.run({ options })).toMatchObject({
      exitCode: 2,
      message: 'nothing that --force names is selected; select it as well',
    })
    expect(double.log).toEqual([])
  })

  it('generate finished scenarios again, once per completed run', async () => {
    await rig.run()
    const force = { options: { force: { select: ['base'], exclude: [] } } }
    expect(await rig.run(force)).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(4)
    expect(keysOf('/generations').at(-1)).toMatch(/\.e1$/)
    expect(await rig.run(force)).toMatchObject({ exitCode: 0 })
    expect(keysOf('/generations').at(-1)).toMatch(/\.e2$/)
  })

  it('that were interrupted are billed once when they are repeated', async () => {
    await rig.run()
    const force = { options: { force: { select: [], exclude: [] }, concurrency: 1 } }
    let polls = 0
    // Two scenarios are forced and done; the third's answers are lost.
    double.intercept = (r) => (r.method === 'GET' && r.path.startsWith('/v1/jobs/') && ++polls > 2 ? 'drop' : undefined)
    expect(await rig.run(force)).toMatchObject({ exitCode: 11 })
    double.intercept = () => undefined
    expect(await rig.run(force)).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(6)
  })

  it('of a dataset upload it again, and generate under new keys without new epochs', async () => {
    await rig.run()
    const options = { forceDatasets: new Set(['panel']) }
    expect(await rig.run({ options })).toMatchObject({ exitCode: 0 })
    expect(keysOf('/v1/datasets').map((k) => k.split('.').at(-1))).toEqual(['e0', 'e1'])
    expect(double.made('generations')).toBe(6)
    expect(keysOf('/generations').every((k) => k.endsWith('.e0'))).toBe(true)
    const asked = double.log.length
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(asked)
  })

  it('under a label are separate work: the same label resumes, another label starts anew', async () => {
    await rig.run()
    const monday = { options: { scope: '2026-11-23' } }
    expect(await rig.run(monday)).toMatchObject({ exitCode: 0 })
    expect(double.made('datasets')).toBe(2)
    expect(double.made('generations')).toBe(6)
    expect(keysOf('/generations').at(-1)).toMatch(/\.x2026-11-23$/)
    const asked = double.log.length
    expect(await rig.run(monday)).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(asked)
    expect((await rig.manifest()).run.scope).toBe('2026-11-23')
  })

  it('under a label are selected by their status under that label', async () => {
    await rig.run({ options: { scope: 'monday', selection: { select: ['base'], exclude: [] } } })
    const of = async (status: string, scope: string | null) => {
      const selection = { select: [`status:${status}`], exclude: [] }
      const plan = await planFromDisk(await rig.request({ options: { scope, selection } }), rig.environment())
      return plan.plan.scenarios.filter((s) => s.selected).map((s) => s.id)
    }
    expect(await of('ready', 'monday')).toEqual(['base'])
    expect(await of('not_started', 'tuesday')).toEqual(['base', 'more-yes', 'young'])
    expect(await of('not_started', null)).toEqual(['base', 'more-yes', 'young'])
    await expect(of('ready', null)).rejects.toThrow('no scenario matches "status:ready"')
  })
})

describe('random seeds', () => {
  const RANDOM = STUDY.replace('base: {}', 'base: { seed: random }')

  it('are drawn once per finished scenario, are recorded, and are never up to date', async () => {
    await rig.write('demo.study.yaml', RANDOM)
    await rig.run()
    const seed = (await rig.manifest()).scenarios.base?.request?.seed
    expect(seed).toEqual(expect.any(Number))
    await rig.run()
    expect(await actions()).toMatchObject({ base: 'generated', young: 'reused' })
    expect((await rig.manifest()).scenarios.base?.request?.seed).not.toBe(seed)
    expect((await rig.manifest()).study.digest).toEqual(expect.stringMatching(/^[0-9a-f]{64}$/))
  })

  it('are not drawn again after a crash', async () => {
    await rig.write('demo.study.yaml', RANDOM)
    double.intercept = (r) => (r.path.endsWith('/generations') ? 'drop' : undefined)
    await rig.run()
    const keys = keysOf('/generations')
    double.intercept = () => undefined
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(new Set(keysOf('/generations'))).toEqual(new Set(keys))
  })
})

describe('foreign files', () => {
  it('are overwritten only on request; generated rows are not paid again', async () => {
    await rig.write('out/demo/base.csv', 'mine\n')
    expect(await rig.run()).toMatchObject({ exitCode: 7 })
    expect(await rig.read('out/demo/base.csv')).toBe('mine\n')
    expect((await rig.manifest()).scenarios.base?.error?.code).toBe('file_exists')
    expect(await rig.run({ options: { overwrite: true } })).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
    expect(await rig.read('out/demo/base.csv')).not.toBe('mine\n')
  })

  it('that were results of ours and were edited stop the run before anything is bought', async () => {
    await rig.run()
    const manifest = await rig.read('out/demo/manifest.json')
    await rig.write('out/demo/more-yes.csv', 'edited\n')
    await rig.write('demo.study.yaml', STUDY.replace('0.7', '0.8'))
    expect(await rig.run()).toMatchObject({ exitCode: 2, reason: 'usage' })
    expect(double.made('generations')).toBe(3)
    expect(await rig.read('out/demo/manifest.json')).toBe(manifest)
    expect(await rig.run({ options: { overwrite: true } })).toMatchObject({ exitCode: 0 })
  })
})

describe('the state', () => {
  it('belongs to one study file: another one with the same name is refused', async () => {
    await rig.run()
    await rename(join(rig.root, 'demo.study.yaml'), join(rig.root, 'other.study.yaml'))
    await copyFile(join(rig.root, 'other.study.yaml'), join(rig.root, 'demo.study.yaml'))
    const result = await rig.run({ request: { studyFile: join(rig.root, 'other.study.yaml') } })
    expect(result).toMatchObject({ exitCode: 2, reason: 'usage' })
    expect(result.message).toContain('the name "demo" belongs to demo.study.yaml')
    const request = await rig.request({ request: { studyFile: join(rig.root, 'other.study.yaml') } })
    await expect(planFromDisk(request, rig.environment()), 'a plan of it is none').rejects.toThrow(result.message!)
  })

  it('belongs to its study through any links to the folder, but not through a link to the file', async () => {
    const aside = `${rig.root}-link`
    await symlink(rig.root, aside)
    try {
      const byLink = { studyFile: join(aside, 'demo.study.yaml') }
      for (const request of [byLink, {}, byLink, {}]) expect(await rig.run({ request })).toMatchObject({ exitCode: 0 })
    } finally {
      await rm(aside)
    }
    expect(double.made('generations')).toBe(3)
    await symlink('demo.study.yaml', join(rig.root, 'other.study.yaml'))
    const other = await rig.run({ request: { studyFile: join(rig.root, 'other.study.yaml') } })
    expect(other.message).toContain('the name "demo" belongs to demo.study.yaml')
  })

  it('follows a study file that was moved', async () => {
    await rig.run()
    const moved = await rig.request({ request: { studyFile: join(rig.root, 'other.study.yaml') } })
    await rename(join(rig.root, 'demo.study.yaml'), moved.studyFile)
    expect(await run(moved, rig.environment())).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
  })

  it('does not record the name of a study whose files were refused', async () => {
    const seed = await readFile(join(rig.root, 'seeds/panel.csv'))
    await rm(join(rig.root, 'seeds/panel.csv'))
    expect(await rig.run()).toMatchObject({ exitCode: 2 })
    await writeFile(join(rig.root, 'seeds/panel.csv'), seed)
    await copyFile(join(rig.root, 'demo.study.yaml'), join(rig.root, 'other.study.yaml'))
    expect(await rig.run({ request: { studyFile: join(rig.root, 'other.study.yaml') } })).toMatchObject({ exitCode: 0 })
  })

  it('of one service is never used for another service', async () => {
    await rig.run()
    const other = await startServiceDouble()
    const service = { label: '0a1b2c3d', kind: 'remote' as const }
    const client = (await makeRig(other)).environment().client
    expect(await rig.run({ request: { service }, env: { client } })).toMatchObject({ exitCode: 0 })
    expect(other.made('generations')).toBe(3)
    expect(await rig.list('.whatif/studies/demo')).toEqual(['0a1b2c3d', 'embedded'])
    await other.close()
  })

  it('that is damaged is reported, and not repaired by guessing', async () => {
    await rig.run()
    await rig.write('.whatif/studies/demo/embedded/state.json', '{"state_version": 9}')
    const result = await rig.run()
    expect(result.exitCode).toBe(2)
    expect(result.message).toContain(
      'state.json in .whatif/studies/demo/embedded is not readable; delete that folder and run again',
    )
  })
})
