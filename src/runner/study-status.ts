import { join } from 'node:path'
import pLimit from 'p-limit'
import type { FileSystem } from '../base/atomic-file.ts'
import type { Clock } from '../base/clock.ts'
import type { ThisProcess } from '../base/this-process.ts'
import type { UploadRecord } from '../records/state/datasets.ts'
import type { GenerationRecord } from '../records/state/generations.ts'
import { bodyLike } from '../study/hashing/canonical-body.ts'
import type { Scenario, Study } from '../study/study.ts'
import {
  artifactPath,
  exportedPath,
  outsideProject,
  placesOf,
  type RunPlaces,
  requireInside,
  requireOwnState,
} from './files/project-paths.ts'
import type { LockHolder } from './interface/run-event.ts'
import type { ServiceLabel } from './interface/run-options.ts'
import type { SharedStore } from './interface/shared-store.ts'
import type { Selection } from './plan/plan-input.ts'
import { lastStatuses, lastUploads, lastWork, type ScenarioState, STATE_OF, stateWithout } from './plan/state-index.ts'
import { endOfLife, type StudyState } from './plan/study-state.ts'
import { selectOrRefuse } from './session/check-flags.ts'
import { type PresentParts, presentParts } from './shards/present-parts.ts'
import { sharedStatus } from './shared/shared-status.ts'
import { readRunLock, runLockPath, type Staleness } from './state/run-lock.ts'
import { newestRuns, type RunRecords, readRunRecords } from './state/run-records.ts'
import { requireOwnName } from './state/study-name.ts'
import { readState } from './state/study-store.ts'

/** The status of a study, from the files on disk. Times are RFC 3339. */
export interface StudyStatus extends RunRecords {
  readonly study: string
  readonly datasets: readonly DatasetStanding[]
  /** The selected scenarios, in file sequence. */
  readonly scenarios: readonly ScenarioStanding[]
  /** The holder of the study's lock; null: nobody. */
  readonly lock: { readonly holder: LockHolder; readonly stale: Staleness } | null
  readonly pending: PendingWork
  /** Parts that other runs (`--shard`) left in the output folder. */
  readonly parts: readonly PresentParts[]
  /** A run was complete, and the state on this machine knows nothing of it: somebody copied its results without their state. */
  readonly isStateElsewhere: boolean
}

/** Requested work that has not ended here. */
export interface PendingWork {
  /** Datasets that are uploaded and whose training was not seen to end. */
  readonly trainings: number
  /** Generations that are running at the service. */
  readonly generations: number
  /** Requests whose answer was never seen. */
  readonly unanswered: number
  /** Generations that are done at the service and not fetched. */
  readonly downloads: number
}

export interface DatasetStanding {
  /** Name in the study. */
  readonly id: string
  readonly datasetId: string | null
  readonly status: string
  readonly trainedAt: string | null
  readonly expiresAt: string | null
  readonly jobId: string | null
  readonly error: { readonly code: string; readonly detail: string } | null
}

export interface ScenarioStanding {
  readonly id: string
  readonly status: ScenarioState
  /** Rows that the study asks for. */
  readonly requested: number
  /** Rows in the artifact, or else the number that the service reported. */
  readonly rows: number | null
  /** When it ended, or else when it was submitted. */
  readonly since: string | null
  /** When it expires, or expired, at the service. */
  readonly expiresAt: string | null
  /** The file at its path; `shared`: only the shared state has it; null: nothing was fetched yet. */
  readonly file: 'there' | 'missing' | 'changed' | 'shared' | null
  /** The study's request has changed since. */
  readonly isChanged: boolean
  readonly jobId: string | null
  readonly error: { readonly code: string; readonly detail: string } | null
}

/** Files examined at once. */
const AT_ONCE = 8

