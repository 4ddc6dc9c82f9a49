import { join } from 'node:path'
import type { RunEnvironment, RunOptions, RunRequest } from '../runner/interface/run-options.ts'
import { DEFAULT_PLAN_OPTIONS } from '../runner/plan/plan-input.ts'
import { ENGINE_VERSION } from '../service/datasets/model-identity.ts'
import { foldersApart, shardStudy } from '../study/shards/shards.ts'
import type { Shard, Study } from '../study/study.ts'
import { trialStudy } from '../study/trial-study.ts'
import { makeStateFolder } from './project-root.ts'
import { provenance } from './run-environment.ts'
import { type Connection, serviceLabel } from './service-connection.ts'
import type { StudyFile } from './study-file.ts'

const MINUTE_MS = 60_000

/** The default options of a run, for the command line and for programs. */
export const DEFAULT_RUN_OPTIONS: RunOptions = {
  ...DEFAULT_PLAN_OPTIONS,
  concurrency: 4,
  deadlineMs: 30 * MINUTE_MS,
  onFailure: null,
  allowEmpty: false,
  allowOutside: false,
  allowHidden: false,
  lockTimeoutMs: 10 * MINUTE_MS,
  ifLocked: 'fail',
  exitZeroOn: new Set(),
  datasetIds: new Map(),
  submit: true,
  locked: false,
  html: true,
  reads: [],
  download: null,
  savedPlan: null,
}

/**
 * The options of a run among those that are given, with defaults for the others. Command line and programs give all that they have, so
 * that an option of one name and meaning is passed on by itself; the compiler asks for the others.
 */
export function runOptions(said: { readonly [Name in keyof RunOptions]?: RunOptions[Name] | undefined }): RunOptions {
  const given = Object.entries(said).filter(
    ([name, value]) => Object.hasOwn(DEFAULT_RUN_OPTIONS, name) && value !== undefined,
  )
  return { ...DEFAULT_RUN_OPTIONS, ...(Object.fromEntries(given) as Partial<RunOptions>) }
}

/** A study file that was read and has no errors. */
export type ValidStudyFile = StudyFile & { readonly study: Study }

export interface LocalRequest {
  readonly file: ValidStudyFile
  readonly connection: Connection
  /** Absolute; null: the study's own. */
  readonly out: string | null
  readonly options: RunOptions
  /** Most rows of a scenario, for a trial with results and state of its own; absent: the study as it is written. */
  readonly trialRows?: number | null
  /** One part of the study, with results and state of its own; absent: all of it. */
  readonly shard?: Shard | null
  /** Name of the CI system, for the manifest. */
  readonly ci: string | null
}

/** The runner's request for a study file of this machine. */
export async function runRequest({
  file,
  connection,
  out,
  options,
  trialRows = null,
  shard = null,
  ci,
}: LocalRequest): Promise<RunRequest> {
  const whole = trialRows === null ? file.study : trialStudy(file.study, trialRows)
  const study = shard === null ? whole : shardStudy(whole, shard)
  return {
    study,
    diagnostics: file.diagnostics,
    studyFile: file.path,
    studyText: file.text,
    projectRoot: file.projectRoot,
    out: out === null ? null : join(out, ...foldersApart(study)),
    service: {
      label: serviceLabel(connection),
      kind: connection.kind,
      engine: connection.kind === 'embedded' ? ENGINE_VERSION : null,
    },
    options,
    provenance: await provenance(file.projectRoot, ci),
  }
}

/** The same before work that keeps state: creates its folder, unless results and state go to another folder. */
export async function prepareRun(local: LocalRequest): Promise<RunRequest> {
  if (local.out === null) makeStateFolder(local.file.projectRoot)
  return runRequest(local)
}

/**
 * Decides on a billed run where nobody can be asked: it continues only if a budget was set beforehand. `orElse` names
 * the other ways to allow it.
 */
export function confirmedByBudget(
  { study }: ValidStudyFile,
  { budgetRows }: Pick<RunOptions, 'budgetRows'>,
  orElse: string,
): Awaited<ReturnType<NonNullable<RunEnvironment['confirm']>>> {
  if (study.budget.rowsPerRun !== null || budgetRows !== null) return { go: true }
  return {
    go: false,
    message: `this run would be billed and nobody can be asked here: give the study a budget (budget.rows_per_run), or ${orElse}`,
  }
}
