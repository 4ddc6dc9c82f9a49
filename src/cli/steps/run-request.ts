import { resolve } from 'node:path'
import { DEFAULT_RUN_OPTIONS, type LocalRequest, runOptions, type ValidStudyFile } from '../../local/local-run.ts'
import type { Connection } from '../../local/service-connection.ts'
import type { RunOptions } from '../../runner/interface/run-options.ts'
import type { SavedPlan } from '../../runner/plan/saved-plan.ts'
import { exitZeroOn } from '../options/option-values.ts'
import type { RunFlags, StudyFlags } from '../options/study-options.ts'

/** The run that flags and environment ask for. `submit` false: nothing new may be sent. */
export function localRequest(options: {
  readonly file: ValidStudyFile
  readonly connection: Connection
  readonly flags: StudyFlags & Partial<RunFlags>
  readonly interactive: boolean
  readonly env: NodeJS.ProcessEnv
  readonly savedPlan?: SavedPlan | null
  readonly submit?: boolean
}): LocalRequest {
  const { file, connection, flags, interactive, env, savedPlan = null, submit = true } = options
  return {
    file,
    connection,
    out: flags.out === undefined ? null : resolve(flags.out),
    options: { ...optionsOf(flags, interactive), savedPlan, submit },
    trialRows: flags.rows ?? null,
    shard: flags.shard ?? null,
    ci: env.GITHUB_ACTIONS ? 'github-actions' : env.GITLAB_CI ? 'gitlab-ci' : env.CI ? 'other' : null,
  }
}

/** How long to wait for a lock. `--if-locked wait` waits as long as the run itself may take. */
export function lockTimeoutOf(flags: Partial<RunFlags>, interactive: boolean): number {
  const defaultMs = interactive ? 30_000 : DEFAULT_RUN_OPTIONS.lockTimeoutMs
  return flags.lockTimeout ?? (flags.ifLocked === 'wait' ? (flags.deadline ?? defaultMs) : defaultMs)
}

/** The same for the lock of the study: a run that may be skipped does not wait without an explicit time. */
export function studyLockTimeoutOf(flags: Partial<RunFlags>, interactive: boolean): number {
  return flags.ifLocked === 'skip' ? (flags.lockTimeout ?? 0) : lockTimeoutOf(flags, interactive)
}

function optionsOf(flags: StudyFlags & Partial<RunFlags>, interactive: boolean): RunOptions {
  const { force, select = [], exclude = [] } = flags
  return runOptions({
    ...flags,
    selection: { select, exclude },
    force: force === undefined ? undefined : { select: force === true ? [] : [force], exclude: [] },
    forceDatasets: new Set(flags.forceDataset),
    deadlineMs: flags.deadline,
    lockTimeoutMs: studyLockTimeoutOf(flags, interactive),
    ifLocked: flags.ifLocked === 'skip' ? 'skip' : 'fail',
    exitZeroOn: exitZeroOn(flags.exitZeroOn),
    datasetIds: flags.dataset,
    download: flags.download === undefined ? null : { select: flags.download, exclude: [] },
  })
}
