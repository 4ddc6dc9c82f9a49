import type { RawColumn } from '../../base/raw-table.ts'
import { MISSING_WORDS, presentText } from '../columns/value-forms.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { DistinctCount, rawTextColumn } from './raw-text-column.ts'
import type { SavDecoder } from './sav-encoding.ts'
import { type SavTextVariable, trimmedLatin1 } from './sav-variables.ts'
import { TextNumbers } from './text-numbers.ts'

/** Most characters of all texts of a table; repeated cells count once. */
export class TextBudget {
  #left = 268_435_456

  spend(characters: number): void {
    this.#left -= characters
    if (this.#left < 0) throw new UnreadableFileError('The SPSS file holds more text than can be read (256 MB).')
  }
}

/**
 * Collects a text variable: first the sampled rows as codes, then the counts over all rows once the texts are known.
 */
export class SavTextColumn {
  readonly variable: SavTextVariable
  readonly #decoder: SavDecoder
  readonly #budget: TextBudget
  readonly #rowCount: number
  readonly #codes: Int32Array
  /** Code by the bytes as Latin-1: a text is decoded on its first appearance. */
  readonly #codeOfRaw = new Map<string, number>()
  readonly #codeOf = new Map<string, number>()
  readonly #counts: number[] = []
  /** Null for a variable whose values have labels. */
  readonly #numbers: TextNumbers | null
  #present = 0
  #distinct: DistinctCount | null = null

  constructor(
    variable: SavTextVariable,
    rows: { rowCount: number; sampleRows: number },
    decoder: SavDecoder,
    budget: TextBudget,
  ) {
    this.variable = variable
    this.#decoder = decoder
    this.#budget = budget
    this.#rowCount = rows.rowCount
    this.#codes = new Int32Array(rows.sampleRows).fill(-1)
    this.#numbers = (variable.labels?.size ?? 0) === 0 ? new TextNumbers(rows) : null
    if (rows.sampleRows < rows.rowCount) this.#distinct = new DistinctCount(rows.rowCount)
  }

  /** Whether the case has no text here; texts that are blank only after decoding count as present. */
  isEmptyAt(bytes: Buffer, start: number): boolean {
    const raw = rawAt(this.variable, bytes, start)
    if (raw.length > 64) return false
    const text = raw.replaceAll(/^[\0- ]+|[\0- ]+$/g, '').toLowerCase()
    return (MISSING_WORDS as readonly string[]).includes(text) || this.variable.missingValues.has(raw)
  }

  /** Takes a sampled row. */
  choose(bytes: Buffer, start: number, at: number): void {
    const raw = rawAt(this.variable, bytes, start)
    let code = this.#codeOfRaw.get(raw)
    if (code === undefined) {
      const text = this.#read(raw)
      code = text === null ? -1 : (this.#codeOf.get(text) ?? this.#codeOf.size)
      if (text !== null && code === this.#codeOf.size) {
        this.#codeOf.set(text, code)
        this.#counts.push(0)
        this.#numbers?.push(text)
        this.#budget.spend(text.length)
      }
      this.#budget.spend(raw.length)
      this.#codeOfRaw.set(raw, code)
    }
    this.#codes[at] = code
  }

  /** Counts a row, after all sampled rows have been taken. */
  count(bytes: Buffer, start: number): void {
    const raw = rawAt(this.variable, bytes, start)
    const known = this.#codeOfRaw.get(raw)
    if (known === -1) return
    const text = known === undefined || this.#distinct !== null ? this.#read(raw) : null
    if (known === undefined && text === null) return
    const code = known ?? this.#codeOf.get(text!)
    if (code === undefined) this.#numbers?.countText(text!)
    else {
      this.#counts[code]!++
      this.#numbers?.countCode(code)
    }
    this.#present++
    if (text !== null) this.#distinct?.addText(text)
  }

  /** Counts from the sampled rows, if they are all rows. */
  countChosen(): void {
    for (const code of this.#codes) {
      if (code < 0) continue
      this.#counts[code]!++
      this.#numbers?.countCode(code)
      this.#present++
    }
  }

  /** The column, and the texts that stand for missing values among numbers, with their rows. */
  finish(): { readonly column: RawColumn; readonly marks: readonly (readonly [string, number])[] } {
    const numbers = this.#numbers?.finish(this.variable, this.#codes)
    if (numbers) return numbers
    const column = rawTextColumn({
      name: this.variable.name,
      label: this.variable.label,
      texts: [...this.#codeOf.keys()],
      codes: this.#codes,
      counts: this.#counts,
      missing: this.#rowCount - this.#present,
      distinct: Math.max(this.#codeOf.size, this.#distinct?.estimate(this.#present) ?? 0),
    })
    return { column, marks: [] }
  }

  #read(raw: string): string | null {
    if (raw === '' || this.variable.missingValues.has(raw)) return null
    return presentText(this.variable.labels?.get(raw) ?? this.#decoder.decode(Buffer.from(raw, 'latin1')))
  }
}

/** Bytes of a text as Latin-1, without trailing blanks. */
function rawAt({ parts }: SavTextVariable, bytes: Buffer, start: number): string {
  const last = parts.length - 1
  let text = ''
  for (let i = 0; i < last; i++) {
    const { start: from, length } = parts[i]!
    text += bytes.toString('latin1', start + from, start + from + length)
  }
  const { start: from, length } = parts[last]!
  const end = trimmedLatin1(bytes.subarray(start + from, start + from + length))
  return last === 0 || end !== '' ? text + end : trimmedLatin1(Buffer.from(text, 'latin1'))
}
