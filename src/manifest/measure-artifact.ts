import type { Measurement } from '../plan/study-state.ts'
import type { Comparison, Scenario } from '../study/study.ts'

/** What to count in an artifact. */
export interface MeasureRequest {
  readonly path: string
  /** What is at `path`, where it is at hand: it need not be read then. */
  readonly content?: Buffer
  /** A folder for what does not fit into memory; made when it is not there. */
  readonly tempDir: string
  readonly format: 'parquet' | 'csv' | 'arrow'
  /** Columns whose levels are counted. */
  readonly shares: readonly string[]
  /** Columns of which numbers are summarised. */
  readonly numbers: readonly string[]
  /** Columns whose values outside the range are counted; they are among `numbers`. */
  readonly ranges: ReadonlyMap<string, { readonly min: number; readonly max: number }>
}

export type MeasureArtifact = (request: MeasureRequest, signal?: AbortSignal) => Promise<Measurement>

/** Columns that matter for a scenario: those it sets conditions on, and those it is compared by. */
export function measuredColumns(
  scenario: Scenario,
  comparisons: readonly Comparison[],
): Pick<MeasureRequest, 'shares' | 'numbers' | 'ranges'> {
  const compared = comparisons.filter((c) => c.against === scenario.id || c.scenarios.includes(scenario.id))
  return {
    shares: [...new Set([...scenario.shares.keys(), ...compared.flatMap((c) => c.shares)])],
    numbers: [...new Set([...scenario.ranges.keys(), ...compared.flatMap((c) => c.means)])],
    ranges: scenario.ranges,
  }
}

/** True when a measurement holds all that is asked for now; comparisons may have been added since it was made. */
export function coversColumns(measured: Measurement, wanted: Pick<MeasureRequest, 'shares' | 'numbers'>): boolean {
  const shares = new Set([...measured.shares.map(([column]) => column), ...measured.absent])
  const numbers = new Set([...measured.numbers.map(([column]) => column), ...measured.absent])
  return wanted.shares.every((c) => shares.has(c)) && wanted.numbers.every((c) => numbers.has(c))
}
