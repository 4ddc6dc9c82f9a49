import { type CombinedCounts, combinedCounts, MAX_LEVELS, tooManyCombinations } from './artifact-summary.ts'
import type { CountedColumn } from './counted-column.ts'

/** Counts the rows of each combination of levels of several columns. */
export class TableTally {
  readonly columns: readonly string[]
  readonly #rowsOf = new Map<string, number>()

  constructor(columns: readonly string[]) {
    this.columns = columns
  }

  /** @param levels one for each column, null where missing. */
  take(levels: readonly (string | null)[]): void {
    if (levels.includes(null)) return
    const key = JSON.stringify(levels)
    this.#rowsOf.set(key, (this.#rowsOf.get(key) ?? 0) + 1)
    if (this.#rowsOf.size > MAX_LEVELS) throw tooManyCombinations(this.columns)
  }

  /** Counts a part of the rows. */
  add(column: (name: string) => CountedColumn): void {
    const levels = this.columns.map((name) => {
      const { values, level } = column(name)
      return Array.from(values, level)
    })
    for (let row = 0; row < (levels[0]?.length ?? 0); row++) this.take(levels.map((own) => own[row]!))
  }

  counted(): CombinedCounts {
    return combinedCounts(this.columns, this.#rowsOf)
  }
}
