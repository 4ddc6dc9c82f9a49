import { expect, it } from 'vitest'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../src/answers/manifest/review-manifest.ts'
import { buildOpenApi } from '../../src/contract/openapi/openapi.ts'
import { double, rig, useRig } from './use-rig.ts'

const STUDY = `version: 1
name: demo
datasets: { panel: { file: seeds/panel.csv } }
defaults: { rows: 100, seed: 1, format: csv }
baseline: base
scenarios:
  base: {}
  table: { cells: [{ of: [region, answer], shares: [[North, "Yes", 0.2], [South, "No", 0.3]] }] }
  other: { cells: [{ of: [answer, region], shares: [["No", South, 0.3], ["Yes", North, 0.2]] }] }
`

useRig(STUDY)

const ADDRESSES = { baseUrl: 'https://data.test', authUrl: 'https://data.test' }

/** What the double says of its operations. */
function documented(document: object): void {
  double.intercept = ({ path }) => (path === '/openapi.json' ? { status: 200, json: document } : undefined)
}

it('nothing is sent to a service whose document has no cells', async () => {
  documented(buildOpenApi({ ...ADDRESSES, takesExtensions: false }))
  expect(await rig.run()).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
  expect([double.made('datasets'), double.made('generations')]).toEqual([0, 0])
})

it('a table in another sequence is the same request, and is bought once', async () => {
  documented(buildOpenApi(ADDRESSES))
  await rig.run()
  expect([...double.generations.values()].map(({ body }) => body.conditions)).toEqual([
    undefined,
    {
      cells: [
        {
          columns: ['answer', 'region'],
          shares: [
            { levels: ['No', 'South'], share: 0.3 },
            { levels: ['Yes', 'North'], share: 0.2 },
          ],
        },
      ],
    },
  ])
  const { table, other } = (await rig.manifest()).scenarios
  expect(table!.fingerprint).toBe(other!.fingerprint)
  expect(table!.cells![0]!.columns).toEqual(['region', 'answer'])
  const [north, south] = table!.cells![0]!.cells
  expect(other!.cells![0]!.cells.map(({ count }) => count)).toEqual([south!.count, north!.count])
  expect(north!.count).toBeGreaterThan(0)
  expect(north!.delta).toBeCloseTo(north!.count / 100 - 0.2, 6)
})

it('a gate holds the largest distance of a cell against its tolerance, also when the manifest is read back', async () => {
  documented(buildOpenApi(ADDRESSES))
  await rig.write(
    'demo.study.yaml',
    STUDY.replace('[South, "No", 0.3]] }] }', '[South, "No", 0.3]] }], expect: { cells: { tolerance: 0.01 } } }'),
  )
  // The double does not follow cells.
  expect(await rig.run()).toMatchObject({ exitCode: 9, reason: 'gates_failed' })
  const manifest = await rig.manifest()
  const { gates, cells } = manifest.scenarios.table!
  const worst = Math.max(...cells![0]!.cells.map(({ delta }) => Math.abs(delta)))
  expect(gates).toMatchObject([{ id: 'cells', level: 'fail', evaluated: 2, passed: false, actual: worst }])
  expect(evaluateGates(parseManifest(JSON.stringify(manifest)).manifest).gates).toMatchObject([
    { gate: { actual: worst, passed: false } },
  ])
})

it('a table whose columns change places is the same request, with its own counts', async () => {
  documented(buildOpenApi(ADDRESSES))
  await rig.run()
  const made = double.made('generations')
  const [head] = STUDY.split('  other')
  await rig.write(
    'demo.study.yaml',
    `${head!.replace('[region, answer], shares: [[North, "Yes", 0.2], [South, "No", 0.3]]', '[answer, region], shares: [["Yes", North, 0.2], ["No", South, 0.3]]')}`,
  )
  await rig.run()
  expect(double.made('generations')).toBe(made)
  expect((await rig.manifest()).scenarios.table!.cells![0]!.columns).toEqual(['answer', 'region'])
})
