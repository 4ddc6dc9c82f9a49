import { expect, it } from 'vitest'
import { buildOpenApi } from '../../src/contract/openapi/openapi.ts'
import { double, rig, useRig } from './use-rig.ts'

const STUDY = `version: 1
name: demo
datasets: { panel: { file: seeds/panel.csv } }
defaults: { rows: 100, seed: 1, format: csv }
baseline: base
scenarios:
  base: {}
  north:
    shares: { region: { North: { min: 0.9 } } }
    expect: { shares: { tolerance: 0.05 } }
  mixed: { shares: { region: { North: 0.5, South: { max: 0.9 } } } }
`

useRig(STUDY)

const ADDRESSES = { baseUrl: 'https://data.test', authUrl: 'https://data.test' }

/** What the double says of its operations; null: it has no such document. */
function documented(document: object | null): void {
  double.intercept = ({ path }) =>
    path === '/openapi.json' && document !== null ? { status: 200, json: document } : undefined
}

it.each([
  ['has no document of its operations', null],
  ['has a document without bounds', buildOpenApi({ ...ADDRESSES, takesExtensions: false })],
])('nothing is sent to a service that %s', async (_name, document) => {
  documented(document)
  const result = await rig.run()
  expect(result).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
  expect([double.made('datasets'), double.made('generations')]).toEqual([0, 0])
})

it('a run sends bounds beside the shares, and counts what the rows have', async () => {
  documented(buildOpenApi(ADDRESSES))
  // The double does not follow bounds, as a service that only says that it does.
  expect(await rig.run()).toMatchObject({ exitCode: 9, reason: 'gates_failed' })
  expect([...double.generations.values()].map(({ body }) => body.conditions)).toEqual([
    undefined,
    { bounds: { region: { North: { min: 0.9 } } } },
    { bounds: { region: { South: { max: 0.9 } } }, categorical: { region: { North: 0.5 } } },
  ])
  const { north, mixed } = (await rig.manifest()).scenarios
  const { achieved, delta, target } = north!.shares.region!.levels.North!
  expect(target).toEqual({ min: 0.9 })
  expect(delta).toBeCloseTo(achieved - 0.9, 6)
  expect(north!.gates).toMatchObject([{ id: 'shares:region', passed: false, actual: -delta }])
  expect(mixed!.shares.region!.levels.South).toMatchObject({ target: { max: 0.9 }, delta: 0 })
})

it('a scenario with a bound is up to date in the next run, and generated again when the bound changes', async () => {
  documented(buildOpenApi(ADDRESSES))
  await rig.run()
  const made = double.made('generations')
  await rig.run()
  expect(double.made('generations')).toBe(made)
  await rig.write('demo.study.yaml', STUDY.replace('max: 0.9', 'max: 0.8'))
  await rig.run()
  expect(double.made('generations')).toBe(made + 1)
})
