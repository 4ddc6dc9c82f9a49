import { listText } from '../../base/text/amount-text.ts'
import { Candidate, dateCandidate, fitting, numberCandidate } from './candidate.ts'
import { type ColumnType, orderRemarks, remarked, standardType, TEXT } from './column-type.ts'
import {
  DATE_FORMS,
  type DateForm,
  hasShortYear,
  isImpossibleDate,
  MONTHS,
  SEVERAL_FORMS,
  zoneName,
} from './date-forms.ts'
import { DigitGroups } from './digit-groups.ts'
import { latinDigits } from './latin-digits.ts'
import { MostlyDecimals } from './mostly-decimals.ts'
import { DURATION, markOf, NUMBER_FORMS, type NumberForm, type NumberMark, TIME_OF_DAY } from './number-forms.ts'
import { readStandardNumber, type WrittenNumber } from './number-syntax.ts'
import { NumberTraits, pointDecides } from './number-traits.ts'
import type { TextCounts } from './text-counts.ts'
import { isMissingMark, isMissingWord, MAX_WORD_BYTES, presentText } from './value-forms.ts'

/** A column of dates or numbers may hold this share of rows with something else, which are then missing. */
export const MAX_STRAY_SHARE = 0.005
/** Rows from which one may be a slip. */
const STRAY_ROWS = 100
/** A date that no calendar has is a slip without doubt. */
export const MAX_IMPOSSIBLE_SHARE = 0.05

/** Different texts that are looked at in any case. */
const MIN_SEEN = 100

/** No number and no date is longer. */
const MAX_VALUE_BYTES = 200

const MIXED_FORMS = 'dates of several forms, such as 2024-12-31 and 31.12.2024, each of which was read by its own'
const UNREAD_FORMS =
  'dates of several forms, of which some could be day first or month first, and were kept as text; write all of them as 2024-12-31'
const IMPOSSIBLE =
  'dates of which many are in no calendar, such as 2024-02-30 or 2024-05-00, and were kept as text; correct them in the file, or empty those cells'
const MONTHS_READ =
  'months without a day, each of which was read as the first day of the month; to have levels, declare the column "categorical" in "types"'
/** Few months are levels, such as those of waves, and so are those of two years where each has its rows; more are a time. */
const FEW_MONTHS = 12
const MOST_MONTH_LEVELS = 24
const MIN_MONTH_ROWS = 10
const SHORT_YEARS = 'dates with two-digit years, which were read as years from 1930 to 2029'

/**
 * Finds the narrowest type that holds for the distinct texts of a column. A column of dates or numbers may also hold
 * marks such as "-", and a few texts that are neither; both are then missing.
 */
export function inferColumn(texts: TextCounts): ColumnType {
  const counts = texts.counts()
  if (areStandardNumbers(texts, counts)) return standardOr(texts, counts)
  const tally = new Tally(counts.reduce((sum, count) => sum + count, 0))
  for (let id = 0; id < texts.size && !tally.isText; id++) {
    const count = counts[id]!
    if (count === 0) continue
    if (texts.endOf(id) - texts.startOf(id) > MAX_VALUE_BYTES && !hasOuterBlank(texts, id)) {
      tally.addOther(count)
      continue
    }
    const text = presentText(texts.textOf(id))
    if (text !== null) tally.add(text, count)
  }
  return tally.type()
}

/** Whether all texts that are not missing are certainly numbers in standard syntax, without exponents; makes hardly any strings. */
function areStandardNumbers(texts: TextCounts, counts: Uint32Array): boolean {
  const number: WrittenNumber = { value: 0, decimals: 0 }
  let found = false
  for (let id = 0; id < texts.size; id++) {
    if (counts[id] === 0) continue
    const start = texts.startOf(id)
    const end = texts.endOf(id)
    if (readStandardNumber(texts.bytes, start, end, number)) {
      if (hasExponent(texts.bytes, start, end)) return false
      found = true
      continue
    }
    if (end - start > MAX_WORD_BYTES) return false
    const text = texts.textOf(id)
    if (!isMissingWord(text) && !isMissingMark(text)) return false
  }
  return found
}

function hasExponent(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i]! | 0x20) === 0x65) return true
  return false
}

