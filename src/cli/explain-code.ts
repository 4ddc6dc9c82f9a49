import { ERROR_CATALOGUE } from '../contract/errors.ts'
import { EXIT_CODES } from '../run/exit-code.ts'
import { EXIT_MEANINGS, type ExitMeaning } from '../run/exit-meanings.ts'
import { DIAGNOSTIC_CATALOGUE } from '../spec/diagnostics/catalogue.ts'
import type { CatalogueEntry } from '../spec/diagnostics/catalogue-entry.ts'
import { suggest } from '../spec/diagnostics/did-you-mean.ts'

/** Where a code comes from. */
export type CodeKind = 'diagnostic' | 'exit code' | 'service error'

export interface Explanation {
  readonly kind: CodeKind
  readonly code: string
  /** A few words. */
  readonly title: string
  /** `error`, `warning`, `note`; `exit`; or the HTTP status a code of the service comes with. */
  readonly label: string
  /** Paragraphs of plain text. */
  readonly text: readonly string[]
}

/** Every code that this program prints, or that its service answers with, in the order of the tables. */
export function allExplanations(): Explanation[] {
  return [
    ...Object.entries<CatalogueEntry>(DIAGNOSTIC_CATALOGUE)
      .sort(([a], [b]) => (a.slice(1) < b.slice(1) ? -1 : 1))
      .map(
        ([code, { severity, title, explanation }]): Explanation => ({
          kind: 'diagnostic',
          code,
          title,
          label: severity,
          text: [explanation],
        }),
      ),
    ...Object.entries<ExitMeaning>(EXIT_MEANINGS).map(([code, { title, explanation }]): Explanation => {
      const reasons = Object.entries(EXIT_CODES).flatMap(([reason, n]) => (String(n) === code ? [reason] : []))
      return {
        kind: 'exit code',
        code,
        title,
        label: 'exit',
        text: [explanation, ...(reasons.length > 0 ? [`In a manifest: ${reasons.join(', ')}.`] : [])],
      }
    }),
    ...Object.entries(ERROR_CATALOGUE).map(
      ([code, { status, title, cause, fix, retryable, support }]): Explanation => ({
        kind: 'service error',
        code,
        title: status === null ? 'in the error of a job or generation' : `${status} ${title}`,
        label: 'service',
        text: [cause, fix, `Repeat unchanged: ${retryable ? 'yes, with backoff' : 'no'}. ${support}`],
      }),
    ),
  ]
}

/** What a code means, however it was typed: `s2103`, `exit 7`, `partial_below_policy`; null when there is none of this name. */
export function explainCode(typed: string): Explanation | null {
  const wanted = codeWords(typed)
  const reasons: Record<string, number> = EXIT_CODES
  const code = Object.hasOwn(reasons, wanted) ? String(reasons[wanted]) : wanted
  return allExplanations().find((explanation) => explanation.code.toLowerCase() === code) ?? null
}

function codeWords(typed: string): string {
  return typed
    .trim()
    .replace(/^exit[ _-]*(code)?[ _-]*/i, '')
    .toLowerCase()
}

/** What to do about a code that there is not: what it may have meant, or what codes look like. */
export function adviceFor(typed: string): string {
  const wanted = codeWords(typed)
  const codes = allExplanations()
  // One number is as near to a wrong one as the next.
  const byName = new Map(codes.map(({ code }) => [code.toLowerCase(), code]))
  const near = /^\d*$/.test(wanted) ? [] : suggest(wanted, byName.keys()).map((name) => byName.get(name)!)
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`
  const exits = codes.filter(({ kind }) => kind === 'exit code').map(({ code }) => code)
  return /^\d+$/.test(wanted)
    ? `Exit codes are ${exits.slice(0, -1).join(', ')} and ${exits.at(-1)}.`
    : 'Codes look like S2103 or W3101 (diagnostics), 7 (exit codes), svc_not_found (the service). whatif explain alone lists all.'
}
