import { relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Plan } from '../../plan/plan.ts'
import { renderPlan } from '../../plan/render-plan.ts'
import type { RunEnvironment, RunResult } from '../../run/run-options.ts'
import { runStudy } from '../../run/run-study.ts'
import { hasErrors } from '../../spec/diagnostic.ts'
import { escapeText } from '../../spec/escape-text.ts'
import type { Study } from '../../spec/study.ts'
import { resolveConnection, serviceName } from '../connection.ts'
import { jsonDocument } from '../output/json-document.ts'
import { createPlainReporter } from '../output/plain-reporter.ts'
import { type Reporter, silentReporter } from '../output/reporter.ts'
import { runSummary } from '../output/run-summary.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import { makeStateFolder } from '../project-root.ts'
import type { RunFlags } from '../study-options.ts'
import { interruptible } from './interruption.ts'
import { reportInvalid, sayDiagnostics } from './report-study.ts'
import { realEnvironment } from './run-environment.ts'
import { lockTimeoutOf, runRequest } from './run-request.ts'
import { readSavedPlan } from './saved-plan-file.ts'
import { readStudyFile, type StudyFile } from './study-file.ts'

/** `whatif run`: plan and execute. Returns the exit code. */
export function run(path: string, flags: RunFlags, env: NodeJS.ProcessEnv): Promise<number> {
  return execute('run', path, flags, env)
}

/** `whatif resume`: what earlier runs submitted is collected, and nothing is submitted. */
export function resume(path: string, flags: RunFlags, env: NodeJS.ProcessEnv): Promise<number> {
  return execute('resume', path, flags, env)
}

async function execute(
  command: 'run' | 'resume',
  path: string,
  flags: RunFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const file = await readStudyFile(path)
  const { study } = file
  if (study === null || hasErrors(file.diagnostics)) return reportInvalid(command, [file], flags, terminal)

  const savedPlan = flags.plan === undefined ? null : await readSavedPlan(flags.plan)
  const connection = await resolveConnection(flags, env)
  // With --out a run writes nowhere else.
  if (flags.out === undefined) makeStateFolder(file.projectRoot)
  const interruption = interruptible()
  const reporter = await chooseReporter(study, flags, terminal)
  let result: RunResult
  try {
    const { interactive } = terminal
    const request = await runRequest({
      file,
      study,
      connection,
      flags,
      interactive,
      env,
      savedPlan,
      submit: command === 'run',
    })
    result = await runStudy(
      request,
      realEnvironment({
        connection,
        projectRoot: file.projectRoot,
        lockTimeoutMs: lockTimeoutOf(flags, terminal.interactive),
        signal: interruption.signal,
        reporter,
        ...(connection.kind === 'remote'
          ? { confirm: confirmation(study, serviceName(connection), flags, terminal) }
          : {}),
      }),
    )
  } finally {
    await reporter.close()
    interruption.release()
  }
  if (flags.json)
    terminal.stdout.write(
      jsonDocument({
        command,
        exitCode: result.exitCode,
        data: runData(result, file),
        diagnostics: result.diagnostics,
      }),
    )
  else sayResult(result, file, flags, terminal)
  return result.exitCode
}

function sayResult(result: RunResult, file: StudyFile, flags: RunFlags, terminal: Terminal): void {
  const { stderr } = terminal
  // What is left to the model is a note: worth reading once, too long for every run.
  const told = flags.verbose ? result.diagnostics : result.diagnostics.filter((d) => d.severity !== 'note')
  sayDiagnostics([file], told, terminal)
  if (result.reason === 'over_budget' && result.plan)
    stderr.write(renderPlan(result.plan, { now: Date.now(), width: terminal.width }))
  // A message that only repeats a finding is left out.
  const isTold = told.some((d) => d.severity === 'error' && result.message?.includes(d.summary))
  if (result.message !== null && !isTold)
    stderr.write(`${result.exitCode === 0 ? 'note' : 'error'}: ${escapeText(result.message)}\n`)
  if (result.manifest.status !== 'refused' && result.manifestPath !== null)
    stderr.write(
      runSummary(result.manifest, {
        manifestPath: relative(process.cwd(), result.manifestPath) || result.manifestPath,
        width: terminal.width,
      }),
    )
  if (flags.verbose && result.digest !== null) stderr.write(`manifest digest: ${result.digest}\n`)
  if (result.reason === 'unexpected_error' && result.error instanceof Error)
    stderr.write(
      flags.verbose
        ? `${escapeText(result.error.stack ?? '').replaceAll('\\n', '\n')}\n`
        : 'Run again with --verbose for the stack.\n',
    )
}

function runData(result: RunResult, file: StudyFile): object {
  return {
    reason: result.reason,
    also: result.also,
    message: result.message,
    digest: result.digest,
    manifest_path:
      result.manifestPath === null ? null : relative(file.projectRoot, result.manifestPath).replaceAll('\\', '/'),
    manifest: result.manifest,
  }
}

async function chooseReporter(study: Study, flags: RunFlags, terminal: Terminal): Promise<Reporter> {
  if (flags.json) return silentReporter
  const options = {
    study,
    stderr: terminal.stderr,
    color: terminal.color,
    quiet: flags.quiet ?? false,
    verbose: flags.verbose ?? false,
  }
  const live = flags.reporter === 'tty' || (flags.reporter === 'auto' && terminal.interactive && !options.quiet)
  if (!live) return createPlainReporter(options)
  const { createLiveReporter } = await import('../output/live-reporter.ts')
  return createLiveReporter(options)
}

/**
 * Before rows are billed by a remote service: on a terminal the plan is shown and a person asked; elsewhere the study's
 * budget or `--yes` must have said so beforehand.
 */
function confirmation(
  study: Study,
  service: string,
  flags: RunFlags,
  terminal: Terminal,
): NonNullable<RunEnvironment['confirm']> {
  return async (plan: Plan) => {
    if (flags.yes) return { go: true }
    if (terminal.interactive && !flags.json) {
      terminal.stderr.write(renderPlan(plan, { now: Date.now(), width: terminal.width, service }))
      const prompt = createInterface({ input: process.stdin, output: terminal.stderr })
      const answer = await prompt.question('Go ahead? [y/N] ')
      prompt.close()
      return /^y(es)?$/i.test(answer.trim()) ? { go: true } : { go: false, message: 'not confirmed; nothing was sent' }
    }
    if (study.budget.rowsPerRun !== null || flags.budgetRows !== undefined) return { go: true }
    return {
      go: false,
      message:
        'this run would be billed and nobody can be asked here: give the study a budget (budget.rows_per_run), or pass --yes',
    }
  }
}
