/**
 * Settles a scenario before any row is drawn: which cells, how many rows, and in which mix.
 *
 * K  cells of the conditioned categorical columns, D  of these columns, n  rows of the training sample
 * P(c)  the model's mass of a cell within the ranges, Pn = P / sum of P over all cells,  e(c)  seed rows behind it
 */

import { CountTeller } from '../disclosure/noisy-counts.ts'
import { type Disclosure, LEAST_ROWS, roundedEffectiveRows, roundedRatio } from '../disclosure/rounded-counts.ts'
import { RowKeys } from '../disclosure/row-keys.ts'
import type { Model, Order } from '../model/model.ts'
import { enumerateCells } from './cells.ts'
import { type Conditions, inOrder } from './conditions.ts'
import {
  type CountedCells,
  countEvidence,
  countedCells,
  type Evidence,
  rowsAllowed,
  rowsInside,
  rowWeight,
  shareAllowed,
  toldRatios,
} from './evidence.ts'
import { evidenceCaps } from './fill.ts'
import { groupParts } from './group-parts.ts'
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

/** The owner needs one row inside. Bounds cut bins in models without the rows' own values, and what rounds to 0 rows is none. */
const LEAST_OWN = 0.5

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

export interface SettleOptions {
  readonly evidenceCap?: EvidenceCap | undefined
  readonly disclosure?: Disclosure | undefined
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
  { evidenceCap = DEFAULT_EVIDENCE_CAP, disclosure = 'protected' }: SettleOptions = {},
): Promise<Settlement> {
  const shares = inOrder(unordered.shares, order.columns)
  const ranges = inOrder(unordered.ranges, order.columns)
  const conditions = { shares, ranges }
  const D = shares.length
  const margins = marginsOf(shares)
  const walk = new RangeWalk(model, order, ranges, order.columns.subarray(0, D))
  const inside = rowsInside(model, ranges)
  const isProtected = disclosure !== 'exact'
  const teller = new CountTeller(
    disclosure,
    disclosure instanceof RowKeys ? groupParts(disclosure, model, conditions) : [],
  )
  const context = { model, conditions, inside, evidenceCap, teller }
  const nothing = {
    rows: 0,
    fill: 0,
    effectiveRows: 0,
    largestTilt: 0,
    evidenceCap,
    exact: !isProtected,
    inRangeShare: 0,
    sampledShare: 0,
    lowSupport: true,
    converged: true,
  } as const
  // This comes first and depends on the rows alone, so that no rows and nine rows of a protected seed behave identically.
  const allowed = teller.count(rowsAllowed(model, shares, margins, inside))
  const areEnough = isProtected ? teller.told(allowed) !== null : allowed.rows >= LEAST_OWN
  if (D + ranges.length > 0 && !areEnough) {
    const none = { cells: new Int32Array(0), mix: new Float64Array(0), cellMargins: new Int32Array(0) }
    const shortfall = explainFewRows(context, margins)
    return { ...none, conditions, walk, inside, margins, feasibility: { ...nothing, shortfall } }
  }
  const all = enumerateCells(model, order, { margins })
  const possible = withoutImpossible(model, order.columns.subarray(0, D), ranges, all)
  const { codes: cells, probabilities, sampledShare } = possible
  const K = probabilities.length
  const rangeMasses = walk.masses(cells, K)
  const evidence = countEvidence(model, shares, cells, inside, teller.noiseOfRow)
  const masses = probabilities.map((probability, c) => {
    const mass = probability * rangeMasses[c]!
    // Sequential draws can miss a small mass although seed rows have it.
    return mass === 0 ? evidence.people[c]! / model.seedRows : mass
  })
  // Allowed rows are in cells, so there is some mass.
  const total = sum(masses)
  const told = isProtected ? roundedRatio : (ratio: number) => ratio
  // What is made of the rows inside shows no more of them than their count does.
  const insideRatio = teller.ratio(allowed)
  const inRangeShare = told(Math.min(1, (insideRatio * total) / Math.max(total, sum(probabilities))))
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
    counted: (rows, shares) => countedCells(model, rows, shares, rowShare, teller),
    rowCount,
    evidenceCap: { ...evidenceCap, naturalShareFactor },
  })
  const { mix } = projected
  const { rows, fill, converged, proof } = projected.projection
  const table = proof && { ...proof, margins, cellMargins: projected.cellMargins }
  const shortfall = table && rows < rowCount ? explainShortfall(context, table, rows, rowCount) : null
  if (rows === 0) {
    return { ...settled, mix, feasibility: { ...nothing, inRangeShare, sampledShare, fill, converged, shortfall } }
  }
  const leastEvidence = isProtected ? LEAST_ROWS * rowWeight(model) : 0
  const ratios = toldRatios(model, evidence, teller)
  const isRare = Array.from(ratios, (ratio) => ratio === 0)
  let inverse = 0
  mix.forEach((share, c) => {
    // Cells without seed rows use the model's own mass. Those of few rows do so too where the seed is protected: otherwise trying many
    // shares would reveal their counts.
    const rows =
      isRare[c] || evidence.people[c] === 0 ? masses[c]! * model.seedRows : evidence.effective[c]! * ratios[c]!
    if (share > 0) inverse += (share * share) / rows
  })
  const effectiveRows = 1 / inverse
  const toldRows = effectiveRows < leastEvidence ? 1 : roundedEffectiveRows(effectiveRows)
  const feasibility: Feasibility = {
    rows,
    fill,
    effectiveRows: isProtected ? toldRows : effectiveRows,
    largestTilt: told(largestTiltOf(mix, natural, isRare, rowShare) / allowedShare / insideRatio),
    evidenceCap,
    exact: !isProtected,
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
  /** What combinations with these rows and shares count for. */
  readonly counted: (rows: Evidence, shares: Float64Array) => CountedCells
  readonly rowCount: number
  /** Its factor in terms of `natural`. */
  readonly evidenceCap: EvidenceCap
}

interface ProjectedCells {
  readonly projection: Projection
  /** Length K: q / s. */
  readonly mix: Float64Array
  /** The projected objects: the cells, or their combinations of margins. */
  readonly cellMargins: Int32Array
}

async function projectCells(weighted: WeightedCells): Promise<ProjectedCells> {
  const { margins, cellMargins: ofCells, natural, evidence, counted, rowCount, evidenceCap } = weighted
  const K = natural.length
  const projectCounted = async (of: Int32Array, shares: Float64Array, rows: Evidence) => {
    const { evidence: seedRows, natural: usual, limit } = counted(rows, shares)
    const cap = evidenceCaps(usual, seedRows, rowCount, evidenceCap)
    const projection = await project({ natural: shares, cap, limit, cellMargins: of, margins, rowCount })
    return { projection, cellMargins: of }
  }
  if (K <= MAX_PROJECTED_CELLS) {
    const projected = await projectCounted(ofCells, natural, evidence)
    return { ...projected, mix: normalised(projected.projection.masses) }
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
  const { people, noise, effective } = evidence
  const patternEvidence = { people: sumsOf(people), noise: sumsOf(noise), effective: sumsOf(effective) }
  const projected = await projectCounted(patterns.margins, patterns.masses, patternEvidence)
  const spread = new Float64Array(K)
  for (let g = 0; g < G; g++) {
    const factor = projected.projection.masses[g]! / patterns.masses[g]!
    for (let i = patterns.start[g]!; i < patterns.start[g + 1]!; i++) {
      const c = patterns.cells[i]!
      spread[c] = natural[c]! * factor
    }
  }
  return { ...projected, mix: normalised(spread) }
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
