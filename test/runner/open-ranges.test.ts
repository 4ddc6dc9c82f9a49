import { expect, it } from 'vitest'
import { double, rig, useRig } from './use-rig.ts'

const study = (ranges: string) => `version: 1
name: demo
datasets: { panel: { file: seeds/panel.csv } }
defaults: { rows: 100, seed: 1, format: csv }
scenarios: { some: { ranges: { age: ${ranges} } } }
`

useRig(study('{ min: 50 }'))

const asked = () => [...double.generations.values()].map(({ body }) => body.conditions?.numeric)

it('a run sends the greatest value of the cleaned schema for an end that the study leaves out', async () => {
  expect(await rig.run()).toMatchObject({ exitCode: 0, reason: 'ok' })
  expect(asked()).toEqual([{ age: { min: 50, max: 59 } }])
  const { some } = (await rig.manifest()).scenarios
  expect(some?.request?.conditions?.numeric).toEqual({ age: { min: 50, max: 59 } })
  expect(some?.ranges.age).toMatchObject({ target: { min: 50, max: 59 }, outside_count: 0 })
})

it('a run sends the smallest value in the same way', async () => {
  await rig.write('demo.study.yaml', study('{ max: 30 }'))
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  expect(asked()).toEqual([{ age: { min: 20, max: 30 } }])
})

it('a range with one end is up to date in the next run, which asks the service nothing', async () => {
  await rig.run()
  const requests = double.log.length
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  expect(double.log.length).toBe(requests)
  expect((await rig.manifest()).run.actions).toEqual({ some: 'reused' })
})

it('a run buys nothing again when the end is written out', async () => {
  await rig.run()
  await rig.write('demo.study.yaml', study('{ min: 50, max: 59 }'))
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  expect(double.made('generations')).toBe(1)
})

it('a run generates nothing when the end lies beyond the data', async () => {
  await rig.write('demo.study.yaml', study('{ min: 60 }'))
  expect(await rig.run()).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
  expect(double.made('generations')).toBe(0)
  const found = rig.events.flatMap((event) => (event.type === 'diagnostics' ? event.diagnostics : []))
  expect(found.map(({ code, summary }) => [code, summary])).toEqual([
    ['S2107', 'range 60 and above of column "age" does not overlap the trained range 20 to 59'],
  ])
})
