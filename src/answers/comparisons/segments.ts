import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { Measurement, SegmentCounts } from '../../records/state/measurements.ts'
import type { SidePair } from '../arithmetic/intervals.ts'
import type { SeedEstimates } from './differences.ts'

/** What is known of a comparison's segments besides the artifacts. */
export interface SegmentKnowledge {
  /** The seed's estimates inside each level, or why there are none. */
  readonly estimates: ReadonlyMap<string, SeedEstimates> | NoEstimates
  /** Levels in the sequence of the data; empty when it is unknown. */
  readonly order: readonly string[]
}

/** The rows of a level on both sides, in the form of whole artifacts. */
export interface SegmentSides {
  readonly level: string
  readonly scenario: Measurement
  readonly against: Measurement
  readonly seed: { readonly estimates: SeedEstimates | NoEstimates; readonly evidence: SidePair | null }
}

/** Both sides as a whole. */
interface WholeSides {
  readonly scenario: Measurement
  readonly against: Measurement
  /** Effective rows of the whole sides; null when unknown. */
  readonly evidence: SidePair | null
}

const NO_ROWS: SegmentCounts = { rows: 0, shares: [], numbers: [] }
/** The service reports every level; one that it leaves out has no figures. */
const NOBODY = { effectiveRows: null, support: null }
const TOO_FEW: SeedEstimates = { scenario: NOBODY, against: NOBODY, bases: [], shares: [], means: [] }

/** Every level that either side has rows of, in the sequence of the data; levels that it does not know come last. */
export function segmentSides(by: string, whole: WholeSides, { estimates, order }: SegmentKnowledge): SegmentSides[] {
  const scenario = new Map(levelsOf(whole.scenario, by))
  const against = new Map(levelsOf(whole.against, by))
  const there = new Set([...against.keys(), ...scenario.keys()])
  const levels = [...order.filter((level) => there.has(level)), ...[...there].filter((level) => !order.includes(level))]
  return levels.map((level) => {
    const sides = { scenario: scenario.get(level) ?? NO_ROWS, against: against.get(level) ?? NO_ROWS }
    return {
      level,
      scenario: asWhole(sides.scenario),
      against: asWhole(sides.against),
      seed: {
        estimates: typeof estimates === 'string' ? estimates : (estimates.get(level) ?? TOO_FEW),
        evidence: evidenceInside(whole, sides),
      },
    }
  })
}

const levelsOf = ({ segments = [] }: Measurement, by: string): readonly (readonly [string, SegmentCounts])[] =>
  segments.find(([column]) => column === by)?.[1] ?? []

const asWhole = (counts: SegmentCounts): Measurement => ({ ...counts, outside: [], absent: [] })

/**
 * Effective rows of a segment, from those of the whole: the smaller of its shares on the two sides. On the side where a
 * segment has the larger share, its rows of the seed were multiplied and do not say more.
 */
function evidenceInside(
  { scenario, against, evidence }: WholeSides,
  sides: { readonly scenario: SegmentCounts; readonly against: SegmentCounts },
): SidePair | null {
  if (evidence === null) return null
  const share = Math.min(
    sides.scenario.rows / Math.max(1, scenario.rows),
    sides.against.rows / Math.max(1, against.rows),
  )
  const inside = (rows: number): number => Math.max(1, rows * share)
  return { scenario: inside(evidence.scenario), against: inside(evidence.against) }
}
