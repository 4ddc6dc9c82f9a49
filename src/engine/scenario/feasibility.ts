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
import { type Conditions, codesOfRows, type DrawnColumn, drawnColumns, inOrder, withTableCodes } from './conditions.ts'
import {
  countEvidence,
  countedCells,
  type Evidence,
  rowsAllowed,
  rowsInside,
  rowWeight,
  shareAllowed,
  toldRatios,
} from './evidence.ts'
import { fitMeans } from './fit-means.ts'
import { groupParts } from './group-parts.ts'
import { cellMargins, type Margins, marginsOf } from './margins.ts'
import { withoutImpossible } from './possible-cells.ts'
import { normalised, projectCells } from './project-cells.ts'
import { RangeWalk } from './range-mass.ts'
import { leaveOutBreaking } from './rule-cells.ts'
import { DEFAULT_EVIDENCE_CAP, type EvidenceCap, type Feasibility } from './scenario.ts'
import { explainFewRows, explainShortfall } from './shortfall.ts'
import { withRules } from './shortfall-words.ts'
import type { TiltedCodes } from './tilted-codes.ts'

/** Fewer effective rows than this are flagged as low support: a convention, not a theorem. */
export const LOW_SUPPORT_ROWS = 50

/** The owner needs one row inside. Bounds cut bins in models without the rows' own values, and what rounds to 0 rows is none. */
const LEAST_OWN = 0.5

/** Where the seed's rows have the means (see mean-reach.ts), but no mix of what the model makes of them does. */
const MEANS_OUT_OF_REACH = {
  detail: 'No mix of rows that the model makes has these means together with the other conditions.',
  binding: [],
}

/** A scenario settled against a model, and all that drawing its rows needs. */
export interface Settlement {
  readonly feasibility: Feasibility
  /** In the order's sequence: the D shares are its first columns; the ranges come after them. */
  readonly conditions: Conditions
  /** The r columns after the shares: those with ranges or means. */
  readonly drawn: readonly DrawnColumn[]
  /** r: how a mean tilts the column; null without one. */
  readonly tilted: readonly (TiltedCodes | null)[]
  /** K × D, row-major. */
  readonly cells: Int32Array
  /** Length K: q / s, summing to 1; all 0 where no row can be made. */
  readonly mix: Float64Array
  readonly margins: Margins
  /** K rows: margins of the D columns and of the tables. */
  readonly cellMargins: Int32Array
  /** Through the drawn columns, which it tilts. */
  readonly walk: RangeWalk
  /** Length n: see rowsInside. */
  readonly inside: Float64Array
}

export interface SettleOptions {
  readonly evidenceCap?: EvidenceCap | undefined
  readonly disclosure?: Disclosure | undefined
  /** By column: about how much a mean pulls its values (see fit-means.ts), which saves a search. */
  readonly pulls?: ReadonlyMap<string, number> | undefined
}

/**
 * @param order An order of the model whose first columns are the conditioned ones: categoricals, then numerics.
 * @param rowCount N, at least 1.
 * @throws RangeError for shares that cannot be (see marginsOf), and for bounds of shares and cells of a protected seed: where a
 *   bound begins to bind tells a share, and where a cell can no longer be filled whether somebody is in it.
 */
