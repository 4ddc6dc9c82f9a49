import { syncFolder } from '../../base/atomic-file.ts'
import { timestamp } from '../../base/clock.ts'
import { sharedWork } from '../../base/shared-work.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { GenerationRecord } from '../../records/state/generations.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import type { Scenario, Study } from '../../study/study.ts'
import { refuseHiddenOutput } from '../files/hidden-paths.ts'
import { placesOf, preparePlaces, type RunPlaces } from '../files/project-paths.ts'
import { abortAtDeadline } from '../interface/exit-code.ts'
import type { RunEvent } from '../interface/run-event.ts'
import type { RunEnvironment, RunOptions, RunRequest } from '../interface/run-options.ts'
import { openShared, type SharedRun } from '../shared/open-shared.ts'
import { sharedPlace } from '../shared/shared-places.ts'
import { trustedWork } from '../shared/trusted-work.ts'
import type { RunLock } from '../state/held-lock.ts'
import { acquireRunLock, type LockRequest, runLockPath } from '../state/run-lock.ts'
import { StudyStore } from '../state/study-store.ts'
import { ScenarioProgress } from './scenario-progress.ts'
import { ServiceCalls } from './service-calls.ts'
import { withDatasetIds } from './with-dataset-ids.ts'

/** First stage: the request of a run, before it reads or writes anything. */
export interface StartedRun {
  readonly runId: string
  readonly startedAt: string
  readonly request: RunRequest
  readonly options: RunOptions
  /** The requested study, with the datasets of `--dataset` inserted. */
  readonly study: Study
  readonly scenarios: ReadonlyMap<string, Scenario>
  readonly env: RunEnvironment
  readonly places: RunPlaces
  /** Aborted by the caller's signal and by the run's deadline; for an open run also when its lock is lost. */
  readonly signal: AbortSignal
  /** ms since 1970; null = none. */
  readonly deadlineAt: number | null
  readonly emit: (event: RunEvent) => void
  readonly dispose: () => void
}

