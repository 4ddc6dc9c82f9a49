import { join } from 'node:path'
import { escapeText } from '../../base/text/escape-text.ts'
import type { Diagnostic, SourceRange } from '../../study/diagnostics/diagnostic.ts'

/** What a command has to say about its subject, for those that show it elsewhere than in the log. */
export interface Finding {
  readonly level: 'error' | 'warning'
  /** A code (`S2103`) or a few words. */
  readonly title: string
  /** Lines of text, escaped. */
  readonly message: string
  /** Null when it is about no file. */
  readonly place: FindingPlace | null
}

export interface FindingPlace {
  /** Absolute. */
  readonly file: string
  /** From 1. */
  readonly line?: number
  readonly column?: number
}

/** Errors and warnings; notes are for those who read the log. Diagnostics name files from the project root. */
export function findingsOf(diagnostics: readonly Diagnostic[], projectRoot: string): Finding[] {
  return diagnostics.flatMap(({ severity, code, summary, detail, range, suggestions }) => {
    if (severity === 'note') return []
    const names = suggestions.map((name) => `"${escapeText(name)}"`)
    const lines = [
      escapeText(summary),
      ...(names.length > 0 ? [`did you mean ${names.join(' or ')}?`] : []),
      ...(detail === '' ? [] : detail.split('\n').map(escapeText)),
    ]
    const place = range && placeOf(range, projectRoot)
    return [{ level: severity, title: code, message: lines.join('\n'), place }]
  })
}

export const placeOf = ({ filename, start }: SourceRange, projectRoot: string): FindingPlace => ({
  file: join(projectRoot, filename),
  line: start.line,
  column: start.column,
})

/** What people are told of how a command ended, as a finding, unless it only repeats one of the diagnostics. */
export function endFinding(
  end: { readonly message: string | null; readonly exitCode: number; readonly diagnostics: readonly Diagnostic[] },
  file: string,
): Finding[] {
  const { message, exitCode, diagnostics } = end
  if (message === null || exitCode === 0 || isTold(message, diagnostics)) return []
  return [{ level: 'error', title: `exit code ${exitCode}`, message: escapeText(message), place: { file } }]
}

/** Whether a message only repeats what one of the diagnostics says. */
export const isTold = (message: string, diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity, summary }) => severity === 'error' && message.includes(summary))
