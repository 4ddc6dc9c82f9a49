import * as nodeFs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RunInterruptedError } from '../../src/runner/interface/exit-code.ts'
import type { StudyState } from '../../src/runner/plan/study-state.ts'
import { readState } from '../../src/runner/state/study-store.ts'
import { problem } from './service-double.ts'
import { double, rig, useRig } from './use-rig.ts'

/*
 * Requests are put in the journal before their turn. Where their turn never comes, the state must say nothing of them:
 * what may have been sent counts as under way, and goes before all else in the next run.
 */

const STUDY = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 10, seed: 1, format: csv }
scenarios:
  grid:
    matrix:
      axes:
        - name: age
          values: { ${Array.from({ length: 12 }, (_, i) => `a${i}: { ranges: { age: { min: ${20 + i}, max: 40 } } }`).join(', ')} }
`

useRig(STUDY)

const state = (): Promise<StudyState> => readState(nodeFs, join(rig.root, '.whatif/studies/demo/embedded'))
const sent = () => double.log.filter((r) => r.method === 'POST' && r.path.endsWith('/generations'))
const keys = (of: Iterable<string | null>) => [...new Set(of)].sort()

const ENDS = {
  'the service wants payment': { exitCode: 6, onTheWay: 0, controller: () => null },
  'the run is interrupted': { exitCode: 130, onTheWay: 2, controller: () => new AbortController() },
}

it.each(Object.entries(ENDS))('a run withdraws requests whose turn does not come because %s', async (_, end) => {
  const controller = end.controller()
  double.intercept = (r) => {
    if (r.method !== 'POST' || !r.path.endsWith('/generations') || sent().length < 3) return undefined
    controller?.abort(new RunInterruptedError('SIGINT'))
    return problem(402, 'svc_quota_exceeded', 'no rows left')
  }
  const options = { concurrency: 2 }
  const result = await rig.run({ options, env: controller === null ? {} : { signal: controller.signal } })
  expect(result.exitCode).toBe(end.exitCode)
  expect(sent().length).toBeLessThan(8)
  const known = keys((await state()).generations.keys())
  expect(known).toEqual(expect.arrayContaining(keys(sent().map((r) => r.key))))
  // An interruption can catch a request on its way: nobody can tell whether it was sent, so it stays known.
  const onTheWay = known.length - keys(sent().map((r) => r.key)).length
  expect(onTheWay).toBeLessThanOrEqual(end.onTheWay)
  // They were in the journal: what is seen here is that they were taken back.
  const journal = await rig.read('.whatif/studies/demo/embedded/journal.ndjson')
  expect(journal).toContain('"kind":"withdrawn"')
  double.intercept = () => undefined
  expect(await rig.run({ options })).toMatchObject({ exitCode: 0 })
  expect(double.made('generations')).toBe(12)
})

it('a run restores the previous record when it withdraws a request', async () => {
  const refuse = (r: { method: string; path: string }) =>
    r.method === 'POST' && r.path.endsWith('/generations') ? problem(400, 'svc_invalid_field', 'bad') : undefined
  double.intercept = refuse
  await rig.run()
  const before = await state()
  expect([...before.generations.values()].map((r) => r.status)).toEqual(Array(12).fill('refused'))
  const asked = sent().length
  double.intercept = (r) => (refuse(r) ? problem(402, 'svc_quota_exceeded', 'no rows left') : undefined)
  await rig.run({ options: { concurrency: 2, force: { select: [], exclude: [] } } })
  const again = new Set(
    sent()
      .slice(asked)
      .map((r) => r.key),
  )
  expect(again.size).toBeLessThan(6)
  const after = await state()
  for (const [key, record] of before.generations)
    if (!again.has(key)) expect(after.generations.get(key)).toEqual(record)
})
