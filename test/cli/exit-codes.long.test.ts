import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EXIT_MEANINGS } from '../../src/runner/interface/exit-meanings.ts'
import { problem } from '../runner/service-double.ts'
import { DEMO_STUDY, type DoubleProject, makeDoubleProject } from './double-project.ts'
import type { Finished } from './project-folder.ts'

let at: DoubleProject
beforeEach(async () => {
  at = await makeDoubleProject()
})
afterEach(() => at.remove())

const whatif = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> =>
  at.project.whatif(args, { env: { ...at.env, ...env } })
const run = (...args: string[]) => whatif(['run', 'demo.study.yaml', ...args])
const change = (from: string, to: string) => at.project.write('demo.study.yaml', DEMO_STUDY.replace(from, to))
const half = () => {
  at.double.feasible = (body) => (body.conditions === undefined ? body.row_count / 2 : body.row_count)
}
const killed = async (signal: 'SIGINT' | 'SIGTERM') => {
  at.double.pollsPerJob = Number.POSITIVE_INFINITY
  const running = at.project.start(['run', 'demo.study.yaml'], { env: at.env })
  await running.said(/waiting for training/)
  running.kill(signal)
  return running.finished
}

/** Every row of the table, reached as a user reaches it. */
const ROWS: Record<number, { readonly when: string; readonly how: () => Promise<Finished> }> = {
  0: { when: 'all is done', how: () => run() },
  1: {
    when: 'the program has a bug',
    how: () =>
      whatif(['run', 'demo.study.yaml'], {
        NODE_OPTIONS: '--import=data:text/javascript,Math.random=()=>{throw(new(TypeError)(1))}',
      }),
  },
  2: { when: 'the selection matches nothing', how: () => run('--select', 'nothing-*') },
  3: {
    when: 'the study file is invalid',
    how: async () => {
      await change('rows: 100', 'rows: 0')
      return run()
    },
  },
  4: {
    when: 'a level is not in the data',
    how: async () => {
      await change('"Yes": 0.7', '"Yse": 0.7')
      return run()
    },
  },
  5: {
    when: 'the credentials are refused',
    how: () => {
      at.double.intercept = ({ path }) => (path.endsWith('/oauth/token') ? problem(401, null, 'no') : undefined)
      return run()
    },
  },
  6: { when: 'the bound is over the budget', how: () => run('--budget-rows', '10') },
  7: {
    when: 'a generation fails',
    how: () => {
      at.double.feasible = () => 0
      return run()
    },
  },
  8: {
    when: 'there are fewer rows than the policy accepts',
    how: () => {
      half()
      return run()
    },
  },
  9: {
    when: 'a gate fails',
    how: async () => {
      half()
      await change('base: {}', 'base: { partial: accept, expect: { fill: { min: 0.9 } } }')
      return run()
    },
  },
  10: {
    when: 'another run holds the lock',
    how: async () => {
      await run()
      const [label] = await at.project.list('.whatif/studies/demo')
      const now = new Date().toISOString()
      const holder = { pid: process.pid, host: hostname(), run_id: 'r0', started_at: now, heartbeat_at: now }
      await at.project.write(`.whatif/studies/demo/${label}/lock`, JSON.stringify(holder))
      return run('--lock-timeout', '0s')
    },
  },
  11: {
    when: 'the deadline passes',
    how: () => {
      at.double.pollsPerJob = Number.POSITIVE_INFINITY
      return run('--deadline', '3s')
    },
  },
  12: {
    when: 'there is no run to watch',
    how: () => whatif(['status', 'demo.study.yaml', '--offline', '--max-age', '26h']),
  },
  20: { when: 'work is pending', how: () => whatif(['plan', 'demo.study.yaml', '--detailed-exitcode']) },
  130: { when: 'SIGINT ends the run', how: () => killed('SIGINT') },
  143: { when: 'SIGTERM ends the run', how: () => killed('SIGTERM') },
}

describe('the exit code', () => {
  it('has a row in this table for every meaning', () => {
    expect(Object.keys(ROWS)).toEqual(Object.keys(EXIT_MEANINGS))
  })

  it.each(Object.entries(ROWS).map(([code, row]) => ({ code: Number(code), ...row })))(
    'is $code when $when',
    async ({ code, how }) => {
      const ended = await how()
      expect({ code: ended.code, signal: ended.signal, stderr: ended.stderr }).toMatchObject({ code, signal: null })
    },
  )

  it.each([
    { forgiven: 'gates', code: 8 },
    { forgiven: 'gates,partial', code: 0 },
  ])(
    'is $code of a partial result with a failed gate under --exit-zero-on $forgiven, and the same from whatif gate',
    async ({ forgiven, code }) => {
      half()
      await change('base: {}', 'base: { expect: { fill: { min: 0.9 } } }')
      expect(await run('--exit-zero-on', forgiven)).toMatchObject({ code })
      expect(await whatif(['gate', 'out/demo/manifest.json', '--exit-zero-on', forgiven])).toMatchObject({ code })
    },
  )
})