/** Numbers in standard syntax, whose points may group thousands all the same. */
function standardOr(texts: TextCounts, counts: Uint32Array): ColumnType {
  const points = new DigitGroups('.')
  for (let id = 0; id < texts.size && !points.isContradicted; id++) {
    const text = counts[id]! > 0 ? presentText(texts.textOf(id)) : null
    if (text !== null && !isMissingMark(text)) points.add(text)
  }
  return points.isOpen ? pointDecides(points.isLikely, []) : standardType(hasPoint(texts, counts))
}

function hasPoint(texts: TextCounts, counts: Uint32Array): boolean {
  const number: WrittenNumber = { value: 0, decimals: 0 }
  for (let id = 0; id < texts.size; id++) {
    if (counts[id] === 0) continue
    if (readStandardNumber(texts.bytes, texts.startOf(id), texts.endOf(id), number) && number.decimals > 0) return true
  }
  return false
}

function hasOuterBlank(texts: TextCounts, id: number): boolean {
  const isVisible = (byte: number) => byte > 0x20 && byte < 0x7f
  return !isVisible(texts.bytes[texts.startOf(id)]!) || !isVisible(texts.bytes[texts.endOf(id) - 1]!)
}

class Tally {
  readonly #mostStrays: number
  readonly #mostImpossible: number
  readonly #numbers = [...NUMBER_FORMS, TIME_OF_DAY, DURATION].map(numberCandidate)
  readonly #dates = DATE_FORMS.map(dateCandidate)
  readonly #severalForms = dateCandidate(SEVERAL_FORMS)
  readonly #months = dateCandidate(MONTHS)
  readonly #anyDate = new Candidate(null, (text) => DATE_FORMS.some((form) => !Number.isNaN(form.read(text))))
  readonly #areDates: ReadonlySet<Candidate<unknown>> = new Set([...this.#dates, this.#severalForms])
  /** Rows with a date that no calendar has. */
  #impossible = 0
  #marked: readonly Candidate<NumberForm>[] = []
  #candidates: readonly Candidate<unknown>[] = [
    ...this.#numbers,
    ...this.#dates,
    this.#severalForms,
    this.#months,
    this.#anyDate,
  ]
  #mark: NumberMark | null = null
  /** Some number has no mark although others have. */
  #hasBare = false
  #isBoolean = true
  #values = 0
  #rows = 0
  readonly #traits = new NumberTraits()
  readonly #decimals = new MostlyDecimals()
  readonly #zones = new Set<string>()
  #shortYear = false
  #strayBefore = 0

  /** @param rows all rows of the column that are filled. */
  constructor(rows: number) {
    this.#mostStrays = Math.max(rows >= STRAY_ROWS ? 1 : 0, Math.floor(MAX_STRAY_SHARE * rows))
    this.#mostImpossible = Math.max(this.#mostStrays, Math.floor(MAX_IMPOSSIBLE_SHARE * rows))
  }

  /** No further text can change that; some show the decimal mark of the numbers among them. */
  get isText(): boolean {
    return !this.#isBoolean && this.#values >= MIN_SEEN && this.#candidates.every(({ isOut }) => isOut)
  }

  /** A text that is not short enough for a value. */
  addOther(count: number): void {
    this.#isBoolean = false
    this.#values++
    this.#rows += count
    for (const candidate of this.#candidates) candidate.stray(count, this.#mostStrays)
    if (this.#mark === null) this.#strayBefore += count
  }

  /** @param written trimmed, not missing. */
  add(written: string, count: number): void {
    const text = latinDigits(written)
    if (this.#isBoolean && !/^(true|false)$/i.test(text)) this.#isBoolean = false
    if (isMissingMark(text)) return
    this.#values++
    this.#rows += count
    if (this.#mark === null) this.#findMark(text, count)
    else if (!this.#hasBare && this.#mark.bareRemark !== null) this.#hasBare = markOf(text) === null
    const isImpossible = isImpossibleDate(text)
    if (isImpossible) this.#impossible += count
    for (const candidate of this.#candidates) {
      if (candidate.isOut || candidate.fits(text)) continue
      if (isImpossible && this.#areDates.has(candidate)) candidate.strayDate(count, this.#mostImpossible)
      else candidate.stray(count, this.#mostStrays)
    }
    const zone = zoneName(text)
    if (zone !== null) this.#zones.add(zone)
    this.#traits.add(written, count)
    if (this.#values <= MIN_SEEN) this.#decimals.add(written)
    if (!this.#shortYear && /\d/.test(text) && hasShortYear(text)) this.#shortYear = this.#fitsDate(text)
  }

  #fitsDate(text: string): boolean {
    return this.#dates.some((candidate) => !candidate.isOut && candidate.fits(text))
  }

  #findMark(text: string, count: number): void {
    const mark = markOf(text)
    if (mark === null) {
      this.#strayBefore += count
      return
    }
    this.#mark = mark
    this.#marked = mark.forms.map(numberCandidate)
    this.#candidates = [...this.#candidates, ...this.#marked]
    if (this.#strayBefore === 0) return
    this.#hasBare = true
    for (const [i, candidate] of this.#marked.entries()) {
      if (mark.bareRemark === null) candidate.stray(this.#strayBefore, this.#mostStrays)
      // Numbers without the mark fit as they fit the form without one.
      else candidate.follow(this.#numbers[i]!)
    }
  }

  type(): ColumnType {
    if (this.#isBoolean && this.#values > 0) return { type: 'boolean', remarks: [] }
    if (this.#values === 0) return TEXT
    const numbers = fitting(this.#numbers)
    const marked = fitting(this.#marked)
    const dates = this.#fittingDates()
    const fewest = Math.min(...[numbers, marked, dates].map(([best]) => best?.strayRows ?? Number.POSITIVE_INFINITY))
    if (fewest === Number.POSITIVE_INFINITY) return this.#textType()
    if (numbers[0]?.strayRows === fewest) return this.#numberType(numbers, null)
    if (marked[0]?.strayRows === fewest) return this.#numberType(marked, this.#mark)
    return this.#dateType(dates)
  }

  #textType(): ColumnType {
    if (this.#areMonths()) return { type: 'time', form: MONTHS, remarks: [MONTHS_READ] }
    if (this.#impossible > this.#mostImpossible) return remarked(IMPOSSIBLE)
    if (!this.#anyDate.isOut && this.#hasValues(this.#anyDate)) return remarked(UNREAD_FORMS)
    const { mark } = this.#decimals
    const text = this.#traits.listed(TEXT)
    return mark === null ? text : { ...text, decimalMark: mark }
  }

  #areMonths(): boolean {
    if (this.#months.isOut || !this.#hasValues(this.#months)) return false
    if (this.#values <= FEW_MONTHS) return false
    return this.#values > MOST_MONTH_LEVELS || this.#rows < MIN_MONTH_ROWS * this.#values
  }

  #fittingDates(): readonly Candidate<DateForm>[] {
    const dates = fitting(this.#dates)
    const several = this.#severalForms
    return !several.isOut && several.strayRows < (dates[0]?.strayRows ?? Number.POSITIVE_INFINITY) ? [several] : dates
  }

  #numberType(fits: readonly Candidate<NumberForm>[], mark: NumberMark | null): ColumnType {
    const first = fits[0]!
    if (!this.#hasValues(first)) return TEXT
    return this.#traits.typeOf(
      fits.map(({ form }) => form),
      mark !== null && this.#hasBare ? { ...mark, remark: mark.bareRemark ?? mark.remark } : mark,
      first.strayRows > 0,
    )
  }

  #dateType(fits: readonly Candidate<DateForm>[]): ColumnType {
    const first = fits[0]!
    if (!this.#hasValues(first)) return TEXT
    const remarks = this.#shortYear ? [SHORT_YEARS] : []
    if (this.#zones.size > 0) remarks.push(zoneRemark(this.#zones))
    if (first.form === SEVERAL_FORMS) return { type: 'time', form: first.form, remarks: [MIXED_FORMS, ...remarks] }
    const readings = fits.map(({ form }) => form)
    if (readings.length > 1) return { type: 'order-decides', readings, remarks }
    // Strays that fit another order show that the column is written in both.
    const isMixed = first.strayRows > 0 && this.#dates.some((other) => other !== first && !other.isOut)
    if (isMixed) return { type: 'order-decides', readings: [], remarks: [] }
    return { type: 'time', form: first.form, remarks: [...orderRemarks(first.form), ...remarks] }
  }

  /** One text beside another one is no column of values with a slip. */
  #hasValues({ strayTexts }: Candidate<unknown>): boolean {
    return strayTexts === 0 || this.#values - strayTexts > 2 * strayTexts
  }
}

function zoneRemark(zones: ReadonlySet<string>): string {
  const names = listText([...zones].sort(), 3)
  return `times with names of zones (${names}), which were read as they stand; write offsets such as -04:00 to have them in UTC`
}
