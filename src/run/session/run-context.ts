import { syncFolder } from '../../base/atomic-file.ts'
import { sharedWork } from '../../base/shared-work.ts'
import { CallLedger } from '../../client/call-ledger.ts'
import type { CallOptions, ServiceClient } from '../../client/service-client.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { ManifestScenario } from '../../manifest/manifest.ts'
import type { ScenarioStanding } from '../../manifest/scenario-result.ts'
import type { Plan, ScenarioPlan } from '../../plan/plan.ts'
import type { Chosen, SeedFile } from '../../plan/plan-input.ts'
import { planStudy } from '../../plan/plan-study.ts'
import { chooseScenarios } from '../../plan/select-scenarios.ts'
import type { GenerationRecord, StudyState } from '../../plan/study-state.ts'
import type { Scenario, Study } from '../../study/study.ts'
import { artifactPath, type RunPlaces } from '../files/project-paths.ts'
import type { LockFile } from '../files/study-lock-file.ts'
import { type ExitReason, isDeadline, type RunInterruptedError } from '../interface/exit-code.ts'
import type { Outcome, RunEvent, RunFault } from '../interface/run-event.ts'
import type { RunEnvironment, RunRequest } from '../interface/run-options.ts'
import { explainedDeadline } from '../interface/stop-causes.ts'
import type { RunLock } from '../state/run-lock.ts'
import type { StudyStore } from '../state/study-store.ts'
import { UnknownStatuses } from './unknown-statuses.ts'

/** How a scenario ended in this run. `key`: the work behind it, when there is any. */
export type End =
  | { readonly kind: 'done'; readonly how: Outcome; readonly key: string }
  | {
      readonly kind: 'failed'
      /** `refused`: the service did not take the request. */
      readonly status: 'failed' | 'refused'
      readonly fault: RunFault
      readonly cause: ExitReason
      readonly key: string | null
    }
  /** `interrupted`: work may still be going on at the service; `not_started`: nothing was sent. */
  | {
      readonly kind: 'stopped'
      readonly status: 'interrupted' | 'not_started'
      readonly fault: RunFault
      readonly cause: ExitReason
      readonly key: string | null
    }

export type Breaker = Extract<RunEvent, { type: 'breaker.opened' }>['reason']

/** What expires while this passes may as well have been looked at before. */
const SAME_PLAN_MS = 1000

/** What the parts of a run share: the request, the world, what is known so far, and what has become of each scenario. */
export class RunContext {
  readonly runId: string
  readonly request: RunRequest
  readonly study: Study
  readonly env: RunEnvironment
  readonly places: RunPlaces
  readonly store: StudyStore
  readonly lock: RunLock
  /** Aborted by the caller's signal, by the run's deadline, and when the lock is lost. */
  readonly signal: AbortSignal
  /** ms since 1970, for the client; null = none. */
  readonly deadlineAt: number | null
  /** Null until the disk was read. */
  lockFile: LockFile | null = null
  readonly seedFiles = new Map<string, SeedFile & { readonly path: string }>()
  /** SHA-256 of the files that are there, by path relative to the anchor. */
  readonly files = new Map<string, string>()
  readonly schemas = new Map<string, readonly AnySchemaColumn[]>()
  readonly alive = new Set<string>()
  readonly ends = new Map<string, End>()
  /** Scenarios whose work goes on at the service, with its key. */
  readonly running = new Map<string, string>()
  /** Results as they were made last: a running manifest asks for all of them, and few have changed. */
  readonly results = new Map<string, { readonly standing: ScenarioStanding; readonly result: ManifestScenario }>()
  /** Requests that are on disk and that nothing was sent of yet: what the state said of their keys before. */
  readonly unsent = new Map<string, GenerationRecord | null>()
  /** Keys sent by this run that the service did not know before. */
  readonly bought = new Set<string>()
  /** Rows of requests that this run made in place of others that may have been billed to it. */
  rowsAskedAgain = 0
  /** Keys whose work ended in this run, and that the service knew before. */
  readonly collected = new Set<string>()
  /** Questions about the seed that this run got no answer to; the next run asks them again. */
  readonly unanswered = new Set<string>()
  plan: Plan | null = null
  breaker: Breaker | null = null
  /** A generation was asked for: from here on the run has results, however it ends. Uploads alone are none. */
  began = false
  /** Uploads that this run has sent. */
  uploads = 0
  readonly statuses: UnknownStatuses
  /** Calls to the service, for the message of a deadline that they were still in trouble at. */
  readonly ledger = new CallLedger()
  /** Scenarios in a row that the service gave no answer for. */
  strikes = 0
  /** Called once, when nothing on the disk stands against the run; rejects where its results could not be written. */
  onBegin: () => Promise<void> = async () => {}
  onChange: () => void = () => {}
  /** Forces the names in the output folder to disk; those who ask at once share one flush. */
  readonly syncOutput: () => Promise<void>
  readonly #scenarios: ReadonlyMap<string, Scenario>
  #planned: ReadonlyMap<string, ScenarioPlan> = new Map()
  #planBasis: { readonly known: string; readonly now: number } | null = null
  #chosen: Chosen | null = null
  #client: Promise<ServiceClient> | null = null
  #explained: RunInterruptedError | null = null

