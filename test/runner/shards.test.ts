import { cpSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_MANIFEST_BYTES } from '../../src/answers/manifest/parse-manifest.ts'
import type { RunResult } from '../../src/runner/interface/run-options.ts'
import { findParts } from '../../src/runner/shards/find-parts.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import { shardOf, shardStudy } from '../../src/study/shards/shards.ts'
import type { Study } from '../../src/study/study.ts'
import { estimated } from './estimated-answer.ts'
import { makeRig, type RunChange } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

const scenarios = (count: number) =>
  Array.from({ length: count }, (_, i) => `  s${i}: { shares: { answer: { Yes: ${(i + 1) / (count + 1)} } } }`)

const STUDY = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 100, seed: 1, format: csv, expect: { fill: { min: 1 } } }
baseline: base
scenarios:
  base: {}
  twin: {}
${scenarios(12).join('\n')}
comparisons:
  - { id: lift, scenarios: ['s*'], shares: [answer], expect: [{ scenario: s11, column: answer, level: Yes, delta_min: 0.01 }] }
`

useRig(STUDY)

const studyOf = (text: string): Study => {
  const { study } = loadStudy(text, { filename: 'demo.study.yaml' })
  if (study === null) throw new Error('the study has errors')
  return study
}

const posts = () => double.log.filter((r) => r.method === 'POST' && r.path.endsWith('/generations'))

async function part(index: number, of: number, change: RunChange = {}): Promise<RunResult> {
  const { study } = await rig.request(change)
  return rig.run({ ...change, request: { study: shardStudy(study, { index, of }), ...change.request } })
}

async function merge(change: RunChange = {}, folders: readonly string[] = []): Promise<RunResult> {
  const options = { ...change.options, submit: false }
  const request = await rig.request({ ...change, options })
  const parts = await findParts(fs, request, { folders, of: null })
  return rig.run({ ...change, options, request: { parts, ...change.request } })
}

describe('the parts of a study', () => {
  const places = (text: string, of: number) =>
    new Map(studyOf(text).scenarios.map((scenario) => [scenario.id, shardOf(scenario, of)]))

  it('do not move when scenarios are added, renamed or described', () => {
    const before = places(STUDY, 5)
    const more = STUDY.replace('comparisons:', '  further: { shares: { answer: { Yes: 0.111 } } }\ncomparisons:')
    for (const [id, index] of before) expect([id, places(more, 5).get(id)]).toEqual([id, index])
    const renamed = places(STUDY.replace('  s3:', '  sixth:'), 5)
    expect(renamed.get('sixth')).toBe(before.get('s3'))
  })

  it('hold equal requests together, and all scenarios once', () => {
    const found = places(STUDY, 5)
    expect(found.get('twin')).toBe(found.get('base'))
    expect([...found.values()].every((index) => index >= 1 && index <= 5)).toBe(true)
    expect(new Set(found.values()).size).toBeGreaterThan(2)
  })
})

describe('merged parts', () => {
  beforeEach(() => {
    double.estimates = estimated
  })

  it('are what one run makes: the same digest, each request billed once, and no request of the merge', async () => {
    for (const index of [3, 1, 2]) {
      const result = await part(index, 3)
      expect(result).toMatchObject({ exitCode: 0, reason: 'ok' })
      expect(result.manifest.run.shard).toEqual({ index, of: 3 })
      expect(result.manifest.comparisons).toEqual({})
      expect(Object.values(result.manifest.scenarios).flatMap(({ gates }) => gates)).toEqual([])
    }
    expect(posts()).toHaveLength(13)
    const calls = double.log.length
    const merged = await merge()
    expect(merged).toMatchObject({ exitCode: 0, reason: 'ok', message: null })
    expect(double.log).toHaveLength(calls)
    expect(merged.manifest.run).toMatchObject({ rows_billable: 0, rows_collected: 1300, parts: { of: 3, missing: [] } })
    expect(merged.manifest.comparisons.lift?.gates).toMatchObject([{ passed: true }])
    const whole = await makeRig(double, STUDY)
    const alone = await whole.run()
    expect(merged.digest).toBe(alone.digest)
    expect(merged.manifest.comparisons.lift).toEqual(alone.manifest.comparisons.lift)
    await whole.remove()
    // Nothing is left to do for a run, and a second merge makes the same again.
    expect((await rig.run()).digest).toBe(merged.digest)
    expect((await merge()).digest).toBe(merged.digest)
    expect(double.made('generations')).toBe(13)
  })

  it('judge a gate that fails once, in the merge', async () => {
    const strict = STUDY.replace('delta_min: 0.01', 'delta_min: 0.9')
    await rig.write('demo.study.yaml', strict)
    for (const index of [1, 2, 3]) expect((await part(index, 3)).exitCode).toBe(0)
    expect(await merge()).toMatchObject({ exitCode: 9, reason: 'gates_failed' })
  })

  it('leave what a missing part would have, name it, and judge no gate', async () => {
    await part(1, 3)
    await part(3, 3)
    const merged = await merge()
    expect(merged).toMatchObject({ exitCode: 11, reason: 'parts_missing', also: [] })
    expect(merged.message).toMatch(/^part 2 of 3 is not here: \d+ scenarios without rows, and no gate is judged/)
    expect(merged.manifest.run.parts).toEqual({ of: 3, missing: [2], unfinished: [] })
    expect(merged.manifest.status).toBe('interrupted')
    expect((await rig.manifest()).run.parts?.missing).toEqual([2])
    await part(2, 3)
    expect(await merge()).toMatchObject({ exitCode: 0, reason: 'ok' })
    expect(double.made('generations')).toBe(13)
  })

  it('name a part that was run with another version of the study', async () => {
    for (const index of [1, 2, 3]) await part(index, 3)
    await rig.write('demo.study.yaml', STUDY.replace('s4: { shares', 's4: { rows: 90, shares'))
    const merged = await merge()
    expect(merged).toMatchObject({ exitCode: 11, reason: 'parts_missing' })
    const { missing, unfinished } = merged.manifest.run.parts!
    expect([missing, unfinished.length]).toEqual([[], 1])
    expect(merged.message).toContain('not complete, or of another version of the study: 1 scenario without rows')
  })

  it('bill nothing twice when a part is run again, also without its folder', async () => {
    await part(1, 2)
    await part(1, 2)
    await fs.rm(join(rig.root, 'out/demo/shard-1-of-2'), { recursive: true })
    await fs.rm(join(rig.root, '.whatif/studies/demo/embedded/shard-1-of-2'), { recursive: true })
    await part(1, 2)
    await part(2, 2)
    expect(double.made('generations')).toBe(13)
    expect((await merge()).exitCode).toBe(0)
  })

  it('may come from another machine, with a folder each', async () => {
    const elsewhere = await makeRig(double, STUDY)
    for (const index of [1, 2]) {
      await part(index, 2)
      cpSync(join(rig.root, `out/demo/shard-${index}-of-2`), join(elsewhere.root, `downloads/part ${index}`), {
        recursive: true,
      })
    }
    const request = await elsewhere.request({ options: { submit: false } })
    const parts = await findParts(fs, request, { folders: [join(elsewhere.root, 'downloads')], of: null })
    const merged = await elsewhere.run({ options: { submit: false }, request: { parts } })
    expect(merged).toMatchObject({ exitCode: 0, reason: 'ok' })
    expect(await elsewhere.list('out/demo')).toContain('s0.csv')
    await elsewhere.remove()
  })

  it('keep drawn seeds, and a run draws new ones as before', async () => {
    await rig.write('demo.study.yaml', STUDY.replace('s5: {', 's5: { seed: random,'))
    for (const index of [1, 2]) await part(index, 2)
    const made = double.made('generations')
    const merged = await merge()
    expect(merged.exitCode).toBe(0)
    expect((await merge()).digest).toBe(merged.digest)
    expect(double.made('generations')).toBe(made)
    await rig.run()
    expect(double.made('generations')).toBe(made + 1)
  })

  it('do not take a file that differs from what its part recorded', async () => {
    for (const index of [1, 2]) await part(index, 2)
    double.forget('generations')
    const folder = `out/demo/shard-${shardOf(studyOf(STUDY).scenarios[2]!, 2)}-of-2`
    await rig.write(`${folder}/s0.csv`, 'region\nNorth\n')
    const merged = await merge()
    expect(merged).toMatchObject({ exitCode: 11, reason: 'parts_missing' })
    expect(merged.manifest.scenarios.s0?.status).toBe('not_started')
  })
})

describe('the budget of parts', () => {
  it.each([
    { rows: 1300, codes: [0, 0, 0] },
    { rows: 1299, codes: [6, 6, 6] },
  ])('of $rows rows holds for their sum', async ({ rows, codes }) => {
    await rig.write('demo.study.yaml', `${STUDY}budget: { rows_per_run: ${rows} }\n`)
    const ended: number[] = []
    for (const index of [1, 2, 3]) ended.push((await part(index, 3)).exitCode)
    expect(ended).toEqual(codes)
    const billed = [...double.generations.values()].reduce((sum, { rows: made }) => sum + made, 0)
    expect(billed).toBeLessThanOrEqual(rows)
  })

  it('is told as a portion', async () => {
    await rig.write('demo.study.yaml', `${STUDY}budget: { rows_per_run: 130 }\n`)
    const result = await part(1, 1)
    expect(result).toMatchObject({ exitCode: 6, reason: 'over_budget' })
    expect(result.message).toContain('at most 130 are allowed in this part, of 130 in all parts together')
  })
})

describe('parts that cannot be merged', () => {
  const refused = async (folders: readonly string[] = [], of: number | null = null) =>
    findParts(fs, await rig.request(), { folders, of }).then(
      () => 'accepted',
      (error: Error) => error.message,
    )

  it('are refused with the reason', async () => {
    expect(await refused()).toContain('no part in the output folder of the study')
    expect(await refused([join(rig.root, 'seeds')])).toContain('there is no part.json in it or below it')
    await part(1, 2)
    await part(1, 3)
    expect(await refused()).toContain('there are parts of 2 and of 3')
    expect(await refused([], 2)).toBe('accepted')
    const file = join(rig.root, 'out/demo/shard-1-of-2/part.json')
    const whole = readFileSync(file, 'utf8')
    for (const [text, why] of [
      [whole.slice(0, 100), 'not readable as JSON'],
      ['{}', 'expected part_version 1, found undefined'],
      [whole.replace('"index":1', '"index":3'), '"shard" is not as a run writes it'],
      [whole.replace('"study": "demo"', '"study": "other"'), 'part 1/2 is of the study "other", and this is "demo"'],
      [whole.replace('"service": "embedded"', '"service": "12345678"'), 'another service'],
      [whole.replace('"scope": null', '"scope": "x"'), 'was run with --scope x'],
      [whole.replace('"trial": null', '"trial": 10'), 'was run with --rows 10'],
    ] as const) {
      writeFileSync(file, text)
      expect(await refused([], 2)).toContain(why)
    }
    // Sparse: it takes no room on the disk.
    truncateSync(file, MAX_MANIFEST_BYTES + 1)
    expect(await refused([], 2)).toContain(`it has more than ${MAX_MANIFEST_BYTES} bytes; run that part again`)
  })
})
