import { expect, it } from 'vitest'
import { double, rig, useRig } from './use-rig.ts'

const STUDY = `version: 1
name: demo
datasets: { panel: { file: seeds/panel.csv } }
defaults: { rows: 100, seed: 1, format: csv }
scenarios:
  more: { shares: { region: { North: { change: +0.10 } } }, expect: { shares: { tolerance: 0 } } }
`

useRig(STUDY)

const sent = () => [...double.generations.values()].map(({ body }) => body.conditions)

it('a changed share is sent as the number that the cleaned schema makes of it, and judged by that', async () => {
  const { exitCode } = await rig.run()
  const [conditions] = sent()
  const target = (conditions as { categorical: { region: { North: number } } }).categorical.region.North
  expect(typeof target).toBe('number')
  const { scenarios } = await rig.manifest()
  expect(scenarios.more!.shares.region!.levels.North).toMatchObject({ target })
  const [gate] = scenarios.more!.gates
  expect(gate).toMatchObject({ id: 'shares:region', evaluated: 1, passed: gate!.actual === 0 })
  expect(exitCode).toBe(gate!.passed ? 0 : 9)
})

it('is up to date in the next run, and generated again when the change is another', async () => {
  await rig.run()
  await rig.run()
  expect(double.made('generations')).toBe(1)
  await rig.write('demo.study.yaml', STUDY.replace('+0.10', '+0.20'))
  await rig.run()
  expect(double.made('generations')).toBe(2)
})

it('a share that would be more than 1 is refused before anything is generated', async () => {
  await rig.write('demo.study.yaml', STUDY.replace('+0.10', '+1'))
  expect(await rig.run()).toMatchObject({ exitCode: 4 })
  expect(double.made('generations')).toBe(0)
})
