/**
 * The levels that remain for a column of a ranking, given the columns before it in an order.
 *
 * k  columns of the ranking
 */

import { BLOCK_ROWS, type EncodedCategorical } from '../model/model.ts'
import type { Distinct } from '../model/relation.ts'

export class DistinctLevels {
  /** Column → number of the label by code, -1 for missing. */
  readonly #labels: ReadonlyMap<number, Int32Array>
  readonly #column: number
  readonly #before: readonly number[]
  /** Labels of each later column that must not be missing. */
  readonly #later: readonly ReadonlySet<number>[]
  /** Whether the later columns always find a label: they have the same labels, at least as many as there are columns. */
  readonly #isEnough: boolean
  readonly #taken = new Set<number>()

  constructor(
    columns: readonly EncodedCategorical[],
    { columns: group }: Distinct,
    column: number,
    before: ReadonlySet<number>,
  ) {
    const numbers = new Map<string, number>()
    const numberOf = (label: string) => {
      if (!numbers.has(label)) numbers.set(label, numbers.size)
      return numbers.get(label)!
    }
    this.#labels = new Map(
      group.map((c) => {
        const { levels, missing } = columns[c]!
        return [c, Int32Array.from([...(missing === 1 ? [-1] : []), ...levels.map(numberOf)])]
      }),
    )
    this.#column = column
    this.#before = group.filter((c) => before.has(c))
    const later = group.filter((c) => c !== column && !before.has(c) && columns[c]!.missing === 0)
    this.#later = later.map((c) => new Set(this.#labels.get(c)!))
    this.#isEnough = later.every((c) => columns[c]!.levels.length === numbers.size) && numbers.size >= group.length
  }

  /** Must be called before `allows`, with the codes of the columns before in a row of the block. */
  enter(codes: Uint16Array, row: number): void {
    this.#taken.clear()
    for (const column of this.#before) {
      const label = this.#labels.get(column)![codes[column * BLOCK_ROWS + row]!]!
      if (label >= 0) this.#taken.add(label)
    }
  }

  allows(code: number): boolean {
    const label = this.#labels.get(this.#column)![code]!
    if (label < 0) return true
    if (this.#taken.has(label)) return false
    if (this.#isEnough) return true
    this.#taken.add(label)
    const isLeft = canAssign(this.#later, this.#taken)
    this.#taken.delete(label)
    return isLeft
  }
}

/** Whether every set can have a label of its own that is not taken (augmenting paths, Kuhn 1955). */
function canAssign(sets: readonly ReadonlySet<number>[], taken: ReadonlySet<number>): boolean {
  const owner = new Map<number, number>()
  const assign = (set: number, tried: Set<number>): boolean => {
    for (const label of sets[set]!) {
      if (label < 0 || taken.has(label) || tried.has(label)) continue
      tried.add(label)
      const other = owner.get(label)
      if (other !== undefined && !assign(other, tried)) continue
      owner.set(label, set)
      return true
    }
    return false
  }
  return sets.every((_, set) => assign(set, new Set()))
}
