import type { SourceRange } from '../diagnostics/diagnostic.ts'
import type { Scenario } from '../study.ts'
import type { DraftScenario } from './layering.ts'

/** A scenario with all layers applied, not yet checked. */
export interface ExpandedScenario {
  readonly id: string
  readonly group: string | null
  readonly axes: ReadonlyMap<string, string>
  readonly replicate?: NonNullable<Scenario['replicate']>
  readonly range: SourceRange
  readonly draft: DraftScenario
  /** Of the file of margins whose shares the draft has. */
  readonly marginsSha256?: string
}
