import { DIAGNOSTIC_CATALOGUE, type DiagnosticCode } from './catalogue.ts'
import type { Diagnostic, SourceRange } from './diagnostic.ts'

/** What a diagnostic says beyond its catalogue entry; everything but the summary may be left out. */
export interface DiagnosticText {
  readonly summary: string
  readonly range?: SourceRange | null
  /** Lines joined with line feeds. */
  readonly detail?: string
  readonly suggestions?: readonly string[]
  readonly related?: readonly { readonly message: string; readonly range: SourceRange }[]
}

/** A diagnostic with the severity of its code. */
export function diagnose(code: DiagnosticCode, text: DiagnosticText): Diagnostic {
  return {
    severity: DIAGNOSTIC_CATALOGUE[code].severity,
    code,
    summary: text.summary,
    detail: text.detail ?? '',
    range: text.range ?? null,
    suggestions: text.suggestions ?? [],
    related: text.related ?? [],
  }
}
