import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../src/answers/manifest/review-manifest.ts'
import { STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

const COMPARED = `${STUDY}baseline: base
comparisons:
  - { id: lift, scenarios: [more-yes, young], shares: [answer] }
`
const [ONE, OTHER] = ['a'.repeat(64), 'b'.repeat(64)]
const DAY_MS = 30 * 3600_000

useRig(COMPARED)

/** From now on the service says that rows come from this model; null: it says nothing. */
function reportModel(model: string | null): void {
  double.revise = (json, { method, path }) =>
    method === 'GET' && /\/generations\/[^/]+$/.test(path) && json.status === 'ready' && model !== null
      ? { ...json, model_id: model, engine_version: '1' }
      : json
}

/** 30 hours later the service has forgotten all, and one scenario of the study is another. */
async function nextDay(): Promise<void> {
  double.forget('datasets')
  double.forget('generations')
  rig.clock.advance(DAY_MS)
  await rig.write('demo.study.yaml', COMPARED.replace('Yes: 0.7', 'Yes: 0.8'))
}

const comparisons = async () => {
  const { manifest } = parseManifest(await rig.read('out/demo/manifest.json'))
  const { scenarios, gates } = manifest.comparisons.lift!
  return {
    statuses: Object.fromEntries(Object.entries(scenarios).map(([id, { status }]) => [id, status])),
    gates: gates.map(({ id, passed }) => [id, passed]),
    models: Object.fromEntries(Object.entries(manifest.trace.scenarios).map(([id, trace]) => [id, trace.model_id])),
    review: evaluateGates(manifest).gates.map(({ gate }) => [gate.id, gate.passed]),
    billed: manifest.run.rows_billable,
  }
}

describe('results of a dataset that was trained again are compared with those of before', () => {
  it('when the service confirms that the model is the same; only changed scenarios are billed', async () => {
    reportModel(ONE)
    await rig.run()
    await nextDay()
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(await comparisons()).toEqual({
      statuses: { 'more-yes': 'compared', young: 'compared' },
      gates: [],
      models: { base: ONE, 'more-yes': ONE, young: ONE },
      review: [],
      billed: 100,
    })
  })

  it.each([
    ['says that it is another', ONE, OTHER],
    ['says nothing', null, null],
    ['began to say it', null, ONE],
    ['ceased to say it', ONE, null],
    ['explains why it has no identity', 'model-1', 'model-1'],
  ])('which fails when the service %s, in a review of the manifest as well', async (_, before, after) => {
    reportModel(before)
    await rig.run()
    await nextDay()
    reportModel(after)
    expect(await rig.run()).toMatchObject({ exitCode: 9, reason: 'gates_failed' })
    expect(await comparisons()).toMatchObject({
      statuses: { 'more-yes': 'mixed_model', young: 'compared' },
      gates: [['mixed_model', false]],
      review: [['mixed_model', false]],
    })
  })

  it('with the same manifest, except for run and trace, whether or not the service reports its model', async () => {
    reportModel(null)
    const { digest } = await rig.run()
    reportModel(ONE)
    expect((await rig.run({ options: { force: { select: [], exclude: [] } } })).digest).toBe(digest)
    expect((await comparisons()).models).toMatchObject({ base: ONE })
  })
})

it('a run reads the state of an earlier version without models, and treats its results as those of an unknown model', async () => {
  reportModel(null)
  await rig.run()
  const folder = join(rig.root, '.whatif/studies/demo/embedded')
  for (const name of ['state.json', 'journal.ndjson']) {
    const text = await readFile(join(folder, name), 'utf8')
    await rig.write(join('.whatif/studies/demo/embedded', name), text.replaceAll(/,"model":null/g, ''))
  }
  expect(await rig.read('.whatif/studies/demo/embedded/state.json')).not.toContain('"model"')
  const before = double.log.length
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  expect(double.log.length).toBe(before)
  await nextDay()
  reportModel(ONE)
  expect(await rig.run()).toMatchObject({ exitCode: 9 })
  expect((await comparisons()).statuses).toEqual({ 'more-yes': 'mixed_model', young: 'compared' })
})
