import * as fs from 'node:fs/promises'
import type { Command } from 'commander'
import { systemClock } from '../../base/clock.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { hasCode } from '../../base/whatif-error.ts'
import { withState } from '../../local/chosen-state.ts'
import { runRequest } from '../../local/local-run.ts'
import { serviceName } from '../../local/service-connection.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFile } from '../../local/study-file.ts'
import { EXIT_CODES, RunRefusalError } from '../../runner/interface/exit-code.ts'
import { submitsWork } from '../../runner/plan/plan.ts'
import { planJson } from '../../runner/plan/plan-json.ts'
import { renderPlan } from '../../runner/plan/render-plan.ts'
import { savePlan, UNUSABLE_PLAN } from '../../runner/plan/saved-plan.ts'
import { planFromDisk } from '../../runner/plan-from-disk.ts'
import { hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { shardText } from '../../study/shards/shards.ts'
import { namesService, resolveConnection } from '../access/connection.ts'
import { seedObjectsOf } from '../access/seed-buckets.ts'
import { chosenState } from '../access/state-storage.ts'
import { headingOf, planSummaryPage } from '../ci/command-page.ts'
import { endFinding, findingsOf, isShown, planFindings } from '../ci/findings.ts'
import { type Reporting, withReporting } from '../ci/reporting.ts'
import { writeSavedPlan } from '../files/saved-plan-file.ts'
import { checkReporter } from '../options/option-values.ts'
import { addStudyOptions, REPORTER_HELP, type StudyFlags } from '../options/study-options.ts'
import { errorText } from '../output/error-text.ts'
import { feasibleRowsText } from '../output/feasible-rows-text.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import { budgetFindings } from '../steps/compare-budget.ts'
import { expectedDifferences, foreseenText } from '../steps/expected-differences.ts'
import { interruptible } from '../steps/interruption.ts'
import { reportInvalid, sayDiagnostics } from '../steps/report-study.ts'
import { localRequest } from '../steps/run-request.ts'

/** Exit code of `--detailed-exitcode` when a run would have something to do. */
const WORK_PENDING = 20

type PlanFlags = StudyFlags & {
  readonly detailedExitcode?: boolean
  readonly save?: string
  readonly estimates?: boolean
}

/** Declares `whatif plan`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addStudyOptions(command)
    .description(
      'Show what a run would do, why, and the most rows it can be billed. No request that creates work is sent.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .option('--save <file>', 'save the plan for: whatif run --plan')
    .option('--estimates', 'ask the service how many rows scenarios can have, and what differences to expect')
    .option('--detailed-exitcode', 'exit 20 when work is pending')
    .option('--reporter <how>', REPORTER_HELP, checkReporter)
    .action(async (file, flags) => {
      process.exitCode = await plan(file, flags, env)
    })
}

/** `whatif plan`: reads state and disk only. Starts nothing and asks no service, except for `--estimates`. */
export async function plan(path: string, flags: PlanFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  return withReporting({ command: 'plan', flags, env, terminal }, (reporting) =>
    planFile(path, flags, env, terminal, reporting),
  )
}

async function planFile(
  path: string,
  flags: PlanFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  reporting: Reporting,
): Promise<number> {
  const file = await readStudyFile(path, { isSampled: namesService(flags, env) })
  const { study } = file
  if (study === null || hasErrors(file.diagnostics)) return reportInvalid('plan', [file], flags, terminal, reporting)

  const raised = await budgetFindings({ ...file, study }, flags, env)
  const connection = await resolveConnection(flags, env)
  const state = await chosenState(flags, env, file.projectRoot)
  const interruption = interruptible()
  try {
    const local = localRequest({
      file: { ...file, study },
      connection,
      flags: withState(flags, state),
      interactive: terminal.interactive,
      env,
    })
    const request = await runRequest(local)
    const {
      plan: found,
      facts,
      lockDigest,
      diagnostics: seen,
    } = await planFromDisk(request, {
      fs,
      clock: systemClock,
      signal: interruption.signal,
      onEvent: () => {},
      objects: seedObjectsOf(env, file.projectRoot),
      ...(state !== null && { shared: async () => state.store }),
    })
    const diagnostics = [...file.diagnostics, ...raised, ...seen]
    const isOver = found.budget.violations.length > 0
    const isPending = submitsWork(found) || found.totals.resume + found.totals.download + found.totals.copy > 0
    const exitCode = hasErrors(seen)
      ? EXIT_CODES.does_not_fit_data
      : isOver
        ? EXIT_CODES.over_budget
        : flags.detailedExitcode && isPending
          ? WORK_PENDING
          : 0
    const isSaved = flags.save !== undefined && !hasErrors(seen) && !isOver && found.conflicts.length === 0
    if (isSaved) await writeSavedPlan(flags.save, savePlan(found, lockDigest))
    const estimates =
      flags.estimates && !hasErrors(seen)
        ? await expectedDifferences(
            request,
            { plan: found, facts },
            { connection, signal: interruption.signal, terminal },
          )
        : null
    if (flags.json) {
      const data = {
        ...planJson(found),
        ...(estimates && { estimates: estimates.comparisons, feasible_rows: estimates.rows }),
      }
      terminal.stdout.write(jsonDocument({ command: 'plan', exitCode, data, diagnostics }))
    } else {
      // The plan itself shows notes and what it says about models.
      sayDiagnostics(
        [file],
        diagnostics.filter((d) => d.severity !== 'note' && !found.models.includes(d)),
        terminal,
      )
      const service = serviceName(connection)
      terminal.stdout.write(renderPlan(found, { now: Date.now(), width: terminal.width, service }))
      if (estimates !== null) {
        terminal.stdout.write(feasibleRowsText(estimates.rows, terminal.width))
        terminal.stdout.write(foreseenText(estimates.comparisons, terminal.width))
        if (estimates.trouble !== null) terminal.stderr.write(`note: ${escapeText(estimates.trouble)}\n`)
      }
      if (flags.save !== undefined)
        terminal.stderr.write(
          isSaved
            ? `saved; to run it: ${escapeText(`whatif run ${shellWord(path)}${studyArguments(flags)} --plan ${shellWord(flags.save)}`)}\n`
            : `not saved, because a run would refuse this plan\n`,
        )
    }
    reporting.show(() => ({
      summary: planSummaryPage(found, exitCode),
      findings: [...findingsOf(diagnostics, file.projectRoot), ...planFindings(found, file.path)],
    }))
    return exitCode
  } catch (error) {
    if (hasCode(error, UNUSABLE_PLAN)) throw new SetupError(EXIT_CODES.usage, error.message)
    if (!(error instanceof RunRefusalError)) throw error
    const diagnostics = [...file.diagnostics, ...raised, ...error.diagnostics]
    const exitCode = EXIT_CODES[error.reason]
    if (flags.json)
      terminal.stdout.write(jsonDocument({ command: 'plan', exitCode, data: { message: error.message }, diagnostics }))
    else {
      sayDiagnostics([file], diagnostics, terminal)
      if (!isShown(error.message, diagnostics)) terminal.stderr.write(errorText(error.message, terminal.stderr))
    }
    const end = { message: error.message, exitCode, diagnostics }
    reporting.show(() => ({
      summary: { heading: headingOf('plan', study.name, exitCode), lead: [], tables: [] },
      findings: [...findingsOf(diagnostics, file.projectRoot), ...endFinding(end, file.path)],
    }))
    return exitCode
  } finally {
    await state?.store.close()
    interruption.release()
  }
}

/** Options that say what a run is about, as a POSIX shell takes them again; each with a space before it. */
export function studyArguments(flags: StudyFlags): string {
  const given: [string, true | string | number][] = [
    ...all('--select', flags.select ?? []),
    ...all('--exclude', flags.exclude ?? []),
    ...one('--force', flags.force),
    ...all('--force-dataset', flags.forceDataset ?? []),
    ...one('--retry-failed', flags.retryFailed),
    ...one('--rows', flags.rows),
    ...one('--budget-rows', flags.budgetRows),
    ...one('--shard', flags.shard === undefined ? undefined : shardText(flags.shard)),
    ...one('--base', flags.base),
    ...one('--scope', flags.scope),
    ...all('--reads', flags.reads ?? []),
    ...all(
      '--dataset',
      [...(flags.dataset ?? [])].map(([name, id]) => `${name}=${id}`),
    ),
    ...one('--locked', flags.locked),
    ...one('--out', flags.out),
    ...one('--overwrite', flags.overwrite),
    ...one('--allow-outside', flags.allowOutside),
    ...one('--allow-hidden', flags.allowHidden),
    ...one('--service', flags.service),
    ...one('--auth-url', flags.authUrl),
    ...one('--allow-private-addresses', flags.allowPrivateAddresses),
  ]
  return given.map(([option, value]) => ` ${option}${value === true ? '' : ` ${shellWord(String(value))}`}`).join('')
}

const all = (option: string, values: readonly string[]) => values.map((value): [string, string] => [option, value])

function one(option: string, value: boolean | string | number | undefined): [string, true | string | number][] {
  return value === undefined || value === false ? [] : [[option, value]]
}

/** Quoted where a shell would take it for more than a word. */
export function shellWord(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
