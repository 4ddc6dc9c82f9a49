import * as fs from 'node:fs/promises'
import { beforeEach, expect, it } from 'vitest'
import { findParts } from '../../src/runner/shards/find-parts.ts'
import { shardStudy } from '../../src/study/shards/shards.ts'
import { estimated } from './estimated-answer.ts'
import { makeRig } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

const SCENARIOS = 2000
const PARTS = 20

const STUDY = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 5, seed: 1, format: csv, expect: { fill: { min: 1 } } }
baseline: base
scenarios:
  base: {}
${Array.from(
  { length: SCENARIOS - 1 },
  (_, i) => `  s${i}: { shares: { answer: { Yes: ${((i + 1) / SCENARIOS).toFixed(4)} } } }`,
).join('\n')}
comparisons:
  - { id: lift, scenarios: ['s19??'], shares: [answer], expect: [{ scenario: s1901, column: answer, level: Yes, delta_min: 0.01 }] }
`

useRig(STUDY)

beforeEach(() => {
  double.estimates = estimated
  double.pollsPerJob = 0
})

it(`${SCENARIOS} scenarios in ${PARTS} parts merge to the digest of one run, each billed once`, async () => {
  const options = { concurrency: 16 }
  const { study } = await rig.request()
  const sizes: number[] = []
  for (let index = 1; index <= PARTS; index++) {
    const result = await rig.run({ options, request: { study: shardStudy(study, { index, of: PARTS }) } })
    expect({ index, code: result.exitCode }).toEqual({ index, code: 0 })
    sizes.push(result.manifest.totals.ready)
  }
  expect(sizes.reduce((sum, size) => sum + size)).toBe(SCENARIOS)
  expect(Math.max(...sizes)).toBeLessThan(1.5 * (SCENARIOS / PARTS))
  expect(double.made('generations')).toBe(SCENARIOS)
  const merging = { ...options, submit: false }
  const parts = await findParts(fs, await rig.request({ options: merging }), { folders: [], of: null })
  const calls = double.log.length
  const merged = await rig.run({ options: merging, request: { parts } })
  expect(merged).toMatchObject({ exitCode: 0, reason: 'ok' })
  expect(double.log).toHaveLength(calls)
  expect(merged.manifest.run).toMatchObject({ rows_billable: 0, rows_collected: 5 * SCENARIOS })
  expect(merged.manifest.comparisons.lift?.gates).toMatchObject([{ passed: true }])

  const whole = await makeRig(double, STUDY)
  const alone = await whole.run({ options })
  await whole.remove()
  expect(alone.exitCode).toBe(0)
  expect(merged.digest).toBe(alone.digest)
}, 1_200_000)
