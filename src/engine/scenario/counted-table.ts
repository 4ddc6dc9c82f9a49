/**
 * The cells of a scenario with their mass in the model and the seed rows behind them: what decides how many rows each may have.
 *
 * K  cells of the conditioned categorical columns, D  of these columns, n  rows of the training sample
 * P(c)  the model's mass of a cell within the ranges, Pn = P / sum of P over all cells
 */

import type { CountTeller } from '../disclosure/noisy-counts.ts'
import type { Model, Order } from '../model/model.ts'
import { enumerateCells } from './cells.ts'
import { type Conditions, withTableCodes } from './conditions.ts'
import { countEvidence, countedCells, type Evidence, shareAllowed } from './evidence.ts'
import { cellMargins, type Margins, marginsOf } from './margins.ts'
import { withoutImpossible } from './possible-cells.ts'
import type { WeightedCells } from './project-cells.ts'
import type { RangeWalk } from './range-mass.ts'
import type { EvidenceCap } from './scenario.ts'

export interface CountedTable {
  /** K × D, row-major. */
  readonly cells: Int32Array
  /** Length K: in the model, without the ranges. */
  readonly probabilities: Float64Array
  /** Length K: the part of each that is inside the ranges. */
  readonly rangeMasses: Float64Array
  /** Length K: P. */
  readonly masses: Float64Array
  /** See `Feasibility`. */
  readonly sampledShare: number
  /** The rules that combinations would break which were left out, as the study writes them. */
  readonly rules: readonly string[]
  /** The share of the allowed cells, of what lies inside the ranges. */
  readonly allowedShare: number
  /** Share of one row of the sample among what is inside. */
  readonly rowShare: number
  /** Without a tilt. */
  readonly weighted: WeightedCells
}

export interface TableQuestion {
  readonly model: Model
  readonly order: Order
  /** In the order's sequence. */
  readonly conditions: Conditions
  /** Which codes may occur. */
  readonly margins: Margins
  /** The same of the shares alone, whose cells are enumerated. */
  readonly ofShares: Margins
  /** Codes of the rows in the columns of the margins. */
  readonly codes: readonly Uint16Array[]
  /** Length n: see rowsInside. */
  readonly inside: Float64Array
  readonly teller: CountTeller
  readonly walk: RangeWalk
  readonly rowCount: number
  readonly evidenceCap: EvidenceCap
}

/** Some row has to be allowed: then there is some mass. */
export function countedTable(asked: TableQuestion): CountedTable {
  const { model, order, conditions, margins, codes, inside, teller, walk, rowCount, evidenceCap } = asked
  const { shares, ranges } = conditions
  const all = enumerateCells(model, order, { margins: asked.ofShares })
  const possible = withoutImpossible(model, order.columns.subarray(0, shares.length), ranges, all)
  const { codes: cells, probabilities, sampledShare } = possible.table
  const rangeMasses = walk.masses(cells, probabilities.length)
  const evidence = countEvidence(model, shares, cells, inside, teller.noiseOfRow)
  const masses = probabilities.map((probability, c) => {
    const mass = probability * rangeMasses[c]!
    // Sequential draws can miss a small mass although seed rows have it.
    return mass === 0 ? evidence.people[c]! / model.seedRows : mass
  })
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  const natural = masses.map((mass) => mass / total)
  const rowShare = 1 / (model.rowCount * total)
  const allowedShare = shareAllowed(model, codes, margins, inside, total)
  const weighted: WeightedCells = {
    margins,
    cellMargins: cellMargins(withTableCodes(cells, conditions), margins),
    natural,
    tilted: natural,
    evidence,
    counted: (rows: Evidence, shares: Float64Array) => countedCells(model, rows, shares, rowShare, teller),
    rowCount,
    evidenceCap: { ...evidenceCap, naturalShareFactor: evidenceCap.naturalShareFactor * allowedShare },
  }
  return {
    cells,
    probabilities,
    rangeMasses,
    masses,
    sampledShare,
    rules: possible.rules,
    allowedShare,
    rowShare,
    weighted,
  }
}

/** The margins of the conditions, and of the shares alone. */
export function marginsOfTable(
  { shares, tables }: Conditions,
  isOpen = false,
): Pick<TableQuestion, 'margins' | 'ofShares'> {
  const margins = marginsOf([...shares, ...tables], isOpen)
  return { margins, ofShares: tables.length === 0 ? margins : marginsOf(shares, isOpen) }
}