export async function settleScenario(
  model: Model,
  order: Order,
  unordered: Conditions,
  rowCount: number,
  { evidenceCap = DEFAULT_EVIDENCE_CAP, disclosure = 'protected', pulls }: SettleOptions = {},
): Promise<Settlement> {
  const shares = inOrder(unordered.shares, order.columns)
  const ranges = inOrder(unordered.ranges, order.columns)
  const { tables } = unordered
  const conditions = { shares, tables, ranges, means: unordered.means }
  const D = shares.length
  const margins = marginsOf([...shares, ...tables])
  const isProtected = disclosure !== 'exact'
  if (isProtected && (margins.bounds !== null || tables.length > 0)) {
    throw new RangeError('a protected seed takes no bounds of shares and no cells')
  }
  const codes = codesOfRows(model, conditions)
  const drawn = drawnColumns(model, conditions, order.columns)
  const walk = new RangeWalk(model, order, drawn, order.columns.subarray(0, D))
  const inside = rowsInside(model, ranges)
  const brokenRules = leaveOutBreaking(model, order.columns.subarray(0, D), ranges, inside)
  const teller = new CountTeller(
    disclosure,
    disclosure instanceof RowKeys ? groupParts(disclosure, model, conditions) : [],
  )
  const context = { model, conditions, codes, inside, evidenceCap, teller }
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
  const allowed = teller.count(rowsAllowed(codes, margins, inside))
  const areEnough = isProtected ? teller.told(allowed) !== null : allowed.rows >= LEAST_OWN
  if (D + ranges.length > 0 && !areEnough) {
    const none = { cells: new Int32Array(0), mix: new Float64Array(0), cellMargins: new Int32Array(0) }
    const shortfall = withRules(explainFewRows(context, margins), brokenRules)
    const untilted = { drawn, tilted: drawn.map(() => null), walk }
    return { ...none, ...untilted, conditions, inside, margins, feasibility: { ...nothing, shortfall } }
  }
  const all = enumerateCells(model, order, { margins: tables.length === 0 ? margins : marginsOf(shares) })
  const possible = withoutImpossible(model, order.columns.subarray(0, D), ranges, all)
  const { codes: cells, probabilities, sampledShare } = possible.table
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
  const ofCells = cellMargins(withTableCodes(cells, conditions), margins)
  const natural = masses.map((mass) => mass / total)
  const rowShare = 1 / (model.rowCount * total)
  const allowedShare = shareAllowed(model, codes, margins, inside, total)
  const naturalShareFactor = evidenceCap.naturalShareFactor * allowedShare
  const weighted = {
    margins,
    cellMargins: ofCells,
    natural,
    evidence,
    counted: (rows: Evidence, shares: Float64Array) => countedCells(model, rows, shares, rowShare, teller),
    rowCount,
    evidenceCap: { ...evidenceCap, naturalShareFactor },
  }
  /** The masses on a tilted walk in place of the natural ones, as shares. */
  const tiltedShares = (ofCells: Float64Array): Float64Array =>
    normalised(natural.map((share, c) => (rangeMasses[c]! > 0 ? (share * ofCells[c]!) / rangeMasses[c]! : share)))
  let factors: Float64Array | undefined
  const fills = conditions.means.length > 0 ? { found: null } : undefined
  const mixOf = async (ofCells: Float64Array) => {
    const { mix, projection } = await projectCells({ ...weighted, tilted: tiltedShares(ofCells), factors, fills })
    factors = projection.factors
    return mix
  }
  const fitted = await fitMeans({ drawn, walk, cells, cellCount: K, mixOf, pulls })
  const { walk: tiltedWalk, tilted } = fitted ?? { walk, tilted: drawn.map(() => null) }
  const tiltedMasses = fitted?.masses ?? null
  const tiltedNow = tiltedMasses ? tiltedShares(tiltedMasses) : natural
  const projected = await projectCells({ ...weighted, tilted: tiltedNow, factors, fills })
  const mix = fitted === null ? new Float64Array(K) : projected.mix
  const met = projected.projection.margins
  const settled = { conditions, drawn, tilted, cells, walk: tiltedWalk, inside, margins: met, cellMargins: ofCells }
  const { rows, fill, converged, proof } = projected.projection
  const table = proof && { ...proof, margins: met, cellMargins: projected.cellMargins }
  const stated = { ...context, conditions: withBindingBounds(conditions, met) }
  const shortfall =
    table && rows < rowCount
      ? withRules(explainShortfall(stated, table, rows, rowCount), [...brokenRules, ...possible.rules])
      : null
  if (rows === 0 || fitted === null) {
    const why = rows === 0 ? shortfall : MEANS_OUT_OF_REACH
    const none = { ...nothing, inRangeShare, sampledShare, fill: rows === 0 ? fill : 0, converged, shortfall: why }
    return { ...settled, mix, feasibility: none }
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

/** For explanations: a bound that binds is a share like a stated one. */
function withBindingBounds(conditions: Conditions, { bounds, start, codes, targets }: Margins): Conditions {
  if (bounds === null) return conditions
  const shares = conditions.shares.map((share, d) => {
    const listed = new Map(share.listed)
    for (let m = start[d]!; m < start[d + 1]!; m++) {
      const isAtEnd = targets[m] === bounds.least[m] || targets[m] === bounds.most[m]
      if (codes[m]! >= 0 && isAtEnd) listed.set(codes[m]!, targets[m]!)
    }
    return { ...share, listed }
  })
  return { ...conditions, shares }
}

function sum(values: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]!
  return total
}
