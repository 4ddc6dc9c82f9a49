/**
 * Settles a scenario before any row is drawn: which cells, how many rows, and in which mix.
 *
 * K  cells of the conditioned categorical columns, D  of these columns, n  rows of the training sample
 * P(c)  the model's mass of a cell within the ranges, Pn = P / sum of P over all cells,  e(c)  seed rows behind it
 */

import { LEAST_ROWS, roundedEffectiveRows, roundedRatio } from '../disclosure/rounded-counts.ts'
import type { Model, Order } from '../model/model.ts'
import { enumerateCells } from './cells.ts'
import { type Conditions, inOrder } from './conditions.ts'
import {
  type CoarseCells,
  coarseCells,
  countEvidence,
  type Evidence,
  rowsAllowed,
  rowsInside,
  rowWeight,
  shareAllowed,
} from './evidence.ts'
import { evidenceCaps } from './fill.ts'
import { cellMargins, type Margins, marginsOf } from './margins.ts'
import { patternsOf } from './patterns.ts'
import { withoutImpossible } from './possible-cells.ts'
import { type Projection, project } from './project.ts'
import { RangeWalk } from './range-mass.ts'
import { DEFAULT_EVIDENCE_CAP, type EvidenceCap, type Feasibility } from './scenario.ts'
import { explainFewRows, explainShortfall } from './shortfall.ts'

/** Fewer effective rows than this are flagged as low support: a convention, not a theorem. */
const LOW_SUPPORT_ROWS = 50

/** Above this many cells the projection works on their combinations of margins: unlisted levels keep their proportions anyway. */
const MAX_PROJECTED_CELLS = 50_000

/** A scenario settled against a model, and all that drawing its rows needs. */
export interface Settlement {
  readonly feasibility: Feasibility
  /** In the order's sequence: the D shares are its first columns, the ranges the next. */
  readonly conditions: Conditions
  /** K × D, row-major. */
  readonly cells: Int32Array
  /** Length K: q / s, summing to 1; all 0 where no row can be made. */
  readonly mix: Float64Array
  readonly margins: Margins
  /** K × D, row-major. */
  readonly cellMargins: Int32Array
  readonly walk: RangeWalk
  /** Length n: see rowsInside. */
  readonly inside: Float64Array
}

/**
 * @param order An order of the model whose first columns are the conditioned ones: categoricals, then numerics.
 * @param rowCount N, at least 1.
 * @throws RangeError for shares that cannot be (see marginsOf).
 */
export async function settleScenario(
  model: Model,
  order: Order,
  unordered: Conditions,
  rowCount: number,
  evidenceCap: EvidenceCap = DEFAULT_EVIDENCE_CAP,
): Promise<Settlement> {
  const shares = inOrder(unordered.shares, order.columns)
  const ranges = inOrder(unordered.ranges, order.columns)
  const conditions = { shares, ranges }
  const D = shares.length
  const margins = marginsOf(shares)
  const walk = new RangeWalk(model, order, ranges, order.columns.subarray(0, D))
  const inside = rowsInside(model, ranges)
  const context = { model, conditions, inside, evidenceCap }
  const nothing = {
    rows: 0,
    fill: 0,
    effectiveRows: 0,
    largestTilt: 0,
    evidenceCap,
    inRangeShare: 0,
    sampledShare: 0,
    lowSupport: true,
    converged: true,
  } as const
  // This comes first and depends on the rows alone, so that no rows and nine rows behave identically.
  if (D + ranges.length > 0 && sum(rowsAllowed(model, shares, margins, inside)) < LEAST_ROWS) {
    const none = { cells: new Int32Array(0), mix: new Float64Array(0), cellMargins: new Int32Array(0) }
    const shortfall = explainFewRows(context, margins)
    return { ...none, conditions, walk, inside, margins, feasibility: { ...nothing, shortfall } }
  }
  const all = enumerateCells(model, order, { margins })
  const possible = withoutImpossible(model, order.columns.subarray(0, D), ranges, all)
  const { codes: cells, probabilities, sampledShare } = possible
  const K = probabilities.length
  const rangeMasses = walk.masses(cells, K)
  const evidence = countEvidence(model, shares, cells, inside)
  const masses = probabilities.map((probability, c) => {
    const mass = probability * rangeMasses[c]!
    // Sequential draws can miss a small mass although seed rows have it.
    return mass === 0 ? evidence.people[c]! / model.seedRows : mass
  })
  // Allowed rows are in cells, so there is some mass.
  const total = sum(masses)
  const inRangeShare = roundedRatio(total / Math.max(total, sum(probabilities)))
  const ofCells = cellMargins(cells, margins)
  const settled = { conditions, cells, walk, inside, margins, cellMargins: ofCells }

  const natural = masses.map((mass) => mass / total)
  const rowShare = 1 / (model.rowCount * total)
  const allowedShare = shareAllowed(model, shares, margins, inside, total)
  const naturalShareFactor = evidenceCap.naturalShareFactor * allowedShare
  const projected = await projectCells({
    margins,
    cellMargins: ofCells,
    natural,
    evidence,
    coarse: (rows, shares) => coarseCells(model, rows, shares, rowShare),
    rowCount,
    evidenceCap: { ...evidenceCap, naturalShareFactor },
  })
  const { mix } = projected
  const { rows, fill, converged, prices } = projected.projection
  const table = { ...projected.table, margins, fill, prices: prices ?? new Float64Array(margins.targets.length) }
  const shortfall = rows < rowCount ? explainShortfall(context, table, rows, rowCount) : null
  if (rows === 0) {
    return { ...settled, mix, feasibility: { ...nothing, inRangeShare, sampledShare, fill, converged, shortfall } }
  }
  const leastEvidence = LEAST_ROWS * rowWeight(model)
  let inverse = 0
  mix.forEach((share, c) => {
    // Cells of few seed rows, or of none, use the model's own mass: otherwise trying many shares would reveal their
    // counts.
    const rows = evidence.people[c]! < leastEvidence ? masses[c]! * model.seedRows : evidence.effective[c]!
    if (share > 0) inverse += (share * share) / rows
  })
  const effectiveRows = 1 / inverse
  const isRare = Array.from(evidence.people, (rows) => rows < leastEvidence)
  const feasibility: Feasibility = {
    rows,
    fill,
    effectiveRows: effectiveRows < leastEvidence ? 1 : roundedEffectiveRows(effectiveRows),
    largestTilt: roundedRatio(largestTiltOf(mix, natural, isRare, rowShare) / allowedShare),
    evidenceCap,
    inRangeShare,
    sampledShare,
    lowSupport: effectiveRows < LOW_SUPPORT_ROWS,
    converged,
    shortfall,
  }
  return { ...settled, mix, feasibility }
}

