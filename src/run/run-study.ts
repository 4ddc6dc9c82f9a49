import { join } from 'node:path'
import { removeIfThere, writeAtomically } from '../manifest/atomic-file.ts'
import { ManifestWriter, writeRunRecord } from '../manifest/manifest-writer.ts'
import type { Study } from '../spec/study.ts'
import { buildRunManifest } from './build-run-manifest.ts'
import { carryOut } from './carry-out.ts'
import { timestamp } from './clock.ts'
import { concludeRun, concludeWithoutState } from './conclude-run.ts'
import { DeadlinePassed } from './exit-code.ts'
import { preparePlaces, type RunPlaces, runPlaces } from './project-paths.ts'
import { RunContext } from './run-context.ts'
import { acquireLock, type RunLock } from './run-lock.ts'
import type { RunEnvironment, RunRequest, RunResult } from './run-options.ts'
import { StudyStore } from './study-store.ts'

/**
 * Plans a study and carries the plan out. Never prints, never ends the process, and does not throw: how the run ended,
 * a bug included, is in the result.
 *
 * Writes, and nowhere else: artifacts, `manifest.json` and `runs/<run id>.json` in the output folder; `state.json`,
 * `journal.ndjson` and `lock` in the state folder. A run that is refused leaves the manifest as it was.
 */
export async function runStudy(request: RunRequest, env: RunEnvironment): Promise<RunResult> {
  const startedAt = timestamp(env.clock)
  const runId = newRunId(startedAt, env.random)
  const study = withDatasetIds(request.study, request.options.datasetIds)
  env.onEvent({ type: 'run.started', runId, study: study.name, scenarios: study.scenarios.length })
  const places = runPlaces({
    projectRoot: request.projectRoot,
    studyFile: request.studyFile,
    studyName: study.name,
    outputDir: study.outputDir,
    out: request.out,
    service: request.service.label,
  })
  const ends = runSignal(env, request.options.deadlineMs)
  const basis = { request, env, study, places, runId, startedAt }
  try {
    const opened = await openRun({ ...basis, signal: ends.signal, deadlineAt: ends.deadlineAt })
    return await underLock(opened.context, opened.store, opened.lock, startedAt)
  } catch (error) {
    return await concludeWithoutState(basis, error)
  } finally {
    ends.dispose()
  }
}

interface Basis {
  readonly request: RunRequest
  readonly env: RunEnvironment
  readonly study: Study
  readonly places: RunPlaces
  readonly runId: string
  readonly signal: AbortSignal
  readonly deadlineAt: number | null
}

async function openRun(basis: Basis): Promise<{ context: RunContext; store: StudyStore; lock: RunLock }> {
  const { request, env, places, runId, signal } = basis
  await preparePlaces(env.fs, places, {
    root: request.out === null ? request.projectRoot : request.out,
    allowOutside: request.out !== null || request.options.allowOutside,
    outputRange: request.out === null ? request.study.outputDirRange : null,
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
    const store = await StudyStore.open(env.fs, places.stateFolder, env.clock)
    if (store.cutBytes > 0) env.onEvent({ type: 'journal.recovered', cutBytes: store.cutBytes })
    return { context: new RunContext({ ...basis, store, lock }), store, lock }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function underLock(context: RunContext, store: StudyStore, lock: RunLock, startedAt: string): Promise<RunResult> {
  const { env, places } = context
  const writer = new ManifestWriter({
    fs: env.fs,
    folder: places.outputFolder,
    now: () => env.clock.now(),
    sleep: (ms, signal) => env.clock.sleep(ms, signal),
    onWritten: (path, final) => env.onEvent({ type: 'manifest.written', path, final }),
  })
  const manifestPath = join(places.outputFolder, 'manifest.json')
  try {
    const previous = await env.fs.readFile(manifestPath, 'utf8').catch(() => null)
    context.onChange = () =>
      writer.touch(() => buildRunManifest(context, { status: 'running', outcome: null, startedAt, finishedAt: null }))
    context.onChange()
    const failure = await carryOut(context).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    context.onChange = () => {}
    const { manifest, result, isRefused, isLost } = concludeRun(context, failure, startedAt)
    if (isRefused || isLost) {
      await writer.stop()
      // The manifest belongs to the last run that had results, or to the run that took the lock over.
      if (!isLost) await putBack(env, manifestPath, previous)
      await writeRunRecord(env.fs, places.outputFolder, manifest)
    } else {
      await writer.finish(manifest)
      await writeRunRecord(env.fs, places.outputFolder, manifest)
      if (context.state.forced.size > 0 && manifest.status === 'complete') await store.record({ kind: 'settled' })
    }
    if (!isLost) await store.checkpoint()
    env.onEvent({
      type: 'run.finished',
      exitCode: result.exitCode,
      reason: result.reason,
      digest: result.digest,
      totals: isRefused ? null : manifest.totals,
    })
    return result
  } finally {
    await writer.stop()
    await context.closeClient().catch(() => {})
    await store.close().catch(() => {})
    await lock.release().catch(() => {})
  }
}

async function putBack(env: RunEnvironment, path: string, previous: string | null): Promise<void> {
  if (previous === null) await removeIfThere(env.fs, path)
  else await writeAtomically(env.fs, path, previous)
}

/** `20261120T101502Z-4k3z9q`: sorts by time, and no two runs share one. */
function newRunId(startedAt: string, random: () => number): string {
  const time = startedAt.replace(/\.\d+Z$/, 'Z').replaceAll(/[-:]/g, '')
  const tail = Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0')
  return `${time}-${tail}`
}

/** `--dataset name=ds_…` puts a trained dataset in the place of whatever the study names. */
export function withDatasetIds(study: Study, ids: ReadonlyMap<string, string>): Study {
  if (ids.size === 0) return study
  const datasets = new Map(study.datasets)
  for (const [name, datasetId] of ids) {
    const source = datasets.get(name)
    if (source === undefined) continue
    const datasetIdRange = source.kind === 'file' ? source.fileRange : source.datasetIdRange
    datasets.set(name, { kind: 'existing', id: name, datasetId, datasetIdRange })
  }
  return { ...study, datasets }
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
    () => deadline.abort(new DeadlinePassed(`the deadline of ${deadlineMs / 1000} s has passed`)),
    () => {},
  )
  return {
    signal: AbortSignal.any([env.signal, deadline.signal]),
    deadlineAt: env.clock.now() + deadlineMs,
    dispose: () => stopper.abort(),
  }
}
