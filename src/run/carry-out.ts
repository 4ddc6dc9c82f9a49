import { join } from 'node:path'
import { removeIfThere } from '../base/atomic-file.ts'
import { needsNoService, type Plan } from '../plan/plan.ts'
import { checkAgainstSchemas } from './datasets/check-schemas.ts'
import { knownFacts } from './datasets/current-upload.ts'
import { lookAtDatasets } from './datasets/dataset-requests.ts'
import { holdToLock } from './datasets/study-lock.ts'
import { askEstimates } from './estimates/ask-estimates.ts'
import { requireOwnManifest } from './files/own-manifest.ts'
import { portablePath } from './files/project-paths.ts'
import { scanArtifacts } from './files/scan-artifacts.ts'
import { hashSeedFiles } from './files/seed-files.ts'
import { readLockFile } from './files/study-lock-file.ts'
import { collectOnly } from './generations/collect-only.ts'
import { collectPending, isCollectable, resumeRequests } from './generations/collect-work.ts'
import { generateAll, makeDatasets } from './generations/generate-all.ts'
import { RunRefusalError } from './interface/exit-code.ts'
import {
  checkFlags,
  checkSavedPlan,
  datasetsOfSelected,
  guardSpending,
  refuseOverBudget,
} from './session/guard-spending.ts'
import type { RunContext } from './session/run-context.ts'
import { hasOwnName, requireOwnName } from './state/study-name.ts'

/** A dataset can end while a run generates from it; it is made anew so many times. */
const MOST_ROUNDS = 3

/**
 * A run between its lock and its last manifest. The order is the promise (study language, section 6.2): what was paid is
 * collected first; whatever is free is asked; then the budget; then datasets; then the conditions of all scenarios
 * against the live schema; and only then is anything generated. What the seed says of the differences is asked last.
 */
export async function carryOut(context: RunContext): Promise<void> {
  await requireOwnManifest(context)
  await sweepLitter(context)
  await checkName(context)
  checkFlags(context.study, context.options, context.state)
  await readDisk(context)
  holdToLock(context)
  const plan = context.replan()
  // Before the name is claimed, which is a change of the state by this run itself.
  checkSavedPlan(context, plan)
  if (context.options.submit && isSettled(plan)) refuseOverBudget(plan)
  await claimName(context)
  // Until here a run can be refused without a trace in the manifest of the last one.
  await context.onBegin()
  if (!context.options.submit) {
    tellPending(context, plan)
    await collectOnly(context, plan)
    await askEstimates(context)
    return
  }
  if (needsNoService(plan)) {
    await generateAll(context, plan)
    await askEstimates(context)
    return
  }
  tellPending(context, plan)
  await context.client()
  await collect(context, plan)
  await work(context)
  await askEstimates(context)
}

/** What lies on the disk: state, seed files, lock and results. Nothing is asked of the service. */
export async function readStudyDisk(context: RunContext): Promise<void> {
  await checkName(context)
  await lookAtStudyDisk(context)
}

/** The same for a check, which makes no results: the name may be another study's, and stays with it. */
export async function lookAtStudyDisk(context: RunContext): Promise<void> {
  const { env, request, places, state } = context
  await readDisk(context)
  holdToLock(context)
  if (await hasOwnName(env.fs, request, places.anchor, state)) await claimName(context)
}

/** Whether asking the service, which is free, could not make the plan any cheaper. */
function isSettled({ scenarios, datasets }: Plan): boolean {
  const isOpen = ({ action }: Plan['datasets'][number]) =>
    action.kind === 'inspect' || (action.kind === 'upload' && !action.certain)
  return !scenarios.some(isCollectable) && !datasets.some(isOpen)
}

/** After `readStudyDisk`: every dataset of the study there and its schema known, without anything being generated. */
export async function readyDatasets(context: RunContext): Promise<void> {
  const used = [...new Set(context.study.scenarios.map((s) => s.dataset))]
  context.replan()
  // The schema of a seed file's bytes is known once and for all; a dataset named by id may have ended since.
  const isKnown = (name: string) =>
    context.study.datasets.get(name)?.kind === 'file' && knownFacts(context, name) !== null
  if (used.every(isKnown)) return
  await context.client()
  await lookAtDatasets(context, context.replan().datasets)
  await makeDatasets(context, context.replan())
}

