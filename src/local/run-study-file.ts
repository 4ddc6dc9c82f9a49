import { resolve } from 'node:path'
import { z } from 'zod'
import { MAX_RETENTION_HOURS } from '../contract/limits.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import { DiskError, diskErrorOf } from '../runner/interface/disk-error.ts'
import { EXIT_CODES, RunInterruptedError } from '../runner/interface/exit-code.ts'
import type { RunEvent } from '../runner/interface/run-event.ts'
import type { RunOptions, RunResult } from '../runner/interface/run-options.ts'
import type { Plan } from '../runner/plan/plan.ts'
import { run } from '../runner/run-study.ts'
import { hasErrors } from '../study/diagnostics/diagnostic.ts'
import { MOST_SHARDS } from '../study/shards/shards.ts'
import { type BucketOptions, bucketOptions, openBuckets } from './bucket-options.ts'
import { withState } from './chosen-state.ts'
import { confirmedByBudget, prepareRun, runOptions } from './local-run.ts'
import { realEnvironment } from './run-environment.ts'
import { type Connection, safeAddress } from './service-connection.ts'
import { SetupError } from './setup-error.ts'
import { readStudyFile } from './study-file.ts'

/** A remote service, and the credentials of one of its clients. */
export interface ServiceAccess {
  /** Address of the service: https, or http on loopback. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** Identity provider, `{authUrl}/oauth/token` mints tokens. Default: `url`. */
  readonly authUrl?: string
  /** Audience to request. Default: `url`. */
  readonly audience?: string
  /** Fetch results from private addresses although the service has a public one. Default: false. */
  readonly allowPrivateAddresses?: boolean
}

/** The options of `runStudyFile`. Most callers need only the first three; defaults are those of `whatif run`. */
export interface RunStudyFileOptions extends BucketOptions {
  /** Default: the embedded service, started when the run needs it and stopped before the promise settles. */
  readonly service?: ServiceAccess
  /**
   * Aborts the run: it saves its state and ends with exit code 130 (11 after `AbortSignal.timeout`). The next run
   * continues from there.
   */
  readonly signal?: AbortSignal
  /** Called with each event in sequence. An exception ends the run as an abort does, and rejects the promise. */
  readonly onEvent?: (event: RunEvent) => void

  /** Most rows that the run may be billed for; it can only lower `budget.rows_per_run` of the study. */
  readonly budgetRows?: number
  /**
   * Called before a remote service bills rows. Without it such a run needs a budget, in the study or as `budgetRows`.
   */
  readonly confirm?: (plan: Plan) => boolean | Promise<boolean>
  /**
   * A trial: no scenario asks for more rows than this. Its results and state are in folders `trial-N` of their own, and
   * failed gates do not count.
   */
  readonly rows?: number
  /**
   * One part of the study, for one machine of several: the `index`-th of `of`, from 1. Its results and state are in a
   * folder `shard-<index>-of-<of>` of their own, and no gate is judged: `whatif merge` does that for all parts.
   */
  readonly shard?: { readonly index: number; readonly of: number }
  /** Only these scenarios: globs, `tag:X`, `axis=value`, `status:X`. Default: all. */
  readonly select?: readonly string[]
  /** Not these scenarios. */
  readonly exclude?: readonly string[]
  /** Work of its own under this label, e.g. a date: 1 to 48 letters, digits, `_` or `-`. */
  readonly scope?: string
  /** Generate results again that are up to date. Default: false. */
  readonly force?: boolean
  /** Retry work that failed in an earlier run. Default: false. */
  readonly retryFailed?: boolean
  /** Run only against the data that the lock file next to the study describes. Default: false. */
  readonly locked?: boolean
  /** Write `report.html` beside the manifest, unless the study has `output: { report: false }`. Default: true. */
  readonly html?: boolean
  /** Folder for results and state. Default: the study's own. */
  readonly out?: string
  /** Replace result files that were changed since they were written. Default: false. */
  readonly overwrite?: boolean
  /** Seed files and results may be outside the project. Default: false. */
  readonly allowOutside?: boolean
  /** Seed files and results may be hidden or in hidden folders. Default: false. */
  readonly allowHidden?: boolean
  /** Generations in flight. Default: 4. */
  readonly concurrency?: number
  /** Milliseconds until the run stops waiting. Default: 1,800,000 (30 minutes). */
  readonly deadlineMs?: number
  /** Milliseconds to wait for another run of this study, or of this project's service. Default: 600,000 (10 minutes). */
  readonly lockTimeoutMs?: number
}

