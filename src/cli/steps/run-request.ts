import { resolve } from 'node:path'
import type { SavedPlan } from '../../plan/saved-plan.ts'
import type { RunOptions, RunRequest } from '../../run/run-options.ts'
import type { Study } from '../../spec/study.ts'
import { type Connection, serviceLabel } from '../connection.ts'
import { exitZeroOn } from '../exit-zero-on.ts'
import type { StudyFile } from '../files/study-file.ts'
import type { RunFlags, StudyFlags } from '../study-options.ts'
import { provenance } from './run-environment.ts'

/** Flags and study as the runner takes them. */
export async function runRequest(options: {
  readonly file: StudyFile
  readonly study: Study
  readonly connection: Connection
  readonly flags: StudyFlags & Partial<RunFlags>
  readonly interactive: boolean
  readonly env: NodeJS.ProcessEnv
  readonly savedPlan?: SavedPlan | null
  /** False: nothing new may be sent. */
  readonly submit?: boolean
}): Promise<RunRequest> {
  const { file, study, connection, flags, env } = options
  return {
    study,
    diagnostics: file.diagnostics,
    studyFile: file.path,
    projectRoot: file.projectRoot,
    out: flags.out === undefined ? null : resolve(flags.out),
    service: { label: serviceLabel(connection), kind: connection.kind },
    options: {
      ...runOptions(flags, options.interactive),
      savedPlan: options.savedPlan ?? null,
      submit: options.submit ?? true,
    },
    provenance: await provenance(file.projectRoot, env),
  }
}

/** How long to wait for whoever holds a lock; `--if-locked wait` is as long as the run itself may take. */
export function lockTimeoutOf(flags: Partial<RunFlags>, interactive: boolean): number {
  const defaultMs = interactive ? 30_000 : 10 * 60_000
  return flags.lockTimeout ?? (flags.ifLocked === 'wait' ? (flags.deadline ?? defaultMs) : defaultMs)
}

/** The same for the lock of the study alone: a run that may be skipped does not wait unless told how long. */
export function studyLockTimeoutOf(flags: Partial<RunFlags>, interactive: boolean): number {
  return flags.ifLocked === 'skip' ? (flags.lockTimeout ?? 0) : lockTimeoutOf(flags, interactive)
}

function runOptions(
  flags: StudyFlags & Partial<RunFlags>,
  interactive: boolean,
): Omit<RunOptions, 'savedPlan' | 'submit'> {
  return {
    scope: flags.scope ?? null,
    selection: { select: flags.select ?? [], exclude: flags.exclude ?? [] },
    force: flags.force === undefined ? null : { select: flags.force === true ? [] : [flags.force], exclude: [] },
    forceDatasets: new Set(flags.forceDataset ?? []),
    retryFailed: flags.retryFailed ?? false,
    budgetRows: flags.budgetRows ?? null,
    overwrite: flags.overwrite ?? false,
    concurrency: flags.concurrency ?? 4,
    deadlineMs: flags.deadline ?? null,
    onFailure: flags.onFailure ?? null,
    allowEmpty: flags.allowEmpty ?? false,
    allowOutside: flags.allowOutside ?? false,
    lockTimeoutMs: studyLockTimeoutOf(flags, interactive),
    ifLocked: flags.ifLocked === 'skip' ? 'skip' : 'fail',
    exitZeroOn: exitZeroOn(flags.exitZeroOn),
    datasetIds: flags.dataset ?? new Map(),
    locked: flags.locked ?? false,
  }
}