/** Files that a killed run left half written; the lock says that nobody is writing them. */
async function sweepLitter(context: RunContext): Promise<void> {
  const { fs } = context.env
  const { outputFolder } = context.places
  const parts = new Set(context.study.scenarios.map((s) => `${s.id}.${s.format}.part`))
  for (const name of await fs.readdir(outputFolder)) {
    if (parts.has(name)) await removeIfThere(fs, join(outputFolder, name))
  }
  const runs = join(outputFolder, 'runs')
  const records = await fs.readdir(runs).catch(() => [])
  for (const name of records) {
    if (/^\d{8}T\d{6}Z-[0-9a-z]{6}\.json\.tmp$/.test(name)) await removeIfThere(fs, join(runs, name))
  }
}

function checkName({ env, places, request, state }: RunContext): Promise<void> {
  return requireOwnName(env.fs, request, places.anchor, state)
}

/** Once its files were found fit, so that a study that is refused takes no name. */
async function claimName(context: RunContext): Promise<void> {
  const path = portablePath(context.places.anchor, context.request.studyFile)
  if (context.state.studyPath !== path) await context.store.record({ kind: 'study', path })
}

async function readDisk(context: RunContext): Promise<void> {
  const { env, places, study, signal, request } = context
  const { studyFile, projectRoot } = request
  const { allowOutside, allowHidden } = context.options
  context.lockFile = await readLockFile(env.fs, { studyFile, projectRoot, allowOutside })
  const seeds = await hashSeedFiles(study, {
    studyFolder: places.studyFolder,
    projectRoot,
    allowOutside,
    allowHidden,
    needed: datasetsOfSelected(study, context.options, context.state),
    env,
    signal,
  })
  for (const [name, seed] of seeds) context.seedFiles.set(name, seed)
  const files = await scanArtifacts(study, context.state, places, env, signal)
  for (const [path, sha256] of files) context.files.set(path, sha256)
}

function tellPending(context: RunContext, plan: Plan): void {
  const uploads = plan.datasets.filter((d) => d.action.kind === 'resume').length
  const generations = plan.scenarios.filter((s) => s.action.kind === 'resume').length
  if (uploads + generations > 0) context.emit({ type: 'journal.pending', uploads, generations })
}

/** Everything that is free: pending work, lost files, and whether what is planned on is still there. */
async function collect(context: RunContext, first: Plan): Promise<void> {
  await collectPending(context, first)
  await lookAtDatasets(context, context.replan().datasets)
  // An existing dataset's schema may only now have told what its scenarios are.
  await collectPending(context, context.replan())
}

async function work(context: RunContext): Promise<void> {
  const asked = { confirmed: false }
  for (let round = 1; ; round++) {
    await guardSpending(context, context.replan(), asked)
    await resumeRequests(context, context.replan())
    await lookAtDatasets(context, context.replan().datasets)
    const plan = context.replan()
    await guardSpending(context, plan, asked)
    await makeDatasets(context, plan)
    await drawSeeds(context)
    const last = context.replan()
    holdToLock(context)
    checkAgainstSchemas(context, last)
    await guardSpending(context, last, asked)
    const datasetGone = await generateAll(context, last)
    if (!datasetGone) return
    if (round === MOST_ROUNDS) {
      throw new RunRefusalError(
        'failed',
        'dataset_gone',
        'datasets end as soon as they are made; the service is not usable now',
      )
    }
  }
}

/** Seeds of scenarios that leave theirs to chance: on disk before they are used, so that a crash does not draw again. */
async function drawSeeds(context: RunContext): Promise<void> {
  const selected = new Set(context.plan?.scenarios.filter((s) => s.selected).map((s) => s.id))
  for (const { id, seed } of context.study.scenarios) {
    if (seed !== 'random' || !selected.has(id) || context.ends.has(id) || context.state.seeds.has(id)) continue
    await context.store.record({ kind: 'seed', id, seed: Math.floor(context.env.random() * 2 ** 31) })
  }
}
