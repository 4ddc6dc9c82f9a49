import type { RawColumn } from '../../base/raw-table.ts'
import { listText, plural } from '../../base/text/amount-text.ts'
import type { Declarations } from '../../study/declarations.ts'
import { betweenTypographicQuotes } from '../../study/diagnostics/did-you-mean.ts'
import { type Findings, quoted } from './declaration-error.ts'
import { numbersOfTexts } from './number-texts.ts'
import { keptOf, keptTextsOf, numbersOf, ofNumbers, ofTexts } from './raw-values.ts'

type Code = string | number

interface Found {
  readonly columns: string[]
  values: number
}

/** Whether a study declares that a text, or a number of a column of numbers, stands for no answer. */
export function isDeclaredMissing(
  missing: NonNullable<Declarations['missing']>,
  column: string,
  value: string | number,
): boolean {
  return ['*', column].some(
    (key) =>
      Object.hasOwn(missing, key) &&
      missing[key]!.some((code) => (typeof value === 'number' ? code === value : String(code) === value)),
  )
}

/** `missing` of a study: the codes of each column, and of every column under `"*"`. */
export class MissingCodes {
  readonly #dropped: ReadonlySet<string>
  readonly #everywhere: readonly Code[]
  readonly #byColumn: Readonly<Record<string, readonly Code[]>>
  /** Column and code, or `*` and code, → the columns that are sent and hold the code. */
  readonly #found = new Map<string, Found>()
  /** Columns that hold numbers alone without their codes. */
  readonly #becameNumbers: string[] = []
  /** Such a column, and how its numbers were read. */
  readonly #readings: [column: string, remark: string][] = []
  readonly #numberColumns = new Set<string>()
  /** Column and code, or `*` and code, in typographic quotation marks → a column that holds the text between them. */
  readonly #quoted = new Map<string, string>()

  /** @param dropped columns that are not sent: what they hold stays here. */
  constructor(missing: NonNullable<Declarations['missing']>, dropped: ReadonlySet<string>) {
    this.#dropped = dropped
    const { '*': everywhere = [], ...byColumn } = missing
    this.#everywhere = everywhere
    this.#byColumn = byColumn
  }

  /**
   * The column without its codes. A text column that holds numbers alone afterwards becomes one of numbers, unless
   * `keepsTexts`: the study declares what its texts are, and names them as they are written ("1.50").
   */
  remove(column: RawColumn, keepsTexts: boolean): RawColumn {
    const own = Object.hasOwn(this.#byColumn, column.name) ? this.#byColumn[column.name]! : []
    const codes = new Map<Code, string>()
    for (const code of this.#everywhere) codes.set(code, keyOf('*', code))
    for (const code of own) codes.set(code, keyOf(column.name, code))
    if (codes.size === 0) return column
    for (const [code, key] of codes) this.#lookForPlain(column, code, key)
    return 'codes' in column ? this.#ofTexts(column, codes, keepsTexts) : this.#ofNumbers(column, codes)
  }

  /** Quotation marks of a word processor are none of YAML, and so become a part of the code. */
  #lookForPlain(column: RawColumn, code: Code, key: string): void {
    const plain = betweenTypographicQuotes(String(code))
    if (plain === null || this.#dropped.has(column.name)) return
    const isHeld =
      'codes' in column
        ? column.dictionary.includes(plain)
        : column.type === 'number' && plain.trim() !== '' && (column.counts?.has(Number(plain)) ?? false)
    if (isHeld) this.#quoted.set(key, column.name)
  }

  #ofTexts(
    column: Extract<RawColumn, { codes: unknown }>,
    codes: ReadonlyMap<Code, string>,
    keepsTexts: boolean,
  ): RawColumn {
    const isGone = column.dictionary.map(() => false)
    for (const [code, key] of codes) {
      const at = column.dictionary.indexOf(String(code))
      if (at < 0) continue
      isGone[at] = true
      this.#count(key, column.name, column.counts[at]!)
    }
    if (!isGone.includes(true)) return column
    const left = column.dictionary.filter((_, i) => !isGone[i])
    if (!keepsTexts && column.type === 'text' && left.length > 0) {
      const { numbers, remarks } = numbersOfTexts(left, column.decimalMark)
      if (!numbers.some(Number.isNaN)) {
        this.#becameNumbers.push(column.name)
        for (const remark of remarks) this.#readings.push([column.name, remark])
        const numberOf = new Map(left.map((text, i) => [text, numbers[i]!]))
        const values = Float64Array.from(column.codes, (code) => numberOf.get(column.dictionary[code]!) ?? Number.NaN)
        return ofNumbers(keptOf(column), 'number', values)
      }
    }
    return ofTexts(keptTextsOf(column), column.type, column.codes.length, (row) => {
      const code = column.codes[row]!
      return code < 0 || isGone[code] ? null : column.dictionary[code]!
    })
  }

  #ofNumbers(column: Extract<RawColumn, { values: unknown }>, codes: ReadonlyMap<Code, string>): RawColumn {
    // A date is never one of the numbers that it is stored as.
    if (column.type !== 'number') return column
    this.#numberColumns.add(column.name)
    const keys = new Map<number, string>()
    for (const [code, key] of codes) {
      // The study writes a number without quotes.
      if (typeof code === 'number') keys.set(code + 0, key)
    }
    const values = numbersOf(column)
    let isChanged = false
    for (let row = 0; row < values.length; row++) {
      const key = keys.get(values[row]! + 0)
      if (key === undefined) continue
      this.#count(key, column.name, 1)
      values[row] = Number.NaN
      isChanged = true
    }
    return isChanged ? ofNumbers(keptOf(column), 'number', values) : column
  }

