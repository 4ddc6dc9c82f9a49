import type { ComparisonResult, ManifestComparison } from '../../records/manifest/comparisons.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { Measurement } from '../../records/state/measurements.ts'
import { type Differences, figureName, figuresIn } from '../arithmetic/figures-in.ts'
import { filteredSide, pooledMeasurement, withoutRows } from '../comparisons/compared-sides.ts'
import { differenceAt, type Sides } from '../comparisons/differences.ts'
import { segmentSides } from '../comparisons/segments.ts'
import { type RecordedComparison, recordedComparison } from './recorded-comparison.ts'
import { firstDifference } from './recount.ts'
import { wrongInterval } from './wrong-interval.ts'

/** Rows of scenarios that were counted again, by id. */
export type Recounted = ReadonlyMap<string, Measurement>

/** What is found of the rows of a comparison. */
export type RecountedComparison =
  | { readonly kind: 'holds'; readonly figures: number }
  | { readonly kind: 'differs'; readonly detail: string }
  /** The rows of this scenario are not there. */
  | { readonly kind: 'unknown'; readonly scenario: string }

/** Only what is counted in rows is looked at. */
const UNKNOWN_SEED: Sides['seed'] = { estimates: 'estimates_not_asked', evidence: null }

/** Compares a comparison's figures of the rows with the rows, and what it says of the seed with itself: only the service knows the seed. */
export function recountComparison(manifest: Manifest, id: string, counted: Recounted): RecountedComparison {
  const comparison = manifest.comparisons[id]!
  const { where } = recordedComparison(comparison)
  const isGone = comparison.not_compared?.some(({ as }) => as === 'where') === true
  const rowsOf = (measured: Measurement) => (isGone ? withoutRows(measured) : filtered(measured, where))
  let figures = 0
  for (const [scenario, result] of Object.entries(comparison.scenarios)) {
    if (result.status === 'missing') continue
    const names = [comparison.against_replicates ?? [comparison.against], result.replicates?.ids ?? [scenario]]
    const absent = names.flat().find((name) => !counted.has(name))
    if (absent !== undefined) return { kind: 'unknown', scenario: absent }
    const [against, own] = names.map((ids) => pooledMeasurement(ids.map((name) => rowsOf(counted.get(name)!))))
    const counts = { scenario: own!, against: against! }
    const rows = { scenario: own!.rows, against: against!.rows }
    const left = result.rows === undefined ? null : firstDifference('rows', result.rows, rows)
    if (left !== null) return { kind: 'differs', detail: `${scenario}: ${left}` }
    const found = compared(comparison, result, counts)
    if (found.detail !== null) return { kind: 'differs', detail: `${scenario}: ${found.detail}` }
    figures += found.figures
  }
  return { kind: 'holds', figures }
}

/** The rows that a comparison is about. */
function filtered(measured: Measurement, where: RecordedComparison['where']): Measurement {
  const side = { measured, datasetId: null, modelId: null, effectiveRows: null, selected: true }
  return filteredSide(side, { where }).measured ?? measured
}

type Counts = Pick<Sides, 'scenario' | 'against'>

function compared(
  comparison: ManifestComparison,
  result: ComparisonResult,
  counts: Counts,
): { readonly figures: number; readonly detail: string | null } {
  const whole = wrongDifference(comparison, result, counts)
  if (whole.detail !== null || comparison.by === undefined) return whole
  const inside = new Map(
    segmentSides(comparison.by, { ...counts, evidence: null }, { estimates: 'estimates_not_asked', order: [] }).map(
      (sides) => [sides.level, sides] as const,
    ),
  )
  let { figures } = whole
  for (const segment of result.segments ?? []) {
    const sides = inside.get(segment.level)
    const rows = { scenario: sides?.scenario.rows ?? 0, against: sides?.against.rows ?? 0 }
    const path = `segment ${segment.level}`
    const detail = firstDifference(`${path} rows`, segment.rows, rows)
    if (detail !== null) return { figures, detail }
    if (sides === undefined) continue
    const found = wrongDifference(comparison, segment, sides)
    if (found.detail !== null) return { figures, detail: `${path}: ${found.detail}` }
    figures += found.figures
  }
  return { figures, detail: null }
}

function wrongDifference(
  comparison: ManifestComparison,
  recorded: Differences,
  counts: Counts,
): { readonly figures: number; readonly detail: string | null } {
  const base = new Map((comparison.outcomes ?? []).map((one) => [one.column, one.base ?? 'all'] as const))
  const sides: Sides = {
    ...counts,
    seed: UNKNOWN_SEED,
    baseOf: (column) => base.get(column) ?? 'all',
    isGone: () => false,
  }
  let figures = 0
  for (const figure of figuresIn(recorded)) {
    const detail = differenceIn(figureName(figure), figure.value, differenceAt(figure, sides))
    if (detail !== null) return { figures, detail }
    figures++
  }
  return { figures, detail: null }
}

/** Both sides and their difference, as they are counted. */
interface CountedDifference {
  readonly against: unknown
  readonly scenario: unknown
  readonly delta: unknown
}

function differenceIn(
  path: string,
  recorded: Parameters<typeof wrongInterval>[0] & CountedDifference,
  found: CountedDifference,
): string | null {
  const of = ({ against, scenario, delta }: CountedDifference) => ({ against, scenario, delta })
  const wrong = wrongInterval(recorded)
  return firstDifference(path, of(recorded), of(found)) ?? (wrong === null ? null : `${path}: ${wrong}`)
}
