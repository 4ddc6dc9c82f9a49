import { shareSum } from '../conditions/share.ts'
import { knownShares } from '../conditions/share-change.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { ExpandedScenario } from '../matrix/expanded-scenario.ts'
import type { DraftScenario } from '../matrix/layering.ts'
import type { Located } from '../yaml/located-node.ts'

/** How far the best possible result may lie from a share. */
interface Deviation {
  readonly deviation: number
  readonly share: number
  readonly rows: number
}

interface GateUse {
  readonly summary: string
  readonly detail: string
  isEvaluated: boolean
  /** Worst over the scenarios in which rounding to whole rows exceeds the tolerance. */
  rounding: Deviation | null
  /** Worst over the scenarios in which chance exceeds the tolerance. */
  chance: Deviation | null
}

/**
 * Finds gates that can never evaluate anything, and tolerances that a good result can miss (study language, section
 * 4.6). A number is checked where it is written: a number in `defaults` needs a single scenario that it applies to, a
 * number in a scenario that scenario. With `isSampled` the service may draw rows at random, so shares vary by chance.
 * The service of this package meets them to the nearest row.
 */
export function checkGates(
  scenarios: readonly ExpandedScenario[],
  { isSampled }: { readonly isSampled: boolean },
): Diagnostic[] {
  const uses = new Map<Located<number>, GateUse>()
  for (const { draft } of scenarios) {
    const { share: shares, range: ranges, mean: means } = draft.conditions
    for (const gates of [draft.expect, draft.warn]) {
      if (gates.tolerance !== undefined) {
        const use = useOf(uses, gates.tolerance, 'the tolerance of shares', 'no scenario it applies to has shares')
        use.isEvaluated ||= shares.size > 0
        for (const column of shares.keys()) {
          if (!gates.columns.has(column)) checkTolerance(use, gates.tolerance.value, draft, column)
        }
      }
      for (const [column, tolerance] of gates.columns) {
        const title = `the tolerance of column "${column}"`
        const use = useOf(uses, tolerance, title, 'no scenario it applies to has shares of that column')
        use.isEvaluated ||= shares.has(column)
        checkTolerance(use, tolerance.value, draft, column)
      }
      if (gates.outsideMax !== undefined) {
        const use = useOf(uses, gates.outsideMax, '`outside_max`', 'no scenario it applies to has ranges')
        use.isEvaluated ||= ranges.size > 0
      }
      if (gates.meanTolerance !== undefined) {
        const use = useOf(uses, gates.meanTolerance, 'the tolerance of means', 'no scenario it applies to has means')
        use.isEvaluated ||= means.size > 0
      }
      for (const [column, tolerance] of gates.meanColumns) {
        const title = `the tolerance of the mean of column "${column}"`
        const use = useOf(uses, tolerance, title, 'no scenario it applies to has a mean of that column')
        use.isEvaluated ||= means.has(column)
      }
    }
  }
  return [...uses].flatMap(([number, use]) => report(number, isSampled ? use : { ...use, chance: null }))
}

function report({ value, range }: Located<number>, use: GateUse): Diagnostic[] {
  if (!use.isEvaluated) {
    return [diagnose('S5101', { summary: `${use.summary} is never evaluated`, range, detail: use.detail })]
  }
  if (use.rounding !== null) {
    const { rows, share, deviation } = use.rounding
    const exact = Number((share * rows).toFixed(3))
    const off = Number(deviation.toPrecision(2))
    const detail = `${share} of ${rows} rows is ${exact} rows; rounded to whole rows it is off by ${off}`
    return [diagnose('W5102', { summary: `tolerance ${value} is below what whole rows allow`, range, detail })]
  }
  if (use.chance === null) return []
  const { rows, share, deviation } = use.chance
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
  const use: GateUse = { summary: title, detail, isEvaluated: false, rounding: null, chance: null }
  uses.set(number, use)
  return use
}

function checkTolerance(use: GateUse, tolerance: number, draft: DraftScenario, column: string): void {
  const rows = draft.rows?.value
  if (rows === undefined) return
  const stated = draft.conditions.share.get(column)?.shares
  if (stated === undefined) return
  // A share that the data decide has its rounding there.
  const shares = knownShares(stated)
  const counts = wholeRows(shares, rows)
  for (const [i, share] of [...shares.values()].entries()) {
    const rounding = Math.abs(counts[i]! / rows - share)
    if (tolerance < rounding - LAST_BITS && rounding > (use.rounding?.deviation ?? 0))
      use.rounding = { deviation: rounding, share, rows }
    // Two standard deviations of a binomial share.
    const chance = 2 * Math.sqrt((share * (1 - share)) / rows)
    if (tolerance < chance && chance > (use.chance?.deviation ?? 0)) use.chance = { deviation: chance, share, rows }
  }
}

/** The same slack as gates: for the last bits of a difference of two doubles. */
const LAST_BITS = 1e-12

/**
 * Shares as whole rows, by largest remainder. The unlisted remainder counts as one level, and the sum never exceeds
 * `rows`.
 */
function wholeRows(shares: ReadonlyMap<string, number>, rows: number): readonly number[] {
  const exact = [...shares.values(), Math.max(0, 1 - shareSum(shares))].map((share) => share * rows)
  const counts = exact.map(Math.floor)
  const left = rows - counts.reduce((sum, count) => sum + count, 0)
  const largest = [...exact.keys()].sort((a, b) => exact[b]! - counts[b]! - (exact[a]! - counts[a]!))
  for (const i of largest.slice(0, Math.max(0, left))) counts[i]! += 1
  return counts
}
