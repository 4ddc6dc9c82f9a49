import { listText } from '../../base/text/amount-text.ts'
import { DIAGNOSTIC_CATALOGUE, type DiagnosticCode } from './catalogue.ts'
import type { Diagnostic, SourceRange } from './diagnostic.ts'

/** The text of a diagnostic, apart from its catalogue entry. Everything but the summary is optional. */
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

/** Ids that are listed; further ones are only counted. */
const LISTED_IDS = 3

/**
 * Collects the findings in expanded scenarios. One place in the file can belong to thousands of them; it is reported
 * once, with the scenarios that it affects.
 */
export class ScenarioFindings {
  readonly #found = new Map<string, { code: DiagnosticCode; text: DiagnosticText; scenarios: Set<string> }>()

  /** `scenario` is the expanded id. Equal code, place and summary mean the same finding. */
  add(code: DiagnosticCode, scenario: string, text: DiagnosticText): void {
    const key = JSON.stringify([code, text.range?.start.offset ?? null, text.summary])
    const found = this.#found.get(key)
    if (found === undefined) this.#found.set(key, { code, text, scenarios: new Set([scenario]) })
    else found.scenarios.add(scenario)
  }

  /**
   * In the sequence of discovery. `total` is the number of scenarios of the study; a finding in the only one needs no
   * name.
   */
  diagnostics(total: number): Diagnostic[] {
    return [...this.#found.values()].map(({ code, text, scenarios }) => {
      const where = total > 1 ? inScenarios([...scenarios].sort()) : ''
      return diagnose(code, { ...text, detail: [text.detail ?? '', where].filter((line) => line !== '').join('\n') })
    })
  }
}

function inScenarios(ids: readonly string[]): string {
  const listed = listText(ids, LISTED_IDS)
  return ids.length === 1 ? `in scenario ${listed}` : `in ${ids.length} scenarios: ${listed}`
}
