import { rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../src/answers/manifest/review-manifest.ts'
import { runSummary } from '../../src/cli/output/run-summary.ts'
import { checkStudy } from '../../src/runner/check-study.ts'
import { manifestVerdict } from '../../src/runner/conclude/run-verdict.ts'
import { RunInterruptedError, type RunRefusalError } from '../../src/runner/interface/exit-code.ts'
import { lockStudy } from '../../src/runner/lock-study.ts'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import type { Diagnostic } from '../../src/study/diagnostics/diagnostic.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { makeRig, SEED_CSV, STUDY } from './run-rig.ts'
import { problem } from './service-double.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig()

const posts = (ending: string) => double.log.filter((r) => r.method === 'POST' && r.path.endsWith(ending))
const isPost = (ending: string) => (r: { method: string; path: string }) =>
  r.method === 'POST' && r.path.endsWith(ending)

describe('partial results', () => {
  it.each([
    { policy: 'fail', exitCode: 8, reason: 'partial_below_policy' },
    { policy: 'warn', exitCode: 0, reason: 'ok' },
    { policy: 'accept', exitCode: 0, reason: 'ok' },
    { policy: '{ accept_from: 0.5, otherwise: fail }', exitCode: 0, reason: 'ok' },
    { policy: '{ accept_from: 0.7, otherwise: fail }', exitCode: 8, reason: 'partial_below_policy' },
    { policy: '{ accept_from: 0.7, otherwise: warn }', exitCode: 0, reason: 'ok' },
  ])('with partial: $policy end with $exitCode', async ({ policy, exitCode, reason }) => {
    await rig.write('demo.study.yaml', STUDY.replace('base: {}', `base: { partial: ${policy} }`))
    double.feasible = (body) => (body.conditions === undefined ? 60 : body.row_count)
    expect(await rig.run()).toMatchObject({ exitCode, reason })
    const manifest = await rig.manifest()
    expect(manifest.scenarios.base).toMatchObject({
      status: 'partial',
      rows: { requested: 100, reported: 60, counted: 60, fill: 0.6 },
      shortfall: { detail: 'few rows', binding: [{ column: 'region', level: 'North', target: 1, seed_rows: 3 }] },
      artifact: { path: 'base.csv', format: 'csv' },
    })
    expect(manifestFaults(manifest)).toEqual([])
    expect(manifestVerdict(manifest, evaluateGates(manifest), new Set())).toMatchObject({ exitCode, reason })
    const asked = double.log.length
    expect(await rig.run()).toMatchObject({ exitCode, reason })
    expect(double.log.length).toBe(asked)
  })

  it('are forgiven by --exit-zero-on partial, and reported', async () => {
    double.feasible = () => 60
    const result = await rig.run({ options: { exitZeroOn: new Set(['partial']) } })
    expect(result).toMatchObject({ exitCode: 0, reason: 'ok', also: ['partial_below_policy'] })
  })

  it.each([['partial'], ['partial', 'gates']] as const)(
    'have one digest, whether %j is forgiven or not',
    async (...forgiven) => {
      double.feasible = () => 60
      await rig.write(
        'demo.study.yaml',
        STUDY.replace('base: {}', 'base: { partial: fail, expect: { fill: { min: 0.9 } } }'),
      )
      const plain = await rig.run()
      expect(plain).toMatchObject({ reason: 'partial_below_policy', also: ['gates_failed'] })
      const other = await rig.run({ options: { exitZeroOn: new Set(forgiven) } })
      expect([other.reason, ...other.also]).not.toEqual([plain.reason, ...plain.also])
      expect(other.digest).toBe(plain.digest)
    },
  )
})

describe('the evidence behind rows', () => {
  const evidence = { effective_rows: 12.345678901234567, largest_tilt: 41.2, low_support: true, converged: false }

  it('is in the manifest as the service reports it, and kept for later runs', async () => {
    double.evidence = { ...evidence, exact: true, in_range_share: 0.25, fill: 1, later: 'field' }
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    const expected = {
      effective_rows: 12.3456789012,
      exact: true,
      largest_tilt: 41.2,
      in_range_share: 0.25,
      low_support: true,
      converged: false,
    }
    for (const again of [false, true]) {
      if (again) expect(await rig.run()).toMatchObject({ exitCode: 0 })
      const manifest = await rig.manifest()
      expect(manifest.scenarios.base!.evidence).toEqual(expected)
      expect(manifestFaults(manifest)).toEqual([])
    }
  })

  it('of version 1.0.0, with a field that there is no more, is read from state and manifest', async () => {
    double.evidence = evidence
    await rig.run()
    const add = (text: string) => text.replaceAll(/"largest_tilt": ?/g, '"unlisted":"conditional",$&')
    for (const name of ['state.json', 'journal.ndjson']) {
      const path = join('.whatif/studies/demo/embedded', name)
      await rig.write(path, add(await rig.read(path)))
    }
    const old = JSON.parse(add(JSON.stringify(await rig.manifest())))
    expect(old.scenarios.base.evidence.unlisted).toBe('conditional')
    expect(parseManifest(JSON.stringify(old)).manifest.scenarios.base?.evidence).toMatchObject({ low_support: true })
    const before = double.log.length
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(before)
    expect((await rig.manifest()).scenarios.base!.evidence).not.toHaveProperty('unlisted')
  })

  it.each([
    { reported: null, warned: false },
    { reported: { ...evidence, low_support: false }, warned: false },
    { reported: { effective_rows: 12, largest_tilt: 41.2 }, warned: false },
    { reported: evidence, warned: true },
    { reported: { ...evidence, effective_rows: 1 }, warned: true, seed: 'fewer than 10 effective rows' },
    { reported: { ...evidence, effective_rows: 10 }, warned: true, seed: '10 to 20 effective rows' },
    { reported: { ...evidence, effective_rows: 1, exact: true }, warned: true, seed: '1 effective row' },
  ])('has a warning only if the service reports low support: $reported', async ({ reported, warned, seed }) => {
    double.evidence = reported
    await rig.run()
    const summary = runSummary(await rig.manifest(), { manifestPath: 'm.json', width: 200, service: 'embedded' })
    const warning = `warning: thin evidence: these rows rest on ${seed ?? '12 effective rows'} of the seed data; some combinations of levels have up to 41.2 times their usual share`
    expect(summary.includes(warning)).toBe(warned)
  })
})

describe('the quality of a model', () => {
  const quality = {
    held_out_rows: 8,
    column_shapes: { mean: 0.91234567, reference: 0.95, worst: [{ column: 'age', score: 0.5, reference: 2 / 3 }] },
    pairs: { mean: 0.8, reference: 0.9, measured: 3 },
    c2st: { auc: 0.52, chance: 0.02, rows: 8, later: 'field' },
    copies: { share: 0, reference: 1 / 8 },
    dcr: { nearer_training: 0.5, chance: 0.1, of_copies: 1, rows: 8 },
  }

  it('is in the manifest as the service measured it, rounded like all ratios, and kept for later runs', async () => {
    double.training = { trained_at: '2026-11-20T11:00:00Z', duration_ms: 12, quality: { ...quality, score: 97 } }
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    for (const again of [false, true]) {
      if (again) expect(await rig.run()).toMatchObject({ exitCode: 0 })
      const manifest = await rig.manifest()
      expect(manifest.datasets.panel?.quality).toEqual({
        ...quality,
        column_shapes: {
          mean: 0.912346,
          reference: 0.95,
          worst: [{ column: 'age', score: 0.5, reference: 0.666667 }],
        },
        c2st: { auc: 0.52, chance: 0.02, rows: 8 },
      })
      expect(manifest.trace.datasets.panel?.trained_at).toBe('2026-11-20T11:00:00Z')
      expect(manifestFaults(manifest)).toEqual([])
    }
  })

  it.each([
    { reported: null },
    { reported: { trained_at: '2026-11-20T11:00:00Z', duration_ms: 12, quality: null, quality_note: 'too few rows' } },
    { reported: { trained_at: '2026-11-20T11:00:00Z', duration_ms: 12, quality: { c2st: 0.5, pairs: [] } } },
    { reported: 'good' as never },
  ])('is left out where the service reports none that is known: $reported', async ({ reported }) => {
    double.training = reported
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    const manifest = await rig.manifest()
    expect(manifest.datasets.panel).not.toHaveProperty('quality')
    expect(manifestFaults(manifest)).toEqual([])
  })
})

describe('an artifact that cannot be read', () => {
  it.each([
    {
      name: 'a file that may not be opened',
      error: (root: string) => Object.assign(new Error(`EACCES: denied, open '${root}/x'`), { code: 'EACCES' }),
      why: 'reading it failed (EACCES)',
    },
    { name: 'a library', error: () => new Error('bad row 7: r7,North,Yes,27'), why: 'reading it failed' },
  ])('is reported without the words of $name, which name paths or quote rows', async ({ error, why }) => {
    expect(await rig.run({ env: { measure: () => Promise.reject(error(rig.root)) } })).toMatchObject({ exitCode: 7 })
    expect((await rig.manifest()).scenarios.base?.error).toEqual({
      code: 'artifact_unreadable',
      detail: `the artifact is not a readable csv file: ${why}`,
    })
    // It was paid for and is fetched again, not bought again.
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
  })
})

describe('a generation that fails', () => {
  it('ends its scenario and no other, and is tried again only when asked to', async () => {
    double.feasible = (body) => (body.conditions?.numeric === undefined ? body.row_count : 0)
    expect(await rig.run()).toMatchObject({ exitCode: 7, reason: 'failed' })
    const { scenarios, totals } = await rig.manifest()
    expect(totals).toMatchObject({ ready: 2, failed: 1 })
    expect(scenarios.young).toMatchObject({
      status: 'failed',
      error: { code: 'svc_infeasible_scenario', detail: 'the targets cannot hold together' },
      artifact: null,
    })
    const asked = double.log.length
    expect(await rig.run()).toMatchObject({ exitCode: 7, reason: 'failed' })
    expect(double.log.length).toBe(asked)

    double.feasible = (body) => body.row_count
    expect(await rig.run({ options: { retryFailed: true } })).toMatchObject({ exitCode: 0, reason: 'ok' })
    expect(posts('/generations').map((r) => r.key?.split('.').at(-1))).toEqual(['e0', 'e0', 'e0', 'e1'])
  })

  it('stops further submissions under on_failure: stop', async () => {
    double.feasible = () => 0
    const result = await rig.run({ options: { onFailure: 'stop', concurrency: 1 } })
    expect(result).toMatchObject({ exitCode: 7, reason: 'failed' })
    expect((await rig.manifest()).totals).toMatchObject({ failed: 1, not_started: 2 })
    expect(double.made('generations')).toBe(1)
  })
})

describe('refusals by the service', () => {
  it('of payment (402) open the breaker: running work ends, the rest is not started, exit 6', async () => {
    let seen = 0
    double.intercept = (r) =>
      isPost('/generations')(r) && ++seen === 2 ? problem(402, 'svc_quota_exceeded', 'no rows left') : undefined
    expect(await rig.run({ options: { concurrency: 1 } })).toMatchObject({ exitCode: 6, reason: 'payment_required' })
    const manifest = await rig.manifest()
    expect(manifest.totals).toMatchObject({ ready: 1, refused: 1, not_started: 1 })
    expect(manifestFaults(manifest)).toEqual([])
    double.intercept = () => undefined
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    // The refused request kept its key.
    expect(posts('/generations').every((r) => r.key?.endsWith('.e0'))).toBe(true)
    expect(double.made('generations')).toBe(3)
  })

  it('of the credentials end the run with 5 and leave the last manifest alone', async () => {
    await rig.run()
    const before = await rig.read('out/demo/manifest.json')
    await rm(join(rig.root, 'out/demo/base.csv'))
    double.intercept = (r) => (r.path === '/oauth/token' ? problem(401, null, 'Invalid credentials.') : undefined)
    expect(await rig.run()).toMatchObject({ exitCode: 5, reason: 'authentication' })
    expect(await rig.read('out/demo/manifest.json')).toBe(before)
  })

  it('of a condition that its own schema allows are exit 4, of anything else 7', async () => {
    double.intercept = (r) =>
      isPost('/generations')(r) ? problem(400, 'svc_unknown_condition_column', 'no such column') : undefined
    expect(await rig.run()).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
    double.intercept = (r) => (isPost('/generations')(r) ? problem(400, 'svc_invalid_field', 'bad') : undefined)
    expect(await rig.run()).toMatchObject({ exitCode: 7, reason: 'failed' })
    expect((await rig.manifest()).totals.refused).toBe(3)
  })

  it('of an upload end its scenarios with 7', async () => {
    double.intercept = (r) => (isPost('/datasets')(r) ? problem(400, 'svc_unreadable_file', 'not a table.') : undefined)
    expect(await rig.run()).toMatchObject({ exitCode: 7, reason: 'failed' })
    const error = (await rig.manifest()).scenarios.base?.error
    // What the service says of the file is all that its author needs.
    expect(error).toMatchObject({ code: 'svc_unreadable_file', detail: 'not a table.' })
    const checked = await checkStudy(await rig.request(), rig.environment())
    expect(checked).toMatchObject({
      exitCode: 7,
      message: `demo.study.yaml:4:18: the seed file "seeds/panel.csv" of dataset "panel": ${error?.detail}`,
    })
    double.intercept = () => undefined
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(new Set(posts('/v1/datasets').map((r) => r.key)).size).toBe(1)
  })
})

describe('a training that failed', () => {
  const error = { code: 'svc_unreadable_file', message: 'it has no rows' }
  const place = 'demo.study.yaml:4:18: the seed file "seeds/panel.csv" of dataset "panel"'
  const check = async (retryFailed = false) =>
    checkStudy(await rig.request({ options: { retryFailed } }), rig.environment())
  const lock = async () =>
    lockStudy(await rig.request(), rig.environment(), {
      check: false,
      hashLevels: false,
      newSalt: () => '5'.repeat(32),
    })

  beforeEach(() => {
    double.intercept = ({ path }) =>
      path.startsWith('/v1/jobs/')
        ? { status: 200, json: { job_id: path.slice(9), status: 'failed', error } }
        : undefined
  })

  it('is reported again by commands that generate nothing, which never call the study valid or lock it', async () => {
    expect(await check()).toMatchObject({ exitCode: 7, message: `${place}: it has no rows` })
    const again = {
      exitCode: 7,
      message: `${place}: it has no rows (failed in an earlier run; --retry-failed tries again)`,
    }
    expect(await check()).toMatchObject(again)
    expect(await lock()).toMatchObject({ ...again, written: false })
    expect(await rig.list('.')).not.toContain('demo.study.lock.json')
    expect(posts('/v1/datasets')).toHaveLength(1)
  })

  it('is tried again on request', async () => {
    await check()
    double.intercept = () => undefined
    expect(await check(true)).toMatchObject({ exitCode: 0 })
    expect(new Set(posts('/v1/datasets').map((r) => r.key)).size).toBe(2)
  })
})

describe('a service that cannot be reached', () => {
  it('is exit 11; the next run sends the same keys', async () => {
    double.intercept = (r) => (isPost('/generations')(r) ? 'drop' : undefined)
    expect(await rig.run()).toMatchObject({ exitCode: 11, reason: 'deadline_or_network' })
    const manifest = await rig.manifest()
    expect(manifest.status).toBe('interrupted')
    expect(manifestFaults(manifest)).toEqual([])
    const keys = new Set(posts('/generations').map((r) => r.key))
    double.intercept = () => undefined
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(new Set(posts('/generations').map((r) => r.key))).toEqual(keys)
    expect(double.made('generations')).toBe(3)
  })

  it('opens the breaker, instead of a try for every scenario of a long study', async () => {
    const many = Array.from({ length: 20 }, (_, i) => `  s${i}: { seed: ${i} }`).join('\n')
    await rig.write('demo.study.yaml', STUDY.replace(/scenarios:[\s\S]*$/, `scenarios:\n${many}\n`))
    double.intercept = (r) => (isPost('/generations')(r) ? 'drop' : undefined)
    await rig.run({ options: { concurrency: 1 } })
    expect(new Set(posts('/generations').map((r) => r.key)).size).toBe(3)
    expect((await rig.manifest()).totals).toMatchObject({ interrupted: 3, not_started: 17 })
  })

  it('is asked again for a lost answer, which is not paid again', async () => {
    let lost = 0
    double.intercept = (r) => (isPost('/generations')(r) && lost++ < 2 ? { status: 503 } : undefined)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
    expect(rig.events.filter((e) => e.type === 'retry').length).toBe(2)
  })
})

describe('the end of a run from outside', () => {
  it.each([
    { signal: 'SIGINT' as const, exitCode: 130, reason: 'interrupted' },
    { signal: 'SIGTERM' as const, exitCode: 143, reason: 'terminated' },
  ])('by $signal leaves an interrupted manifest and no lock', async ({ signal, exitCode, reason }) => {
    const controller = new AbortController()
    double.pollsPerJob = 2
    double.intercept = (r) => {
      if (r.path.includes('/jobs/') && posts('/generations').length > 1)
        controller.abort(new RunInterruptedError(signal))
      return undefined
    }
    const result = await rig.run({ env: { signal: controller.signal } })
    expect(result).toMatchObject({ exitCode, reason })
    const manifest = await rig.manifest()
    expect(manifest.status).toBe('interrupted')
    expect(manifest.outcome).toMatchObject({ exit_code: exitCode })
    expect(manifest.totals.interrupted).toBeGreaterThan(0)
    expect(await rig.list('.whatif/studies/demo/embedded')).toEqual(['journal.ndjson', 'state.json'])
    double.intercept = () => undefined
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
  })

  it('by the deadline is exit 11, and the next run collects running work', async () => {
    double.pollsPerJob = 1000
    const result = await rig.run({ options: { deadlineMs: 30 * 60_000 } })
    expect(result).toMatchObject({ exitCode: 11, reason: 'deadline_or_network' })
    expect((await rig.manifest()).status).toBe('interrupted')
    double.pollsPerJob = 1
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('datasets')).toBe(1)
  })
})

