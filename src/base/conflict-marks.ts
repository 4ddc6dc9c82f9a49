/** The marks that version control writes around both sides of a conflict, in their sequence; a label may follow. */
const MARKS = [/^<{7}(?: .*)?$/, /^\|{7}(?: .*)?$/, /^={7}$/, /^>{7}(?: .*)?$/]

/** Lines that a message names. */
const MOST_LINES = 5

/**
 * Collects lines that are marks of an unresolved merge. One such line proves nothing: a text may begin like it. Two
 * different ones in their sequence do, of which one opens or closes the conflict.
 */
export class ConflictMarks {
  readonly #found: number[] = []
  /** Marks since the last one that opens a conflict: their kind and line. */
  #open: { readonly kind: number; readonly line: number }[] = []

  /** Lines of the marks, ascending; empty: there is no conflict. */
  get lines(): readonly number[] {
    return this.#found
  }

  /** @param number of the line, from 1. */
  add(text: string, number: number): void {
    const kind = MARKS.findIndex((mark) => mark.test(text))
    if (kind < 0) return
    const last = this.#open.at(-1)
    if (last !== undefined && kind <= last.kind) this.#open = []
    this.#open.push({ kind, line: number })
    const kinds = this.#open.map((mark) => mark.kind)
    if (kinds.length < 2 || !(kinds.includes(0) || kinds.includes(3))) return
    for (const { line } of this.#open) if (!this.#found.includes(line)) this.#found.push(line)
    if (kind === 3) this.#open = []
  }
}

/** Lines of a text, from 1, that are marks of an unresolved merge; empty: it has none. */
export function conflictLines(text: string): readonly number[] {
  const marks = new ConflictMarks()
  for (const [at, line] of text.split(/\r?\n/).entries()) marks.add(line, at + 1)
  return marks.lines
}

/** `lines 3, 7 and 12`; of many, the first five and how many more. */
export function lineListText(lines: readonly number[]): string {
  if (lines.length > MOST_LINES)
    return `lines ${lines.slice(0, MOST_LINES).join(', ')} and ${lines.length - MOST_LINES} more`
  if (lines.length < 2) return `line ${lines.join()}`
  return `lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`
}