/** How a run ended. `manifest` is null only when the study file has errors. */
export type StudyFileResult = Omit<RunResult, 'manifest'> & { readonly manifest: Manifest | null }

const flag = z.boolean().optional()
const texts = z.array(z.string()).readonly().optional()
const isFunction = (value: unknown) => typeof value === 'function'
const fromZero = z.number().int().min(0).optional()

/** Refuses misspelt options: ignoring one could cost money. */
const Options = z.strictObject({
  ...bucketOptions,
  service: z
    .strictObject({
      url: z.string(),
      clientId: z.string().min(1),
      clientSecret: z.string().min(1),
      authUrl: z.string().optional(),
      audience: z.string().optional(),
      allowPrivateAddresses: flag,
    })
    .optional(),
  signal: z.instanceof(AbortSignal).optional(),
  onEvent: z.custom(isFunction, 'expected a function').optional(),
  budgetRows: fromZero,
  confirm: z.custom(isFunction, 'expected a function').optional(),
  rows: z.number().int().min(1).optional(),
  shard: z
    .strictObject({ index: z.number().int().min(1), of: z.number().int().min(1).max(MOST_SHARDS) })
    .refine(({ index, of }) => index <= of, 'expected an index of at most `of`')
    .optional(),
  select: texts,
  exclude: texts,
  scope: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,48}$/, 'expected 1 to 48 letters, digits, "_" or "-"')
    .optional(),
  force: flag,
  retryFailed: flag,
  locked: flag,
  html: flag,
  out: z.string().min(1).optional(),
  overwrite: flag,
  allowOutside: flag,
  allowHidden: flag,
  concurrency: z.number().int().min(1).optional(),
  deadlineMs: fromZero,
  lockTimeoutMs: fromZero,
})

/**
 * Runs a study file to its end, as `whatif run` does, and returns how it ended. The result has `exitCode` and `reason`
 * (`EXIT_CODES`), `message` where it was refused or broke, `diagnostics` with their places in the file, `manifest` (also in
 * the file `manifestPath`, an absolute path; for people in `reportPath`). Rows are counts, shares fractions of 1, times
 * RFC 3339 in UTC, durations milliseconds.
 *
 * Without `options.service` the service runs in this process while the run needs it, on a free port of 127.0.0.1 with its
 * data in `.whatif/embedded` of the project: the nearest folder above the study with `.git` or `package.json`, else the
 * study's own. It is stopped before the promise settles, however the run ended. One run at a time uses it: others wait
 * for `lockTimeoutMs`.
 *
 * With `options.storage` the state and seed files may be in a bucket, as `WHATIF_STATE` and `WHATIF_SEED_BUCKETS` have it for
 * the command.
 *
 * Prints nothing, reads no environment variables, ends no process, and listens to no signals of the process. An invalid
 * study is a result with exit code 3, a failed gate one with 9: check `exitCode`.
 *
 * @param path the study file, relative to the working directory
 * @throws SetupError when nothing could begin: no such file, an option that is not known or not allowed, a folder that
 * cannot be used. What `onEvent` or `confirm` throws is thrown on.
 */
