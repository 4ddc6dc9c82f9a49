import type { Severity } from './diagnostic.ts'

/** What `whatif explain <code>` prints. Codes are stable: an entry may be reworded, never given another meaning. */
export interface CatalogueEntry {
  readonly severity: Severity
  readonly title: string
  /** One paragraph: what is wrong, why it matters, what to do. */
  readonly explanation: string
}