export interface StatusRequest {
  readonly study: Study
  /** Absolute. */
  readonly studyFile: string
  readonly projectRoot: string
  /** `--out`, absolute; null = as the study says. */
  readonly out: string | null
  readonly allowOutside: boolean
  readonly service: ServiceLabel
  readonly selection: Selection
  /** `--scope`; null = the newest work of each scenario, whatever its scope. */
  readonly scope: string | null
  /** `--reads`: further scopes of a shared state. */
  readonly reads?: readonly string[]
}

export interface StatusEnvironment {
  readonly fs: FileSystem
  readonly clock: Clock
  readonly process: ThisProcess
  /** The state that several machines share; absent: it is on this disk. */
  readonly shared?: (() => Promise<SharedStore>) | undefined
}

/**
 * What `whatif status` shows of a study. Writes nothing, locks nothing and does not ask the service. No file is hashed,
 * so large files take no longer. Rejects with `RunRefusalError` for an empty selection, a name that belongs to another
 * study, and an output folder that is not allowed.
 */
export async function readStudyStatus(request: StatusRequest, env: StatusEnvironment): Promise<StudyStatus> {
  const { study, projectRoot, out } = request
  const places = placesOf(request)
  if (out === null && !request.allowOutside)
    await requireInside(env.fs, projectRoot, places.outputFolder, () =>
      outsideProject(study.outputDirRange, 'the output folder is outside the project'),
    )
  await requireOwnState(env.fs, places)
  const shared = env.shared === undefined ? null : sharedStatus(await env.shared(), request)
  const state = await (shared === null ? readState(env.fs, places.stateFolder) : shared.state())
  await requireOwnName(env.fs, request, places.anchor, state)
  const scope = request.scope ?? undefined
  const ids = selectOrRefuse(study, request.selection, lastStatuses(state, scope))
  const selected = study.scenarios.filter((s) => ids.has(s.id))
  const work = lastWork(state, scope)
  const upload = lastUploads(state, scope)
  const limit = pLimit(AT_ONCE)
  const standings = await Promise.all(
    selected.map((scenario) =>
      limit(() => {
        const record = work(scenario)
        return record === undefined
          ? unbegun(scenario, upload(scenario.dataset))
          : standingOf(scenario, record, resultFile(scenario, record, places, state), env)
      }),
    ),
  )
  const wanted = { service: request.service.kind, scope: request.scope, nowMs: env.clock.now(), scenarios: ids }
  const records = await (shared === null
    ? readRunRecords(env.fs, places.outputFolder, wanted)
    : newestRuns(shared.records, wanted))
  return {
    study: study.name,
    datasets: datasetStandings(study, state, upload, new Set(selected.map((s) => s.dataset))),
    scenarios: standings,
    lock: await (shared === null ? readRunLock({ ...env, path: runLockPath(places) }) : shared.lock(env)),
    pending: pendingWork(state),
    parts: await presentParts(env.fs, places.outputFolder),
    isStateElsewhere: records.lastComplete !== null && state.generations.size === 0,
    ...records,
  }
}

/** Nothing was requested, perhaps because there is no dataset yet. */
function unbegun({ id, rows }: Scenario, upload: UploadRecord | undefined): ScenarioStanding {
  const status = stateWithout(upload)
  const nothing = { rows: null, since: null, expiresAt: null, file: null, jobId: null }
  return {
    id,
    requested: rows,
    ...nothing,
    status,
    isChanged: false,
    error: status === 'not_started' ? null : (upload?.error ?? null),
  }
}

async function standingOf(
  scenario: Scenario,
  record: GenerationRecord,
  file: ResultFile | null,
  { fs, shared }: StatusEnvironment,
): Promise<ScenarioStanding> {
  const isDone = record.status === 'ready' || record.status === 'partial' || record.status === 'gone'
  const end = isDone ? endOfLife(record) : null
  return {
    id: scenario.id,
    requested: scenario.rows,
    status: STATE_OF[record.status],
    rows: record.artifact?.measured.rows ?? record.rowsReported,
    since: record.completedAt ?? record.submittedAt,
    expiresAt: end === null ? null : new Date(end).toISOString(),
    file: file === null ? null : await fileOf(file, fs, shared !== undefined),
    isChanged: isOther(scenario, record.body),
    jobId: record.status === 'processing' ? record.jobId : null,
    error: record.error,
  }
}

