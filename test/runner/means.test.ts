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
  older: { means: { age: { min: 45 } }, expect: { means: { tolerance: 0.5 } } }
  exact: { ranges: { age: { min: 30, max: 50 } }, means: { age: 40 }, warn: { means: { columns: { age: 0.1 } } } }
comparisons: [{ id: c, scenarios: [older], means: [age] }]
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
  ['has a document without means', buildOpenApi({ ...ADDRESSES, takesExtensions: false })],
  ['has a document of another kind', { paths: [] }],
])('nothing is sent to a service that %s', async (_name, document) => {
  documented(document)
  expect(await rig.run()).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
  expect([double.made('datasets'), double.made('generations')]).toEqual([0, 0])
})

it('a study without means asks for no document', async () => {
  const [head] = STUDY.split('baseline')
  await rig.write('demo.study.yaml', `${head}scenarios: { base: { shares: { region: { North: 0.5 } } } }\n`)
  documented(null)
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  expect(double.log.map(({ path }) => path)).not.toContain('/openapi.json')
})

it('a run sends means as the study has them, and counts what the rows have', async () => {
  documented(buildOpenApi(ADDRESSES))
  // The double does not follow means, as a service that only says that it does.
  expect(await rig.run()).toMatchObject({ exitCode: 9, reason: 'gates_failed' })
  const sent = [...double.generations.values()].map(({ body }) => body.conditions)
  expect(sent).toEqual([
    undefined,
    { means: { age: { min: 45 } } },
    { numeric: { age: { min: 30, max: 50 } }, means: { age: 40 } },
  ])
  const { scenarios, comparisons } = await rig.manifest()
  const { older, exact, base } = scenarios
  expect(base).not.toHaveProperty('means')
  expect(older!.means).toEqual({ age: { target: { min: 45 }, achieved: 37.7, delta: -7.3, values: 100 } })
  expect(older!.gates).toEqual([
    { id: 'means:age', level: 'fail', evaluated: 1, passed: false, expected: { tolerance: 0.5 }, actual: 7.3 },
  ])
  expect(exact!.means!.age).toMatchObject({ target: 40, values: 100 })
  expect(exact!.gates).toMatchObject([{ id: 'means:age', level: 'warn' }])
  expect(comparisons.c!.scenarios.older!.means.age).toMatchObject({ asked_for: true })
})

it('a scenario with a mean is up to date in the next run, and generated again when the mean changes', async () => {
  documented(buildOpenApi(ADDRESSES))
  await rig.run()
  const made = double.made('generations')
  await rig.run()
  expect(double.made('generations')).toBe(made)
  await rig.write('demo.study.yaml', STUDY.replace('age: 40', 'age: 41'))
  await rig.run()
  expect(double.made('generations')).toBe(made + 1)
})
