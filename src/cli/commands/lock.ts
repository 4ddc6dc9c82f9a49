import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { readStudyFile } from '../../local/study-file.ts'
import { lockStudy, type StudyLocking } from '../../runner/lock-study.ts'
import { hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { lockChangeText } from '../../study/lock/lock-changes.ts'
import { filesSummaryPage } from '../ci/command-page.ts'
import { endFinding, findingsOf, isShown } from '../ci/findings.ts'
import { type Reporting, withReporting } from '../ci/reporting.ts'
import { addCheckOptions, type LockFlags } from '../options/study-options.ts'
import { errorText } from '../output/error-text.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import { reportInvalid, sayDiagnostics } from '../steps/report-study.ts'
import { withoutGenerating } from '../steps/without-generating.ts'

/** Declares `whatif lock`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addCheckOptions(command)
    .description(
      'Write the lock file beside a study: the digests of its seed files, and the columns and levels that cleaning left. ' +
        'Commit it. A seed file without a trained model is uploaded and trained first; nothing is generated or billed.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .option('--check', 'write nothing; exit 4 when the lock file would change')
    .option('--hash-levels', 'write digests instead of the names of levels')
    .action(async (file, flags) => {
      process.exitCode = await lock(file, flags, env)
    })
}

/** `whatif lock`: records what the study's data are or, with `--check`, says whether the record still holds. */
export async function lock(path: string, flags: LockFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  return withReporting({ command: 'lock', flags, env, terminal }, (reporting) =>
    lockFile(path, flags, env, terminal, reporting),
  )
}

async function lockFile(
  path: string,
  flags: LockFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  reporting: Reporting,
): Promise<number> {
  const file = await readStudyFile(path)
  const { study } = file
  if (study === null || hasErrors(file.diagnostics)) return reportInvalid('lock', [file], flags, terminal, reporting)

  const done = await withoutGenerating({ file: { ...file, study }, flags, env, terminal }, (request, environment) =>
    lockStudy(request, environment, {
      check: flags.check ?? false,
      hashLevels: flags.hashLevels ?? false,
      newSalt: () => randomBytes(16).toString('hex'),
    }),
  )
  const { exitCode, diagnostics } = done
  if (flags.json) terminal.stdout.write(jsonDocument({ command: 'lock', exitCode, data: lockData(done), diagnostics }))
  else {
    sayDiagnostics([file], diagnostics, terminal)
    sayLocking(done, terminal)
  }
  reporting.show(() => {
    const findings = [...findingsOf(diagnostics, file.projectRoot), ...endFinding(done, file.path)]
    return { summary: filesSummaryPage('lock', [{ name: file.name, exitCode, findings }], exitCode), findings }
  })
  return exitCode
}

function sayLocking(
  { lockFile, changes, written, replaced, message, located, diagnostics }: StudyLocking,
  terminal: Terminal,
): void {
  const fields = replaced === null ? changes.filter(({ path }) => path.length > 0) : []
  for (const change of fields) terminal.stderr.write(`  ${lockChangeText(change)}\n`)
  if (message !== null && !isShown(message, diagnostics))
    terminal.stderr.write(errorText(located ?? message, terminal.stderr))
  if (message !== null || lockFile === null) return
  if (replaced !== null) {
    terminal.stderr.write(
      `${escapeText(lockFile)}: made again, because ${replaced}; look at the difference and commit it\n`,
    )
    return
  }
  const what =
    fields.length > 0
      ? `written, ${plural(fields.length, 'change')}`
      : changes.length > 0
        ? 'written; commit it'
        : written
          ? 'written anew, nothing changed'
          : 'up to date'
  terminal.stderr.write(`${escapeText(lockFile)}: ${what}\n`)
}

function lockData(done: StudyLocking): object {
  return {
    reason: done.reason,
    message: done.message,
    lock_file: done.lockFile,
    written: done.written,
    replaced: done.replaced,
    digest: done.digest,
    changes: done.changes.map(({ path, text }) => ({ path, text })),
  }
}
