/**
 * A scenario in the terms of a model: column indices, codes and fractions instead of names, levels and bounds.
 *
 * K  codes of a numeric column
 */

import type { EncodedCategorical, EncodedColumn, EncodedNumeric, Model } from '../model/model.ts'
import { rangeFractions } from '../sampling/decode.ts'
import type { ValueRange } from '../sampling/value-cells.ts'
import type { ConditionedColumn } from './margins.ts'
import type { CellTarget, MeanTarget, RequestedConditions, ShareBounds } from './scenario.ts'

export interface ShareCondition extends ConditionedColumn {
  /** Position among the scenario's shares: reports use its sequence. */
  readonly position: number
  /** Column index. */
  readonly index: number
  readonly column: EncodedCategorical
  readonly bounded: ReadonlyMap<number, ShareBounds>
}

/** Combinations of levels as a column of its own, whose codes are the listed combinations and one more for all others. */
export interface TableCondition extends ConditionedColumn {
  /** After those of the shares. */
  readonly position: number
  /** What explanations call it and its codes: `region × gender`, `North × Female`. */
  readonly column: Pick<EncodedCategorical, 'name' | 'levels' | 'missing'>
  readonly bounded: ReadonlyMap<number, ShareBounds>
  /** Column indices; all of these columns have a ShareCondition. */
  readonly members: readonly number[]
  /** The code of a combination of codes, in the sequence of the members. */
  readonly codeOf: (codes: readonly number[]) => number
}

export interface RangeCondition {
  /** Position among the scenario's ranges. */
  readonly position: number
  /** Column index. */
  readonly index: number
  readonly column: EncodedNumeric
  readonly range: ValueRange
  /** Length K: fraction of each code's mass inside the range; 0 for missing. */
  readonly fractions: Float64Array
}

export interface MeanCondition extends MeanTarget {
  /** Column index. */
  readonly index: number
}

export interface Conditions {
  /** Also the columns of tables that have no shares of their own, with no listed code. */
  readonly shares: readonly ShareCondition[]
  readonly tables: readonly TableCondition[]
  readonly ranges: readonly RangeCondition[]
  readonly means: readonly MeanCondition[]
}

/**
 * Looks up a scenario's columns and levels. Columns without a listed level are not conditioned.
 *
 * @throws RangeError for an unknown column or level, a condition of the wrong kind for its column, a column conditioned
 *   twice, or a range or mean whose ends are not numbers in order. (Shares are checked by marginsOf.)
 */
export function resolveConditions(model: Pick<Model, 'columns'>, scenario: RequestedConditions): Conditions {
  const indices = new Map(model.columns.map((column, c) => [column.name, c]))
  const taken = new Set<number>()
  const claim = (name: string): number => {
    const index = indices.get(name)
    if (index === undefined) throw new RangeError(`there is no column ${name}`)
    if (taken.has(index)) throw new RangeError(`column ${name} is conditioned twice`)
    taken.add(index)
    return index
  }
  const stated = scenario.shares
    .filter(({ levels, bounds }) => levels.size + (bounds?.size ?? 0) > 0)
    .map((target, position): ShareCondition => {
      const index = claim(target.column)
      const column = model.columns[index]!
      if (column.kind !== 'categorical') throw new RangeError(`column ${column.name} is numeric and takes no shares`)
      const codeOf = (level: string): number => {
        const at = column.levels.indexOf(level)
        if (at < 0) throw new RangeError(`column ${column.name} has no level ${level}`)
        return at + column.missing
      }
      const listed = new Map([...target.levels].map(([level, share]) => [codeOf(level), share]))
      const bounded = new Map<number, ShareBounds>()
      for (const [level, bounds] of target.bounds ?? []) {
        const code = codeOf(level)
        if (listed.has(code)) throw new RangeError(`level ${level} of column ${column.name} has a share and bounds`)
        // Ends that are equal are a share like any other.
        if (bounds.min === bounds.max) listed.set(code, bounds.min)
        else bounded.set(code, bounds)
      }
      return { position, index, column, codeCount: column.codeCount, listed, bounded }
    })
  const ranges = scenario.ranges.map(({ column: name, min, max }, position): RangeCondition => {
    const index = claim(name)
    const column = model.columns[index]!
    if (column.kind !== 'numeric') throw new RangeError(`column ${name} is categorical and takes no range`)
    if (!(min <= max)) throw new RangeError(`the range of ${name} from ${min} to ${max} is empty`)
    const range = { min, max }
    return { position, index, column, range, fractions: rangeFractions(column, range) }
  })
  const means = checkedMeans(model.columns, scenario)
  const ofTables = (scenario.cells ?? []).flatMap(({ columns }) => columns)
  const free = [...new Set(ofTables)]
    .filter((name) => stated.every(({ column }) => column.name !== name))
    .map((name, i): ShareCondition => {
      const index = claim(name)
      const column = model.columns[index]!
      if (column.kind !== 'categorical') throw new RangeError(`column ${name} is numeric and has no cells`)
      const nothing = { listed: new Map(), bounded: new Map() }
      return { position: stated.length + i, index, column, codeCount: column.codeCount, ...nothing }
    })
  const shares = [...stated, ...free]
  const tables = (scenario.cells ?? []).map((target, t) => tableCondition(target, shares, shares.length + t))
  return { shares, tables, ranges, means: means.map(({ column, ...mean }) => ({ ...mean, column: column.name })) }
}

