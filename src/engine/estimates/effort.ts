/**
 * One to two seconds of a processor. Counted and not measured, so that a question has the same answer on every machine,
 * however busy.
 */
const MOST_STEPS = 2e8

/**
 * What the weighing of one side of an estimate may cost. Whether shares can be had shows only when it has been tried, and
 * some questions try a processor for minutes.
 */
export class Effort {
  #left = MOST_STEPS

  get isSpent(): boolean {
    return this.#left <= 0
  }

  /** @param steps A step is one cell's one column, once looked at. */
  spend(steps: number): void {
    this.#left -= steps
  }
}
