import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { replicateId } from '../replicates.ts'
import type { Located } from '../yaml/located-node.ts'
import type { ExpandedScenario } from './expanded-scenario.ts'

/**
 * The replicates of a scenario: `<id>--r1`, `<id>--r2`, … with the seeds seed, seed + 1, …; a random seed is drawn for
 * each. Pushes a fault when a seed would be no safe integer.
 */
export function replicatesOf(
  scenario: ExpandedScenario,
  { value: count, range }: Located<number>,
  diagnostics: Diagnostic[],
): ExpandedScenario[] {
  const { seed } = scenario.draft
  if (typeof seed?.value === 'number' && seed.value > Number.MAX_SAFE_INTEGER - (count - 1)) {
    diagnostics.push(
      diagnose('S1206', {
        summary: `seed ${seed.value} leaves no room for ${count} replicates`,
        range: seed.range,
        detail: `replicates have the seeds that follow, up to ${Number.MAX_SAFE_INTEGER}; write a smaller seed`,
        related: [{ message: 'the replicates', range }],
      }),
    )
    return []
  }
  return Array.from({ length: count }, (_, i) => ({
    ...scenario,
    id: replicateId(scenario.id, i + 1),
    replicate: { of: scenario.id, number: i + 1 },
    draft: {
      ...scenario.draft,
      seed: typeof seed?.value === 'number' ? { value: seed.value + i, range: seed.range } : seed,
    },
  }))
}