/** Second stage: the lock is held and the state is open. The opener of a run closes it. */
export interface OpenRun extends StartedRun {
  readonly lock: RunLock
  readonly store: StudyStore
  /** The state that several machines share; null: it is on this disk alone. */
  readonly shared: SharedRun | null
  readonly service: ServiceCalls
  readonly progress: ScenarioProgress
  readonly sent: SentWork
  readonly known: KnownWork
  /** Forces the names in the output folder to disk; concurrent calls share one flush. */
  readonly syncOutput: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What a run has sent to the service. */
export interface SentWork {
  /** Uploads that this run has sent. */
  uploads: number
  /** A generation was requested: from here on the run has results, however it ends. Uploads alone are no results. */
  began: boolean
  /** Somebody approved the bill. */
  confirmed: boolean
  /** Requests on disk that have not been sent: the previous record of each key. */
  readonly unsent: Map<string, GenerationRecord | null>
  /** Keys sent by this run that the service did not know before. */
  readonly bought: Set<string>
  /** Keys whose work ended in this run, and that the service knew before. */
  readonly collected: Set<string>
  /** Rows of requests that replace others which may have been billed to this run. */
  rowsAskedAgain: number
}

/** Facts that a run has found, apart from its journal. They only grow, except that files move and datasets expire. */
export interface KnownWork {
  /** SHA-256 of the artifacts on disk, by path relative to the anchor. */
  readonly files: Map<string, string>
  /** Those of `files` that are not on this disk but in the shared state. */
  readonly elsewhere: Map<string, string>
  /** Cleaned schemas, by name of the dataset. */
  readonly schemas: Map<string, readonly AnySchemaColumn[]>
  /** Ids of datasets and keys of generations that the service has. */
  readonly alive: Set<string>
  /** Findings against cleaned schemas, cached because a running manifest needs them twice a second. */
  readonly findings: Map<string, readonly Diagnostic[]>
  /** Questions about the seed without an answer in this run; the next run asks them again. */
  readonly unanswered: Set<string>
}

export function startRun(request: RunRequest, env: RunEnvironment): StartedRun {
  const startedAt = timestamp(env.clock)
  const study = withDatasetIds(request.study, request.options.datasetIds)
  return {
    runId: newRunId(startedAt, env.random),
    startedAt,
    request,
    options: request.options,
    study,
    scenarios: new Map(study.scenarios.map((s) => [s.id, s])),
    env,
    places: placesOf(request),
    emit: env.onEvent,
    ...runSignal(env, request.options.deadlineMs),
  }
}

/** Takes the study's run lock and opens its state. `makeOutput`: results will be written. */
export async function openRun(started: StartedRun, { makeOutput }: { readonly makeOutput: boolean }): Promise<OpenRun> {
  const { request, env, places, runId, deadlineAt, emit } = started
  await refuseHiddenOutput(env.fs, request)
  await preparePlaces(env.fs, places, {
    root: request.out === null ? request.projectRoot : request.out,
    allowOutside: request.out !== null || request.options.allowOutside,
    outputRange: request.out === null ? request.study.outputDirRange : null,
    makeOutput,
  })
  const locking: Omit<LockRequest, 'path'> = {
    fs: env.fs,
    clock: env.clock,
    runId,
    process: env.process,
    timeoutMs: request.options.lockTimeoutMs,
    signal: started.signal,
    onWait: (holder) => emit({ type: 'lock.waiting', holder }),
    onTakeover: (holder, because) => emit({ type: 'lock.taken_over', holder, because }),
  }
  const local = await acquireRunLock({ ...locking, path: runLockPath(places) })
  let shared: SharedRun | null = null
  try {
    shared = await openSharedRun(started, locking)
    const lock = shared === null ? local : both(local, shared.lock)
    const mayWrite = () => lock.assertHeld()

    // Files that a killed run left.
    await env.fs.rm(places.tempFolder, { recursive: true, force: true })
    const { clock, fs } = env
    const store = await StudyStore.open({ fs, folder: places.stateFolder, clock, mayWrite, mirror: shared?.mirror })
    if (shared !== null) await beginShared(store, shared, request.options.scope)
    if (store.cutBytes > 0) emit({ type: 'journal.recovered', cutBytes: store.cutBytes })
    const signal = AbortSignal.any([started.signal, lock.lost])
    const { client: open } = env
    const service = new ServiceCalls({ open, clock, signal, deadlineAt, emit, mayPost: mayWrite })
    return {
      ...started,
      signal,
      lock,
      store,
      shared,
      service,
      progress: new ScenarioProgress(emit),
      sent: {
        uploads: 0,
        began: false,
        confirmed: false,
        unsent: new Map(),
        bought: new Set(),
        collected: new Set(),
        rowsAskedAgain: 0,
      },
      known: {
        files: new Map(),
        elsewhere: new Map(),
        schemas: new Map(),
        alive: new Set(),
        findings: new Map(),
        unanswered: new Set(),
      },
      syncOutput: sharedWork(() => syncFolder(env.fs, places.outputFolder)),
      close: async () => {
        await service.close().catch(() => {})
        await store.close().catch(() => {})
        await lock.release().catch(() => {})
      },
    }
  } catch (error) {
    await shared?.close().catch(() => {})
    await local.release()
    throw error
  }
}

/** Null: the state is on this disk alone. */
async function openSharedRun(
  { study, request, env, places }: StartedRun,
  locking: Omit<LockRequest, 'path'>,
): Promise<SharedRun | null> {
  if (env.shared === undefined) return null
  const place = sharedPlace({ ...request, study })
  return await openShared({ ...locking, store: await env.shared(), folder: places.stateFolder }, place)
}

/** A new shared state begins with what is known here; then it takes the work of the scopes that the run trusts. */
async function beginShared(store: StudyStore, shared: SharedRun, scope: string | null): Promise<void> {
  if (shared.isNew && store.state.serial > 0) await store.publish()
  for (const trusted of shared.trusted) {
    const written: Promise<void>[] = []
    for (const change of trustedWork(store.state, trusted, scope)) written.push(store.record(change))
    await Promise.all(written)
  }
}

/** The lock of the folder on this disk, and that of the shared state. */
function both(local: RunLock, shared: RunLock): RunLock {
  return {
    lost: AbortSignal.any([local.lost, shared.lost]),
    async assertHeld() {
      await local.assertHeld()
      await shared.assertHeld()
    },
    async release() {
      await shared.release().catch(() => {})
      await local.release()
    },
  }
}

/** `20261120T101502Z-4k3z9q`: sorts by time, and no two runs share one. */
function newRunId(startedAt: string, random: () => number): string {
  const time = startedAt.replace(/\.\d+Z$/, 'Z').replaceAll(/[-:]/g, '')
  const tail = Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0')
  return `${time}-${tail}`
}

/** The caller's signal and the run's own deadline as one. */
function runSignal(
  env: RunEnvironment,
  deadlineMs: number | null,
): Pick<StartedRun, 'signal' | 'deadlineAt' | 'dispose'> {
  if (deadlineMs === null) return { signal: env.signal, deadlineAt: null, dispose: () => {} }
  const deadline = new AbortController()
  const stopper = new AbortController()
  abortAtDeadline(deadline, deadlineMs, env.clock, stopper.signal)
  return {
    signal: AbortSignal.any([env.signal, deadline.signal]),
    deadlineAt: env.clock.now() + deadlineMs,
    dispose: () => stopper.abort(),
  }
}