describe('gates', () => {
  it('that fail are exit 9, at warn level 0', async () => {
    const gate = 'answer: { Yes: 0.7 } }, expect: { fill: { min: 0.9 }, shares: { tolerance: 0.05 } }'
    double.feasible = () => 60
    const study = STUDY.replace('answer: { Yes: 0.7 } }', gate).replace('seed: 1', 'seed: 1, partial: accept')
    await rig.write('demo.study.yaml', study)
    expect(await rig.run()).toMatchObject({ exitCode: 9, reason: 'gates_failed' })
    const written = await rig.manifest()
    const review = evaluateGates(written)
    expect(manifestVerdict(written, review, new Set())).toMatchObject({ exitCode: 9, reason: 'gates_failed' })
    const recorded = Object.values(written.scenarios).flatMap((s) => s.gates)
    expect(review.gates.map((r) => [r.gate, r.unchecked])).toEqual(recorded.map((gate) => [gate, null]))
    expect((await rig.manifest()).scenarios['more-yes']?.gates).toEqual([
      { id: 'fill', level: 'fail', evaluated: 1, passed: false, expected: { min: 0.9 }, actual: 0.6 },
      {
        id: 'shares:answer',
        level: 'fail',
        evaluated: 1,
        passed: true,
        expected: { tolerance: 0.05 },
        actual: 0,
        chance: 0.118322,
      },
    ])
    // Gates only evaluate: relaxing one requests nothing from the service.
    const asked = double.log.length
    await rig.write('demo.study.yaml', study.replace('expect: { fill', 'warn: { fill'))
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(asked)
  })
})