export async function runStudyFile(path: string, options: RunStudyFileOptions = {}): Promise<StudyFileResult> {
  checkOptions(path, options)
  const connection = connectionOf(options.service)
  const file = await readStudyFile(path)
  const { study, diagnostics } = file
  if (study === null || hasErrors(diagnostics)) return invalidStudy(diagnostics)
  const valid = { ...file, study }
  const out = options.out === undefined ? null : resolve(options.out)
  const { state, objects } = await openBuckets(options, file.projectRoot)
  const how = runOptionsOf(withState(options, state))
  const trialRows = options.rows ?? null
  const shard = options.shard ?? null
  const local = { file: valid, connection, out, options: how, trialRows, shard, ci: null }
  const calls = new CallerCalls(options.signal)
  try {
    const request = await prepareRun(local).catch(asSetupError)
    const environment = realEnvironment({
      connection,
      projectRoot: file.projectRoot,
      shard,
      state: state?.store ?? null,
      ...(objects !== undefined && { objects }),
      lockTimeoutMs: how.lockTimeoutMs,
      signal: calls.signal,
      onEvent: (event) => calls.make(() => options.onEvent?.(event)),
      onService: () => {},
      confirm: async (plan) => {
        if (options.confirm === undefined) return confirmedByBudget(valid, how, 'pass budgetRows or confirm')
        const isConfirmed = await calls.make(() => options.confirm?.(plan))
        return isConfirmed === true ? { go: true } : { go: false, message: 'not confirmed; nothing was sent' }
      },
    })
    const result = await run(request, environment)
    calls.throwOn()
    return result
  } finally {
    calls.release()
    await state?.store.close()
  }
}

function checkOptions(path: unknown, options: unknown): void {
  if (typeof path !== 'string' || path === '') throw new SetupError(2, 'runStudyFile: path must be a study file')
  const checked = Options.safeParse(options)
  if (checked.success) return
  // The message repeats no value, because one of them is a secret.
  const faults = checked.error.issues.map(({ path: at, message }) => `${['options', ...at].join('.')}: ${message}`)
  throw new SetupError(2, `runStudyFile: ${faults.join('; ')}`)
}

function connectionOf(service: ServiceAccess | undefined): Connection {
  if (service === undefined) return { kind: 'embedded', retentionHours: MAX_RETENTION_HOURS }
  const { url, clientId, clientSecret, authUrl = url, audience, allowPrivateAddresses = false } = service
  const baseUrl = safeAddress(url, 'service')
  const provider = safeAddress(authUrl, 'identity provider')
  return {
    kind: 'remote',
    baseUrl,
    authUrl: provider,
    audience: audience ?? baseUrl,
    clientId,
    clientSecret,
    allowPrivateAddresses,
  }
}

function runOptionsOf(options: RunStudyFileOptions): RunOptions {
  const { select = [], exclude = [], force = false, download } = options
  return runOptions({
    ...options,
    selection: { select, exclude },
    download: download && { select: download, exclude: [] },
    force: force ? { select: [], exclude: [] } : undefined,
  })
}

function invalidStudy(diagnostics: StudyFileResult['diagnostics']): StudyFileResult {
  return {
    exitCode: EXIT_CODES.invalid_study,
    reason: 'invalid_study',
    also: [],
    message: 'the study file has errors; see diagnostics',
    located: null,
    explained: [],
    diagnostics,
    plan: null,
    manifest: null,
    manifestPath: null,
    keepsLast: false,
    reportPath: null,
    digest: null,
    error: null,
  }
}

/** Turns the fault of an unusable project folder, found before the run could begin, into a setup error. */
function asSetupError(error: unknown): never {
  const { path } = error as NodeJS.ErrnoException
  const fault = typeof path === 'string' ? diskErrorOf(error, path) : error
  throw fault instanceof DiskError ? new SetupError(2, `${path}: ${fault.detail}`) : error
}

/**
 * Calls of the caller's functions during a run: an exception of theirs ends the run properly, and is thrown again
 * afterwards.
 */
class CallerCalls {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  #thrown: { readonly error: unknown } | null = null

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller
    if (caller?.aborted) this.#onAbort()
    else caller?.addEventListener('abort', this.#onAbort, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#caller?.reason
    const isTimeout = reason instanceof DOMException && reason.name === 'TimeoutError'
    this.#controller.abort(
      reason instanceof RunInterruptedError
        ? reason
        : isTimeout
          ? new RunInterruptedError('deadline', "the time limit of the caller's signal has passed")
          : new RunInterruptedError('SIGINT', 'aborted by the caller'),
    )
  }

  async make<T>(call: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await call()
    } catch (error) {
      this.#thrown ??= { error }
      this.#controller.abort(new RunInterruptedError('SIGINT', 'a function of the caller threw'))
      return undefined
    }
  }

  throwOn(): void {
    if (this.#thrown !== null) throw this.#thrown.error
  }

  release(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort)
  }
}
