import { diagnose } from './diagnostics/diagnose.ts'
import type { Diagnostic } from './diagnostics/diagnostic.ts'
import type { ExpandedScenario } from './matrix/expand-scenarios.ts'
import type { DraftScenario } from './matrix/layering.ts'
import type { Located } from './yaml/located-node.ts'

/** A tolerance that chance alone exceeds. */
interface Chance {
  readonly deviation: number
  readonly share: number
  readonly rows: number
}

interface GateUse {
  readonly summary: string
  readonly detail: string
  isEvaluated: boolean
  /** Worst over the scenarios in which the tolerance is below chance. */
  worst: Chance | null
}

/**
 * Gates that can never judge anything, and tolerances below chance (study language, section 4.6). A number is judged
 * where it is written: one in `defaults` needs a single scenario that it applies to, one in a scenario that scenario.
 */
export function checkGates(scenarios: readonly ExpandedScenario[]): Diagnostic[] {
  const uses = new Map<Located<number>, GateUse>()
  for (const { draft } of scenarios) {
    for (const gates of [draft.expect, draft.warn]) {
      if (gates.tolerance !== undefined) {
        const use = useOf(uses, gates.tolerance, 'the tolerance of shares', 'no scenario it applies to has shares')
        use.isEvaluated ||= draft.shares.size > 0
        for (const column of draft.shares.keys()) {
          if (!gates.columns.has(column)) compareWithChance(use, gates.tolerance.value, draft, column)
        }
      }
      for (const [column, tolerance] of gates.columns) {
        const title = `the tolerance of column "${column}"`
        const use = useOf(uses, tolerance, title, 'no scenario it applies to has shares of that column')
        use.isEvaluated ||= draft.shares.has(column)
        compareWithChance(use, tolerance.value, draft, column)
      }
      if (gates.outsideMax !== undefined) {
        const use = useOf(uses, gates.outsideMax, '`outside_max`', 'no scenario it applies to has ranges')
        use.isEvaluated ||= draft.ranges.size > 0
      }
    }
  }
  return [...uses].flatMap(([number, use]) => report(number, use))
}

function report({ value, range }: Located<number>, use: GateUse): Diagnostic[] {
  if (!use.isEvaluated) {
    return [diagnose('S5101', { summary: `${use.summary} judges nothing`, range, detail: use.detail })]
  }
  if (use.worst === null) return []
  const { rows, share, deviation } = use.worst
  return [
    diagnose('W5102', {
      summary: `tolerance ${value} is below chance`,
      range,
      detail: `with ${rows} rows a ${share.toFixed(2)} share moves by ±${deviation.toPrecision(1)} by chance, if rows are sampled`,
    }),
  ]
}

function useOf(uses: Map<Located<number>, GateUse>, number: Located<number>, title: string, detail: string): GateUse {
  const known = uses.get(number)
  if (known !== undefined) return known
  const use: GateUse = { summary: title, detail, isEvaluated: false, worst: null }
  uses.set(number, use)
  return use
}

/** Two standard deviations of a binomial share: 2·√(p(1−p)/n). */
function compareWithChance(use: GateUse, tolerance: number, draft: DraftScenario, column: string): void {
  const rows = draft.rows?.value
  if (rows === undefined) return
  for (const share of draft.shares.get(column)?.shares.values() ?? []) {
    const deviation = 2 * Math.sqrt((share * (1 - share)) / rows)
    if (tolerance < deviation && deviation > (use.worst?.deviation ?? 0)) use.worst = { deviation, share, rows }
  }
}
