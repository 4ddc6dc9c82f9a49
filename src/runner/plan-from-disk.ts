import type { DatasetFacts } from '../records/state/datasets.ts'
import type { Diagnostic } from '../study/diagnostics/diagnostic.ts'
import { uploadHash } from '../study/hashing/request-key.ts'
import { checkConditions } from '../study/live-schema/check-conditions.ts'
import { lockedSchema, sentOf } from '../study/lock/lock.ts'
import { lockDigest } from '../study/lock/render-lock.ts'
import type { Study } from '../study/study.ts'
import { findingsAgainst } from './datasets/check-schemas.ts'
import { lockedFindings } from './datasets/study-lock.ts'
import { refuseHiddenOutput } from './files/hidden-paths.ts'
import { artifactPath, placesOf, requireOwnState } from './files/project-paths.ts'
import type { StudyLockFile } from './files/study-lock-file.ts'
import type { RunEnvironment, RunRequest } from './interface/run-options.ts'
import type { Plan } from './plan/plan.ts'
import { plan } from './plan/plan-study.ts'
import type { StudyState } from './plan/study-state.ts'
import { checkFlags } from './session/check-flags.ts'
import { readDisk } from './session/plan-run.ts'
import { withDatasetIds } from './session/with-dataset-ids.ts'
import { stateInStore } from './shared/read-shared.ts'
import { sharedPlace } from './shared/shared-places.ts'
import { requireOwnName } from './state/study-name.ts'
import { readState } from './state/study-store.ts'

export interface DiskPlan {
  readonly plan: Plan
  readonly state: StudyState
  /** What was last seen of the trained datasets, by name in the study. */
  readonly facts: ReadonlyMap<string, DatasetFacts>
  /** `lockDigest` of the lock file; null when there is none. */
  readonly lockDigest: string | null
  /**
   * Findings of the study's conditions against the cleaned schemas last seen, or else against the lock; findings of the
   * file itself are not included. Then the models of comparisons with retrained datasets, and requests for more rows
   * than the seed supports.
   */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * What a run would do, from state and disk alone. Nothing is written or locked, and the service is not asked, so the
 * clock decides what has expired (`probably expired`). Rejects with `RunRefusalError` for invalid flags, missing seed
 * files and a damaged state.
 */
export async function planFromDisk(
  request: RunRequest,
  env: Pick<RunEnvironment, 'fs' | 'clock' | 'signal' | 'onEvent' | 'shared' | 'objects'>,
): Promise<DiskPlan> {
  const { options } = request
  const { signal } = env
  const study = withDatasetIds(request.study, options.datasetIds)
  const places = placesOf(request)
  await refuseHiddenOutput(env.fs, request)
  await requireOwnState(env.fs, places)
  const state =
    env.shared === undefined
      ? await readState(env.fs, places.stateFolder)
      : await stateInStore(await env.shared(), sharedPlace({ ...request, study }))
  await requireOwnName(env.fs, request, places.anchor, state)
  checkFlags(study, options, state)
  const {
    lockFile,
    seedFiles,
    artifacts: onDisk,
  } = await readDisk({ study, options, request, places, env, signal }, state)
  const artifacts = env.shared === undefined ? onDisk : withElsewhere(onDisk, state)
  const facts = factsSeen(study, state, seedFiles)
  const made = plan(study, {
    state,
    service: request.service.label,
    seedFiles,
    files: artifacts,
    pathOf: (scenario) => artifactPath(places, scenario),
    now: env.clock.now(),
    schemas: new Map([...facts].map(([name, { schema }]) => [name, schema ?? []])),
    engine: request.service.engine ?? null,
    options,
  })
  const diagnostics = [
    ...[...facts].flatMap(([name, seen]) => findingsAgainst(study, name, seen, { lockFile, seedFiles })),
    ...findingsOfLock(study, lockFile, seedFiles, facts),
    ...(options.locked ? lockedFindings(request.study, lockFile, { seeds: seedFiles, facts }) : []),
    ...made.models,
    ...made.density,
  ]
  return { plan: made, state, facts, lockDigest: lockDigest(lockFile.lock), diagnostics }
}

/** Results that the shared state has count as being in their places. */
function withElsewhere(onDisk: ReadonlyMap<string, string>, state: StudyState): ReadonlyMap<string, string> {
  const files = new Map(onDisk)
  for (const { path, sha256 } of state.scenarios.values()) if (!files.has(path)) files.set(path, sha256)
  return files
}

/** Checks conditions against the lock if no schema was seen: datasets named by id, and unchanged seed files. */
function findingsOfLock(
  study: Study,
  { lock, name: fileName }: StudyLockFile,
  seedFiles: ReadonlyMap<string, { readonly sha256: string }>,
  facts: ReadonlyMap<string, DatasetFacts>,
): readonly Diagnostic[] {
  if (lock === null) return []
  return [...lock.datasets].flatMap(([name, entry]) => {
    const source = study.datasets.get(name)
    const isSame =
      source?.kind === 'existing' || (entry.seed !== null && sentOf(entry.seed).sha256 === seedFiles.get(name)?.sha256)
    if (source === undefined || facts.has(name) || !isSame) return []
    return checkConditions(study, name, lockedSchema(lock, name, entry, fileName))
  })
}

/** The facts last seen of the trained datasets, by name in the study; only those with a known schema. */
function factsSeen(
  study: Study,
  state: StudyState,
  seedFiles: ReadonlyMap<string, { readonly sha256: string }>,
): Map<string, DatasetFacts> {
  const facts = new Map<string, DatasetFacts>()
  for (const [name, source] of study.datasets) {
    if (source.kind === 'existing') {
      const seen = state.existing.get(source.datasetId)
      if (seen !== undefined && seen.schema !== null) facts.set(name, seen)
      continue
    }
    const seed = seedFiles.get(name)
    if (seed === undefined) continue
    const hash = uploadHash(source, seed.sha256)
    for (const record of state.uploads.values()) {
      if (record.hash === hash && record.schema !== null) facts.set(name, record)
    }
  }
  return facts
}
