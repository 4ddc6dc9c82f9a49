import { escapeText } from '../../base/text/escape-text.ts'
import { textTable, wrapped } from '../../base/text/fit-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { adviceFor, allExplanations, type Explanation, explainCode } from '../explain/explain-code.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'

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
    const what =
      typed.trim() === '' ? 'an empty text is no code' : `there is no code ${escapeText(JSON.stringify(typed))}`
    throw new SetupError(2, what, adviceFor(typed))
  }
  if (flags.json) {
    const data = known.map(({ kind, code, title, label, text }) => ({ kind, code, title, label, text }))
    stdout.write(jsonDocument({ command: 'explain', exitCode: 0, data, diagnostics: [] }))
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