  #count(key: string, column: string, values: number): void {
    if (this.#dropped.has(column)) return
    const found = this.#found.get(key) ?? { columns: [], values: 0 }
    if (found.columns.at(-1) !== column) found.columns.push(column)
    found.values += values
    this.#found.set(key, found)
  }

  report({ remarks, faults }: Findings): void {
    for (const [column, codes] of [['*', this.#everywhere] as const, ...Object.entries(this.#byColumn)]) {
      if (this.#dropped.has(column)) continue
      for (const code of codes) {
        const found = this.#found.get(keyOf(column, code))
        const where = column === '*' ? '' : ` of ${quoted(column)}`
        const holder = this.#quoted.get(keyOf(column, code))
        if (found === undefined && holder !== undefined) {
          const plain = betweenTypographicQuotes(String(code))!
          const what = `${quoted(String(code))} has typographic quotation marks and never occurs, but ${quoted(plain)} does`
          faults.push({ key: 'missing', column: holder, found: what, advice: `write ${asCode(plain)}` })
          continue
        }
        if (found === undefined) {
          remarks.push({ key: 'missing', text: `${quoted(String(code))}${where} ${this.#notFound(column, code)}` })
          continue
        }
        const columns = column === '*' ? ` in ${plural(found.columns.length, 'column')}` : ''
        const text = `${quoted(String(code))}${where} became missing${columns} (${plural(found.values, 'value')}).`
        remarks.push({ key: 'missing', text })
      }
    }
    const sent = this.#becameNumbers.filter((name) => !this.#dropped.has(name)).map(quoted)
    if (sent.length === 0) return
    const hold = sent.length === 1 ? 'holds' : 'hold'
    remarks.push({ key: 'missing', text: `Without its codes ${listText(sent, 10)} ${hold} numbers alone.` })
    for (const [column, remark] of this.#readings)
      if (!this.#dropped.has(column)) remarks.push({ key: 'missing', text: `${quoted(column)} has ${remark}.` })
  }

  #notFound(column: string, code: Code): string {
    const plain = betweenTypographicQuotes(String(code))
    if (plain !== null) return `never occurs: the typographic quotation marks are a part of it; write ${asCode(plain)}.`
    if (column === '*') return this.#dropped.size === 0 ? 'occurs in no column.' : 'occurs in no column that is sent.'
    if (typeof code === 'number' || !this.#numberColumns.has(column)) return 'never occurs.'
    return Number.isNaN(Number(code))
      ? 'never occurs: the column holds numbers.'
      : 'is text, and the column holds numbers: write it without quotes.'
  }
}

/** As the study writes it: a number has no quotation marks, and is the text of that number as well. */
function asCode(plain: string): string {
  return /^-?\d+(?:\.\d+)?$/.test(plain) ? plain : JSON.stringify(plain)
}

function keyOf(column: string, code: Code): string {
  return JSON.stringify([column, String(code)])
}
