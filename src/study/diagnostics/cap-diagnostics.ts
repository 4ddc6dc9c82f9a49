import type { Diagnostic } from './diagnostic.ts'

export interface CappedDiagnostics {
  /** In their order. */
  readonly shown: readonly Diagnostic[]
  /** How many of a code are not among them; codes of which none is left out are absent. */
  readonly omitted: ReadonlyMap<string, number>
}

/**
 * The first `most` of each code: one slip repeated 45,000 times must not bury the others, nor cost 45,000 excerpts. Codes are
 * few, so the whole is bounded.
 */
export function capDiagnostics(diagnostics: readonly Diagnostic[], most: number): CappedDiagnostics {
  const seen = new Map<string, number>()
  const shown: Diagnostic[] = []
  for (const diagnostic of diagnostics) {
    const before = seen.get(diagnostic.code) ?? 0
    seen.set(diagnostic.code, before + 1)
    if (before < most) shown.push(diagnostic)
  }
  const omitted = [...seen].flatMap(([code, count]): [string, number][] => (count > most ? [[code, count - most]] : []))
  return { shown, omitted: new Map(omitted) }
}
