import type { Command } from 'commander'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable, wrapped } from '../../base/text/fit-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { adviceFor, allExplanations, type Explanation, explainCode } from '../explain/explain-code.ts'
import { JSON_HELP } from '../options/study-options.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'

/** Declares `whatif explain`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  command
    .description(
      'Explain what a code or a word means and what to do about it: the code of a diagnostic (S2103), an exit code (7), a ' +
        'gate (mixed_model), a word from a summary or a plan (not started), or an error code of the service ' +
        '(svc_not_found). Without a code, all are listed. Needs no network.',
    )
    .argument('[code...]', 'the code or word, as it was printed')
    .option('--json', JSON_HELP)
    .action((words: readonly string[], flags) => {
      process.exitCode = explain(words.length === 0 ? undefined : words.join(' '), flags, env)
    })
}

/** `whatif explain [code]`: what a code means and what to do, offline; without a code, the list of all. */
export function explain(
  code: string | undefined,
  flags: { readonly json?: boolean; readonly color?: boolean },
  env: NodeJS.ProcessEnv,
): number {
  const { stdout, width } = describeTerminal(flags, env)
  const found = code === undefined ? allExplanations() : [explainCode(code)]
  const known = found.filter((explanation) => explanation !== null)
  if (known.length === 0) {
    const typed = code ?? ''
    const what = typed.trim() === '' ? 'the code is empty' : `there is no code ${escapeText(JSON.stringify(typed))}`
    throw new SetupError(2, what, adviceFor(typed))
  }
  if (flags.json) {
    const data = known.map(({ kind, code, title, label, text }) => ({ kind, code, title, label, text }))
    stdout.write(jsonDocument({ command: 'explain', data }))
  } else if (code === undefined) {
    const columns = [{ title: 'Code' }, { title: 'Kind' }, { title: 'Meaning', mayShrink: true }]
    stdout.write(
      textTable(
        columns,
        known.map(({ code, label, title }) => [code, label, title]),
        width,
      ),
    )
  } else stdout.write(known.map((explanation) => page(explanation, width)).join('\n'))
  return 0
}

function page({ kind, code, title, label, text }: Explanation, width: number): string {
  const head = kind === 'diagnostic' ? `${label} ${code}: ${title}` : `${kind} ${code}: ${title}`
  return [`${head}\n`, ...text.map((paragraph) => wrapped('', paragraph, Math.min(width, 80)))].join('\n')
}
