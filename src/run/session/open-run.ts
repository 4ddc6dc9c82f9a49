import { join } from 'node:path'
import { timestamp } from '../../base/clock.ts'
import type { Study } from '../../study/study.ts'
import { withDatasetIds } from '../datasets/with-dataset-ids.ts'
import { refuseHiddenOutput } from '../files/hidden-paths.ts'
import { preparePlaces, type RunPlaces, runPlaces } from '../files/project-paths.ts'
import { RunInterruptedError } from '../interface/exit-code.ts'
import type { RunEnvironment, RunRequest } from '../interface/run-options.ts'
import { acquireLock, type RunLock } from '../state/run-lock.ts'
import { StudyStore } from '../state/study-store.ts'
import { RunContext } from './run-context.ts'

/** What a run is about, before anything is touched. */
export interface RunBasis {
  readonly request: RunRequest
  readonly env: RunEnvironment
  readonly study: Study
  readonly places: RunPlaces
  readonly runId: string
  readonly startedAt: string
  readonly signal: AbortSignal
  readonly deadlineAt: number | null
  dispose(): void
}

export function beginRun(request: RunRequest, env: RunEnvironment): RunBasis {
  const startedAt = timestamp(env.clock)
  const study = withDatasetIds(request.study, request.options.datasetIds)
  const places = runPlaces({
    projectRoot: request.projectRoot,
    studyFile: request.studyFile,
    studyName: study.name,
    outputDir: study.outputDir,
    out: request.out,
    service: request.service.label,
  })
  const runId = newRunId(startedAt, env.random)
  return { request, env, study, places, runId, startedAt, ...runSignal(env, request.options.deadlineMs) }
}

/**
 * Takes the study's lock and opens its state. Whoever opens a run closes store and lock. `makeOutput`: results will be
 * written.
 */
export async function openRun(
  basis: RunBasis,
  makeOutput: boolean,
): Promise<{ context: RunContext; store: StudyStore; lock: RunLock }> {
  const { request, env, places, runId, signal } = basis
  await refuseHiddenOutput(env.fs, request)
  await preparePlaces(env.fs, places, {
    root: request.out === null ? request.projectRoot : request.out,
    allowOutside: request.out !== null || request.options.allowOutside,
    outputRange: request.out === null ? request.study.outputDirRange : null,
    makeOutput,
  })
  const lock = await acquireLock({
    fs: env.fs,
    path: join(places.stateFolder, 'lock'),
    clock: env.clock,
    pid: env.process.pid,
    host: env.process.host,
    runId,
    processExists: env.process.exists,
    timeoutMs: request.options.lockTimeoutMs,
    signal,
    onWait: (holder) => env.onEvent({ type: 'lock.waiting', holder }),
    onTakeover: (holder, because) => env.onEvent({ type: 'lock.taken_over', holder, because }),
  })
  try {
    // What a killed run left behind.
    await env.fs.rm(places.tempFolder, { recursive: true, force: true })
    const store = await StudyStore.open({
      fs: env.fs,
      folder: places.stateFolder,
      clock: env.clock,
      mayWrite: () => lock.assertHeld(),
    })
    if (store.cutBytes > 0) env.onEvent({ type: 'journal.recovered', cutBytes: store.cutBytes })
    return { context: new RunContext({ ...basis, store, lock }), store, lock }
  } catch (error) {
    await lock.release()
    throw error
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

interface RunSignal {
  readonly signal: AbortSignal
  readonly deadlineAt: number | null
  dispose(): void
}

/** The caller's signal and the run's own deadline as one. */
function runSignal(env: RunEnvironment, deadlineMs: number | null): RunSignal {
  if (deadlineMs === null) return { signal: env.signal, deadlineAt: null, dispose: () => {} }
  const deadline = new AbortController()
  const stopper = new AbortController()
  env.clock.sleep(deadlineMs, stopper.signal).then(
    () => deadline.abort(new RunInterruptedError('deadline', `the deadline of ${deadlineMs / 1000} s has passed`)),
    () => {},
  )
  return {
    signal: AbortSignal.any([env.signal, deadline.signal]),
    deadlineAt: env.clock.now() + deadlineMs,
    dispose: () => stopper.abort(),
  }
}
