import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockStudy } from '../../src/runner/lock-study.ts'
import { type SavedPlan, savePlan } from '../../src/runner/plan/saved-plan.ts'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import { STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig()

async function save(): Promise<SavedPlan> {
  const { plan, lockDigest } = await planFromDisk(await rig.request(), rig.environment())
  return savePlan(plan, lockDigest)
}

const HOUR = 3_600_000

describe('a saved plan', () => {
  it('of a study that never ran is carried out, and is stale afterwards', async () => {
    const savedPlan = await save()
    expect(await rig.run({ options: { savedPlan } })).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
    const again = await rig.run({ options: { savedPlan } })
    expect(again).toMatchObject({ exitCode: 2, reason: 'usage' })
    expect(again.message).toMatch(
      /^the saved plan is stale, nothing was sent\. Changed since: the state \(another run took place\); actions of datasets \(panel: upload → none\); actions of scenarios \(base: generate → reuse, .*\); the bound on billed rows \(300 → 0\)\. Plan again/,
    )
  })

  it.each<[what: string, change: () => Promise<unknown>, message: RegExp]>([
    ['the study', () => rig.write('demo.study.yaml', STUDY.replace('0.7', '0.6')), /since: the study or its data\./],
    [
      'the seed file',
      () => rig.write('seeds/panel.csv', 'id,answer\n1,Yes\n'),
      /since: the study or its data; actions/,
    ],
    [
      'the lock file',
      async () => {
        const options = { check: false, hashLevels: false, newSalt: () => '5'.repeat(32) }
        await lockStudy(await rig.request(), rig.environment(), options)
        await rm(join(rig.root, '.whatif'), { recursive: true })
      },
      /since: the lock file\./,
    ],
  ])('is refused before anything is sent when %s has changed', async (_what, change, message) => {
    const savedPlan = await save()
    await change()
    const sent = double.log.length
    const result = await rig.run({ options: { savedPlan } })
    expect(result.exitCode).toBe(2)
    expect(result.message).toMatch(message)
    expect(double.log.length).toBe(sent)
    expect(await rig.list('.whatif/studies/demo/embedded')).not.toContain('state.json')
  })

  it('is refused with another selection than that of its study arguments', async () => {
    const savedPlan = await save()
    const result = await rig.run({ options: { savedPlan, selection: { select: ['base'], exclude: [] } } })
    expect(result.exitCode).toBe(2)
    expect(result.message).toContain('more-yes: generate → skip')
    expect(double.log).toEqual([])
  })

  it('is refused when the service has lost work that the plan uses, before anything is bought', async () => {
    await rig.run()
    await rm(join(rig.root, 'out/demo/base.csv'))
    const savedPlan = await save()
    expect(savedPlan).toMatchObject({ uploads: 0, rowsBound: 0 })
    double.forget('generations')
    rig.clock.advance(HOUR)
    const result = await rig.run({ options: { savedPlan } })
    expect(result).toMatchObject({ exitCode: 2, reason: 'usage' })
    expect(result.message).toContain('at most 0 billed rows, and after the service’s answers the run needs up to 100')
    expect(double.made('generations')).toBe(3)
  })

  it('is refused when its dataset has ended, before it is uploaded again', async () => {
    await rig.run()
    await rig.write('demo.study.yaml', STUDY.replace('0.7', '0.6'))
    const savedPlan = await save()
    double.forget('datasets')
    const result = await rig.run({ options: { savedPlan } })
    expect(result.exitCode).toBe(2)
    expect(result.message).toContain('the saved plan has 0 uploads')
    expect(double.made('datasets')).toBe(1)
  })
})
