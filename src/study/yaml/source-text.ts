import { LineCounter } from 'yaml'
import type { SourceRange } from '../diagnostics/diagnostic.ts'

/**
 * A file's text with its line index. The byte order mark is removed before parsing, so that the columns of the first
 * line match an editor's; offsets still count it.
 */
export class SourceText {
  readonly filename: string
  /** Without byte order mark. */
  readonly text: string
  readonly lines: LineCounter
  readonly #markLength: number

  constructor(text: string, filename: string) {
    this.#markLength = text.startsWith('\uFEFF') ? 1 : 0
    this.text = text.slice(this.#markLength)
    this.filename = filename
    this.lines = new LineCounter()
    this.lines.addNewLine(0)
    for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1)) {
      this.lines.addNewLine(at + 1)
    }
  }

  /** `start` inclusive, `end` exclusive, both offsets into `text`. */
  range(start: number, end: number): SourceRange {
    return { filename: this.filename, start: this.#position(start), end: this.#position(end) }
  }

  #position(offset: number) {
    const { line, col } = this.lines.linePos(offset)
    return { line, column: col, offset: offset + this.#markLength }
  }
}
