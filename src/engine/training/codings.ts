/**
 * Alternative codes for a column, which its tree predicts once a related column is given.
 *
 * K  codes of the column     B  codes of a difference     n  rows
 *
 *   equality     0: the other column's value; 1 … K: a code of its own
 *   difference   0 … B - 1: a difference to the other column; B … B + K - 1: a code of its own, where the other is missing
 *
 * Trees grow on them as on any codes. Their values in a row are determined when the row is drawn (`related-values.ts`).
 */

import type { Derivation } from '../model/derivation.ts'
import type { EncodedColumn, Model } from '../model/model.ts'
import { columnsOf, type Relation } from '../model/relation.ts'
import { centersOf, type TrainingData } from '../scores/training-data.ts'
import { sharedFloat64, sharedUint16 } from '../threads/shared-arrays.ts'
import type { CodedTarget } from '../trees/tree-job.ts'

/** A column of the training data that is not a column of the table: the target of a tree. */
interface Coding {
  /** Column index. */
  readonly target: number
  /** Index among the model's relations. */
  readonly relation: number
}

/**
 * The relation that codes a column after a set of others; -1 if its own codes are used. A column that another one determines is not
 * drawn, and a column that must fit an earlier one is drawn by its own codes.
 */
function codingRelation(
  relations: readonly Relation[],
  derivations: readonly Derivation[],
  column: number,
  before: ReadonlySet<number>,
): number {
  const isDecided = derivations.some((one) =>
    one.kind === 'formula'
      ? one.target === column && one.sources.every((source) => before.has(source.column))
      : (one.target === column && before.has(one.source)) || (one.source === column && before.has(one.target)),
  )
  if (isDecided) return -1
  // Differences come first, then the largest share of equalities.
  return relations.findIndex((relation) => {
    if (relation.kind === 'distinct' || (relation.kind === 'bound' && !relation.difference)) return false
    const columns = columnsOf(relation)
    return columns.includes(column) && columns.some((other) => other !== column && before.has(other))
  })
}

/** The codings that trees predict after the first `fixed` columns (of a scenario) of an order; null: the column's own codes. */
export function codedTargets(
  { columns, derivations, relations }: Pick<Model, 'columns' | 'derivations' | 'relations'>,
  order: readonly number[],
  fixed: number,
): { readonly codings: readonly Coding[]; readonly targets: readonly (CodedTarget | null)[] } {
  const codings: Coding[] = []
  const before = new Set<number>()
  const targets = order.map((target, i) => {
    const relation = i < fixed ? -1 : codingRelation(relations, derivations, target, before)
    before.add(target)
    if (relation < 0) return null
    codings.push({ target, relation })
    return { column: columns.length + codings.length - 1, relation }
  })
  return { codings, targets }
}

/** Columns that a column's tree must be able to choose, whatever screening finds. */
export function relatedColumns(relations: readonly Relation[], column: number): number[] {
  const related = relations.flatMap((relation) => {
    const columns = columnsOf(relation)
    return columns.includes(column) ? columns.filter((other) => other !== column) : []
  })
  return [...new Set(related)].slice(0, MOST_RELATED)
}

/** With more than these, screening would have nothing to choose. */
const MOST_RELATED = 10

/** Training data with one more column for each coding, after those of the table. */
export function withCodings(
  data: TrainingData,
  columns: readonly EncodedColumn[],
  relations: readonly Relation[],
  codings: readonly Coding[],
): TrainingData {
  if (codings.length === 0) return data
  const coded = codings.map(({ target, relation }) => codedColumn(data, columns[target]!, target, relations[relation]!))
  return {
    ...data,
    columns: [...data.columns, ...coded.map(({ shape }) => shape)],
    codes: [...data.codes, ...coded.map(({ codes }) => codes)],
    bins: [...data.bins, ...coded.map(() => ({ bins: null, binCount: 0, upper: sharedUint16(0) }))],
    centers: [...data.centers, ...coded.map(({ centers }) => centers)],
  }
}

function codedColumn(data: TrainingData, column: EncodedColumn, target: number, relation: Relation) {
  const own = data.codes[target]!
  const k = column.codeCount
  const codes = sharedUint16(own.length)
  const ownCenters = data.centers[target]!
  const rowOf = data.copies?.rowOf ?? null
  if (relation.kind === 'equality') {
    for (let i = 0; i < codes.length; i++)
      codes[i] = relation.rows[rowOf === null ? i : rowOf[i]!] === 1 ? 0 : 1 + own[i]!
    // Code 0 takes the place of missing: a separate class, which regressions leave out.
    const shape = { kind: 'numeric', codeCount: k + 1, missing: 1 } as const
    return { codes, shape, centers: filled([Number.NaN, ...ownCenters], codes, 1) }
  }
  if (relation.kind !== 'bound' || !relation.difference) throw new RangeError('the relation codes no column')
  const { column: difference, codes: differences } = relation.difference
  const b = difference.codeCount
  for (let i = 0; i < codes.length; i++) {
    const coded = differences[rowOf === null ? i : rowOf[i]!]!
    codes[i] = difference.missing === 1 && coded === 0 ? b + own[i]! : coded
  }
  const centers = [...centersOf(difference), ...Array<number>(k).fill(Number.NaN)]
  return {
    codes,
    shape: { kind: 'numeric', codeCount: b + k, missing: 0 } as const,
    centers: filled(centers, codes, 0),
  }
}

/** Codes without a number, from `first` on, get the mean of the others, so that they do not affect regressions. */
function filled(centers: readonly number[], codes: Uint16Array, first: number): Float64Array {
  const counts = new Int32Array(centers.length)
  for (let i = 0; i < codes.length; i++) counts[codes[i]!]!++
  let rows = 0
  let sum = 0
  centers.forEach((center, c) => {
    if (Number.isNaN(center)) return
    rows += counts[c]!
    sum += counts[c]! * center
  })
  const mean = rows > 0 ? sum / rows : 0
  const out = sharedFloat64(centers.length)
  centers.forEach((center, c) => {
    out[c] = Number.isNaN(center) && c >= first ? mean : center
  })
  return out
}
