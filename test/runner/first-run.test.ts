import { expect, it } from 'vitest'
import { double, rig, useRig } from './use-rig.ts'

useRig()

it('the first run uploads once, generates every scenario once and stores the results', async () => {
  const result = await rig.run()
  expect(result.message).toBe(null)
  expect(result.error).toBe(null)
  expect(result).toMatchObject({ exitCode: 0, reason: 'ok' })
  expect(double.made('datasets')).toBe(1)
  expect(double.made('generations')).toBe(3)
  expect(await rig.list('out/demo')).toEqual([
    'base.csv',
    'manifest.json',
    'more-yes.csv',
    'run-record.json',
    'runs',
    'young.csv',
  ])
  const manifest = await rig.manifest()
  expect(manifest.totals).toMatchObject({ scenarios: 3, ready: 3, rows_requested: 300, rows_generated: 300 })
  expect(manifest.scenarios['more-yes']?.shares).toEqual({
    answer: { levels: { Yes: { target: 0.7, achieved: 0.7, delta: 0, count: 70 } }, unstated: { No: 0.3 } },
  })
  expect(manifest.scenarios.young?.ranges).toEqual({
    age: { target: { min: 20, max: 30 }, achieved: { min: 20, max: 30 }, outside: 0, outside_count: 0 },
  })
})

it('the next run asks the service nothing when nothing changed', async () => {
  const first = await rig.run()
  const asked = double.log.length
  const second = await rig.run({
    env: {
      client: async () => {
        throw new Error('the service is not needed')
      },
    },
  })
  expect(second).toMatchObject({ exitCode: 0, reason: 'ok', error: null })
  expect(double.log.length).toBe(asked)
  expect(second.digest).toBe(first.digest)
  expect((await rig.manifest()).run.actions).toEqual({ base: 'reused', 'more-yes': 'reused', young: 'reused' })
})
