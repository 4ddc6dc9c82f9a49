import { open } from 'node:fs/promises'
import type { RecordSink } from '../coded/coded-rows.ts'
import { DATE_FORMS } from '../columns/date-forms.ts'
import { numberIn, STANDARD_NUMBER } from '../columns/number-forms.ts'
import { readStandardNumber, type WrittenNumber } from '../columns/number-syntax.ts'
import { textAt } from '../columns/read-value.ts'
import { TextCounts } from '../columns/text-counts.ts'
import {
  type ArtifactRequest,
  type ArtifactSummary,
  columnsOf,
  isMissingText,
  MAX_LEVELS,
  missingColumn,
  type RowTest,
  requestOf,
  type SegmentRequest,
  tooManyLevels,
} from '../reading/artifact-summary.ts'
import type { RuleValues } from '../reading/rule-tally.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { type GroupTally, passes, ValueCounting } from '../reading/value-counting.ts'
import { isFormulaCell } from './formula-cells.ts'
import type { ParsedRecords } from './parsed-records.ts'
import { readRecords } from './read-records.ts'
import { splitRecords } from './split-records.ts'

const DIALECT = { delimiter: ',', quote: '"', escape: '"' } as const
const HEAD_BYTES = 1 << 20
const MARK = Buffer.from('\ufeff')

/** Bytes of the distinct levels of a column, with their counts. */
const MAX_LEVEL_BYTES = 256 * 2 ** 20

/**
 * Counts a CSV file in one pass; only levels and numbers that are described are held. Texts stay as they are, so that
 * `01` stays apart from `1`; an empty field is missing. Numbers have standard syntax, dates and times are ISO 8601.
 *
 * @param source the path of the file, or its bytes.
 * @throws {UnreadableFileError} when its records do not all have the same form.
 */
export async function summarizeCsv(source: string | Buffer, request: ArtifactRequest): Promise<ArtifactSummary> {
  const head = await headOf(source)
  const bomBytes = head.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0
  const text = head.toString('utf8', bomBytes)
  const [names] = splitRecords(text, DIALECT, head.length < HEAD_BYTES, 1).records
  if (names === undefined) throw new UnreadableFileError('The CSV file has no header.')
  const rows = new MeasuredRows(names, request)
  const parsed = await readRecords(source, rows, {
    dialect: DIALECT,
    skipRecords: 1,
    width: names.length,
    bomBytes,
    onPiece: () => rows.requireModestLevels(),
  })
  if (parsed === null || rows.hasOddLine || !areAlike(parsed, names.length)) {
    throw new UnreadableFileError('The CSV file is damaged or was cut short: its rows do not all have the same form.')
  }
  return rows.summary()
}

