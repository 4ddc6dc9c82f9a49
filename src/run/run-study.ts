import { systemClock } from '../base/clock.ts'
import { manifestText } from '../manifest/manifest-text.ts'
import { ManifestWriter, writeRunRecord } from '../manifest/manifest-writer.ts'
import { carryOut } from './carry-out.ts'
import {
  type Conclusion,
  concludeIdle,
  concludeRun,
  concludeUnwritten,
  concludeWithoutState,
} from './conclude/conclude-run.ts'
import { buildRunManifest } from './conclude/run-manifest.ts'
import { gateEvents } from './conclude/run-verdict.ts'
import type { RunEnvironment, RunRequest, RunResult } from './interface/run-options.ts'
import { beginRun, openRun } from './session/open-run.ts'
import type { RunContext } from './session/run-context.ts'
import type { RunLock } from './state/run-lock.ts'
import type { StudyStore } from './state/study-store.ts'

/**
 * Plans a study and carries the plan out. Never prints, never ends the process, and does not throw: how the run ended,
 * a bug included, is in the result.
 *
 * Writes, and nowhere else: artifacts, `manifest.json` and `runs/<run id>.json` in the output folder; `state.json`,
 * `journal.ndjson` and `lock` in the state folder. A run that is refused leaves the manifest as it was, and so does one that
 * is interrupted before anything was generated or fetched.
 */
export async function runStudy(request: RunRequest, env: RunEnvironment): Promise<RunResult> {
  const basis = beginRun(request, env)
  env.onEvent({
    type: 'run.started',
    runId: basis.runId,
    study: basis.study.name,
    scenarios: basis.study.scenarios.length,
  })
  try {
    const opened = await openRun(basis, true)
    return await underLock(opened.context, opened.store, opened.lock, basis.startedAt)
  } catch (error) {
    return await concludeWithoutState(basis, error)
  } finally {
    basis.dispose()
  }
}

async function underLock(context: RunContext, store: StudyStore, lock: RunLock, startedAt: string): Promise<RunResult> {
  const { env, places } = context
  const writer = new ManifestWriter({
    fs: env.fs,
    folder: places.outputFolder,
    // What a manifest costs to replace is real time, whatever clock the run goes by.
    now: () => performance.now(),
    sleep: systemClock.sleep,
    mayWrite: () => lock.assertHeld(),
    onWritten: (path, final) => env.onEvent({ type: 'manifest.written', path, final }),
  })
  const running = () => buildRunManifest(context, { status: 'running', outcome: null, startedAt, finishedAt: null })
  try {
    context.onBegin = async () => {
      // A folder that takes no results is found out here, before anything is sent.
      await writer.begin(running())
      context.onChange = () => writer.touch(running)
    }
    const failure = await carryOut(context).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    context.onChange = () => {}
    const { result, manifest, isRefused, isLost } = await putDown(
      context,
      store,
      writer,
      concludeRun(context, failure, startedAt),
    )
    if (!isRefused && !isLost) for (const event of gateEvents(manifest)) env.onEvent(event)
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

/** Writes down how the run ended. What cannot be written is how it ended, then: the results stay, but nothing tells of them. */
async function putDown(
  context: RunContext,
  store: StudyStore,
  writer: ManifestWriter,
  conclusion: Conclusion,
): Promise<Conclusion> {
  const { manifest, isRefused, isLost } = conclusion
  const text = manifestText(manifest)
  let ended = conclusion
  try {
    // The manifest belongs to the last run that had results, or to the run that took the lock over.
    if (isLost) await writer.stop()
    else if (isRefused) await writer.withdraw()
    else if (conclusion.isIdle && (await writer.handBack())) ended = concludeIdle(context, conclusion)
    else await writer.finish(text)
    await writeRunRecord(context.env.fs, context.places.outputFolder, context.runId, text)
    if (context.state.forced.size > 0 && manifest.status === 'complete') await store.record({ kind: 'settled' })
    // Everything is in the journal, which the next run reads just as well.
    if (!isLost) await store.checkpoint().catch(() => {})
    return ended
  } catch (error) {
    return concludeUnwritten(context, conclusion, error)
  }
}