function tableCondition(
  { columns, cells }: CellTarget,
  shares: readonly ShareCondition[],
  position: number,
): TableCondition {
  if (columns.length < 2 || new Set(columns).size < columns.length) {
    throw new RangeError(`cells are of two columns and more, not of ${columns.join(' and ')}`)
  }
  const members = columns.map((name) => shares.find(({ column }) => column.name === name)!)
  const known = new Map<string, number>()
  const listed = new Map<number, number>()
  for (const { levels, share } of cells) {
    if (levels.length !== members.length)
      throw new RangeError(`a cell of ${columns.join(', ')} has ${levels.length} levels`)
    const codes = members.map(({ column }, i) => {
      const at = column.levels.indexOf(levels[i]!)
      if (at < 0) throw new RangeError(`column ${column.name} has no level ${levels[i]}`)
      return at + column.missing
    })
    const key = codes.join(' ')
    if (known.has(key)) throw new RangeError(`the cell ${levels.join(', ')} is there twice`)
    listed.set(known.size, share)
    known.set(key, known.size)
  }
  return {
    position,
    column: {
      name: columns.join(BETWEEN),
      levels: cells.map(({ levels }) => levels.join(BETWEEN)),
      missing: 0,
    },
    codeCount: cells.length + 1,
    listed,
    bounded: new Map(),
    members: members.map(({ index }) => index),
    codeOf: (codes) => known.get(codes.join(' ')) ?? known.size,
  }
}

const BETWEEN = ' × '

/** Length n each: the codes of the rows in the columns of the shares, and then in the tables. */
export function codesOfRows(
  { codes, rowCount }: Pick<Model, 'codes' | 'rowCount'>,
  { shares, tables }: Pick<Conditions, 'shares' | 'tables'>,
): Uint16Array[] {
  const ofTables = tables.map(({ members, codeOf }) => {
    const ofRow = members.map((index) => codes[index]!)
    return Uint16Array.from({ length: rowCount }, (_, row) => codeOf(ofRow.map((own) => own[row]!)))
  })
  return [...shares.map(({ index }) => codes[index]!), ...ofTables]
}

/** K × (D + T), row-major: the codes of cells, and then of the tables. `cells` is K × D, in the sequence of the shares. */
export function withTableCodes(
  cells: Int32Array,
  { shares, tables }: Pick<Conditions, 'shares' | 'tables'>,
): Int32Array {
  if (tables.length === 0) return cells
  const D = shares.length
  const width = D + tables.length
  const places = tables.map(({ members }) => members.map((index) => shares.findIndex((share) => share.index === index)))
  const coded = new Int32Array((cells.length / D) * width)
  for (let c = 0, o = 0; o < cells.length; c++, o += D) {
    coded.set(cells.subarray(o, o + D), c * width)
    tables.forEach(({ codeOf }, t) => {
      coded[c * width + D + t] = codeOf(places[t]!.map((d) => cells[o + d]!))
    })
  }
  return coded
}

/**
 * @throws RangeError for an unknown column, one that has shares or a mean already, and for ends that are not numbers in sequence or
 *   bound nothing.
 */
export function checkedMeans(columns: readonly EncodedColumn[], { shares, means = [] }: RequestedConditions) {
  const taken = new Set(shares.map(({ column }) => column))
  return means.map(({ column: name, min, max }) => {
    const index = columns.findIndex((column) => column.name === name)
    if (index < 0) throw new RangeError(`there is no column ${name}`)
    if (taken.has(name)) throw new RangeError(`column ${name} is conditioned twice`)
    taken.add(name)
    if (!(min <= max) || min === Number.POSITIVE_INFINITY || max === Number.NEGATIVE_INFINITY) {
      throw new RangeError(`the mean of ${name} from ${min} to ${max} is empty`)
    }
    if (!(Number.isFinite(min) || Number.isFinite(max))) throw new RangeError(`the mean of ${name} has no bound`)
    return { index, column: columns[index]!, min, max }
  })
}

/** A numeric column that is drawn together with the cells, because it has a range or a mean. */
export interface DrawnColumn {
  /** Column index. */
  readonly index: number
  readonly column: EncodedNumeric
  /** Null: all values, missing among them. */
  readonly range: ValueRange | null
  /** Length K: fraction of each code's mass that may occur. */
  readonly fractions: Float64Array
  readonly mean: MeanTarget | null
}

/**
 * The columns with ranges or means, in the sequence in which an order samples them.
 *
 * @throws RangeError for the mean of a column without numbers.
 */
export function drawnColumns(
  model: Pick<Model, 'columns'>,
  { ranges, means }: Conditions,
  columns: Int32Array,
): DrawnColumn[] {
  const ofMean = new Map(means.map((mean) => [mean.index, mean]))
  const ranged = ranges.map(({ index, column, range, fractions }): DrawnColumn => {
    return { index, column, range, fractions, mean: ofMean.get(index) ?? null }
  })
  const others = means.filter(({ index }) => ranges.every((range) => range.index !== index))
  const free = others.map((mean): DrawnColumn => {
    const column = model.columns[mean.index]!
    if (column.kind !== 'numeric') throw new RangeError(`column ${column.name} is categorical and takes no mean`)
    if (column.format !== null) throw new RangeError(`column ${column.name} has dates and takes no mean`)
    const fractions = new Float64Array(column.codeCount).fill(1)
    return { index: mean.index, column, range: null, fractions, mean }
  })
  return inOrder([...ranged, ...free], columns)
}

/** The conditions in the sequence in which an order samples their columns. */
export function inOrder<C extends { readonly index: number }>(conditions: readonly C[], columns: Int32Array): C[] {
  return conditions.toSorted((a, b) => columns.indexOf(a.index) - columns.indexOf(b.index))
}
