/**
 * The least moved share of a scenario, by a program of its own: nothing of the engine's but what each combination of levels may have at
 * most, and one variable for each of them.
 *
 *   minimise the sum over margins of what each has above what is stated
 */
import { CountTeller } from '../../../src/engine/disclosure/noisy-counts.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { codesOfRows, drawnColumns, inOrder, resolveConditions } from '../../../src/engine/scenario/conditions.ts'
import { countedTable, marginsOfTable } from '../../../src/engine/scenario/counted-table.ts'
import { rowsAllowed, rowsInside } from '../../../src/engine/scenario/evidence.ts'
import { orderFor } from '../../../src/engine/scenario/order-cache.ts'
import { cappedTable } from '../../../src/engine/scenario/project-cells.ts'
import { RangeWalk } from '../../../src/engine/scenario/range-mass.ts'
import { DEFAULT_EVIDENCE_CAP, type RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { loadSolver } from '../../../src/engine/scenario/solver.ts'

/** What a scenario states of one column, or of one table of cells: a least and a greatest share of each group of levels. */
interface Stated {
  /** The last group is what is not listed. */
  readonly groupOf: (levels: ReadonlyMap<string, string>) => number
  readonly least: readonly number[]
  readonly most: readonly number[]
}

export interface LeastMoved {
  readonly moved: number
  /** Whether what the scenario excludes had to take part. */
  readonly isOpen: boolean
}

/** To the owner of the seed. Null where no seed row is inside the ranges. */
export async function leastMoved(
  model: Model,
  scenario: RequestedConditions,
  rowCount: number,
): Promise<LeastMoved | null> {
  const stated = statedBy(scenario)
  for (const isOpen of [false, true]) {
    const cells = (await cellsOf(model, scenario, rowCount, isOpen)).map(({ levels, cap }) => ({
      groups: stated.map(({ groupOf }) => groupOf(levels)),
      cap: Math.min(1, cap),
    }))
    const moved = await leastOf(stated, cells)
    if (moved !== null) return { moved, isOpen }
  }
  return null
}

/** The combinations that may occur, and the share of the rows that each may have. */
async function cellsOf(model: Model, scenario: RequestedConditions, rowCount: number, isOpen: boolean) {
  const resolved = resolveConditions(model, scenario)
  const indices = [...resolved.shares, ...resolved.ranges].map(({ index }) => index)
  const order = await orderFor(model, [...new Set(indices)], { threads: 1 })
  const shares = inOrder(resolved.shares, order.columns)
  const conditions = { ...resolved, shares, ranges: inOrder(resolved.ranges, order.columns) }
  const { margins, ofShares } = marginsOfTable(conditions, isOpen)
  const codes = codesOfRows(model, conditions)
  const inside = rowsInside(model, conditions.ranges)
  if (!rowsAllowed(codes, margins, inside).some((part) => part > 0)) return []
  const drawn = drawnColumns(model, conditions, order.columns)
  const walk = new RangeWalk(model, order, drawn, order.columns.subarray(0, shares.length))
  const evidenceCap = DEFAULT_EVIDENCE_CAP
  const teller = new CountTeller('exact', [])
  const asked = { model, order, conditions, margins, ofShares, codes, inside, teller, walk, rowCount, evidenceCap }
  const { cells, weighted } = countedTable(asked)
  const { cap, natural, cellMargins } = cappedTable(weighted)
  const D = shares.length
  const width = margins.columnCount
  return Array.from(cap, (most, c) => ({
    levels: new Map(
      shares.map(({ column }, d) => [column.name, column.levels[cells[c * D + d]! - column.missing] ?? 'missing']),
    ),
    cap: natural[c]! > 0 && cellMargins[c * width]! >= 0 ? most : 0,
  })).filter(({ cap }) => cap > 0)
}

async function leastOf(
  stated: readonly Stated[],
  cells: readonly { readonly groups: readonly number[]; readonly cap: number }[],
): Promise<number | null> {
  if (cells.reduce((sum, { cap }) => sum + cap, 0) < 1) return null
  const above: string[] = []
  const rows = [`all: ${cells.map((_, c) => `q${c}`).join(' + ')} = 1`]
  const bounds = cells.map(({ cap }, c) => `0 <= q${c} <= ${cap}`)
  stated.forEach(({ least, most }, d) => {
    rows.push(`t${d}: ${least.map((_, g) => `t${d}_${g}`).join(' + ')} = 1`)
    least.forEach((low, g) => {
      const own = cells.flatMap(({ groups }, c) => (groups[d] === g ? [`q${c}`] : []))
      above.push(`a${d}_${g}`)
      rows.push(`m${d}_${g}: ${[...own, `0 a${d}_${g}`].join(' + ')} - a${d}_${g} - t${d}_${g} <= 0`)
      bounds.push(`${low} <= t${d}_${g} <= ${most[g]}`)
    })
  })
  const highs = await loadSolver()
  const solved = highs.solve(
    `Minimize\n obj: ${above.join(' + ')}\nSubject To\n ${rows.join('\n ')}\nBounds\n ${bounds.join('\n ')}\nEnd\n`,
  )
  return solved.Status === 'Optimal' ? solved.ObjectiveValue : null
}

function statedBy({ shares, cells = [] }: RequestedConditions): Stated[] {
  return [
    ...shares.map(({ column, levels, bounds = new Map() }): Stated => {
      const listed = [...levels.keys(), ...bounds.keys()]
      const ends = [...bounds.values()]
      return {
        groupOf: (of) => {
          const at = listed.indexOf(of.get(column)!)
          return at < 0 ? listed.length : at
        },
        ...withRest(
          [...levels.values(), ...ends.map(({ min }) => min)],
          [...levels.values(), ...ends.map(({ max }) => max)],
        ),
      }
    }),
    ...cells.map(({ columns, cells: listed }): Stated => {
      const shares = listed.map(({ share }) => share)
      return {
        groupOf: (of) => {
          const at = listed.findIndex(({ levels }) => levels.every((level, i) => of.get(columns[i]!) === level))
          return at < 0 ? listed.length : at
        },
        ...withRest(shares, shares),
      }
    }),
  ]
}

function withRest(least: readonly number[], most: readonly number[]): Pick<Stated, 'least' | 'most'> {
  const left = (taken: readonly number[]): number => {
    const rest = 1 - taken.reduce((sum, each) => sum + each, 0)
    return rest < 1e-9 ? 0 : rest
  }
  return { least: [...least, left(most)], most: [...most, left(least)] }
}

/** The moved share of a proposal by the definition, column by column; bounds are what the nearest stated mix makes of them. */
export function movedShare(from: RequestedConditions, to: RequestedConditions): number {
  const moved = (a: readonly number[], b: readonly number[]): number => {
    const [restA, restB] = [a, b].map((shares) => 1 - shares.reduce((sum, share) => sum + share, 0))
    return [...a.map((share, i) => Math.abs(share - b[i]!)), Math.abs(restA! - restB!)].reduce((x, y) => x + y, 0) / 2
  }
  const ofShares = from.shares.map(({ levels }, s) =>
    moved(
      [...levels.values()],
      [...levels.keys()].map((level) => to.shares[s]!.levels.get(level)!),
    ),
  )
  const ofCells = (from.cells ?? []).map(({ cells }, t) =>
    moved(
      cells.map(({ share }) => share),
      to.cells![t]!.cells.map(({ share }) => share),
    ),
  )
  return [...ofShares, ...ofCells].reduce((sum, each) => sum + each, 0)
}

/** How much the rounding of a proposal may add: half a thousandth up or down, for each number that changes. */
export function roundingOf(from: RequestedConditions, to: RequestedConditions): number {
  let changed = 0
  from.shares.forEach(({ levels, bounds = new Map() }, s) => {
    for (const [level, share] of levels) if (to.shares[s]!.levels.get(level) !== share) changed++
    for (const [level, ends] of bounds)
      if (JSON.stringify(to.shares[s]!.bounds?.get(level)) !== JSON.stringify(ends)) changed++
  })
  from.cells?.forEach(({ cells }, t) => {
    cells.forEach(({ share }, i) => {
      if (to.cells![t]!.cells[i]!.share !== share) changed++
    })
  })
  return 0.001 * changed
}
