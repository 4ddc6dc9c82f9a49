import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { DEMO_STUDY, type DoubleProject, makeDoubleProject } from './double-project.ts'

let at: DoubleProject
beforeEach(async () => {
  at = await makeDoubleProject({ sharesProcess: true })
})
afterEach(() => at.remove())

const whatif = (...args: string[]) => at.project.whatif(args, { env: at.env })
const manifestIn = async (folder: string) => JSON.parse(await at.project.read(`${folder}/manifest.json`)) as Manifest
const posts = () => at.double.log.filter(({ method }) => method === 'POST').length
const generated = () => [...at.double.generations.values()].map(({ body }) => body.row_count).sort((a, b) => a - b)

/** `base` asks for no more rows than the trial. */
const MIXED = DEMO_STUDY.replace('base: {}', 'base: { rows: 15 }')

describe('whatif run --rows', () => {
  it('asks for fewer rows, and marks the manifest and the summary as a trial', async () => {
    await at.project.write('demo.study.yaml', MIXED)
    const { code, stderr } = await whatif('run', 'demo.study.yaml', '--rows', '20')
    expect(code, stderr).toBe(0)
    expect(generated()).toEqual([15, 20, 20])
    const { run, scenarios } = await manifestIn('out/demo/trial-20')
    expect(run.trial).toBe(20)
    expect(Object.values(scenarios).map(({ rows }) => rows.requested)).toEqual([15, 20, 20])
    expect(stderr).toContain('trial with at most 20 rows per scenario')
    expect(stderr).toMatch(/manifest: out\/demo\/trial-20\/manifest\.json\n/)
  })

  it('leaves results and state of the study unchanged, as the study leaves those of the trial', async () => {
    expect((await whatif('run', 'demo.study.yaml')).code).toBe(0)
    const before = await at.project.files()
    const contents = await Promise.all(before.map((name) => at.project.bytes(name)))
    expect((await whatif('run', 'demo.study.yaml', '--rows', '20')).code).toBe(0)
    for (const [i, name] of before.entries()) expect(await at.project.bytes(name), name).toEqual(contents[i])
    const added = (await at.project.files()).filter((name) => !before.includes(name))
    expect(added.length).toBeGreaterThan(3)
    for (const name of added) expect(name).toMatch(/^out\/demo\/trial-20\/|^\.whatif\/studies\/demo\/[^/]+\/trial-20\//)

    const sent = posts()
    expect((await whatif('run', 'demo.study.yaml')).stderr).toContain('billed in this run: 0 rows')
    expect((await whatif('run', 'demo.study.yaml', '--rows', '20')).stderr).toContain('billed in this run: 0 rows')
    expect(posts()).toBe(sent)
    expect((await manifestIn('out/demo')).run.trial).toBeUndefined()
  })

  it('trains no dataset that the study has trained', async () => {
    await whatif('run', 'demo.study.yaml')
    await whatif('run', 'demo.study.yaml', '--rows', '20')
    expect(at.double.datasets.size).toBe(1)
  })

  it('shares nothing with a trial of another size', async () => {
    await whatif('run', 'demo.study.yaml', '--rows', '20')
    await whatif('run', 'demo.study.yaml', '--rows', '30')
    expect(await at.project.list('out/demo')).toEqual(['trial-20', 'trial-30'])
    expect(generated()).toEqual([20, 20, 20, 30, 30, 30])
  })

  it('is checked against the budget', async () => {
    await at.project.write('demo.study.yaml', DEMO_STUDY.replace('rows_per_run: 5000', 'rows_per_run: 50'))
    expect(await whatif('run', 'demo.study.yaml', '--rows', '20')).toMatchObject({ code: 6 })
    expect(generated()).toEqual([])
    expect((await whatif('run', 'demo.study.yaml', '--rows', '10')).code).toBe(0)
  })

  it('reports failed gates, which fail only the study', async () => {
    const gate = '  - { scenario: more-yes, column: answer, level: "Yes", delta_min: 0.99 }\n'
    const comparison =
      'baseline: base\ncomparisons:\n- id: lift\n  scenarios: [more-yes]\n  shares: [answer]\n  expect:\n'
    await at.project.write('demo.study.yaml', `${DEMO_STUDY}${comparison}${gate}`)
    const { code, stderr } = await whatif('run', 'demo.study.yaml', '--rows', '20')
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('FAILED: comparison lift, gate delta:more-yes:answer:Yes')
    expect((await manifestIn('out/demo/trial-20')).outcome).toEqual({
      exit_code: 0,
      reason: 'ok',
      also: ['gates_failed'],
    })
    expect((await whatif('gate', 'out/demo/trial-20/manifest.json')).code).toBe(0)
    expect((await whatif('report', 'out/demo/trial-20/manifest.json')).stdout).toContain(
      '> **This is a trial with at most 20 rows per scenario: figures are rougher than those of the study, and gates do not count.**',
    )
    expect((await whatif('run', 'demo.study.yaml')).code).toBe(9)
  })

  it('writes below the folder of --out', async () => {
    expect((await whatif('run', 'demo.study.yaml', '--rows', '20', '--out', 'elsewhere')).code).toBe(0)
    expect((await manifestIn('elsewhere/trial-20')).run.trial).toBe(20)
    expect(await at.project.list('out')).toEqual([])
  })

  it.each(['0', '1.5', 'many'])('refuses %s as number of rows', async (rows) => {
    const { code, stderr } = await whatif('run', 'demo.study.yaml', '--rows', rows)
    expect(code).toBe(2)
    expect(stderr).toContain('Expected a whole number of at least 1.')
  })
})

it('whatif plan --rows shows what a trial would do, and can be saved for it', async () => {
  const plan = await whatif('plan', 'demo.study.yaml', '--rows', '20', '--save', 'plan.json', '--json')
  expect(plan.code, plan.stderr).toBe(0)
  const { totals, scenarios } = JSON.parse(plan.stdout).data
  expect(totals.rows_bound).toBe(60)
  const rows = Object.values(scenarios as Record<string, { rows: number }>).map((scenario) => scenario.rows)
  expect(rows).toEqual([20, 20, 20])
  expect(await whatif('run', 'demo.study.yaml', '--plan', 'plan.json')).toMatchObject({ code: 2 })
  expect((await whatif('run', 'demo.study.yaml', '--rows', '20', '--plan', 'plan.json')).code).toBe(0)
})
