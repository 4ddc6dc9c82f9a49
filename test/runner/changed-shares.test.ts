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

/** The double tells the shares of the levels that it is given, as a service may or may not. */
function told(shares: Readonly<Record<string, number>>): void {
  const region = { name: 'region', levels: Object.keys(shares), level_shares: Object.values(shares) }
  double.intercept = ({ path }) => (path.endsWith('/schema') ? { status: 200, json: { schema: [region] } } : undefined)
}

it('a changed share is sent as the number that the cleaned schema makes of it, and judged by that', async () => {
  told({ North: 0.355, South: 0.645 })
  expect(await rig.run()).toMatchObject({ exitCode: 9 })
  const { body } = [...double.generations.values()][0]!
  expect(body.conditions).toEqual({ categorical: { region: { North: 0.455 } } })
  const { more } = (await rig.manifest()).scenarios
  expect(more!.request!.conditions).toEqual(body.conditions)
  expect(more!.shares.region!.levels.North).toEqual({ target: 0.455, achieved: 0.46, delta: 0.005, count: 46 })
  expect(more!.gates).toMatchObject([{ id: 'shares:region', passed: false, actual: 0.005 }])
})

it('nothing is generated where the service tells no shares', async () => {
  expect(await rig.run()).toMatchObject({ exitCode: 4 })
  expect(double.made('generations')).toBe(0)
})

it('is up to date in the next run, and generated again when the change is another', async () => {
  told({ North: 0.35, South: 0.65 })
  await rig.run()
  await rig.run()
  expect(double.made('generations')).toBe(1)
  await rig.write('demo.study.yaml', STUDY.replace('+0.10', '+0.20'))
  await rig.run()
  expect(double.made('generations')).toBe(2)
})

it('a share that would be more than 1 is refused before anything is generated', async () => {
  told({ North: 0.35, South: 0.65 })
  await rig.write('demo.study.yaml', STUDY.replace('+0.10', '+1'))
  expect(await rig.run()).toMatchObject({ exitCode: 4 })
  expect(double.made('generations')).toBe(0)
})
