import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import type { RunEnvironment } from '../../src/runner/interface/run-options.ts'
import { measureCsv } from './measure-csv.ts'
import { makeRig, type Rig } from './run-rig.ts'
import { type ServiceDouble, startServiceDouble } from './service-double.ts'

/** The figures of a manifest that reports are drawn from, besides counts and differences. */

const STUDY = `version: 1
name: demo
description: |
  What if more people said yes?
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 100, seed: 1, format: csv }
scenarios:
  young: { description: Only the young., ranges: { age: { min: 20, max: 30 } } }
  base: {}
  yes:
    description: More of them say yes.
    matrix:
      axes:
        - name: size
          set: [shares, answer, "Yes"]
          values: { most: 0.9, half: 0.5 }
        - { name: row, values: { few: { rows: 50 }, many: { rows: 80 } } }
      exclude: [{ size: half, row: few }]
      include: [{ id: all, description: All of them do., set: { shares: { answer: { "Yes": 1 } } } }]
baseline: base
comparisons:
  - { id: lift, scenarios: ["yes--*"], means: [age], shares: [answer] }
`

let double: ServiceDouble
let rig: Rig
/** What the service reports about columns besides names, levels and kinds. */
let reported: Record<string, object>

beforeEach(async () => {
  reported = {
    age: { min: 20, max: 59, integer: true, quantiles: { q05: 22, q25: 30, q50: 40, q75: 50, q95: 57 } },
    answer: { level_shares: [0.6, 0.4], label: 'Would you buy it?' },
  }
  double = await startServiceDouble()
  double.revise = (json, { path }) => {
    const { schema } = json as { schema?: { name: string }[] }
    if (!path.endsWith('/schema') || schema === undefined) return json
    return { ...json, schema: schema.map((column) => ({ ...column, ...reported[column.name] })) }
  }
  rig = await makeRig(double, STUDY)
})

afterEach(async () => {
  await rig.remove()
  await double.close()
})

const resultsOf = ({ run: _run, trace: _trace, ...results }: Manifest) => results

describe('a manifest for reports', () => {
  it('has the words and the sequence of the study', async () => {
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    const { study, scenarios } = await rig.manifest()
    expect(study).toMatchObject({
      description: 'What if more people said yes?',
      scenario_order: ['young', 'base', 'yes--most--few', 'yes--most--many', 'yes--half--many', 'yes--all'],
      axes: {
        yes: [
          { name: 'size', values: ['most', 'half'] },
          { name: 'row', values: ['few', 'many'] },
        ],
      },
    })
    expect(Object.entries(scenarios).map(([id, { description }]) => [id, description])).toEqual([
      ['base', undefined],
      ['yes--all', 'All of them do.'],
      ['yes--half--many', 'More of them say yes.'],
      ['yes--most--few', 'More of them say yes.'],
      ['yes--most--many', 'More of them say yes.'],
      ['young', 'Only the young.'],
    ])
  })

  it('has the natural shares and quantiles of the columns that the study names', async () => {
    await rig.run()
    const { datasets } = await rig.manifest()
    expect(datasets.panel!.columns).toEqual({
      age: { kind: 'numeric', quantiles: { q05: 22, q25: 30, q50: 40, q75: 50, q95: 57 } },
      answer: {
        kind: 'categorical',
        label: 'Would you buy it?',
        levels: [
          { level: 'No', share: 0.6 },
          { level: 'Yes', share: 0.4 },
        ],
      },
    })
  })

  it('lists levels in their order', async () => {
    reported.answer = { ordered: { from: 'words', levels: ['Yes', 'No'], apart: [] }, level_shares: [0.6, null] }
    await rig.run()
    const { datasets, comparisons } = await rig.manifest()
    const levels = [{ level: 'Yes' }, { level: 'No', share: 0.6 }]
    expect(datasets.panel!.columns!.answer).toEqual({ kind: 'categorical', ordered: true, levels })
    expect(comparisons.lift!.outcomes).toContainEqual({ column: 'answer', kind: 'shares', levels: ['Yes', 'No'] })
  })

  it('has the outcomes in the sequence of the study', async () => {
    await rig.run()
    expect((await rig.manifest()).comparisons.lift!.outcomes).toEqual([
      { column: 'age', kind: 'means' },
      { column: 'answer', kind: 'shares', levels: ['No', 'Yes'] },
    ])
  })

  it('has distributions of numbers in the same bins on both sides, counted in the artifacts', async () => {
    await rig.run()
    const manifest = await rig.manifest()
    for (const [id, { means }] of Object.entries(manifest.comparisons.lift!.scenarios)) {
      const { scenario, against } = means.age!
      expect(scenario!.histogram!.edges).toEqual(against!.histogram!.edges)
      expect(scenario!.histogram).toMatchObject({ whole: true })
      const file = await rig.read(`out/demo/${manifest.scenarios[id]!.artifact!.path}`)
      const [head = '', ...rows] = file.trimEnd().split('\n')
      const ages = rows.map((row) => Number(row.split(',')[head.split(',').indexOf('age')]))
      const { edges, shares } = scenario!.histogram!
      for (const [i, share] of shares.entries()) {
        const inside = ages.filter((age) => age > edges[i]! && age < edges[i + 1]!).length
        expect(share).toBeCloseTo(inside / ages.length, 4)
      }
    }
    expect(() => parseManifest(JSON.stringify(manifest))).not.toThrow()
  })

  it('has no distributions where the service reports no bounds', async () => {
    reported.age = { min: undefined, max: undefined }
    await rig.run()
    const { comparisons } = await rig.manifest()
    const { scenario, against } = comparisons.lift!.scenarios['yes--half--many']!.means.age!
    expect([scenario?.n, against?.n]).toEqual([80, 100])
    expect([scenario, against].filter((side) => side !== null && 'histogram' in side)).toEqual([])
  })
})

it('a manifest that is written again from existing results has the same figures', async () => {
  const first = await rig.run()
  const before = resultsOf(await rig.manifest())
  const again = await rig.run()
  expect(again.exitCode).toBe(0)
  expect((await rig.manifest()).run.rows_billable).toBe(0)
  expect(resultsOf(await rig.manifest())).toEqual(before)
  expect(again.digest).toBe(first.digest)
})

it('artifacts that an earlier version counted without bins are counted again, and nothing is generated', async () => {
  const measure: RunEnvironment['measure'] = (request, signal) => measureCsv({ ...request, bins: new Map() }, signal)
  await rig.run({ env: { measure } })
  const means = async () => (await rig.manifest()).comparisons.lift!.scenarios['yes--half--many']!.means.age!
  expect((await means()).scenario).not.toHaveProperty('histogram')
  await rig.run()
  expect((await rig.manifest()).run.rows_billable).toBe(0)
  expect((await means()).scenario).toHaveProperty('histogram')
})

it('another description or another sequence in the file gives no other digest', async () => {
  const first = await rig.run()
  const moved = STUDY.replace('What if more people said yes?', 'Another question').replace('  base: {}\n', '')
  await rig.write('demo.study.yaml', moved.replace('baseline: base', '  base: {}\nbaseline: base'))
  const second = await rig.run()
  expect((await rig.manifest()).study.description).toBe('Another question')
  expect(second.digest).toBe(first.digest)
})