  constructor(init: {
    readonly runId: string
    readonly request: RunRequest
    readonly study: Study
    readonly env: RunEnvironment
    readonly places: RunPlaces
    readonly store: StudyStore
    readonly lock: RunLock
    readonly signal: AbortSignal
    readonly deadlineAt: number | null
  }) {
    this.runId = init.runId
    this.request = init.request
    this.study = init.study
    this.env = init.env
    this.places = init.places
    this.store = init.store
    this.lock = init.lock
    this.signal = AbortSignal.any([init.signal, init.lock.lost])
    this.deadlineAt = init.deadlineAt
    this.statuses = new UnknownStatuses(
      () => init.env.clock.now(),
      (event) => this.emit(event),
    )
    this.syncOutput = sharedWork(() => syncFolder(init.env.fs, init.places.outputFolder))
    this.#scenarios = new Map(init.study.scenarios.map((s) => [s.id, s]))
  }

  get state(): StudyState {
    return this.store.state
  }

  get options(): RunRequest['options'] {
    return this.request.options
  }

  /** Why the run was broken off, in the same words for all that it ended. */
  get abortReason(): unknown {
    const reason: unknown = this.signal.reason
    if (!isDeadline(reason)) return reason
    this.#explained ??= explainedDeadline(reason, this.ledger)
    return this.#explained
  }

  emit(event: RunEvent): void {
    this.env.onEvent(event)
  }

  scenario(id: string): Scenario {
    const scenario = this.#scenarios.get(id)
    if (scenario === undefined) throw new RangeError(`no scenario ${id}`)
    return scenario
  }

  /** What the last plan says of a scenario; null before the first plan. */
  planned(id: string): ScenarioPlan | null {
    return this.#planned.get(id) ?? null
  }

  generation(key: string): GenerationRecord {
    const record = this.state.generations.get(key)
    if (record === undefined) throw new RangeError(`no generation under key ${key}`)
    return record
  }

  /** Starts the service or logs in on first use. */
  client(): Promise<ServiceClient> {
    this.#client ??= this.env.client()
    return this.#client
  }

  /** Whether this run has talked to the service. */
  get usesService(): boolean {
    return this.#client !== null
  }

  async closeClient(): Promise<void> {
    const client = await this.#client?.catch(() => null)
    await client?.close()
  }

  /** Options of a request that makes work: sent only while the lock is ours, however long its tries go on. */
  post(subject: string): CallOptions {
    return { ...this.call(subject), beforeTry: () => this.lock.assertHeld() }
  }

  /** Options of a call; `subject` names what it is for in `retry` events. */
  call(subject: string): CallOptions {
    return {
      signal: this.signal,
      ledger: this.ledger,
      ...(this.deadlineAt === null ? {} : { deadlineMs: this.deadlineAt }),
      onRetry: (retry) => this.emit({ type: 'retry', subject, ...retry }),
    }
  }

  /** Plans anew from what is known now, and tells. The plan stays the one it is while nothing new is known. */
  replan(): Plan {
    const { options, request } = this
    const now = this.env.clock.now()
    const known = this.#whatIsKnown()
    const basis = this.#planBasis
    if (this.plan !== null && basis?.known === known && Math.abs(now - basis.now) < SAME_PLAN_MS) return this.plan
    this.#planBasis = { known, now }
    this.#chosen ??= chooseScenarios(this.study, options, this.state)
    this.plan = planStudy(this.study, {
      state: this.state,
      service: request.service.label,
      seedFiles: this.seedFiles,
      files: this.files,
      pathOf: (scenario) => artifactPath(this.places, scenario),
      now,
      schemas: this.schemas,
      alive: this.alive,
      engine: request.service.engine ?? null,
      options,
      chosen: this.#chosen,
    })
    this.#planned = new Map(this.plan.scenarios.map((s) => [s.id, s]))
    this.emit({ type: 'plan', plan: this.plan })
    return this.plan
  }

  /** Changes with everything a plan is made of but the time: what grows without a record is counted. */
  #whatIsKnown(): string {
    const { state, seedFiles, files, schemas, alive } = this
    return [state.serial, seedFiles.size, files.size, schemas.size, alive.size].join(' ')
  }

  /** Sets how a scenario ended; the first end counts. */
  finish(id: string, end: End): void {
    if (this.ends.has(id)) return
    this.running.delete(id)
    this.ends.set(id, end)
    this.onChange()
  }

  /** No new work from here on. The first reason is kept. */
  open(breaker: Breaker): void {
    if (this.breaker !== null) return
    this.breaker = breaker
    this.emit({ type: 'breaker.opened', reason: breaker })
  }
}
