import type { DiagnosticCode } from './catalogue.ts'
import { type DiagnosticText, diagnose } from './diagnose.ts'
import type { Diagnostic } from './diagnostic.ts'

/** Ids listed before the rest is only counted. */
const LISTED_IDS = 3

/**
 * Collects what is found in expanded scenarios. One place in the file can stand behind thousands of them; it is
 * reported once, with the scenarios in which it matters.
 */
export class ScenarioFindings {
  readonly #found = new Map<string, { code: DiagnosticCode; text: DiagnosticText; scenarios: Set<string> }>()

  /** `scenario` is the expanded id. The same code, place and summary is the same finding. */
  add(code: DiagnosticCode, scenario: string, text: DiagnosticText): void {
    const key = JSON.stringify([code, text.range?.start.offset ?? null, text.summary])
    const found = this.#found.get(key)
    if (found === undefined) this.#found.set(key, { code, text, scenarios: new Set([scenario]) })
    else found.scenarios.add(scenario)
  }

  /** In the order found. `total` is the number of scenarios of the study; a finding in the only one needs no name. */
  diagnostics(total: number): Diagnostic[] {
    return [...this.#found.values()].map(({ code, text, scenarios }) => {
      const where = total > 1 ? inScenarios([...scenarios].sort()) : ''
      return diagnose(code, { ...text, detail: [text.detail ?? '', where].filter((line) => line !== '').join('\n') })
    })
  }
}

function inScenarios(ids: readonly string[]): string {
  const listed = ids.slice(0, LISTED_IDS).join(', ')
  if (ids.length === 1) return `in scenario ${listed}`
  const rest = ids.length > LISTED_IDS ? ` and ${ids.length - LISTED_IDS} more` : ''
  return `in ${ids.length} scenarios: ${listed}${rest}`
}
