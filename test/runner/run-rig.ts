import * as nodeFs from 'node:fs/promises'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Clock } from '../../src/base/clock.ts'
import { createServiceClient } from '../../src/client/create-service-client.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import type { RunEvent } from '../../src/runner/interface/run-event.ts'
import type { RunEnvironment, RunOptions, RunRequest, RunResult } from '../../src/runner/interface/run-options.ts'
import { DEFAULT_PLAN_OPTIONS } from '../../src/runner/plan/plan-input.ts'
import { run } from '../../src/runner/run-study.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import { measureCsv } from './measure-csv.ts'
import { SECRET_CANARY, type ServiceDouble } from './service-double.ts'

export const START_MS = Date.UTC(2026, 10, 20, 12)

/**
 * A clock that stands still, except that a wait takes no time and moves it. Waits of ten minutes and more (deadlines) end
 * when the others have moved it so far.
 */
export class FakeClock implements Clock {
  #now = START_MS
  readonly #sleepers = new Set<{ at: number; wake: () => void }>()

  now(): number {
    return this.#now
  }

  advance(ms: number): void {
    this.#now += ms
    for (const sleeper of this.#sleepers) {
      if (sleeper.at > this.#now) continue
      this.#sleepers.delete(sleeper)
      sleeper.wake()
    }
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (ms < 600_000) {
      const end = this.#now + ms
      await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
      const due = Math.min(...[...this.#sleepers].map(({ at }) => at))
      if (due < end) {
        // A test that waits for that moment may end this wait.
        this.advance(due - this.#now)
        await new Promise((resolve) => setImmediate(resolve))
        signal?.throwIfAborted()
      }
      this.advance(Math.max(0, end - this.#now))
      return
    }
    await new Promise<void>((resolve, reject) => {
      const sleeper = { at: this.#now + ms, wake: resolve }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper)
        reject(signal.reason as Error)
      })
    })
  }

  every(): () => void {
    return () => {}
  }
}

export const DEFAULT_RUN_OPTIONS: RunOptions = {
  ...DEFAULT_PLAN_OPTIONS,
  concurrency: 4,
  deadlineMs: null,
  onFailure: null,
  allowEmpty: false,
  allowOutside: false,
  allowHidden: false,
  lockTimeoutMs: 0,
  ifLocked: 'fail',
  exitZeroOn: new Set(),
  datasetIds: new Map(),
  submit: true,
  locked: false,
  html: true,
  reads: [],
  download: null,
  savedPlan: null,
}

/** 40 respondents: region in turn North, South, East, West; answer Yes, No; age 20…59. */
export const SEED_CSV = `id,region,answer,age\n${Array.from(
  { length: 40 },
  (_, i) => `r${i},${['North', 'South', 'East', 'West'][i % 4]},${i % 2 === 0 ? 'Yes' : 'No'},${20 + i}`,
).join('\n')}\n`

export const STUDY = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 100, seed: 1, format: csv }
scenarios:
  base: {}
  more-yes: { shares: { answer: { Yes: 0.7 } } }
  young: { ranges: { age: { min: 20, max: 30 } } }
`

export interface Rig {
  /** Project root, a temporary folder. */
  readonly root: string
  readonly clock: FakeClock
  readonly events: RunEvent[]
  /** Runs the study file with the double. */
  run(change?: RunChange): Promise<RunResult>
  request(change?: RunChange): Promise<RunRequest>
  environment(change?: RunChange): RunEnvironment
  write(path: string, content: string | Uint8Array): Promise<void>
  read(path: string): Promise<string>
  /** `manifest.json` of the study `demo`. */
  manifest(): Promise<Manifest>
  /** Names in a folder, sorted; empty when there is none. */
  list(path: string): Promise<string[]>
  remove(): Promise<void>
}

export interface RunChange {
  readonly options?: Partial<RunOptions>
  readonly request?: Partial<RunRequest>
  readonly env?: Partial<RunEnvironment>
}

/** A project in a temporary folder with `SEED_CSV` and `STUDY`, run against a double. */
export async function makeRig(double: ServiceDouble, study = STUDY): Promise<Rig> {
  const root = await nodeFs.realpath(await mkdtemp(join(tmpdir(), 'whatif-run-')))
  const clock = new FakeClock()
  const events: RunEvent[] = []
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  await write('demo.study.yaml', study)
  await write('seeds/panel.csv', SEED_CSV)
  let draws = 0
  const rig: Rig = {
    root,
    clock,
    events,
    write,
    read: (path) => readFile(join(root, path), 'utf8'),
    manifest: async () => JSON.parse(await readFile(join(root, 'out/demo/manifest.json'), 'utf8')) as Manifest,
    list: (path) =>
      readdir(join(root, path)).then(
        (names) => names.sort(),
        () => [],
      ),
    remove: () => rm(root, { recursive: true, force: true }),
    async request(change = {}) {
      const filename = 'demo.study.yaml'
      const { study: loaded, diagnostics } = loadStudy(await readFile(join(root, filename), 'utf8'), { filename })
      if (loaded === null) throw new Error(diagnostics.map((d) => `${d.code} ${d.summary} ${d.detail}`).join('\n'))
      return {
        study: loaded,
        diagnostics,
        studyFile: join(root, filename),
        projectRoot: root,
        out: null,
        service: { label: 'embedded', kind: 'embedded' },
        // Most tests look at no page.
        options: { ...DEFAULT_RUN_OPTIONS, html: false, ...change.options },
        provenance: { tool: '0.0.0', node: '20.0.0', git: null, ci: null },
        ...change.request,
      }
    },
    environment: (change = {}) => ({
      fs: nodeFs,
      clock,
      signal: new AbortController().signal,
      onEvent: (event) => events.push(event),
      client: async () =>
        createServiceClient({
          baseUrl: double.url,
          authUrl: double.url,
          clientId: 'cli_1',
          clientSecret: SECRET_CANARY,
          now: () => clock.now(),
          sleep: (ms, signal) => clock.sleep(ms, signal),
          random: () => 0.5,
        }),
      measure: measureCsv,
      random: () => (draws = (draws + 0.137) % 1),
      process: { pid: process.pid, host: 'here', place: 'here', exists: () => true },
      ...change.env,
    }),
    async run(change = {}) {
      events.length = 0
      return run(await rig.request(change), rig.environment(change))
    },
  }
  return rig
}
