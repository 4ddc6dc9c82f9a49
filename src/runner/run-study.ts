import { join } from 'node:path'
import { ManifestWriter } from '../answers/manifest/manifest-writer.ts'
import { removeIfThere } from '../base/atomic-file.ts'
import { systemClock } from '../base/clock.ts'
import { portablePath } from '../base/paths.ts'
import { HTML_MARK } from '../report/html/page/page-mark.ts'
import { askBacktests, backtestKeys } from './backtests/study-backtests.ts'
import { concludeRun, concludeUnopened, writeConclusion } from './conclude/conclude-run.ts'
import { runManifest } from './conclude/run-manifest.ts'
import { gateEvents } from './conclude/run-verdict.ts'
import { hasPage } from './conclude/write-page.ts'
import { checkDatasets } from './datasets/check-datasets.ts'
import { checkExtensions } from './datasets/check-extensions.ts'
import { checkConditions } from './datasets/check-schemas.ts'
import { makeDatasets } from './datasets/make-datasets.ts'
import { enforceStudyLock } from './datasets/study-lock.ts'
import { askEstimates } from './estimates/ask-estimates.ts'
import { knownStudy } from './estimates/known-study.ts'
import { requireOwnManifest, requireOwnPage, requireOwnRecord } from './files/result-places.ts'
import { collectPending, isCollectable, leaveUnsubmitted, resumeRequests } from './generations/collect-work.ts'
import { downloadAsked, knowShared, shareWhatIsHere } from './generations/fetch-shared.ts'
import { generateAll } from './generations/generate-all.ts'
import { RunRefusalError } from './interface/exit-code.ts'
import type { RunEnvironment, RunRequest, RunResult } from './interface/run-options.ts'
import { needsNoService, type Plan } from './plan/plan.ts'
import { checkFlags } from './session/check-flags.ts'
import { checkSavedPlan, guardSpending, refuseOverBudget } from './session/guard-spending.ts'
import { type OpenRun, openRun, startRun } from './session/open-run.ts'
import {
  type PlannedRun,
  planRun,
  type RunSoFar,
  readStudyFiles,
  type Step,
  startService,
  takeSteps,
} from './session/plan-run.ts'
import { artifactsOfParts, endParts, takeParts } from './shards/merge-parts.ts'
import { leaveToParts } from './shards/missing-parts.ts'
import { claimName, requireOwnName } from './state/study-name.ts'

/**
 * Plans a study and carries out the plan. Never prints, never ends the process, and does not throw: the result states
 * how the run ended, even after a bug.
 *
 * Writes only artifacts, `manifest.json`, `report.html`, `run-record.json` and `runs/<run id>.json` in the output folder, and `state.json`,
 * `journal.ndjson` and `lock` in the state folder. A run that is refused leaves the manifest as it was, and so does one
 * that is interrupted before anything was generated or fetched.
 */
export async function run(request: RunRequest, env: RunEnvironment): Promise<RunResult> {
  const started = startRun(request, env)
  const { runId, study, scenarios } = started
  started.emit({ type: 'run.started', runId, study: study.name, scenarios: scenarios.size })
  try {
    return await runOpened(await openRun(started, { makeOutput: true }))
  } catch (error) {
    return await concludeUnopened(started, error)
  } finally {
    started.dispose()
  }
}

async function runOpened(opened: OpenRun): Promise<RunResult> {
  const writer = manifestWriter(opened)
  try {
    /** The run at the last stage that it reached: the manifest and the conclusion are made from it. */
    let run: RunSoFar = opened
    const reach = <R extends RunSoFar>(stage: R): R => {
      run = stage
      return stage
    }
    const running = () => runManifest(run, { status: 'running', outcome: null, finishedAt: null })
    const begin = async () => {
      // An unwritable folder is detected here, before anything is sent.
      await writer.begin(running())
      opened.progress.onChange = () => writer.touch(running)
    }
    const failure = await carryOut(opened, reach, begin).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    opened.progress.onChange = () => {}
    const conclusion = concludeRun(run, failure)
    const { manifest, isRefused, isLost } = conclusion
    const result = await writeConclusion(run, conclusion, writer)
    if (!isRefused && !isLost) for (const event of gateEvents(manifest)) opened.emit(event)
    const { exitCode, reason, digest } = result
    opened.emit({ type: 'run.finished', exitCode, reason, digest, totals: isRefused ? null : manifest.totals })
    return result
  } finally {
    await writer.stop()
    await opened.close()
  }
}

/** Free steps: collect work of earlier runs, and ask the service whether the plan's datasets still exist. */
const COLLECT: readonly (readonly Step[])[] = [
  [startService, collectPending],
  [checkDatasets],
  // Only the schema of an existing dataset shows which of its scenarios have work to collect.
  [collectPending],
]

/** Nothing that costs money is sent before `guardSpending` has passed the same plan. */
const PREPARE: readonly (readonly Step[])[] = [
  [checkExtensions, guardSpending, resumeRequests],
  [checkDatasets],
  [guardSpending, makeDatasets, drawSeeds],
  [enforceStudyLock, checkConditions, guardSpending],
]

/** A dataset can expire while a run generates from it; it is trained again at most this often. */
const MOST_ROUNDS = 3

