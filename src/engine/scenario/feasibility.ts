/**
 * Settles a scenario before any row is drawn: which cells, how many rows, and in which mix.
 *
 * K  cells of the conditioned categorical columns, D  of these columns, n  rows of the training sample
 * P(c)  the model's mass of a cell within the ranges, Pn = P / sum of P over all cells,  e(c)  seed rows behind it
 */

import { type CountedRows, CountTeller } from '../disclosure/noisy-counts.ts'
import { type Disclosure, LEAST_ROWS, roundedEffectiveRows, roundedRatio } from '../disclosure/rounded-counts.ts'
import { RowKeys } from '../disclosure/row-keys.ts'
import type { Model, Order } from '../model/model.ts'
import { type Conditions, codesOfRows } from './conditions.ts'
import { countedTable, marginsOfTable } from './counted-table.ts'
import { rowsAllowed, rowWeight, toldRatios } from './evidence.ts'
import { fitMeans } from './fit-means.ts'
import { groupParts } from './group-parts.ts'
import type { Margins } from './margins.ts'
import { normalised, projectCells } from './project-cells.ts'
import { openRanges, type RangeDraws } from './range-draws.ts'
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

/** A scenario settled against a model, and all that drawing its rows needs; a mean tilts the walk. */
export interface Settlement extends RangeDraws {
  readonly feasibility: Feasibility
  /** r: how a mean tilts the column; null without one. */
  readonly tilted: readonly (TiltedCodes | null)[]
  /** K × D, row-major. */
  readonly cells: Int32Array
  /** Length K: q / s, summing to 1; all 0 where no row can be made. */
  readonly mix: Float64Array
  readonly margins: Margins
  /** K rows: margins of the D columns and of the tables. */
  readonly cellMargins: Int32Array
}

export interface SettleOptions {
  readonly evidenceCap?: EvidenceCap | undefined
  readonly disclosure?: Disclosure | undefined
  /** By column: about how much a mean pulls its values (see fit-means.ts), which saves a search. */
  readonly pulls?: ReadonlyMap<string, number> | undefined
  /** Whether only the number of rows is asked for: the mix is then any that has them. For scenarios without means. */
  readonly isFillEnough?: boolean | undefined
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
  { evidenceCap = DEFAULT_EVIDENCE_CAP, disclosure = 'protected', pulls, isFillEnough }: SettleOptions = {},
): Promise<Settlement> {
  const { conditions, drawn, walk, inside, brokenRules } = openRanges(model, order, unordered)
  const { tables, ranges } = conditions
  const D = conditions.shares.length
  const { margins, ofShares } = marginsOfTable(conditions)
  const isProtected = disclosure !== 'exact'
  if (isProtected && (margins.bounds !== null || tables.length > 0)) {
    throw new RangeError('a protected seed takes no bounds of shares and no cells')
  }
  const codes = codesOfRows(model, conditions)
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
  if (D + ranges.length > 0 && !areEnough(teller, allowed)) {
    const none = { cells: new Int32Array(0), mix: new Float64Array(0), cellMargins: new Int32Array(0) }
    const shortfall = withRules(explainFewRows(context, margins), brokenRules)
    const untilted = { drawn, tilted: drawn.map(() => null), walk }
    return { ...none, ...untilted, conditions, inside, margins, feasibility: { ...nothing, shortfall } }
  }
  const asked = { model, order, conditions, margins, ofShares, codes, inside, teller, walk, rowCount, evidenceCap }
  const table = countedTable(asked)
  const { cells, probabilities, rangeMasses, masses, sampledShare, allowedShare, rowShare, weighted } = table
  const { natural, evidence, cellMargins: ofCells } = weighted
  const K = natural.length
  const told = isProtected ? roundedRatio : (ratio: number) => ratio
  // What is made of the rows inside shows no more of them than their count does.
  const insideRatio = teller.ratio(allowed)
  const total = sum(masses)
  const inRangeShare = told(Math.min(1, (insideRatio * total) / Math.max(total, sum(probabilities))))
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
  const projected = await projectCells({ ...weighted, tilted: tiltedNow, factors, fills, isFillEnough })
  const mix = fitted === null ? new Float64Array(K) : projected.mix
  const met = projected.projection.margins
  const settled = { conditions, drawn, tilted, cells, walk: tiltedWalk, inside, margins: met, cellMargins: ofCells }
  const { rows, fill, converged, proof } = projected.projection
  const shown = proof && { ...proof, margins: met, cellMargins: projected.cellMargins }
  const stated = { ...context, conditions: withBindingBounds(conditions, met) }
  const shortfall =
    shown && rows < rowCount
      ? withRules(explainShortfall(stated, shown, rows, rowCount), [...brokenRules, ...table.rules])
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

/** Whether so many rows are allowed that a scenario has an answer. */
export function areEnough(teller: CountTeller, allowed: CountedRows): boolean {
  return teller.least === 0 ? allowed.rows >= LEAST_OWN : teller.told(allowed) !== null
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
