import { relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { escapeText } from '../../base/text/escape-text.ts'
import { withState } from '../../local/chosen-state.ts'
import { confirmedByBudget, type LocalRequest, prepareRun, type ValidStudyFile } from '../../local/local-run.ts'
import { realEnvironment } from '../../local/run-environment.ts'
import { serviceName } from '../../local/service-connection.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFile, type StudyFile } from '../../local/study-file.ts'
import { faultJunit, reportJunit } from '../../report/report-junit.ts'
import { EXIT_CODES } from '../../runner/interface/exit-code.ts'
import type { RunEnvironment, RunResult } from '../../runner/interface/run-options.ts'
import type { Plan } from '../../runner/plan/plan.ts'
import { renderPlan } from '../../runner/plan/render-plan.ts'
import { run } from '../../runner/run-study.ts'
import { type Diagnostic, hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { namesService, resolveConnection } from '../access/connection.ts'
import { seedObjectsOf } from '../access/seed-buckets.ts'
import { chosenState } from '../access/state-storage.ts'
import { failedGates, runSummaryPage } from '../ci/command-page.ts'
import { isShown, runFindings } from '../ci/findings.ts'
import { withReporting } from '../ci/reporting.ts'
import { type JunitFile, openJunitFile } from '../files/report-files.ts'
import { readSavedPlan } from '../files/saved-plan-file.ts'
import { exitZeroOn } from '../options/option-values.ts'
import { addRunOptions, addStudyOptions, type RunFlags } from '../options/study-options.ts'
import { errorText } from '../output/error-text.ts'
import { RUN_AGAIN } from '../output/failure.ts'
import { jsonDocument } from '../output/json-document.ts'
import { runSummary } from '../output/run-summary.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import { openRunReporter } from '../progress/open-reporter.ts'
import { type Reporter, silentReporter } from '../progress/reporter.ts'
import { budgetFindings } from '../steps/compare-budget.ts'
import { interruptible } from '../steps/interruption.ts'
import { withParts } from '../steps/merge-parts.ts'
import { notificationBody, notificationOf, sendNotification } from '../steps/notify-end.ts'
import { reportInvalid, sayDiagnostics } from '../steps/report-study.ts'
import { localRequest, lockTimeoutOf } from '../steps/run-request.ts'

/** Declares `whatif run`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addRunOptions(addStudyOptions(command), env)
    .description(
      'Plan and run a study. If nothing has changed, no request is sent. An interrupted run continues where it stopped.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .action(async (file, flags) => {
      process.exitCode = await execute('run', file, flags, env)
    })
}

/** The commands that carry out a study. */
type RunCommand = 'run' | 'resume' | 'merge'

/** Carries out `whatif run`, `whatif resume` or `whatif merge`. Returns the exit code. `parts`: the folders that are merged. */
export async function execute(
  command: RunCommand,
  path: string,
  flags: RunFlags,
  env: NodeJS.ProcessEnv,
  parts: readonly string[] = [],
): Promise<number> {
  const terminal = describeTerminal(flags, env)
  return withReporting({ command, flags, env, terminal }, async (reporting) => {
    const forgiven = new Set([...exitZeroOn(flags.exitZeroOn), ...(flags.rows === undefined ? [] : ['gates' as const])])
    const notification = notificationOf(env)
    const junit = await openJunitFile(flags.reporter, flags.overwrite ?? false)
    try {
      const file = await readStudyFile(path, { isSampled: namesService(flags, env) })
      const { study } = file
      if (study === null || hasErrors(file.diagnostics)) {
        const exitCode = reportInvalid(command, [file], flags, terminal, reporting)
        const fault = { type: 'invalid_study', message: firstError(file.diagnostics) }
        await isWritten(junit, () => faultJunit(file.name, fault), terminal)
        return exitCode
      }
      // Reported before anything is spent. The manifest does not hold it: it belongs to the study, whatever its base.
      const raised = command === 'run' ? await budgetFindings({ ...file, study }, flags, env) : []
      if (!flags.json) sayDiagnostics([file], flags.verbose ? raised : raised.filter(isNoNote), terminal)
      const { result: ended, service } = await carryOut(command, { ...file, study }, flags, env, terminal, parts)
      const result = { ...ended, diagnostics: [...raised, ...ended.diagnostics] }
      if (flags.json) terminal.stdout.write(runDocument(command, result, file))
      else sayResult(ended, service, file, flags, terminal)
      const { manifest, exitCode, digest, message } = result
      reporting.show(() => ({
        summary: runSummaryPage(command, manifest, exitCode, digest),
        findings: runFindings(result, { study, projectRoot: file.projectRoot, forgiven }),
      }))
      if (notification !== null) {
        const nowMs = Date.now()
        const body = notificationBody(command, ended, failedGates(manifest), nowMs)
        const failure = await sendNotification(notification, body, { runId: manifest.run.id, nowMs })
        if (failure !== null) terminal.stderr.write(`warning: ${failure}\n`)
      }
      return (await isWritten(junit, () => reportJunit({ manifest, digest }, message), terminal)) || exitCode !== 0
        ? exitCode
        : EXIT_CODES.usage
    } catch (error) {
      if (error instanceof SetupError)
        await isWritten(
          junit,
          () => faultJunit(path, { type: `exit code ${error.exitCode}`, message: error.message }),
          terminal,
        )
      throw error
    }
  })
}

async function carryOut(
  command: RunCommand,
  file: ValidStudyFile,
  flags: RunFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  parts: readonly string[],
): Promise<{ readonly result: RunResult; readonly service: string }> {
  const savedPlan = flags.plan === undefined ? null : await readSavedPlan(flags.plan)
  const connection = await resolveConnection(flags, env)
  const service = serviceName(connection)
  const { interactive } = terminal
  const submit = command === 'run'
  const state = await chosenState(flags, env, file.projectRoot)
  const local = localRequest({ file, connection, flags: withState(flags, state), interactive, env, savedPlan, submit })
  const interruption = interruptible()
  let reporter: Reporter = silentReporter
  try {
    const prepared = await prepareRun(local)
    const request = command === 'merge' ? await withParts(prepared, parts, flags) : prepared
    reporter = await openRunReporter(file.study, flags, terminal, env)
    const environment = realEnvironment({
      connection,
      projectRoot: file.projectRoot,
      shard: local.shard ?? null,
      state: state?.store ?? null,
      objects: seedObjectsOf(env, file.projectRoot),
      lockTimeoutMs: lockTimeoutOf(flags, interactive),
      signal: interruption.signal,
      onEvent: (event) => reporter.onEvent(event),
      onService: (state) => reporter.onService(state),
      confirm: confirmSpending({ local, service, flags, terminal, reporter, signal: interruption.signal }),
    })
    return { result: await run(request, environment), service }
  } finally {
    await reporter.close()
    await state?.store.close()
    interruption.release()
  }
}

/** Writes a report. A failure is printed, and does not hide how the run ended. */
async function isWritten(junit: JunitFile | null, makeText: () => string, terminal: Terminal): Promise<boolean> {
  try {
    await junit?.write(makeText())
    return true
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    terminal.stderr.write(errorText(error.message, terminal.stderr))
    return false
  }
}

const isNoNote = ({ severity }: Diagnostic): boolean => severity !== 'note'

function firstError(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  return `${errors[0]?.code} ${errors[0]?.summary}${more}`
}

function sayResult(result: RunResult, service: string, file: StudyFile, flags: RunFlags, terminal: Terminal): void {
  const { stderr } = terminal
  // Notes on what is left to the model are worth reading once, but too long for every run.
  const shown = flags.verbose ? result.diagnostics : result.diagnostics.filter((d) => isNoNote(d) || d.code === 'N4404')
  sayDiagnostics([file], shown, terminal)
  if (result.reason === 'over_budget' && result.plan)
    stderr.write(renderPlan(result.plan, { now: Date.now(), width: terminal.width }))
  if (result.message !== null && !isShown(result.message, shown))
    stderr.write(`${result.exitCode === 0 ? 'note' : 'error'}: ${escapeText(result.located ?? result.message)}\n`)
  if (result.manifest.status !== 'refused' && result.manifestPath !== null)
    stderr.write(
      runSummary(result.manifest, {
        manifestPath: relative(process.cwd(), result.manifestPath) || result.manifestPath,
        reportPath: result.reportPath === null ? null : relative(process.cwd(), result.reportPath) || result.reportPath,
        isKept: result.keepsLast,
        explained: result.explained,
        width: terminal.width,
        service,
      }),
    )
  // For a person, not for a log.
  if (terminal.interactive && result.reportPath !== null && flags.rows === undefined)
    stderr.write(`what else? whatif explore ${escapeText(file.name)} answers without rows\n`)
  if (flags.verbose && result.digest !== null) stderr.write(`manifest digest: ${result.digest}\n`)
  if (result.reason === 'unexpected_error' && result.error instanceof Error)
    stderr.write(
      flags.verbose
        ? `${escapeText(result.error.stack ?? '').replaceAll('\\n', '\n')}\n`
        : `${RUN_AGAIN} With --verbose it also shows where the error occurred.\n`,
    )
}

/** Relative to the project, with `/`. */
const shownIn = (file: StudyFile, path: string): string => relative(file.projectRoot, path).replaceAll('\\', '/')

function runDocument(command: string, result: RunResult, file: StudyFile): string {
  const { manifestPath, exitCode, diagnostics } = result
  const data = {
    reason: result.reason,
    also: result.also,
    message: result.message,
    digest: result.digest,
    manifest_path: manifestPath === null ? null : shownIn(file, manifestPath),
    report_path: result.reportPath === null ? null : shownIn(file, result.reportPath),
    manifest: result.manifest,
  }
  return jsonDocument({ command, exitCode, data, diagnostics })
}

/**
 * Before a remote service bills rows, a person at a terminal sees the plan and is asked. Elsewhere the study's budget or
 * `--yes` must allow it beforehand.
 */
export function confirmSpending(options: {
  readonly local: LocalRequest
  readonly service: string
  readonly flags: RunFlags
  readonly terminal: Terminal
  readonly reporter: Reporter
  readonly signal: AbortSignal
}): NonNullable<RunEnvironment['confirm']> {
  const { local, service, flags, terminal, reporter, signal } = options
  return async (plan: Plan) => {
    if (flags.yes) return { go: true }
    if (!terminal.interactive || flags.json) return confirmedByBudget(local.file, local.options, 'pass --yes')
    const answer = await reporter.asking(() => {
      terminal.stderr.write(renderPlan(plan, { now: Date.now(), width: terminal.width, service }))
      return ask('Go ahead? [y/N] ', terminal, signal)
    })
    return /^y(es)?$/i.test(answer.trim()) ? { go: true } : { go: false, message: 'not confirmed; nothing was sent' }
  }
}

/** The answer; rejects when the signal fires. */
async function ask(question: string, terminal: Terminal, signal: AbortSignal): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: terminal.stderr })
  // While it reads, the terminal sends Ctrl-C as a character.
  prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await prompt.question(question, { signal })
  } finally {
    prompt.close()
  }
}
