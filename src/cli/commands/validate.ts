import { lstatSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { ValidStudyFile } from '../../local/local-run.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFiles, type StudyFile } from '../../local/study-file.ts'
import type { StudyCheck } from '../../runner/check-study.ts'
import { type Diagnostic, hasErrors } from '../../study/diagnostics/diagnostic.ts'
import type { SpellingFix } from '../../study/writing/fix-spellings.ts'
import { namesService } from '../access/connection.ts'
import { filesSummaryPage } from '../ci/command-page.ts'
import { endFinding, findingsOf, isShown } from '../ci/findings.ts'
import { type PageContent, withReporting } from '../ci/reporting.ts'
import { addBaseOption, addCheckOptions, type ValidateFlags } from '../options/study-options.ts'
import { errorText } from '../output/error-text.ts'
import { feasibleRowsText } from '../output/feasible-rows-text.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import { budgetFindings } from '../steps/compare-budget.ts'
import { fixData, fixStudy, fixText } from '../steps/fix-study.ts'
import { sayDiagnostics } from '../steps/report-study.ts'

interface Checked {
  /** Name of the lock that the study was checked against; null = none. */
  readonly lockFile: string | null
  readonly file: StudyFile
  readonly diagnostics: readonly Diagnostic[]
  readonly exitCode: number
  readonly message: string | null
  /** The same with the address of the service, for a terminal. */
  readonly located: string | null
  /** With --fix: what was corrected in the file. */
  readonly fixes: readonly SpellingFix[]
  /** With --estimates: by scenario, the rows that it can have. */
  readonly feasibleRows?: StudyCheck['feasibleRows']
}

/** Declares `whatif validate`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addBaseOption(addCheckOptions(command))
    .description(
      'Check study files, and their conditions against the cleaned columns and levels of their datasets. A seed file without a ' +
        'trained model is uploaded and trained first; nothing is generated or billed. With --offline nothing is sent: the ' +
        'conditions are checked against the lock file, if there is one.',
    )
    .argument('<files...>', 'study files')
    .option('--offline', 'check against the lock file alone; needs no service and no credentials')
    .option('--locked', 'refuse data that the lock file does not describe (exit 4)')
    .option('--strict', 'treat warnings as errors')
    .option('--estimates', 'ask the service whether scenarios can have their rows, and what could where not')
    .option('--fix', 'correct names that differ only in case, spaces, "_", "." or "-"')
    .action(async (files, flags) => {
      process.exitCode = await validate(files, flags, env)
    })
}

/**
 * `whatif validate`: every fault of every file; and, unless offline, every condition against the cleaned schema of its
 * dataset. A seed file that was never trained is uploaded and trained for that; no rows are generated or billed.
 */
export async function validate(
  paths: readonly string[],
  flags: ValidateFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (flags.offline && flags.estimates)
    throw new SetupError(2, '--estimates asks the service, and --offline asks nobody: leave one of them out')
  const terminal = describeTerminal(flags, env)
  return withReporting({ command: 'validate', flags, env, terminal }, async ({ show }) => {
    const checked: Checked[] = []
    const owners = new Map<string, string>()
    const files = await readStudyFiles(paths, { isSampled: namesService(flags, env) })
    for (const file of files) checked.push(await checkOne(file, owners, flags, env, terminal))
    const exitCode = printFindings(checked, flags, terminal)
    show(() => pageOf(checked, exitCode))
    return exitCode
  })
}

function printFindings(checked: readonly Checked[], flags: ValidateFlags, terminal: Terminal): number {
  // Precedence as in a run: of several causes the first in the table of exit codes wins.
  const codes = checked.map((c) => c.exitCode)
  const exitCode = [130, 143, 10, 1, 2, 3, 4, 5, 6, 11, 7].find((code) => codes.includes(code)) ?? 0
  if (flags.json) {
    const diagnostics = checked.flatMap((c) => c.diagnostics)
    const data = Object.fromEntries(
      checked.map(({ file, exitCode: code, message, lockFile, fixes, feasibleRows }) => [
        file.name,
        {
          study: file.study?.name ?? null,
          scenarios: file.study?.scenarios.length ?? null,
          exit_code: code,
          message,
          lock_file: lockFile,
          ...(flags.fix ? { fixed: fixes.map(fixData) } : {}),
          ...(feasibleRows && { feasible_rows: feasibleRows }),
        },
      ]),
    )
    terminal.stdout.write(jsonDocument({ command: 'validate', exitCode, data, diagnostics }))
    return exitCode
  }
  for (const { file, diagnostics, exitCode: code, message, located, lockFile, fixes, feasibleRows } of checked) {
    for (const fix of fixes) terminal.stderr.write(`${fixText(file, fix)}\n`)
    sayDiagnostics([file], diagnostics, terminal)
    if (message !== null && !isShown(message, diagnostics))
      terminal.stderr.write(errorText(located ?? message, terminal.stderr))
    if (code === 0 && file.study !== null)
      terminal.stderr.write(
        `${file.name}: valid, ${plural(file.study.scenarios.length, 'scenario')}${flags.offline ? heldAgainst(lockFile) : ''}\n`,
      )
    if (feasibleRows !== undefined) terminal.stderr.write(feasibleRowsText(feasibleRows, terminal.width))
  }
  return exitCode
}

/** `owners`: the files checked so far, by the place of their study's state, except those whose name is another file's. */
async function checkOne(
  file: StudyFile,
  owners: Map<string, string>,
  flags: ValidateFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<Checked> {
  const check = async (one: StudyFile) => checkFile(one, await nameFindings(one, owners), flags, env, terminal)
  if (!flags.fix) return { ...(await check(file)), fixes: [] }
  const { checked, fixes } = await fixStudy(file, check)
  return { ...checked, fixes }
}

function pageOf(checked: readonly Checked[], exitCode: number): PageContent {
  const files = checked.map((one) => {
    const { file, diagnostics } = one
    const findings = [...findingsOf(diagnostics, file.projectRoot), ...endFinding(one, file.path)]
    return { name: file.name, exitCode: one.exitCode, findings }
  })
  const findings = files.flatMap((one) => one.findings)
  return { summary: filesSummaryPage('validate', files, exitCode), findings }
}

/** Whether the name is another file's: by the state of earlier runs, or because that file was checked before this one. */
async function nameFindings(file: StudyFile, owners: Map<string, string>): Promise<readonly Diagnostic[]> {
  const { study, path, projectRoot } = file
  if (study === null) return []
  const key = join(projectRoot, '.whatif', 'studies', study.name)
  const earlier = owners.get(key) ?? path
  if (earlier !== path || lstatSync(key, { throwIfNoEntry: false }) !== undefined) {
    const { findNameOwner, nameWarning } = await import('../../runner/state/study-name.ts')
    const named = { study, studyFile: path, projectRoot }
    const owner = (await findNameOwner(fs, named)) ?? earlier
    if (owner !== path) return [nameWarning(named, owner)]
  }
  owners.set(key, path)
  return []
}

async function checkFile(
  file: StudyFile,
  named: readonly Diagnostic[],
  flags: ValidateFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<Omit<Checked, 'fixes'>> {
  const { study } = file
  const fails = (found: readonly Diagnostic[]) =>
    hasErrors(found) || (flags.strict === true && found.some((d) => d.severity === 'warning'))
  const own = [...file.diagnostics, ...named]
  if (study === null || fails(own))
    return { file, diagnostics: own, exitCode: 3, message: null, located: null, lockFile: null }

  const valid = { ...file, study }
  const seen = flags.offline
    ? { ...(await checkAgainstLock(valid, flags)), located: null }
    : { ...(await checkAgainstData(valid, flags, env, terminal)), lockFile: null }
  // A warning that even --strict does not fail: a budget may be raised, as long as those who pay see it.
  const raised = await budgetFindings(valid, flags, env)
  const diagnostics = [...own, ...raised, ...seen.diagnostics]
  const exitCode = seen.exitCode === 0 && fails(seen.diagnostics) ? 4 : seen.exitCode
  const { message, located, lockFile } = seen
  const feasibleRows = 'feasibleRows' in seen && seen.feasibleRows ? { feasibleRows: seen.feasibleRows } : {}
  return { file, diagnostics, exitCode, message, located, lockFile, ...feasibleRows }
}

/** Checks conditions against the data. What trains is loaded here, so that `--offline` does not wait for it. */
async function checkAgainstData(
  file: ValidStudyFile,
  flags: ValidateFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<StudyCheck> {
  const { checkStudy } = await import('../../runner/check-study.ts')
  const { withoutGenerating } = await import('../steps/without-generating.ts')
  return await withoutGenerating(
    { file, flags, env, terminal },
    async (request, environment) => await checkStudy(request, environment, { asksRows: flags.estimates }),
  )
}

/** Checks conditions against the lock file, if there is one. */
async function checkAgainstLock(
  { study, path: studyFile, projectRoot }: ValidStudyFile,
  { locked = false, allowOutside = false, allowHidden = false, dataset: datasetIds = new Map() }: ValidateFlags,
): Promise<Pick<Checked, 'exitCode' | 'message' | 'diagnostics' | 'lockFile'>> {
  const { checkOffline } = await import('../../runner/check-offline.ts')
  const { EXIT_CODES, RunRefusalError } = await import('../../runner/interface/exit-code.ts')
  try {
    const { diagnostics, lockFile, reason } = await checkOffline(
      { study, studyFile, projectRoot, allowOutside, allowHidden, locked, datasetIds },
      { fs, signal: new AbortController().signal },
    )
    const name = lockFile.lock === null ? null : lockFile.name
    return { exitCode: EXIT_CODES[reason], message: null, diagnostics, lockFile: name }
  } catch (error) {
    if (!(error instanceof RunRefusalError)) throw error
    const { message, diagnostics, reason } = error
    return { exitCode: EXIT_CODES[reason], message, diagnostics, lockFile: null }
  }
}

function heldAgainst(lockFile: string | null): string {
  return lockFile === null
    ? ' (not checked against the cleaned data, because there is no lock file; see whatif lock)'
    : ` (checked against ${escapeText(lockFile)})`
}