interface ResultFile {
  /** Absolute. */
  readonly path: string
  /** Null: it has not been made yet. */
  readonly bytes: number | null
}

/** The result of a scenario: its artifact, or the file that is made of it. Null before the artifact has arrived. */
function resultFile(
  scenario: Scenario,
  { artifact }: GenerationRecord,
  places: RunPlaces,
  state: StudyState,
): ResultFile | null {
  if (artifact === null) return null
  const exported = exportedPath(places, scenario)
  if (exported === null) return { path: join(places.anchor, artifactPath(places, scenario)), bytes: artifact.bytes }
  const made = state.scenarios.get(scenario.id)?.exported
  return { path: join(places.anchor, exported), bytes: made?.path === exported ? made.bytes : null }
}

async function fileOf(
  { path, bytes }: ResultFile,
  fs: FileSystem,
  isShared: boolean,
): Promise<'there' | 'missing' | 'changed' | 'shared'> {
  try {
    const stats = await fs.lstat(path)
    return stats.isFile() && Number(stats.size) === bytes ? 'there' : 'changed'
  } catch {
    return isShared ? 'shared' : 'missing'
  }
}

/** Whether a body differs from the scenario's current request. A drawn seed makes no difference. */
function isOther(scenario: Scenario, body: string): boolean {
  try {
    const { seed } = JSON.parse(body) as { seed: number }
    return bodyLike(scenario, body, seed) !== body
  } catch {
    return true
  }
}

function datasetStandings(
  study: Study,
  state: StudyState,
  upload: (dataset: string) => UploadRecord | undefined,
  used: ReadonlySet<string>,
): DatasetStanding[] {
  return [...study.datasets.values()]
    .filter(({ id }) => used.has(id))
    .map((source) => {
      if (source.kind === 'existing') {
        const seen = state.existing.get(source.datasetId)
        const { status = 'not seen', trainedAt = null, expiresAt = null } = seen ?? {}
        return { id: source.id, datasetId: source.datasetId, status, trainedAt, expiresAt, jobId: null, error: null }
      }
      const newest = upload(source.id)
      const {
        status = 'not started',
        datasetId = null,
        trainedAt = null,
        expiresAt = null,
        error = null,
      } = newest ?? {}
      const jobId = newest?.status === 'training' ? newest.jobId : null
      return { id: source.id, datasetId, status, trainedAt, expiresAt, jobId, error }
    })
}

/** Counts all scopes, and scenarios that the study no longer has: they were paid for. */
function pendingWork(state: StudyState): PendingWork {
  const records = [...state.generations.values()]
  const uploads = [...state.uploads.values()]
  const count = (...statuses: string[]) => records.filter((r) => statuses.includes(r.status)).length
  return {
    trainings: uploads.filter((u) => u.status === 'training').length,
    generations: count('processing'),
    unanswered: count('prepared') + uploads.filter((u) => u.status === 'prepared').length,
    downloads: records.filter((r) => (r.status === 'ready' || r.status === 'partial') && r.artifact === null).length,
  }
}

/** Everything that expires at the service before `until` (ms since 1970) and has not expired yet. */
export function endingBefore(
  status: StudyStatus,
  now: number,
  until: number,
): readonly { readonly what: 'dataset' | 'scenario'; readonly id: string; readonly at: string }[] {
  const within = (at: string | null): at is string => at !== null && Date.parse(at) > now && Date.parse(at) <= until
  return [
    ...status.datasets.map(({ id, expiresAt, status: s }) => ({
      what: 'dataset' as const,
      id,
      at: s === 'gone' ? null : expiresAt,
    })),
    ...status.scenarios.map(({ id, expiresAt, status: s }) => ({
      what: 'scenario' as const,
      id,
      at: s === 'expired' ? null : expiresAt,
    })),
  ].flatMap(({ what, id, at }) => (within(at) ? [{ what, id, at }] : []))
}
