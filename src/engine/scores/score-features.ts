/**
 * The features of additive scores: functions of one column's code each.
 *
 * Categorical column: the indicators of its most frequent levels, missing among them. Numeric column: the value, its logarithm,
 * hat functions between quantiles (together: any piecewise linear function with bends there), and the indicators of missing
 * and of values without a logarithm. Few features of a code are not 0, which makes the regression cheap.
 *
 * K  codes of a column
 */

import { KNOTS, MAX_LEVEL_FEATURES } from './shared-products.ts'
import type { TrainingData } from './training-data.ts'

/** A logarithm describes a column that is never negative and hardly ever 0. */
const MIN_POSITIVE_SHARE = 0.9

/** The features of one column, as a sparse row per code. */
export interface ColumnFeatures {
  readonly count: number
  /** Length K + 1: the features of code c are those at at[c] … at[c + 1] - 1, ascending. */
  readonly at: Int32Array
  /** Below `count`. For a categorical column, more frequent levels come earlier. */
  readonly feature: Int32Array
  readonly value: Float64Array
}

/** Values by code; a code without a value is at 0. */
type FeatureValues = ReadonlyMap<number, number>

/** counts  rows by code */
export function featuresOf(data: TrainingData, column: number, counts: Int32Array): ColumnFeatures {
  const { kind, codeCount } = data.columns[column]!
  if (kind === 'numeric') return byCode(numericFeatures(data, column, counts), codeCount)
  const levels = byFrequency(counts).slice(0, MAX_LEVEL_FEATURES).map(indicator)
  return byCode([...placeFeature(data, column, counts), ...levels], codeCount)
}

/** The rank on the scale of ordered levels. It is the first feature, so it stays when there is no room for the others. */
function placeFeature(data: TrainingData, column: number, counts: Int32Array): FeatureValues[] {
  const places = data.centers[column]
  if (!places) return []
  const onScale = Array.from(counts.keys()).filter((c) => Number.isFinite(places[c]!))
  const place = standardizer(onScale, (c) => places[c]!, counts)
  return [new Map(onScale.map((c) => [c, place(places[c]!)]))]
}

/** Codes that occur, the most frequent first, ties by code. */
export function byFrequency(counts: Int32Array): number[] {
  const present = Array.from(counts.keys()).filter((c) => counts[c]! > 0)
  return present.sort((a, b) => counts[b]! - counts[a]! || a - b)
}

const indicator = (code: number): FeatureValues => new Map([[code, 1]])

/** For a column that is constant except for missing: only the indicator of missing. */
function numericFeatures(data: TrainingData, column: number, counts: Int32Array): FeatureValues[] {
  const { missing } = data.columns[column]!
  const centers = data.centers[column]!
  const present = Array.from(counts.keys()).filter((c) => c >= missing && counts[c]! > 0)
  const features: FeatureValues[] = missing === 1 && counts[0]! > 0 ? [indicator(0)] : []
  if (present.length < 2) return features
  // Values between those of the sampled rows need features too.
  const codes = Array.from(counts.keys()).filter((c) => c >= missing && Number.isFinite(centers[c]!))
  const value = standardizer(present, (c) => centers[c]!, counts)
  features.push(new Map(codes.map((c) => [c, value(centers[c]!)])))
  if (hasLogarithm(centers, present, counts)) {
    const positive = codes.filter((c) => centers[c]! > 0)
    const occurring = present.filter((c) => centers[c]! > 0)
    const logarithm = standardizer(occurring, (c) => Math.log(centers[c]!), counts)
    features.push(new Map(positive.map((c) => [c, logarithm(Math.log(centers[c]!))])))
    const none = codes.filter((c) => centers[c]! <= 0)
    if (none.length > 0) features.push(new Map(none.map((c) => [c, 1])))
  }
  return [...features, ...hats(codes, centers, knotsOf(present, centers, counts))]
}

/** Whether the values, or nearly all of them, have a logarithm and none is negative. */
export function hasLogarithm(centers: Float64Array, present: readonly number[], counts: Int32Array): boolean {
  let rows = 0
  let positive = 0
  for (const c of present) {
    if (centers[c]! < 0) return false
    rows += counts[c]!
    if (centers[c]! > 0) positive += counts[c]!
  }
  return positive > 0 && positive >= MIN_POSITIVE_SHARE * rows
}

/** Over the rows of the codes. */
export function momentsOf(codes: readonly number[], numberOf: (code: number) => number, counts: Int32Array) {
  let rows = 0
  let sum = 0
  for (const c of codes) {
    rows += counts[c]!
    sum += counts[c]! * numberOf(c)
  }
  const mean = rows > 0 ? sum / rows : 0
  let squares = 0
  for (const c of codes) squares += counts[c]! * (numberOf(c) - mean) ** 2
  return { mean, variance: squares / Math.max(1, rows) }
}

/** Scales to mean 0 and variance 1 over the rows of the codes; to 0 if all values are equal. */
export function standardizer(codes: readonly number[], numberOf: (code: number) => number, counts: Int32Array) {
  const { mean, variance } = momentsOf(codes, numberOf, counts)
  const deviation = Math.sqrt(variance)
  return (value: number) => (deviation > 0 ? (value - mean) / deviation : 0)
}

/** The smallest value, quantiles, and the largest value; ascending, each once. */
function knotsOf(present: readonly number[], centers: Float64Array, counts: Int32Array): number[] {
  const rows = present.reduce((sum, c) => sum + counts[c]!, 0)
  const knots = [centers[present[0]!]!]
  let before = 0
  let knot = 1
  for (const c of present) {
    before += counts[c]!
    if (before * (KNOTS + 1) < rows * knot) continue
    while (before * (KNOTS + 1) >= rows * knot) knot++
    if (centers[c]! > knots.at(-1)!) knots.push(centers[c]!)
  }
  return knots
}

/** A function per knot: 1 there, 0 at its neighbours and beyond, linear between; the outer ones stay 1 outside. */
function hats(codes: readonly number[], centers: Float64Array, knots: readonly number[]): FeatureValues[] {
  const values = knots.map(() => new Map<number, number>())
  for (const c of codes) {
    const v = Math.min(Math.max(centers[c]!, knots[0]!), knots.at(-1)!)
    let k = 0
    while (k < knots.length - 2 && v > knots[k + 1]!) k++
    const share = (v - knots[k]!) / (knots[k + 1]! - knots[k]!)
    if (share < 1) values[k]!.set(c, 1 - share)
    if (share > 0) values[k + 1]!.set(c, share)
  }
  return values
}

function byCode(features: readonly FeatureValues[], k: number): ColumnFeatures {
  const entries = features.reduce((sum, { size }) => sum + size, 0)
  const at = new Int32Array(k + 1)
  const feature = new Int32Array(entries)
  const value = new Float64Array(entries)
  let used = 0
  for (let c = 0; c < k; c++) {
    for (let f = 0; f < features.length; f++) {
      const v = features[f]!.get(c)
      if (v === undefined) continue
      feature[used] = f
      value[used++] = v
    }
    at[c + 1] = used
  }
  return { count: features.length, at, feature, value }
}
