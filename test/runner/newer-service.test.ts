import { describe, expect, it } from 'vitest'
import { createLineReporter } from '../../src/cli/progress/line-reporter.ts'
import { checkStudy } from '../../src/runner/check-study.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { makeRig } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

/** The service may add fields and values without a new version, and another one may report less than ours. */

useRig()

const NEWER = { region: 'eu', links: { self: [null, 1] }, ['__proto__']: 1, status_detail: { status: 'odd' } }

describe('a service that is newer than the runner', () => {
  it('may add fields to every answer: the results are the same to the last bit', async () => {
    const { digest } = await rig.run()
    const again = await makeRig(double)
    double.revise = (json) => ({ ...NEWER, ...json })
    double.intercept = () => undefined
    const result = await again.run({ options: { scope: 'newer' } })
    expect(result).toMatchObject({ exitCode: 0, digest })
    expect(manifestFaults(await again.manifest())).toEqual([])
    await again.remove()
  })

  it('may have statuses of its own for work in progress', async () => {
    const seen = new Map<string, number>()
    double.revise = (json, { method, path }) => {
      if (method !== 'GET' || json.status === undefined) return json
      const times = (seen.get(path) ?? 0) + 1
      seen.set(path, times)
      return times < 3 ? { ...json, status: times === 1 ? 'in_review' : 'almost' } : json
    }
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect((await rig.manifest()).totals).toMatchObject({ ready: 3 })
    expect(double.made('generations')).toBe(3)
  })

  it('whose jobs keep an unknown status is waited for until the deadline: exit 11, nothing bought twice', async () => {
    double.revise = (json, { path }) => (path.includes('/jobs/') ? { ...json, status: 'archived' } : json)
    expect(await rig.run({ options: { deadlineMs: 20 * 60_000 } })).toMatchObject({ exitCode: 11 })
    expect(double.made('datasets')).toBe(1)
    double.revise = (json) => json
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect([double.made('datasets'), double.made('generations')]).toEqual([1, 3])
  })

  it.each([
    [
      'a dataset',
      /\/datasets\/[^/]+$/,
      'dataset panel',
      /^dataset panel: warning: the service reports status "archived"/,
    ],
    ['a training job', /\/jobs\//, 'dataset panel', /^dataset panel: warning/],
    ['a generation', /\/generations\//, 'scenario base', /^base: warning: the service reports status/],
  ])(
    'reports %s with a persistently unknown status, once and in the last message',
    async (_what, path, subject, line) => {
      double.revise = (json, request) =>
        request.method === 'GET' && path.test(request.path) ? { ...json, status: 'archived' } : json
      const result = await rig.run({ options: { deadlineMs: 20 * 60_000, concurrency: 1 } })
      expect(result).toMatchObject({ exitCode: 11 })
      // A job that does not end is reported if a run waits for it; for other work the run itself was waiting.
      const [ended] = rig.events.flatMap((event) => ('error' in event ? [event.error.message] : []))
      expect(result.message ?? ended).toMatch(
        path.test('/jobs/')
          ? /^The wait for job job_\d+ \(its status was archived\): no answer before the deadline/
          : new RegExp(
              `^the deadline of 1200 s has passed; ${subject} has the status "archived", which .* newer whatif$`,
            ),
      )
      const unknown = rig.events.filter((event) => event.type === 'status.unknown')
      expect(unknown).toEqual([{ type: 'status.unknown', subject, status: 'archived' }])
      const lines: string[] = []
      const stderr = { write: (text: string) => lines.push(text) > 0 }
      const reporter = createLineReporter({ stderr, quiet: true, verbose: false, clock: rig.clock })
      reporter.onEvent(unknown[0]!)
      expect(lines.join('')).toMatch(line)
    },
  )

  it('that never reports a dataset as ready is given up after an hour if no deadline is set', async () => {
    double.revise = (json, { method, path }) =>
      method === 'GET' && /\/datasets\/[^/]+$/.test(path) ? { ...json, status: 'archived' } : json
    const checked = await checkStudy(await rig.request(), rig.environment())
    expect(checked).toMatchObject({ exitCode: 11 })
    expect(checked.message).toMatch(
      /^dataset panel was not ready within an hour: dataset panel has the status "archived"/,
    )
  })

  it('may describe its columns with unknown fields', async () => {
    double.revise = (json, { path }) => {
      if (!path.endsWith('/schema')) return json
      const columns = (json.schema as object[]).map((column) => ({
        ...column,
        type: 'ordinal',
        bounds: [[1, 2]],
        unit: 'a',
      }))
      return {
        ...json,
        schema: [...columns, { name: 'shape', type: 'geometry', levels: [1, true, 'x'], format: 'wkt' }],
      }
    }
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(manifestFaults(await rig.manifest())).toEqual([])
  })
})

describe('a service that reports less than ours', () => {
  it('may report only names and levels of columns, as the specification requires', async () => {
    double.revise = (json, { path }) =>
      path.endsWith('/schema')
        ? {
            schema: (json.schema as { name: string; levels?: string[] }[]).map(({ name, levels }) => ({
              name,
              levels,
            })),
          }
        : json
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(manifestFaults(await rig.manifest())).toEqual([])
  })

  it('may report no number of rows: the run counts them, and the counted rows are billed', async () => {
    double.revise = ({ rows_generated, ...json }) => json
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    const { scenarios, run } = await rig.manifest()
    expect(scenarios.base?.rows).toEqual({ requested: 100, reported: null, counted: 100, fill: 1 })
    expect(run.rows_billable).toBe(300)
  })

  it('may name no job: the run asks for the generation itself until it is ready', async () => {
    const asked = new Map<string, number>()
    double.pollsPerJob = 0
    double.revise = ({ job_id, ...json }, { method, path }) => {
      if (method !== 'GET' || !path.includes('/generations/')) return json
      const times = (asked.get(path) ?? 0) + 1
      asked.set(path, times)
      return times < 3 ? { generation_id: json.generation_id, status: 'processing' } : json
    }
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect([...asked.values()]).toEqual([3, 3, 3])
    expect(double.log.filter((r) => r.path.includes('/jobs/'))).toEqual([])
  })
})
