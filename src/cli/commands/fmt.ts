import type { Command } from 'commander'
import { escapeText } from '../../base/text/escape-text.ts'
import { readStudyFiles, replaceStudyFile, type StudyFile } from '../../local/study-file.ts'
import { EXIT_CODES } from '../../runner/interface/exit-code.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { type FormattedStudy, formatStudy } from '../../study/writing/format-study.ts'
import { addOutputOptions } from '../options/study-options.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { sayDiagnostics } from '../steps/report-study.ts'

/** Exit code of `--check` when a file is not in its canonical form. */
const WOULD_CHANGE = 20

export interface FmtFlags {
  readonly check?: boolean
  readonly json?: boolean
  readonly color?: boolean
}

type FormatResult = 'unchanged' | 'formatted' | 'would_change' | 'invalid' | 'too_large'

const EXIT_CODE_OF: Readonly<Record<FormatResult, number>> = {
  unchanged: EXIT_CODES.ok,
  formatted: EXIT_CODES.ok,
  would_change: WOULD_CHANGE,
  invalid: EXIT_CODES.invalid_study,
  too_large: EXIT_CODES.usage,
}

/** Declares `whatif fmt`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  command
    .description(
      'Rewrite study files in canonical form: indentation, quotes, line ends, and brackets around what fits in 100 columns. ' +
        'Comments, order, names and the spelling of numbers stay, and so does the meaning of the study.',
    )
    .argument('<files...>', 'study files')
    .option('--check', 'write nothing; exit 20 when a file is not in canonical form')
    .action(async (files, flags) => {
      process.exitCode = await fmt(files, flags, env)
    })
  addOutputOptions(command)
}

/** `whatif fmt`: study files in canonical form, in place; with `--check` only whether they are. What they say never changes. */
export async function fmt(paths: readonly string[], flags: FmtFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const done: {
    readonly file: StudyFile
    readonly outcome: FormatResult
    readonly diagnostics: readonly Diagnostic[]
  }[] = []
  for (const file of await readStudyFiles(paths)) {
    const formatted = formatStudy(file.text, { filename: file.name })
    const outcome = outcomeOf(file, formatted, flags)
    if (outcome === 'formatted' && formatted.kind === 'formatted') await replaceStudyFile(file, formatted.text)
    done.push({ file, outcome, diagnostics: formatted.kind === 'invalid' ? formatted.diagnostics : [] })
  }
  const codes = done.map(({ outcome }) => EXIT_CODE_OF[outcome])
  const exitCode = [EXIT_CODES.usage, EXIT_CODES.invalid_study, WOULD_CHANGE].find((code) => codes.includes(code)) ?? 0
  if (flags.json) {
    const data = Object.fromEntries(done.map(({ file, outcome }) => [file.name, { outcome }]))
    const diagnostics = done.flatMap((one) => one.diagnostics)
    terminal.stdout.write(jsonDocument({ command: 'fmt', exitCode, data, diagnostics }))
    return exitCode
  }
  for (const { file, outcome, diagnostics } of done) {
    sayDiagnostics([file], diagnostics, terminal)
    terminal.stderr.write(sentence(escapeText(file.name), outcome))
  }
  return exitCode
}

function outcomeOf(file: StudyFile, formatted: FormattedStudy, { check }: FmtFlags): FormatResult {
  if (formatted.kind === 'invalid') return 'invalid'
  if (formatted.kind === 'too-large') return 'too_large'
  if (formatted.text === file.text) return 'unchanged'
  return check ? 'would_change' : 'formatted'
}

function sentence(name: string, outcome: FormatResult): string {
  switch (outcome) {
    case 'unchanged':
      return ''
    case 'formatted':
      return `${name}: formatted\n`
    case 'would_change':
      return `${name}: not in canonical form; whatif fmt rewrites it\n`
    case 'too_large':
      return `error: ${name}: not changed, because its canonical form is larger than a study may be\n`
    case 'invalid':
      return `${name}: not changed, because it cannot be read as a study\n`
  }
}
