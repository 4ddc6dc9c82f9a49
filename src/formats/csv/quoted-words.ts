/**
 * Words such as NA that mean a missing value where they are bare and a level where they are in quotes: `"NA"` is the province of
 * Naples in files whose programs keep the two apart. R quotes all texts but no missing value; others quote a text only if it would
 * be read as something else. Where a column has both forms, and its other texts follow one of these rules, the quotes mean something.
 * Where it has the quoted form alone, they do so if the program was free to leave them out: the other texts or all numbers are bare.
 */

import type { RecordSink } from '../coded/coded-rows.ts'
import type { ColumnTexts } from '../columns/column-texts.ts'
import { inferColumn } from '../columns/infer-column.ts'
import { textAt } from '../columns/read-value.ts'
import { TextCounts } from '../columns/text-counts.ts'
import { isMissingWord, isWordAt } from '../columns/value-forms.ts'
import type { CsvDialect } from './csv-dialect.ts'
import type { ParsedRecords } from './parsed-records.ts'

/** Column by place → word → how often it is in quotes, and bare. */
export type KeptWords = ReadonlyMap<number, ReadonlyMap<string, WordForms>>

interface WordForms {
  quoted: number
  bare: number
}

/** Columns of text that have such words in quotes. */
export function columnsOfQuoted(texts: readonly ColumnTexts[], { quotedWords }: ParsedRecords): number[] {
  return [...quotedWords.keys()].filter((column) => isOfTexts(texts[column]))
}

/** Columns of numbers and dates. */
export function columnsOfValues(texts: readonly ColumnTexts[]): number[] {
  return texts.flatMap((held, column) => (isOfTexts(held) ? [] : [column]))
}

const isOfTexts = (held: ColumnTexts | undefined): boolean =>
  held instanceof TextCounts && inferColumn(held).type === 'text'

/** Looks at the quotes of some columns in a pass of its own. */
export class QuoteWatch implements RecordSink {
  readonly #columns: ReadonlyMap<number, ColumnQuotes>
  readonly #quote: number
  /** A text with one of these has to be quoted. */
  readonly #special: RegExp
  readonly #ofValues: ReadonlySet<number>
  #areValuesBare: boolean
  /** Words in quotes that stand for missing numbers and dates: they do so among texts, too. */
  readonly #areMissing = new Set<string>()

  /** @param ofValues columns of numbers and dates. */
  constructor(columns: readonly number[], ofValues: readonly number[], { delimiter, quote }: CsvDialect) {
    this.#ofValues = new Set(ofValues)
    this.#areValuesBare = ofValues.length > 0
    this.#columns = new Map(columns.map((column) => [column, { words: new Map(), quoted: 0, bare: 0 }]))
    this.#quote = quote.charCodeAt(0)
    this.#special = new RegExp(
      `[\\r\\n${[delimiter, quote].map((sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`).join('')}]`,
      'u',
    )
  }

  field(column: number, bytes: Uint8Array, start: number, end: number): void {
    const found = this.#columns.get(column)
    if (found === undefined) {
      if (end > start && this.#ofValues.has(column) && isInQuotes(bytes, start, this.#quote)) {
        this.#areValuesBare = false
        if (isWordAt(bytes, start, end)) this.#areMissing.add(textAt(bytes, start, end).trim())
      }
      return
    }
    const isQuoted = isInQuotes(bytes, start, this.#quote)
    const text = textAt(bytes, start, end).trim()
    if (isMissingWord(text)) {
      const forms = found.words.get(text) ?? { quoted: 0, bare: 0 }
      forms[isQuoted ? 'quoted' : 'bare']++
      found.words.set(text, forms)
    } else if (!this.#special.test(text)) found[isQuoted ? 'quoted' : 'bare']++
  }

  endRecord(): void {}

  dropRecord(): void {}

  /** Of the columns whose texts and words are all in quotes, as all of the file are: their words are missing. */
  doubted(): KeptWords {
    return new Map(
      [...this.#columns].flatMap(([column, { words, quoted, bare }]) => {
        const areAllQuoted = quoted > 0 && bare === 0 && [...words.values()].every((forms) => forms.bare === 0)
        const open = new Map([...words].filter(([word]) => !this.#areMissing.has(word)))
        return areAllQuoted && !this.#areValuesBare && open.size > 0 ? [[column, open] as const] : []
      }),
    )
  }

  /** Of the columns whose quotes mean something. */
  kept(): KeptWords {
    const kept = new Map<number, ReadonlyMap<string, WordForms>>()
    for (const [column, { words, quoted, bare }] of this.#columns) {
      if (quoted + bare === 0 || (quoted > 0 && bare > 0)) continue
      const isFree = quoted === 0 || this.#areValuesBare
      const levels = [...words].filter(([, forms]) => forms.quoted > 0 && (forms.bare > 0 || isFree))
      if (levels.length > 0) kept.set(column, new Map(levels))
    }
    return kept
  }
}

interface ColumnQuotes extends WordForms {
  readonly words: Map<string, WordForms>
}

/** Reads the bare forms of kept words as empty, so that the quoted ones alone are texts. */
export class BareWordsMissing implements RecordSink {
  readonly #sink: RecordSink
  readonly #kept: KeptWords
  readonly #quote: number

  constructor(sink: RecordSink, kept: KeptWords, { quote }: CsvDialect) {
    this.#sink = sink
    this.#kept = kept
    this.#quote = quote.charCodeAt(0)
  }

  field(column: number, bytes: Uint8Array, start: number, end: number): void {
    const words = this.#kept.get(column)
    const isBare =
      words !== undefined &&
      isWordAt(bytes, start, end) &&
      !isInQuotes(bytes, start, this.#quote) &&
      words.has(textAt(bytes, start, end).trim())
    if (!isBare) this.#sink.field(column, bytes, start, end)
  }

  endRecord(fields: number, line: number): void {
    this.#sink.endRecord(fields, line)
  }

  dropRecord(): void {
    this.#sink.dropRecord()
  }
}

/** The parser hands over the bytes within the quotes, where they lie in the file. */
const isInQuotes = (bytes: Uint8Array, start: number, quote: number): boolean => start > 0 && bytes[start - 1] === quote

/** @param names of the columns, by place. */
export function wordNotes(kept: KeptWords, names: readonly string[]): string[] {
  return [...kept].flatMap(([column, words]) =>
    [...words].map(
      ([word, { quoted, bare }]) =>
        `Column "${names[column]!}": "${word}" in quotation marks was kept as a level (${values(quoted)})${
          bare === 0
            ? '; if it means no answer, declare it under "missing".'
            : `, and ${word} without them was read as missing (${values(bare)}).`
        }`,
    ),
  )
}

/**
 * @param names of the columns, by place.
 * @param levelsOf what the study names is no doubt.
 */
export function doubtNotes(
  doubted: KeptWords,
  names: readonly string[],
  levelsOf: ((name: string) => ReadonlySet<string> | undefined) | undefined,
): string[] {
  return [...doubted].flatMap(([column, words]) => {
    const name = names[column]!
    const found = words.get('NA')
    if (found === undefined || levelsOf?.(name)?.has('NA') === true) return []
    return [
      `Column "${name}": "NA" is in quotation marks as all of the column is, and was read as missing (${values(found.quoted)}); if it is an answer, name it among the "levels" of the column in the study.`,
    ]
  })
}

const values = (count: number): string => (count === 1 ? '1 value' : `${count} values`)