interface WeightedCells {
  readonly margins: Margins
  /** K × D, row-major. */
  readonly cellMargins: Int32Array
  /** Length K: the share of each cell among the allowed ones. */
  readonly natural: Float64Array
  readonly evidence: Evidence
  /** How combinations with these rows and shares count for the cap. */
  readonly coarse: (rows: Evidence, shares: Float64Array) => CoarseCells
  readonly rowCount: number
  /** Its factor in terms of `natural`. */
  readonly evidenceCap: EvidenceCap
}

interface ProjectedCells {
  readonly projection: Projection
  /** Length K: q / s. */
  readonly mix: Float64Array
  /** The projected objects: the cells, or their combinations of margins. */
  readonly table: { readonly cellMargins: Int32Array; readonly cap: Float64Array }
}

async function projectCells(weighted: WeightedCells): Promise<ProjectedCells> {
  const { margins, cellMargins: ofCells, natural, evidence, coarse, rowCount, evidenceCap } = weighted
  const K = natural.length
  if (K <= MAX_PROJECTED_CELLS) {
    const counted = coarse(evidence, natural)
    const cap = evidenceCaps(counted.natural, counted.evidence, rowCount, evidenceCap)
    const projection = await project({ natural, cap, cellMargins: ofCells, margins, rowCount })
    return { projection, mix: normalised(projection.masses), table: { cellMargins: ofCells, cap } }
  }
  const patterns = patternsOf(natural, ofCells, margins.columnCount)
  const G = patterns.masses.length
  const sumsOf = (values: Float64Array): Float64Array => {
    const sums = new Float64Array(G)
    for (let g = 0; g < G; g++) {
      for (let i = patterns.start[g]!; i < patterns.start[g + 1]!; i++) sums[g]! += values[patterns.cells[i]!]!
    }
    return sums
  }
  const patternEvidence = { people: sumsOf(evidence.people), effective: sumsOf(evidence.effective) }
  const counted = coarse(patternEvidence, patterns.masses)
  const cap = evidenceCaps(counted.natural, counted.evidence, rowCount, evidenceCap)
  const projection = await project({ natural: patterns.masses, cap, cellMargins: patterns.margins, margins, rowCount })
  const spread = new Float64Array(K)
  for (let g = 0; g < G; g++) {
    const factor = projection.masses[g]! / patterns.masses[g]!
    for (let i = patterns.start[g]!; i < patterns.start[g + 1]!; i++) {
      const c = patterns.cells[i]!
      spread[c] = natural[c]! * factor
    }
  }
  return { projection, mix: normalised(spread), table: { cellMargins: patterns.margins, cap } }
}

/**
 * Cells of few rows are combined as if they had at least LEAST_ROWS rows: the tilt of a single cell would show how rare it is.
 *
 * @param isRare Length K
 * @param rowShare Share of one row of the sample among what is inside.
 */
function largestTiltOf(mix: Float64Array, natural: Float64Array, isRare: readonly boolean[], rowShare: number): number {
  const rare = { mix: 0, natural: 0 }
  let largest = 0
  mix.forEach((share, c) => {
    if (share === 0) return
    if (!isRare[c]) largest = Math.max(largest, share / natural[c]!)
    else {
      rare.mix += share
      rare.natural += natural[c]!
    }
  })
  return Math.max(largest, rare.mix / Math.max(rare.natural, LEAST_ROWS * rowShare))
}

function normalised(masses: Float64Array): Float64Array {
  const total = sum(masses)
  return total > 0 ? masses.map((mass) => mass / total) : masses
}

function sum(values: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]!
  return total
}
