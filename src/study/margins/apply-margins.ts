import type { WrittenShares } from '../conditions/condition-kind.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { MAX_CONDITIONS } from '../diagnostics/limits.ts'
import type { ExpandedScenario } from '../matrix/expanded-scenario.ts'
import type { Located } from '../yaml/located-node.ts'
import { marginShares } from './margin-shares.ts'
import type { MarginsFile } from './margins-file.ts'

/** By the path as the study writes it: the file, or why it cannot be read. `unread`: nobody needs what the files say. */
export type MarginsFiles = ReadonlyMap<string, MarginsFile | Diagnostic> | 'unread'

/** Scenarios with the shares of their files of margins for each column whose shares they do not state themselves. */
export function applyMargins(
  scenarios: readonly ExpandedScenario[],
  named: readonly Located<string>[],
  files: MarginsFiles | undefined,
  diagnostics: Diagnostic[],
): readonly ExpandedScenario[] {
  if (files === 'unread') return scenarios
  const known = new Map<string, Margins>()
  for (const { value, range } of named) {
    if (known.has(value)) continue
    const file = files?.get(value)
    if (file === undefined) {
      const summary = `the margins "${value}" have not been read`
      diagnostics.push(
        diagnose('S1311', { summary, range, detail: 'whoever loads this study has to hand over the file' }),
      )
    } else if ('severity' in file) diagnostics.push(file)
    else known.set(value, { shares: marginShares(file, diagnostics), sha256: file.sha256 })
  }
  const ownOf = ({ draft: { margins } }: ExpandedScenario) =>
    margins?.value == null ? undefined : known.get(margins.value)
  // Counted before any is made: the conditions of too many scenarios do not fit into memory.
  let left = MAX_CONDITIONS
  const first = scenarios.find((scenario) => {
    left -= ownOf(scenario)?.shares.size ?? 0
    return left < 0
  })
  if (first !== undefined) {
    const summary = `the study has more than ${MAX_CONDITIONS} conditions from files of margins`
    const { range } = first.draft.margins!
    diagnostics.push(diagnose('S4106', { summary, range, detail: 'this bound cannot be raised' }))
    return scenarios
  }
  return scenarios.map((scenario) => {
    const own = ownOf(scenario)
    if (own === undefined) return scenario
    const { conditions } = scenario.draft
    const added = [...own.shares].filter(([column]) => !conditions.share.has(column))
    const share = new Map([...conditions.share, ...added])
    return {
      ...scenario,
      marginsSha256: own.sha256,
      draft: { ...scenario.draft, conditions: { ...conditions, share } },
    }
  })
}

interface Margins {
  readonly shares: ReadonlyMap<string, WrittenShares>
  readonly sha256: string
}
