/** A fault or remark about the user's file, as data. Rendering is separate (`render-diagnostic.ts`). */

/** Zero-based offset in UTF-16 units, one-based line and column (columns in UTF-16 units). */
export interface Position {
  readonly line: number
  readonly column: number
  readonly offset: number
}

/** `start` inclusive, `end` exclusive. */
export interface SourceRange {
  readonly filename: string
  readonly start: Position
  readonly end: Position
}

export type Severity = 'error' | 'warning' | 'note'

/** A fault of a study file, or a remark about it, with its place. */
export interface Diagnostic {
  readonly severity: Severity
  /** `S…` error or `W…` warning; `whatif explain` and the tests know every one. */
  readonly code: string
  readonly summary: string
  /** Further lines for people: which values are allowed, where the value came from, how to correct it. */
  readonly detail: string
  /** Null when the fault has no place in the file. */
  readonly range: SourceRange | null
  /** Likely spellings, best first. */
  readonly suggestions: readonly string[]
  readonly related: readonly { readonly message: string; readonly range: SourceRange }[]
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((d) => d.severity === 'error')
}

/** Diagnostics without a place in the file come first. */
export function byPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort((a, b) => (a.range?.start.offset ?? 0) - (b.range?.start.offset ?? 0))
}

/** What `whatif explain <code>` prints. Codes are stable: an entry may be reworded but keeps its meaning. */
export interface CatalogueEntry extends CatalogueText {
  readonly severity: Severity
}

export interface CatalogueText {
  readonly title: string
  /** One paragraph: what is wrong, why it matters, what to do. */
  readonly explanation: string
}
