import { prose, table } from '../report-text.js'

/** The output of a section, and the limits that it exceeded. */
export class Report {
  readonly #missed: string[] = []
  #title = ''

  /** Begins a section. */
  begin(title: string): void {
    this.#title = title
    process.stdout.write(`\n${title}\n${'='.repeat(title.length)}\n`)
  }

  /** A sentence or two, wrapped at 80 columns. */
  say(text: string): void {
    process.stdout.write(`${prose(text).join('\n')}\n`)
  }

  /** A table whose first column is text. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void {
    process.stdout.write(`\n${table(head, rows).join('\n')}\n`)
  }

  /** The text of a figure with its limit; a figure above the limit is listed at the end. */
  atMost(what: string, value: number, limit: number, format: (value: number) => string): string {
    return this.#check(value <= limit, `${what}: ${format(value)}`, `${format(value)} (at most ${format(limit)})`)
  }

  /** As `atMost`; a figure below the limit is listed at the end. */
  atLeast(what: string, value: number, limit: number, format: (value: number) => string): string {
    return this.#check(value >= limit, `${what}: ${format(value)}`, `${format(value)} (at least ${format(limit)})`)
  }

  /** Whether something holds, in a line of its own. */
  holds(what: string, isTrue: boolean, found: string): void {
    this.say(this.#check(isTrue, `${what}: ${found}`, `${what}: ${found}`))
  }

  /** The limits exceeded in all sections so far. */
  missed(): readonly string[] {
    return this.#missed
  }

  #check(isReached: boolean, what: string, text: string): string {
    if (isReached) return text
    this.#missed.push(`${this.#title}: ${what}`)
    return `${text} MISSED`
  }
}
