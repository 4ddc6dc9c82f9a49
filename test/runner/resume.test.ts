import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig()

const resume = (selection = { select: [] as string[], exclude: [] }) =>
  rig.run({ options: { submit: false, selection } })
/** A first run whose generations outlive its deadline. */
async function interruptedRun() {
  double.pollsPerJob = 1
  await rig.run({ options: { selection: { select: ['base'], exclude: [] } } })
  double.pollsPerJob = 10_000
  await rig.run({ options: { deadlineMs: 20 * 60_000, selection: { select: ['base', 'young'], exclude: [] } } })
  double.pollsPerJob = 1
}
const posts = () => double.log.filter(({ method, path }) => method === 'POST' && path !== '/oauth/token').length
const states = async () =>
  Object.fromEntries(Object.entries((await rig.manifest()).scenarios).map(([id, s]) => [id, s.status]))

describe('resuming', () => {
  it('collects submitted work, submits nothing, and lists the rest for a run', async () => {
    await interruptedRun()
    const before = posts()
    expect(await resume()).toMatchObject({ exitCode: 0, reason: 'ok' })
    expect(posts()).toBe(before)
    expect(await states()).toEqual({ base: 'ready', young: 'ready', 'more-yes': 'not_started' })
    const { status, scenarios, run } = await rig.manifest()
    expect(status).toBe('complete')
    // Work that the interrupted run left counts for that run only.
    expect(run).toMatchObject({ rows_billable: 0, rows_collected: 100 })
    expect(scenarios['more-yes']?.error).toEqual({
      code: 'not_submitted',
      detail: 'whatif run would submit it; resume only collects',
    })
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
  })

  it('fetches a lost file again', async () => {
    await rig.run()
    await rm(join(rig.root, 'out/demo/base.csv'))
    const before = posts()
    expect(await resume()).toMatchObject({ exitCode: 0 })
    expect(await rig.list('out/demo')).toContain('base.csv')
    expect(posts()).toBe(before)
  })

  it('of a study that never ran asks the service nothing', async () => {
    expect(await resume()).toMatchObject({ exitCode: 0 })
    expect(double.log).toEqual([])
    expect(await states()).toEqual({ base: 'not_started', young: 'not_started', 'more-yes': 'not_started' })
  })

  it('buys nothing, so no budget stops it', async () => {
    await rig.run({ options: { selection: { select: ['base'], exclude: [] } } })
    await rig.write('demo.study.yaml', `${STUDY}budget: { rows_per_run: 0 }\n`)
    expect(await resume()).toMatchObject({ exitCode: 0 })
    expect(await states()).toEqual({ base: 'ready', young: 'not_started', 'more-yes': 'not_started' })
  })

  it('does not send a request again whose answer was never seen, and exits 11', async () => {
    await rig.run({ options: { selection: { select: ['base'], exclude: [] } } })
    double.intercept = ({ method, path }) => (method === 'POST' && path.endsWith('/generations') ? 'drop' : undefined)
    await rig.run({ options: { deadlineMs: 20 * 60_000, selection: { select: ['young'], exclude: [] } } })
    double.intercept = () => undefined
    const before = posts()
    expect(await resume()).toMatchObject({ exitCode: 11, reason: 'deadline_or_network' })
    expect(posts()).toBe(before)
    expect((await rig.manifest()).scenarios.young).toMatchObject({
      status: 'interrupted',
      error: { code: 'unanswered' },
    })
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
  })

  it('leaves what has expired at the service to a run', async () => {
    await interruptedRun()
    double.forget('generations')
    const before = posts()
    expect(await resume()).toMatchObject({ exitCode: 0 })
    expect(posts()).toBe(before)
    expect(await states()).toEqual({ base: 'ready', young: 'not_started', 'more-yes': 'not_started' })
  })

  it('copies duplicates of collected work, and leaves duplicates of other work', async () => {
    await rig.write(
      'demo.study.yaml',
      `${STUDY}  twin: { ranges: { age: { min: 20, max: 30 } } }\n  other: { shares: { answer: { Yes: 0.7 } } }\n`,
    )
    await interruptedRun()
    expect(await resume()).toMatchObject({ exitCode: 0 })
    expect(await states()).toMatchObject({
      young: 'ready',
      twin: 'ready',
      'more-yes': 'not_started',
      other: 'not_started',
    })
  })

  it('collects only the selected scenarios', async () => {
    await interruptedRun()
    expect(await resume({ select: ['base'], exclude: [] })).toMatchObject({ exitCode: 0 })
    expect(await rig.list('out/demo')).not.toContain('young.csv')
  })
})