async function headOf(source: string | Buffer): Promise<Buffer> {
  if (typeof source !== 'string') return source.subarray(0, HEAD_BYTES)
  const file = await open(source, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function areAlike({ widths, openQuoteLine, strayQuotes, nulBytes }: ParsedRecords, width: number): boolean {
  return widths.size === 1 && widths.has(width) && openQuoteLine === null && strayQuotes === 0 && nulBytes === 0
}

type Place = readonly [name: string, column: number]

/** Rows that are also counted by the levels of a column. */
interface RowSegments {
  readonly tally: NonNullable<ValueCounting['segments']> extends ReadonlyMap<string, infer Tally> ? Tally : never
  readonly by: number
  readonly shares: readonly Place[]
  readonly numeric: readonly Place[]
}

/** A part of the rows, counted row by row. */
interface RowCounts {
  readonly shares: readonly Place[]
  readonly numeric: readonly Place[]
  readonly segments: readonly RowSegments[]
}

/** Rows that are also counted where they pass filters. */
interface RowGroup extends RowCounts {
  readonly tally: GroupTally
  readonly where: readonly (readonly [test: RowTest, column: number])[]
}

/** Takes the rows of a file, of which only the fields of the requested columns count. */
class MeasuredRows implements RecordSink {
  readonly #names: readonly string[]
  readonly #counting: ValueCounting
  /** By column; absent where no levels are counted. */
  readonly #levels: (TextCounts | undefined)[]
  /** By column; empty where no numbers are counted. */
  readonly #numbers: { add(number: number | null, rows?: number): void }[][]
  /** By column: filled fields. */
  readonly #filled: Float64Array
  /** By column: cells that begin like a formula. */
  readonly #formulas: Float64Array
  readonly #segments: readonly RowSegments[]
  readonly #tables: readonly {
    readonly take: (levels: readonly (string | null)[]) => void
    readonly at: readonly number[]
  }[]
  readonly #groups: readonly RowGroup[]
  readonly #ruled: RuleValues
  /** Of the current row, by column: whether the number is that of a date. */
  readonly #areDates: boolean[]
  /** Of the current row, by column, null where missing: the texts and numbers that segments and groups need. */
  readonly #texts: (string | null)[]
  readonly #values: (number | null)[]
  readonly #needsText: boolean[]
  readonly #needsValue: boolean[]
  readonly #read: WrittenNumber = { value: 0, decimals: 0 }
  /** Whether the number read last is that of a date. */
  #isDate = false
  #rowCount = 0
  #hasField = false
  /** Whether a line had nothing but blanks, which no table of several columns has. */
  hasOddLine = false

  constructor(names: readonly string[], request: ArtifactRequest) {
    for (const name of columnsOf(request)) {
      if (!names.includes(name)) throw missingColumn(name, names)
    }
    this.#names = names
    this.#counting = new ValueCounting(request)
    const { shares, ranges, numeric } = this.#counting
    // A name that stands twice is refused later.
    const tallyOf = <T>(tallies: ReadonlyMap<string, T>, at: number): T | undefined =>
      names.indexOf(names[at]!) === at ? tallies.get(names[at]!) : undefined
    this.#levels = names.map((_, at) => (tallyOf(shares, at) === undefined ? undefined : new TextCounts()))
    this.#numbers = names.map((_, at) =>
      [tallyOf(ranges, at), tallyOf(numeric, at)].filter((tally) => tally !== undefined),
    )
    this.#filled = new Float64Array(names.length)
    this.#formulas = new Float64Array(names.length)
    const places = (wanted: readonly string[]) => wanted.map((name): Place => [name, names.indexOf(name)])
    const segmentsOf = (counting: ValueCounting, asked: readonly SegmentRequest[] = []): RowSegments[] =>
      asked.map(({ by, shares: counted, numeric: described }) => {
        const tally = counting.segments!.get(by)!
        return { tally, by: names.indexOf(by), shares: places(counted), numeric: places(described) }
      })
    this.#segments = segmentsOf(this.#counting, request.segments)
    this.#groups = (request.groups ?? []).map((group) => {
      const tally = this.#counting.groups!.get(group.name)!
      return {
        tally,
        where: group.where.map((test) => [test, names.indexOf(test.column)] as const),
        ...{ shares: places(group.shares), numeric: places(group.numeric) },
        segments: segmentsOf(tally.counting, requestOf(group).segments),
      }
    })
    this.#tables = (this.#counting.tables ?? []).map((tally) => ({
      take: (levels) => tally.take(levels),
      at: tally.columns.map((name) => names.indexOf(name)),
    }))
    this.#texts = names.map(() => null)
    this.#values = names.map(() => null)
    const parts = [...this.#segments, ...this.#groups, ...this.#groups.flatMap((group) => group.segments)]
    const tested = this.#groups.flatMap(({ where }) => where)
    const texts = new Set([
      ...parts.flatMap((part) => [...('by' in part ? [part.by] : []), ...part.shares.map(([, at]) => at)]),
      ...this.#tables.flatMap(({ at }) => at),
      ...tested.flatMap(([test, at]) => ('levels' in test ? [at] : [])),
    ])
    const values = new Set([
      ...parts.flatMap((part) => part.numeric.map(([, at]) => at)),
      ...tested.flatMap(([test, at]) => ('levels' in test ? [] : [at])),
    ])
    for (const name of (this.#counting.rules ?? []).flatMap(({ columns }) => columns)) {
      texts.add(names.indexOf(name))
      values.add(names.indexOf(name))
    }
    this.#areDates = names.map(() => false)
    this.#ruled = {
      text: (name) => this.#texts[names.indexOf(name)]!,
      number: (name) => this.#values[names.indexOf(name)]!,
      isDate: (name) => this.#areDates[names.indexOf(name)]!,
    }
    this.#needsText = names.map((_, at) => texts.has(at))
    this.#needsValue = names.map((_, at) => values.has(at))
  }

  field(column: number, bytes: Uint8Array, start: number, end: number): void {
    this.#hasField = true
    this.#filled[column]!++
    if (isFormulaCell(bytes, start, end)) this.#formulas[column]!++
    const levels = this.#levels[column]
    if (levels !== undefined) levels.count(levels.placeOf(bytes, start, end))
    if (this.#needsText[column]) this.#texts[column] = textAt(bytes, start, end)
    const numbers = this.#numbers[column]!
    const needsValue = this.#needsValue[column]!
    if (numbers.length === 0 && !needsValue) return
    const number = this.#numberAt(bytes, start, end)
    if (needsValue) {
      this.#values[column] = number
      this.#areDates[column] = this.#isDate
    }
    for (let i = 0; i < numbers.length; i++) numbers[i]!.add(number)
  }

  endRecord(): void {
    this.#rowCount++
    this.#hasField = false
    if (this.#segments.length + this.#groups.length + this.#tables.length + (this.#counting.rules?.length ?? 0) > 0)
      this.#countInParts()
  }

  #countInParts(): void {
    for (const tally of this.#counting.rules ?? []) tally.take(this.#ruled)
    for (const { take, at } of this.#tables) take(at.map((column) => this.#texts[column]!))
    this.#countInSegments(this.#segments)
    for (const group of this.#groups) {
      if (!group.where.every(([test, at]) => passes(test, this.#texts[at]!, this.#values[at]!))) continue
      this.#countIn(group.tally.take(), group)
      this.#countInSegments(group.segments)
    }
    this.#texts.fill(null)
    this.#values.fill(null)
  }

  #countInSegments(all: readonly RowSegments[]): void {
    for (const segments of all) {
      const level = this.#texts[segments.by]!
      if (level !== null) this.#countIn(segments.tally.take(level, 1), segments)
    }
  }

  #countIn(part: ValueCounting, { shares, numeric }: Pick<RowCounts, 'shares' | 'numeric'>): void {
    for (const [name, at] of shares) part.shares.get(name)!.add(this.#texts[at]!)
    for (const [name, at] of numeric) part.numeric.get(name)!.add(this.#values[at]!)
  }

  dropRecord(): void {
    // An empty line is a row in a table of one column, and nothing elsewhere.
    if (this.#names.length === 1) this.endRecord()
    else if (this.#hasField) this.hasOddLine = true
  }

  /** @throws {UnreadableFileError} for a column with more levels than a schema could hold. */
  requireModestLevels(): void {
    for (const [column, levels] of this.#levels.entries()) {
      if (levels === undefined) continue
      if (levels.size > MAX_LEVELS) throw tooManyLevels(this.#names[column]!)
      if (levels.sizeBytes > MAX_LEVEL_BYTES) {
        throw new UnreadableFileError(
          `The levels of column "${this.#names[column]}" take more than ${MAX_LEVEL_BYTES / 2 ** 20} MB.`,
        )
      }
    }
  }

  summary(): ArtifactSummary {
    for (const [column, name] of this.#names.entries()) {
      const missing = this.#rowCount - this.#filled[column]!
      const levels = this.#levels[column]
      if (levels !== undefined) {
        const tally = this.#counting.shares.get(name)!
        for (const [id, count] of levels.counts().entries()) tally.add(levels.textOf(id), count)
        tally.add(null, missing)
      }
      for (const tally of this.#numbers[column]!) tally.add(null, missing)
    }
    const formulas = new Map(
      this.#names.flatMap((name, at) => (this.#formulas[at]! > 0 ? [[name, this.#formulas[at]!] as const] : [])),
    )
    const counted = this.#counting.summary(this.#rowCount, this.#names)
    return formulas.size === 0 ? counted : { ...counted, formulas }
  }

  /** Null where missing, NaN for what is neither a number nor a date. */
  #numberAt(bytes: Uint8Array, start: number, end: number): number | null {
    this.#isDate = false
    if (readStandardNumber(bytes, start, end, this.#read)) return this.#read.value
    const text = textAt(bytes, start, end)
    if (isMissingText(text)) return null
    const number = numberIn(STANDARD_NUMBER, text.trim())
    if (!Number.isNaN(number)) return number
    this.#isDate = true
    return DATE_FORMS[0]!.read(text.trim())
  }
}
