/**
 * Crossings: two or three columns that predict a target together and little on their own.
 *
 * A tree sees one column at a time. Where an outcome depends on whether two columns are alike (XOR), or on the day that year,
 * month and day make, no single column has a gain, and no split is found. So combinations of candidates are screened
 * (`screen-crossings.ts`), and those that pass become predictors of their own: the cells of the combination, in the order of the
 * target's classes, like the levels of a column with many levels (`scores/level-order.ts`). The tree decides whether and where it
 * splits on them. If there is nothing to find, screening 16 candidates costs a tree about 30 ms.
 *
 * n  rows     T  classes of the target
 */

import type { Score } from '../model/additive-score.ts'
import { share, sharedFloat64 } from '../threads/shared-arrays.ts'
import { worthOfCopies } from '../weighting/row-copies.ts'
import { coarseClasses, informationOf } from './coarse-classes.ts'
import { groupLevels } from './level-order.ts'
import { CrossingScreen, classCount, classesAt, evenlySpaced } from './screen-crossings.ts'
import type { TrainingData } from './training-data.ts'

/** Most crossings of one target. */
const MAX_CROSSINGS = 2
/**
 * A crossing has more than twice the information of its parts, or at least this much more per row. With 0.03 instead, Default's
 * classifier AUC stayed at 0.600, for a third more processor time. Beijing's day, by year, month and day, gains 0.1 to 0.44.
 */
const MIN_GAIN_PER_ROW = 0.1
/** Most rows on which the shortlist is compared. */
const RESOLVED_ROWS = 32_768
/** Numbers of classes of a column in a crossing that are tried, and least rows per cell. */
const RESOLUTIONS = [2, 3, 4, 6, 12, 24, 48]
const ROWS_PER_CELL = 8
const MAX_GROUPS = 128

interface Resolved {
  /** Information minus its number of parameters; 0 if there is hardly any. */
  readonly worth: number
  /** Code → class, by column. */
  readonly maps: readonly Uint8Array[]
  readonly cells: number
}

/** Finds crossings for the targets of one table. The columns are prepared once. */
export class CrossingSearch {
  readonly #data: TrainingData
  readonly #screen: CrossingScreen
  readonly #rows: Int32Array
  /** Effective rows for each of these. */
  readonly #worth: number

  constructor(data: TrainingData) {
    this.#data = data
    this.#screen = new CrossingScreen(data)
    this.#rows = evenlySpaced(data.rowCount, RESOLVED_ROWS)
    this.#worth = worthOfCopies(data.copies, this.#rows)
  }

  /** No column is in two of the crossings. candidates  ascending */
  find(target: number, candidates: Int32Array): Score[] {
    const shortlist = this.#screen.shortlist(target, candidates)
    if (shortlist.length === 0) return []
    const targetClasses = this.#screen.targetClasses(target)
    const codes = this.#data.codes[target]!
    const y = classesAt(this.#rows, targetClasses, codes)
    const T = classCount(targetClasses)
    const known = new Map<string, Resolved>()
    const resolved = (columns: readonly number[]) => {
      const made = known.get(columns.join()) ?? this.#resolve(columns, y, T)
      known.set(columns.join(), made)
      return made
    }
    const apart = (columns: readonly number[]) =>
      Math.max(
        ...columns.map((one) => resolved([one]).worth + resolved(columns.filter((other) => other !== one)).worth),
      )
    const found = shortlist
      .map((columns) => ({ columns, whole: resolved(columns), parts: apart(columns) }))
      .map((one) => ({ ...one, gain: one.whole.worth - one.parts }))
      .filter(
        ({ gain, parts }) => gain > 0 && gain > Math.min(parts, MIN_GAIN_PER_ROW * this.#rows.length * this.#worth),
      )
      .sort((a, b) => b.gain - a.gain)
    const taken = new Set<number>()
    const crossings: Score[] = []
    for (const { columns, whole } of found) {
      if (crossings.length === MAX_CROSSINGS) break
      if (columns.some((c) => taken.has(c))) continue
      for (const c of columns) taken.add(c)
      crossings.push(this.#crossing(columns, whole, codes, targetClasses))
    }
    return crossings
  }

  /** The resolution at which columns have the most information about the target for their number of cells (Akaike's criterion). */
  #resolve(columns: readonly number[], y: Uint8Array, T: number): Resolved {
    let best: Resolved = { worth: 0, maps: [], cells: 0 }
    let before = 0
    for (const resolution of RESOLUTIONS) {
      const maps = columns.map((column) => coarseClasses(this.#screen.countsOf(column), resolution))
      const cells = maps.reduce((product, map) => product * classCount(map), 1)
      if (cells === before || cells * ROWS_PER_CELL > y.length * this.#worth) break
      before = cells
      const table = new Int32Array(cells * T)
      countCells(table, this.#cells(columns, maps, this.#rows), y, T)
      const { excess, freedom } = informationOf(table, cells, T, this.#worth)
      const worth = excess - freedom / 2
      if (worth > best.worth) best = { worth, maps, cells }
    }
    return best
  }

  #crossing(
    columns: readonly number[],
    { maps, cells }: Resolved,
    targetCodes: Uint16Array,
    targetClasses: Uint8Array,
  ): Score {
    const n = this.#data.rowCount
    const perRow = this.#data.copies?.perEffectiveRow
    const y = Uint8Array.from(targetCodes, (code) => targetClasses[code]!)
    const cellOfRow = this.#cells(columns, maps, evenlySpaced(n, n))
    const groups = groupLevels(cellOfRow, cells, y, classCount(targetClasses), MAX_GROUPS, perRow)
    return { ...effects(columns, maps), cuts: new Float64Array(0), groups: share(groups) }
  }

  #cells(columns: readonly number[], maps: readonly Uint8Array[], rows: Int32Array): Uint16Array {
    const cells = new Uint16Array(rows.length)
    columns.forEach((column, j) => {
      addDigit(cells, this.#data.codes[column]!, maps[j]!, classCount(maps[j]!), rows)
    })
    return cells
  }
}

function countCells(table: Int32Array, cells: Uint16Array, y: Uint8Array, T: number): void {
  for (let i = 0; i < cells.length; i++) table[cells[i]! * T + y[i]!]!++
}

function addDigit(cells: Uint16Array, codes: Uint16Array, map: Uint8Array, width: number, rows: Int32Array): void {
  for (let i = 0; i < rows.length; i++) cells[i] = cells[i]! * width + map[codes[rows[i]!]!]!
}

/** Effects whose sum is the index of the cell. */
function effects(columns: readonly number[], maps: readonly Uint8Array[]): Pick<Score, 'columns' | 'at' | 'effects'> {
  const at = new Int32Array(columns.length + 1)
  maps.forEach((map, j) => {
    at[j + 1] = at[j]! + map.length
  })
  const values = sharedFloat64(at[columns.length]!)
  let stride = 1
  for (let j = columns.length - 1; j >= 0; j--) {
    const map = maps[j]!
    for (let c = 0; c < map.length; c++) values[at[j]! + c] = map[c]! * stride
    stride *= classCount(map)
  }
  return { columns: share(Int32Array.from(columns)), at: share(at), effects: values }
}
