import { uploadHash } from '../../study/hashing/request-key.ts'
import { artifactPath } from '../files/project-paths.ts'
import { scanArtifacts } from '../files/scan-artifacts.ts'
import { type HashedSeedFile, hashSeedFiles, withLineEnds } from '../files/seed-files.ts'
import { readStudyLock, type StudyLockFile } from '../files/study-lock-file.ts'
import type { RunEnvironment } from '../interface/run-options.ts'
import type { Plan, ScenarioPlan } from '../plan/plan.ts'
import type { Chosen } from '../plan/plan-input.ts'
import { plan } from '../plan/plan-study.ts'
import { chooseScenarios } from '../plan/select-scenarios.ts'
import type { StudyState } from '../plan/study-state.ts'
import { datasetsOfSelected } from './check-flags.ts'
import type { OpenRun } from './open-run.ts'

/** Third stage: the files on disk have been read. The service has not been asked. */
export interface ReadRun extends OpenRun {
  readonly lockFile: StudyLockFile
  readonly seedFiles: ReadonlyMap<string, HashedSeedFile>
  /** Hashes of the uploads of those files (`uploadHash`), made once: a running manifest asks for them twice a second. */
  readonly uploadHashes: ReadonlyMap<string, string>
}

/** Fourth stage: the plan is known. A new plan follows every step that finds new facts. */
export interface PlannedRun extends ReadRun {
  readonly plan: Plan
  /** `plan.scenarios` by id. */
  readonly planned: ReadonlyMap<string, ScenarioPlan>
  readonly basis: PlanBasis
}

/** A run at any stage, or ended. */
export type RunSoFar = OpenRun & Partial<PlannedRun>

interface PlanBasis {
  readonly chosen: Chosen
  /** Changes with every input of the plan but the time; facts without a record are counted. */
  readonly known: string
  /** ms since 1970. */
  readonly now: number
}

/** A plan younger than this is not made again for the time alone. */
const SAME_PLAN_MS = 1000

/** @param replacesConflict a lock with an unresolved merge conflict is made again, and not refused. */
export async function readStudyFiles(run: OpenRun, replacesConflict = false): Promise<ReadRun> {
  const { artifacts, ...read } = await readDisk(run, run.store.state, replacesConflict)
  for (const [path, sha256] of artifacts) run.known.files.set(path, sha256)
  const uploadHashes = new Map<string, string>()
  for (const [name, { sha256 }] of read.seedFiles) {
    const source = run.study.datasets.get(name)
    if (source?.kind === 'file') uploadHashes.set(name, uploadHash(source, sha256))
  }
  return { ...run, ...read, uploadHashes }
}

/** Reads the study lock, and hashes seed files and artifacts. Rejects with `RunRefusalError` for unusable files. */
export async function readDisk(
  { study, options, request, places, env, signal }: DiskPlace,
  state: StudyState,
  replacesConflict = false,
): Promise<Pick<ReadRun, 'lockFile' | 'seedFiles'> & { readonly artifacts: ReadonlyMap<string, string> }> {
  const { studyFile, projectRoot } = request
  const { allowOutside, allowHidden } = options
  const lockFile = await readStudyLock(env.fs, { studyFile, projectRoot, allowOutside, replacesConflict })
  const seedFiles = await hashSeedFiles(study, {
    studyFolder: places.studyFolder,
    projectRoot,
    allowOutside,
    allowHidden,
    needed: datasetsOfSelected(study, options, state),
    env,
    signal,
  })
  for (const [name, file] of seedFiles)
    seedFiles.set(name, await withLineEnds(file, lockFile.lock?.datasets.get(name)?.seed, { env, signal }))
  return { lockFile, seedFiles, artifacts: await scanArtifacts(study, state, places, env, signal) }
}

interface DiskPlace extends Pick<OpenRun, 'study' | 'options' | 'request' | 'places' | 'signal'> {
  readonly env: Pick<RunEnvironment, 'fs' | 'onEvent' | 'objects'>
}

/** Plans a run from the current facts and emits the plan. The plan stays while there are no new facts. */
export function planRun(run: ReadRun | PlannedRun): PlannedRun {
  const { study, options, request, store, env, places, known, seedFiles } = run
  const before = 'plan' in run ? run : null
  const now = env.clock.now()
  const whatIsKnown = [store.state.serial, known.files.size, known.schemas.size, known.alive.size].join(' ')
  if (before?.basis.known === whatIsKnown && Math.abs(now - before.basis.now) < SAME_PLAN_MS) return before
  const chosen = before?.basis.chosen ?? chooseScenarios(study, options, store.state)
  const made = plan(study, {
    state: store.state,
    service: request.service.label,
    seedFiles,
    files: known.files,
    pathOf: (scenario) => artifactPath(places, scenario),
    now,
    schemas: known.schemas,
    alive: known.alive,
    engine: request.service.engine ?? null,
    options,
    chosen,
  })
  run.emit({ type: 'plan', plan: made })
  const planned = new Map(made.scenarios.map((s) => [s.id, s]))
  return { ...run, plan: made, planned, basis: { chosen, known: whatIsKnown, now } }
}

/** A step of a run. It acts on its plan, and records its findings in journal, progress and known work. */
export type Step = (run: PlannedRun) => void | Promise<void>

/**
 * Carries out steps; the steps of a group share one plan. The run is planned again before each group, and `reached`
 * receives it.
 */
export async function takeSteps(
  run: PlannedRun,
  groups: readonly (readonly Step[])[],
  reached: (run: PlannedRun) => void = () => {},
): Promise<PlannedRun> {
  let current = run
  for (const steps of groups) {
    current = planRun(current)
    reached(current)
    for (const step of steps) await step(current)
  }
  return current
}

export const startService: Step = async (run) => {
  await run.service.client()
}

export function generates({ action }: ScenarioPlan): boolean {
  return action.kind === 'generate' || action.kind === 'regenerate'
}
