/**
 * The shares, bounds of shares and cells nearest to those of a scenario that all its rows can have; its ranges stay as they are.
 *
 * What a scenario excludes stays excluded where a mix is left: levels of share 0, and those that are not listed beside shares that
 * sum to 1. Only if there is none do they take part, too.
 */

import { CountTeller } from '../disclosure/noisy-counts.ts'
import { RowKeys } from '../disclosure/row-keys.ts'
import { settleWithMeans } from '../estimates/settle-means.ts'
import type { Model, Order } from '../model/model.ts'
import { type Conditions, codesOfRows, drawnColumns, inOrder, resolveConditions } from '../scenario/conditions.ts'
import { countedTable, marginsOfTable } from '../scenario/counted-table.ts'
import { rowsAllowed, rowsInside } from '../scenario/evidence.ts'
import { areEnough, type SettleOptions } from '../scenario/feasibility.ts'
import { groupParts } from '../scenario/group-parts.ts'
import type { Margins } from '../scenario/margins.ts'
import { patternsOf } from '../scenario/patterns.ts'
import { cappedTable } from '../scenario/project-cells.ts'
import { RangeWalk } from '../scenario/range-mass.ts'
import { leaveOutBreaking } from '../scenario/rule-cells.ts'
import { DEFAULT_EVIDENCE_CAP, type RequestedConditions, type Shortfall } from '../scenario/scenario.ts'
import { settleBounds } from '../scenario/settle-bounds.ts'
import type { CappedPatterns } from './near-program.ts'
import { nearestMargins } from './nearest-margins.ts'
import { withMargins } from './proposed-conditions.ts'

export interface NearQuestion {
  readonly model: Model
  /** Its first columns are the conditioned ones. */
  readonly order: Order
  readonly scenario: RequestedConditions
  readonly rowCount: number
  readonly options: SettleOptions
  readonly signal?: AbortSignal | undefined
}

export interface NearScenario {
  readonly scenario: RequestedConditions
  /** The part of the rows that would have another level, summed over columns and tables of cells. */
  readonly moved: number
}

/** Parts by which caps are taken for smaller, one after another, until all rows can be made: mixes at the very end may fall short. */
const SLACKS = [0, 1e-6, 1e-3]

/** Null where no shares help, and where finding them takes too much work. */
export async function nearestShares(asked: NearQuestion): Promise<NearScenario | null> {
  const { model, order } = asked
  const resolved = resolveConditions(model, asked.scenario)
  const [shares, ranges] = [inOrder(resolved.shares, order.columns), inOrder(resolved.ranges, order.columns)]
  const conditions = { ...resolved, shares, ranges }
  if (shares.length === 0) return null
  for (const isOpen of [false, true]) {
    const table = tableOf(asked, conditions, isOpen)
    if (table === null) continue
    const { margins, patterns, settled } = table
    const stated = statedMargins(conditions, margins)
    for (const isExact of margins.bounds === null ? [false] : [false, true]) {
      for (const slack of SLACKS) {
        const cap = patterns.cap.map((most) => most * (1 - slack))
        const found = await nearestMargins({ patterns: { ...patterns, cap }, margins, stated, settled, isExact })
        if (found === null) continue
        const scenario = withMargins(asked.scenario, conditions, margins, found.typed)
        if ((await shortfallOf({ ...asked, scenario })) === null) return { scenario, moved: found.moved }
      }
    }
  }
  return null
}

/** Null where all rows can be made. @throws the signal's reason when aborted. */
export async function shortfallOf(asked: NearQuestion): Promise<Shortfall | null> {
  const { model, order, scenario, rowCount, signal } = asked
  signal?.throwIfAborted()
  const conditions = resolveConditions(model, scenario)
  const options = { ...asked.options, isFillEnough: conditions.means.length === 0 }
  const { settlement } = await settleWithMeans(model, order, scenario, conditions, rowCount, options)
  return settlement.feasibility.shortfall
}

interface NearTable {
  readonly margins: Margins
  readonly patterns: CappedPatterns
  readonly settled: Float64Array | null
}

/**
 * The combinations of margins with the masses that they may have, by the counts that decide a scenario's rows. Null where too few rows
 * are inside, and where they cannot fill the rows in any mix. Of a protected seed what too few rows have is left out altogether: so the
 * answer is the same for none of them and for nine.
 */
function tableOf({ model, order, rowCount, options }: NearQuestion, conditions: Conditions, isOpen: boolean) {
  const { evidenceCap = DEFAULT_EVIDENCE_CAP, disclosure = 'protected' } = options
  const { margins, ofShares } = marginsOfTable(conditions, isOpen)
  const D = margins.columnCount
  const codes = codesOfRows(model, conditions)
  const inside = rowsInside(model, conditions.ranges)
  leaveOutBreaking(model, order.columns.subarray(0, conditions.shares.length), conditions.ranges, inside)
  const opened = isOpen ? { ...conditions, shares: [] } : conditions
  const teller = new CountTeller(disclosure, disclosure instanceof RowKeys ? groupParts(disclosure, model, opened) : [])
  if (!areEnough(teller, teller.count(rowsAllowed(codes, margins, inside)))) return null
  const drawn = drawnColumns(model, conditions, order.columns)
  const walk = new RangeWalk(model, order, drawn, order.columns.subarray(0, conditions.shares.length))
  const asked = { model, order, conditions, margins, ofShares, codes, inside, teller, walk, rowCount, evidenceCap }
  const { natural, cap, limit, cellMargins } = cappedTable(countedTable(asked).weighted)
  const usable = cap.map((most, c) => (natural[c]! > 0 && limit[c]! >= 1 ? most : 0))
  const capped = patternsOf(usable, cellMargins, D)
  if (!(capped.masses.reduce((sum, mass) => sum + Math.min(1, mass), 0) >= 1)) return null
  const patterns = { margins: capped.margins, cap: capped.masses }
  return { margins, patterns, settled: settledMargins(natural, cellMargins, margins) } satisfies NearTable
}

function settledMargins(natural: Float64Array, cellMargins: Int32Array, margins: Margins): Float64Array | null {
  const { bounds } = margins
  if (bounds === null) return null
  const { masses, margins: of } = patternsOf(natural, cellMargins, margins.columnCount)
  const { targets } = settleBounds({ natural: masses, margins: of }, margins)
  return targets.map((target, m) => Math.min(bounds.most[m]!, Math.max(bounds.least[m]!, target)))
}

/** Margins of listed levels and cells, in the sequence of the conditions. */
function statedMargins({ shares, tables }: Conditions, { start, codes }: Margins): number[] {
  const columns = [...shares, ...tables].map(({ position }, d) => ({ position, d }))
  return columns
    .sort((a, b) => a.position - b.position)
    .flatMap(({ d }) => Array.from({ length: start[d + 1]! - start[d]! }, (_, i) => start[d]! + i))
    .filter((m) => codes[m]! >= 0)
}
