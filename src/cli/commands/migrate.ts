import type { Command } from 'commander'
import { escapeText } from '../../base/text/escape-text.ts'
import { readStudyFiles, type StudyFile } from '../../local/study-file.ts'
import { EXIT_CODES } from '../../runner/interface/exit-code.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { addOutputOptions, type StudyFlags } from '../options/study-options.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { sayDiagnostics } from '../steps/report-study.ts'

/** Faults that leave the version of a file unknown: of syntax, and of the version itself. */
const UNTOLD = /^S10|^S1101$/

/** Declares `whatif migrate`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addOutputOptions(command)
    .description('Bring study files to the newest version of the study language. Version 1 is the only one so far.')
    .argument('<files...>', 'study files')
    .action(async (files, flags) => {
      process.exitCode = await migrate(files, flags, env)
    })
}

/**
 * `whatif migrate`: study files in the newest version of the language. There is one version so far. A file in that version
 * stays as it is; a file in another version, or one that cannot be read, is refused.
 */
export async function migrate(
  paths: readonly string[],
  flags: Pick<StudyFlags, 'json' | 'color'>,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const seen: { readonly file: StudyFile; readonly faults: readonly Diagnostic[] }[] = []
  for (const file of await readStudyFiles(paths)) {
    const hasNoVersion = (d: Diagnostic) => d.code === 'S1103' && d.summary.startsWith('"version"')
    seen.push({ file, faults: file.diagnostics.filter((d) => UNTOLD.test(d.code) || hasNoVersion(d)) })
  }
  const exitCode = seen.some(({ faults }) => faults.length > 0) ? EXIT_CODES.invalid_study : EXIT_CODES.ok
  if (flags.json) {
    const data = Object.fromEntries(
      seen.map(({ file, faults }) => [file.name, { version: faults.length > 0 ? null : 1, changed: false }]),
    )
    const diagnostics = seen.flatMap(({ faults }) => faults)
    terminal.stdout.write(jsonDocument({ command: 'migrate', exitCode, data, diagnostics }))
    return exitCode
  }
  for (const { file, faults } of seen) {
    sayDiagnostics([file], faults, terminal)
    const said =
      faults.length > 0 ? 'not migrated' : 'is in version 1, the newest version of the language; nothing to do'
    terminal.stderr.write(`${escapeText(file.name)}: ${said}\n`)
  }
  return exitCode
}
