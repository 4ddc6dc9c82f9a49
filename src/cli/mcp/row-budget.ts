import { countText, plural } from '../../base/text/amount-text.ts'
import { SetupError } from '../../local/setup-error.ts'

/** The rows that the person who started the server lets runs be billed for, over its whole life. */
export class RowBudget {
  readonly #granted: number | null
  #spent = 0

  /** @param granted Null: no run is allowed. */
  constructor(granted: number | null) {
    this.#granted = granted
  }

  get left(): number | null {
    return this.#granted === null ? null : Math.max(0, this.#granted - this.#spent)
  }

  /** What a run may be billed for. @throws SetupError where no run is allowed. */
  toSpend(): number {
    if (this.#granted !== null) return this.left!
    throw new SetupError(
      2,
      'no run is allowed in this session',
      'The person who started the server may start it with a budget: whatif mcp --budget-rows N. plan and estimate need none.',
    )
  }

  spend(rows: number): void {
    this.#spent += rows
  }

  /** For the person who started it. */
  get words(): string {
    if (this.#granted === null) return 'no run is allowed (--budget-rows N allows some)'
    return `runs may be billed for ${plural(this.#granted, 'row')} in this session${this.#spent === 0 ? '' : `, ${countText(this.left!)} of them are left`}`
  }
}