/**
 * A run between its lock and its last manifest. The sequence of the steps is guaranteed (study language, section 6.2):
 * collect paid work; ask free questions; check the budget; make datasets; check the conditions of all scenarios against
 * the cleaned schema; then generate. The seed's estimates come last.
 */
async function carryOut(
  opened: OpenRun,
  reach: <R extends RunSoFar>(stage: R) => R,
  begin: () => Promise<void>,
): Promise<void> {
  const { env, request, options, places, study, store } = opened
  if (!options.overwrite) {
    if ((await requireOwnManifest(env.fs, places)) === 'damaged')
      opened.emit({
        type: 'manifest.damaged',
        path: portablePath(places.anchor, join(places.outputFolder, 'manifest.json')),
      })
    if (hasPage(opened)) await requireOwnPage(env.fs, places, HTML_MARK)
    await requireOwnRecord(env.fs, places)
  }
  await removeLitter(opened)
  await requireOwnName(env.fs, request, places.anchor, store.state)
  checkFlags(study, options, store.state)
  const { parts } = opened.request
  if (parts !== undefined) await takeParts(opened, parts)
  const read = reach(await readStudyFiles(opened))
  if (parts !== undefined)
    for (const [path, sha256] of await artifactsOfParts(opened, parts)) opened.known.files.set(path, sha256)
  enforceStudyLock(read)
  await shareWhatIsHere(opened)
  knowShared(opened)
  let run = reach(planRun(read))
  // Before the name is claimed, because the claim itself changes the state.
  checkSavedPlan(run)
  // Said before anything is asked for.
  if (options.submit && run.plan.unknownResults !== null)
    run.emit({ type: 'results.unknown', ...run.plan.unknownResults })
  if (options.submit && isSettled(run.plan)) refuseOverBudget(run)
  await claimName(store, request, places.anchor)
  // Up to here a run can be refused without a trace in the last run's manifest.
  await begin()
  if (!options.submit) {
    announcePending(run)
    const leave: Step = parts === undefined ? leaveUnsubmitted : (planned) => leaveToParts(planned, parts)
    run = await takeSteps(run, [[collectPending], [leave]], reach)
    await generateAll(run)
    if (parts !== undefined) await endParts(run, parts)
  } else if (needsNoService(run.plan)) {
    await generateAll(run)
  } else {
    announcePending(run)
    run = await takeSteps(run, COLLECT, reach)
    for (let round = 1; ; round++) {
      run = await takeSteps(run, PREPARE, reach)
      const { isDatasetGone } = await generateAll(run)
      if (!isDatasetGone) break
      if (round === MOST_ROUNDS) {
        const message = 'datasets expire as soon as they are made; the service is not usable now'
        throw new RunRefusalError('failed', 'dataset_gone', message)
      }
    }
  }
  await downloadAsked(run)
  const known = knownStudy(run)
  await askEstimates(run, known, backtestKeys(known))
  await askBacktests(run, known)
}

function manifestWriter({ env, places, lock, emit }: OpenRun): ManifestWriter {
  return new ManifestWriter({
    fs: env.fs,
    folder: places.outputFolder,
    // Replacing a manifest costs real time, whatever clock the run uses.
    now: () => performance.now(),
    sleep: systemClock.sleep,
    mayWrite: () => lock.assertHeld(),
    onWritten: (path, final) => emit({ type: 'manifest.written', path, final }),
  })
}

/** Removes partial files of a killed run; the lock guarantees that nobody is writing them. */
async function removeLitter({ env: { fs }, places: { outputFolder }, study }: OpenRun): Promise<void> {
  const parts = new Set(study.scenarios.flatMap((s) => [`${s.id}.${s.format}.part`, `${s.id}.${s.form?.format}.part`]))
  for (const name of await fs.readdir(outputFolder)) {
    if (parts.has(name)) await removeIfThere(fs, join(outputFolder, name))
  }
  const runs = join(outputFolder, 'runs')
  const records = await fs.readdir(runs).catch(() => [])
  for (const name of records) {
    if (/^\d{8}T\d{6}Z-[0-9a-z]{6}\.json\.tmp$/.test(name)) await removeIfThere(fs, join(runs, name))
  }
}

/** Whether free questions to the service could not make the plan any cheaper. */
function isSettled({ scenarios, datasets }: Plan): boolean {
  const isOpen = ({ action }: Plan['datasets'][number]) =>
    action.kind === 'inspect' || (action.kind === 'upload' && !action.certain)
  return !scenarios.some(isCollectable) && !datasets.some(isOpen)
}

function announcePending({ plan, emit }: PlannedRun): void {
  const uploads = plan.datasets.filter((d) => d.action.kind === 'resume').length
  const generations = plan.scenarios.filter((s) => s.action.kind === 'resume').length
  if (uploads + generations > 0) emit({ type: 'journal.pending', uploads, generations })
}

/** Draws the seeds of random scenarios: on disk before they are used, so that a crash does not draw again. */
async function drawSeeds({ plan, study, store, progress, env }: PlannedRun): Promise<void> {
  const selected = new Set(plan.scenarios.filter((s) => s.selected).map((s) => s.id))
  for (const { id, seed } of study.scenarios) {
    if (seed !== 'random' || !selected.has(id) || progress.ends.has(id) || store.state.seeds.has(id)) continue
    await store.record({ kind: 'seed', id, seed: Math.floor(env.random() * 2 ** 31) })
  }
}