describe('files that a study from a pull request may not reach', () => {
  it.each([
    { name: 'a seed file behind a link', link: 'seeds/panel.csv', to: 'secret.csv' },
    { name: 'an output folder behind a link', link: 'out', to: '' },
    { name: 'a state folder behind a link', link: '.whatif', to: '' },
  ])(
    'are refused for $name that leads out of the project: exit 3, nothing sent, nothing written there',
    async ({ link, to }) => {
      const other = await makeRig(double)
      await writeFile(join(other.root, 'secret.csv'), 'private,rows\n1,2\n')
      const there = (await other.list('.')).join()
      await rm(join(rig.root, link), { recursive: true, force: true })
      await symlink(join(other.root, to), join(rig.root, link))
      const result = await rig.run()
      expect(result).toMatchObject({ exitCode: 3, reason: 'invalid_study' })
      expect(result.diagnostics.at(-1)?.code).toBe('S1302')
      expect(double.log).toEqual([])
      expect((await other.list('.')).join()).toBe(there)
      await other.remove()
    },
  )

  it('are not reached by a link at the path of an artifact', async () => {
    const other = await makeRig(double)
    await writeFile(join(other.root, 'mine.csv'), 'precious\n')
    await rig.write('out/demo/x', '')
    await symlink(join(other.root, 'mine.csv'), join(rig.root, 'out/demo/base.csv'))
    const result = await rig.run()
    expect(result).toMatchObject({ exitCode: 2 })
    expect(result.message).toContain('out/demo/base.csv is a symbolic link')
    expect(double.made('generations')).toBe(0)
    expect(await rig.run({ options: { overwrite: true } })).toMatchObject({ exitCode: 0 })
    expect(await other.read('mine.csv')).toBe('precious\n')
    await other.remove()
  })
})

