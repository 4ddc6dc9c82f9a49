import type { ComparisonResult } from '../../records/manifest/comparisons.ts'
import { roundRatio, roundStatistic } from '../arithmetic/figures.ts'
import type { RecordedDifference } from '../gates/gates.ts'

/** The differences that a comparison's gate may be about, as exactly as the figures of a manifest tell them. */

/** A ratio in a manifest is within this of the exact one. */
const ROUNDING = 5e-7

export interface Recorded {
  readonly difference: RecordedDifference
  readonly round: (figure: number) => number
}

/** A difference, within what of the exact one it is, and how it is written. */
interface Difference {
  readonly delta: number
  readonly within: number
  readonly actual: number
  /** Null where the manifest does not list it. */
  readonly recorded: Recorded | null
}

/** The possible meanings of `column` or `column:level` in a comparison of two scenarios. */
export function differences(
  name: string,
  { means, shares }: ComparisonResult,
  rows: { readonly scenario: number | null; readonly against: number | null },
): Difference[] {
  const found: Difference[] = []
  const mean = means[name]
  if (mean?.scenario && mean.against) {
    const delta = mean.scenario.mean - mean.against.mean
    // Both were written with 12 digits.
    const within = 1e-11 * Math.max(Math.abs(mean.scenario.mean), Math.abs(mean.against.mean))
    const recorded = { difference: mean, round: roundStatistic }
    found.push({ delta, within, actual: mean.delta ?? roundStatistic(delta), recorded })
  }
  for (const [column, levels] of Object.entries(shares)) {
    if (!name.startsWith(`${column}:`) || Object.keys(levels).length === 0) continue
    const listed = levels[name.slice(column.length + 1)]
    const pair = listed ?? { scenario: 0, against: 0 }
    const recorded = listed === undefined ? null : { difference: listed, round: roundRatio }
    const [b, a] = [exactRatio(pair.scenario, rows.scenario), exactRatio(pair.against, rows.against)]
    const delta = b.ratio - a.ratio
    found.push({ delta, within: b.within + a.within, actual: roundRatio(delta), recorded })
  }
  return found
}

/** The exact ratio before rounding: with fewer than a million rows only one whole number of rows matches. */
function exactRatio(rounded: number, rows: number | null): { ratio: number; within: number } {
  if (rows === null || rows === 0 || rows >= 1e6) return { ratio: rounded, within: ROUNDING }
  return { ratio: Math.round(rounded * rows) / rows, within: 0 }
}
