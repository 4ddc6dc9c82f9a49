import { randomBytes } from 'node:crypto'
import type { RunEvent } from '../runner/interface/run-event.ts'
import type { RunEnvironment, RunResult } from '../runner/interface/run-options.ts'
import { submitsWork } from '../runner/plan/plan.ts'
import type { RunCommand, RunState } from './wire/messages.ts'
import { readMessage } from './wire/read-message.ts'

type Confirm = NonNullable<RunEnvironment['confirm']>

export interface RunOfPageOptions {
  /** Runs the study as it is on disk. Rejects with an error whose message is for people. */
  readonly run: (hooks: {
    readonly onEvent: (event: RunEvent) => void
    readonly confirm: Confirm
  }) => Promise<RunResult>
  readonly readReport: (path: string) => Promise<string>
}

/** Events after which a scenario has its end. */
const ENDS: ReadonlySet<RunEvent['type']> = new Set([
  'scenario.ready',
  'scenario.partial',
  'scenario.failed',
  'scenario.not_started',
  'scenario.interrupted',
])

const IDLE: RunState = { kind: 'idle', text: '', done: 0, of: 0, report: null }

/** A run of the study that the page keeps scenarios in: one at a time. Rows that would be billed are asked about first. */
export class RunOfPage {
  readonly #options: RunOfPageOptions
  #state: RunState = IDLE
  #answer: ((go: boolean) => void) | null = null
  readonly #reports = new Map<string, string>()

  constructor(options: RunOfPageOptions) {
    this.#options = options
  }

  readonly routes = {
    'GET /run': () => this.#state,
    'POST /run': (body: string) => {
      const command = readMessage('run', body)
      return command === null ? null : this.#obey(command)
    },
  }

  reportAt(path: string): string | null {
    return this.#reports.get(path) ?? null
  }

  #obey({ say }: RunCommand): RunState {
    const isBusy = this.#state.kind === 'running' || this.#state.kind === 'asking'
    if (say === 'start' && !isBusy) void this.#run()
    else if (say !== 'start') this.#answer?.(say === 'go')
    return this.#state
  }

  async #run(): Promise<void> {
    this.#state = { ...IDLE, kind: 'running', text: 'The run begins.' }
    try {
      const result = await this.#options.run({
        onEvent: (event) => this.#see(event),
        confirm: (plan) => this.#ask(plan),
      })
      const { exitCode, message, reportPath } = result
      const report = reportPath === null ? null : `/report/${randomBytes(32).toString('base64url')}`
      if (report !== null && reportPath !== null) this.#reports.set(report, await this.#options.readReport(reportPath))
      const text = exitCode === 0 ? 'The run is complete.' : (message ?? `The run ended with exit code ${exitCode}.`)
      this.#state = { ...this.#state, kind: 'ended', text, report }
    } catch (error) {
      this.#state = { ...this.#state, kind: 'ended', text: (error as Error).message }
    }
  }

  #see(event: RunEvent): void {
    if (event.type === 'run.started') this.#state = { ...this.#state, of: event.scenarios }
    if (ENDS.has(event.type)) {
      const done = this.#state.done + 1
      this.#state = { ...this.#state, done, text: `${done} of ${this.#state.of} scenarios have an end.` }
    }
  }

  async #ask(plan: Parameters<Confirm>[0]): ReturnType<Confirm> {
    if (!submitsWork(plan)) return { go: true }
    const rows = plan.totals.rowsBound.toLocaleString('en')
    this.#state = { ...this.#state, kind: 'asking', text: `The service bills at most ${rows} rows for this run.` }
    const go = await new Promise<boolean>((settle) => {
      this.#answer = settle
    })
    this.#answer = null
    this.#state = { ...this.#state, kind: 'running', text: 'The run goes on.' }
    return go ? { go } : { go, message: 'the run was not allowed to bill rows' }
  }
}