describe('seed files', () => {
  it.each([
    { name: 'missing', change: 'file: seeds/none.csv', exitCode: 2, code: 'S1304', says: 'there is no such file' },
    { name: 'a folder', change: 'file: seeds', exitCode: 2, code: 'S1304', says: 'it is a folder' },
    { name: 'behind a file', change: 'file: seeds/panel.csv/x', exitCode: 2, code: 'S1304', says: 'is a file and no' },
    {
      name: 'behind a name too long',
      change: `file: ${'x'.repeat(300)}`,
      exitCode: 2,
      code: 'S1304',
      says: 'too long',
    },
    {
      name: 'not the pinned one',
      change: `file: seeds/panel.csv, sha256: ${'0'.repeat(64)}`,
      exitCode: 4,
      code: 'S1306',
      says: `the study pins ${'0'.repeat(64)}`,
    },
  ])('that are $name: exit $exitCode before anything is sent', async ({ change, exitCode, code, says }) => {
    await rig.write('demo.study.yaml', STUDY.replace('file: seeds/panel.csv', change))
    const result = await rig.run()
    expect(result.exitCode).toBe(exitCode)
    expect(result.message).toMatch(/^demo\.study\.yaml:4:\d+: the seed file .* of dataset "panel" /)
    const found = result.diagnostics.filter((d) => d.severity === 'error')
    expect(found).toMatchObject([{ code, detail: expect.stringContaining(says), range: { start: { line: 4 } } }])
    expect(double.log).toEqual([])
  })

  it.each([
    ['a pointer', `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`, 'git lfs pull'],
    ['marks of a merge', `${SEED_CSV}<<<<<<< a\n=======\n>>>>>>> b\n`, 'unresolved merge in lines'],
  ])('that have %s in place of the data are refused before anything is sent', async (_, content, says) => {
    await rig.write('seeds/panel.csv', content)
    const result = await rig.run()
    expect(result).toMatchObject({ exitCode: 2, message: expect.stringContaining(says) })
    const found = result.diagnostics.filter((d) => d.severity === 'error')
    expect(found).toMatchObject([{ code: 'S1304', range: { start: { line: 4 } } }])
    expect(double.log).toEqual([])
  })

  it('that cannot be used are all reported at once, each with its place; the most severe fault decides the exit code', async () => {
    const several = STUDY.replace(
      '  panel: { file: seeds/panel.csv }\n',
      [
        '  panel: { file: seeds/panel.csv }',
        `  pinned: { file: seeds/panel.csv, sha256: ${'0'.repeat(64)} }`,
        '  none: { file: seeds/none.csv }',
        '  large: { file: seeds/large.csv }',
        '  unused-here: { file: seeds/other.csv }\n',
      ].join('\n'),
    )
      .replace('base: {}', 'base: { dataset: panel }\n  a: { dataset: pinned }\n  b: { dataset: none }')
      .replace('more-yes: {', 'c: { dataset: large }\n  d: { dataset: unused-here }\n  more-yes: { dataset: panel,')
      .replace('young: {', 'young: { dataset: panel,')
    await rig.write('demo.study.yaml', several)
    await rig.write('seeds/large.csv', '')
    await truncate(join(rig.root, 'seeds/large.csv'), 500 * 1024 * 1024 + 1)
    const selection = { select: [], exclude: ['d'] }
    const textsOf = (diagnostics: readonly Diagnostic[]) =>
      diagnostics.filter((d) => d.severity === 'error').map((d) => `${d.code} line ${d.range?.start.line}`)
    const all = ['S1306 line 5', 'S1304 line 6', 'S1305 line 7']
    const result = await rig.run({ options: { selection } })
    expect(result).toMatchObject({ exitCode: 2, reason: 'usage' })
    expect(textsOf(result.diagnostics)).toEqual(all)
    expect(result.message).toMatch(/^demo\.study\.yaml:6:\d+: .*"seeds\/none\.csv".*; and 2 more seed files$/)
    const planning = planFromDisk(await rig.request({ options: { selection } }), rig.environment())
    await expect(planning).rejects.toSatisfy(
      (error: RunRefusalError) => error.reason === 'usage' && textsOf(error.diagnostics).join() === all.join(),
    )
    expect(double.log).toEqual([])
  })
})
