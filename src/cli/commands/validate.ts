import type { Diagnostic } from '../../spec/diagnostic.ts'
import { hasErrors } from '../../spec/diagnostic.ts'
import { escapeText } from '../../spec/escape-text.ts'
import { plural } from '../output/event-text.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import type { ValidateFlags } from '../study-options.ts'
import { sayDiagnostics } from './report-study.ts'
import { readStudyFile, type StudyFile } from './study-file.ts'

interface Checked {
  readonly file: StudyFile
  readonly diagnostics: readonly Diagnostic[]
  readonly exitCode: number
  readonly message: string | null
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
  const terminal = describeTerminal(flags, env)
  const checked: Checked[] = []
  for (const path of paths) checked.push(await checkFile(await readStudyFile(path), flags, env, terminal))
  // Precedence as in a run: of several causes the first in the table of exit codes wins.
  const codes = checked.map((c) => c.exitCode)
  const exitCode = [130, 143, 10, 1, 2, 3, 4, 5, 6, 11, 7].find((code) => codes.includes(code)) ?? 0
  if (flags.json) {
    const diagnostics = checked.flatMap((c) => c.diagnostics)
    const data = Object.fromEntries(
      checked.map(({ file, exitCode: code, message }) => [
        file.name,
        { study: file.study?.name ?? null, scenarios: file.study?.scenarios.length ?? null, exit_code: code, message },
      ]),
    )
    terminal.stdout.write(jsonDocument({ command: 'validate', exitCode, data, diagnostics }))
    return exitCode
  }
  for (const { file, diagnostics, exitCode: code, message } of checked) {
    sayDiagnostics([file], diagnostics, terminal)
    if (message !== null) terminal.stderr.write(`error: ${escapeText(message)}\n`)
    if (code === 0 && file.study !== null)
      terminal.stderr.write(
        `${file.name}: valid, ${plural(file.study.scenarios.length, 'scenario')}${flags.offline ? ' (not held against the cleaned data)' : ''}\n`,
      )
  }
  return exitCode
}

async function checkFile(
  file: StudyFile,
  flags: ValidateFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<Checked> {
  const { study } = file
  const fails = (found: readonly Diagnostic[]) =>
    hasErrors(found) || (flags.strict === true && found.some((d) => d.severity === 'warning'))
  if (study === null || fails(file.diagnostics))
    return { file, diagnostics: file.diagnostics, exitCode: 3, message: null }
  if (flags.offline) return { file, diagnostics: file.diagnostics, exitCode: 0, message: null }

  const { checkLive } = await import('./check-live.ts')
  const live = await checkLive({ ...file, study }, flags, env, terminal)
  const diagnostics = [...file.diagnostics, ...live.diagnostics]
  const exitCode = live.exitCode === 0 && fails(live.diagnostics) ? 4 : live.exitCode
  return { file, diagnostics, exitCode, message: live.message }
}
