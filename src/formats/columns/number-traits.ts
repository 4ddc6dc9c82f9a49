import { AnswerLists } from './answer-lists.ts'
import { bareNumber, DRESSINGS, type Dressing } from './bare-number.ts'
import {
  BEYOND_DOUBLES,
  type ColumnType,
  DECIMAL_COMMAS,
  EXPONENT_CODES,
  LEADING_ZEROS,
  type MarkDecides,
  type NumberType,
  remarked,
  severalAnswers,
  standardType,
  TEXT,
  type TextType,
} from './column-type.ts'
import { hasClockZone } from './date-forms.ts'
import { DigitGroups } from './digit-groups.ts'
import { ExponentCodes } from './exponent-codes.ts'
import {
  DECIMAL_COMMA,
  GROUPED_COMMA,
  GROUPED_POINT,
  hasLeadingZero,
  isUnsafeInteger,
  type NumberForm,
  type NumberMark,
  STANDARD_NUMBER,
  TIME_OF_DAY,
} from './number-forms.ts'

/** How numbers with other signs than a decimal point were read. */
const FORM_REMARKS: Readonly<Record<Exclude<NumberForm['name'], 'grouped-blank'>, string | null>> = {
  standard: null,
  'decimal-comma': DECIMAL_COMMAS,
  'grouped-comma': 'commas, which were read as thousands separators',
  'grouped-point': 'points, which were read as thousands separators',
  'time-of-day': 'times of day, which were read as seconds since midnight',
  duration: 'durations, which were read as seconds',
}

const ZONES = 'times with zones or offsets, which were left out: they are read as they stand'

const LOSSES: readonly Dressing[] = ['parentheses', 'behind']

/** A mark before dashes in place of decimals. */
const DASHED = /\d([.,])[-\u2013\u2014]{1,2}(?= ?\D*$)/

/** Two answers of a question with several: whole numbers without signs. */
const TWO_ANSWERS = /^([1-9]?\d),(?!\1$)[1-9]?\d$/
/** Three or more whole numbers joined by commas: several answers, and no number. */
const MORE_ANSWERS = /^\d+(,\d+){2,}$/

/** What the texts of a column show about the numbers in them. */
export class NumberTraits {
  readonly #points = new DigitGroups('.')
  readonly #commas = new DigitGroups(',')
  readonly #lists = new AnswerLists()
  readonly #exponents = new ExponentCodes()
  readonly #dressings = new Set<Dressing>()
  #isUndressed = false
  #zeros = false
  #unsafe = false
  #zeroFirst = false
  #point = false
  #comma = false
  #blanks = false
  #apostrophes = false
  /** Some number has a comma before dashes in place of decimals: `20,-`. */
  #dashedComma = false
  /** Some number has such dashes and another mark, which groups thousands. */
  #isDashedGroup = false
  #moreAnswers = false
  #couldBeAnswers = true
  #hasZones = false

  /**
   * @param text trimmed, not missing.
   * @param rows that have it.
   */
  add(text: string, rows: number): void {
    const bare = bareNumber(text, this.#dressings)
    if (bare === text) this.#isUndressed = true
    else this.#addDashes(text, bare)
    if (hasLeadingZero(bare)) this.#zeros = true
    if (isUnsafeInteger(bare)) this.#unsafe = true
    if (!this.#hasZones && /\d:\d/.test(text)) this.#hasZones = hasClockZone(text)
    this.#lists.add(text, rows)
    this.#exponents.add(text)
    if (!/\d/.test(bare)) return
    const core = bare.replace(/\p{L}+\.?|[^\d.,+-]/gu, '')
    this.#points.add(core)
    this.#commas.add(core)
    if (/\.\d/.test(bare)) this.#point = true
    if (/\d[ \u00a0\u2009\u202f]\d/.test(bare)) this.#blanks = true
    if (/\d['\u2019\u00b4]\d/.test(bare)) this.#apostrophes = true
    if (!bare.includes(',')) return
    this.#comma = true
    if (/^[+-]?0,/.test(bare)) this.#zeroFirst = true
    if (!TWO_ANSWERS.test(bare)) this.#couldBeAnswers = false
    if (MORE_ANSWERS.test(bare) && GROUPED_COMMA.standardText(bare) === null) this.#moreAnswers = true
  }

  #addDashes(text: string, bare: string): void {
    const mark = DASHED.exec(text)?.[1]
    if (mark === undefined || DASHED.test(bare)) return
    if (mark === ',') this.#dashedComma = true
    if (/\d[.,]\d/.test(bare)) this.#isDashedGroup = true
  }

  /**
   * @param forms that fit equally well, by preference.
   * @param hasStrays some texts have none of the forms.
   */
  typeOf(forms: readonly NumberForm[], mark: NumberMark | null, hasStrays: boolean): ColumnType {
    const first = forms[0]!
    if (this.#zeros) return remarked(LEADING_ZEROS)
    if (this.#unsafe) return remarked(BEYOND_DOUBLES)
    if (this.#exponents.areCodes) return remarked(EXPONENT_CODES)
    const areNoDecimals = first.name !== DECIMAL_COMMA.name || this.#lists.excludeEachOther
    if (mark === null && areNoDecimals && this.#lists.areAnswers) return this.listed(severalAnswers(this.#lists.joint))
    if (this.#moreAnswers && (first.name === DECIMAL_COMMA.name || hasStrays)) return this.listed(TEXT)
    // Labels such as (1) and (2) are no losses: a column of amounts has gains too.
    if (LOSSES.some((name) => this.#dressings.has(name)) && !this.#isUndressed) return TEXT
    const find = ({ name }: NumberForm) => forms.find((form) => form.name === name)
    const dressings: string[] = [...this.#dressings].map((name) => DRESSINGS[name])
    if (first.name === TIME_OF_DAY.name && this.#hasZones) dressings.push(ZONES)
    const marks = [...(mark === null ? [] : [mark.remark]), ...dressings]
    const point = find(GROUPED_POINT)
    if (first.name === STANDARD_NUMBER.name && point !== undefined && this.#points.isOpen) {
      if (this.#isDashedGroup) return this.#read(point, mark, marks)
      const likely = this.#points.isLikely || isAmountInThousands(mark, this.#points)
      return pointDecides(likely, marks, [first, point])
    }
    const grouped = find(GROUPED_COMMA)
    if (first.name !== DECIMAL_COMMA.name || grouped === undefined) return this.#read(first, mark, marks)
    if (this.#isDashedGroup) return this.#read(grouped, mark, marks)
    // A group never begins with a zero, so "0,125" is a decimal comma.
    if (this.#zeroFirst) return this.#read(first, mark, marks)
    const readings = [this.#read(first, mark, marks), this.#read(grouped, mark, marks)] as const
    const couldBeAnswers = mark === null && this.#lists.areAnswers
    const isLikely = this.#commas.isLikely || this.#commas.isAmongWhole || mark?.kind === 'currency'
    const likely = isLikely && !couldBeAnswers ? 'thousands' : null
    return { type: 'mark-decides', mark: ',', readings, likely, couldBeAnswers }
  }

  /** With the codes of the lists that the texts are, if they are lists. */
  listed(text: TextType): TextType {
    const codes = this.#lists.joint === 'commas' ? this.#lists.listed : null
    return codes === null ? text : { ...text, codes }
  }

  #read(form: NumberForm, mark: NumberMark | null, marks: readonly string[]): NumberType {
    const remark = form.name === 'grouped-blank' ? this.#blankRemark() : FORM_REMARKS[form.name]
    const couldBeAnswers =
      form.name === DECIMAL_COMMA.name && mark === null && this.#couldBeAnswers && this.#lists.mayBeAnswers
    const codes = couldBeAnswers ? this.#lists.alone : null
    return {
      type: 'number',
      form,
      decimalMark: this.#decimalMark(form.name),
      couldBeAnswers,
      ...(codes !== null && { codes }),
      remarks: [...marks, ...(remark === null ? [] : [remark])],
    }
  }

  #decimalMark(form: NumberForm['name']): NumberType['decimalMark'] {
    switch (form) {
      case 'standard':
        // `20.-` is written where decimals have commas, too.
        return this.#point ? '.' : this.#dashedComma ? ',' : null
      case 'grouped-comma':
        return '.'
      case 'decimal-comma':
      case 'grouped-point':
        return ','
      case 'grouped-blank':
        return this.#point === this.#comma ? null : this.#point ? '.' : ','
      default:
        return null
    }
  }

  /** The marks that are there: groups are joined by blanks or apostrophes, and decimals have commas, points or both. */
  #blankRemark(): string | null {
    const signs = [...(this.#blanks ? ['blanks'] : []), ...(this.#apostrophes ? ['apostrophes'] : [])]
    const groups = signs.length > 0 ? `${signs.join(' and ')}, which were read as thousands separators` : null
    const both = this.#point && this.#comma ? 'commas and points, which were both read as decimal marks' : null
    return groups !== null && both !== null ? `${groups}, and ${both}` : (groups ?? both)
  }
}

/** Currencies of countries that write decimals with points; amounts below 10 may be prices of a litre, $3.459. */
const WITH_POINTS = /^(?:US|C|A|NZ|HK|S)?\$$|^[£¥₹₦₩]$|^(?:USD|GBP|CAD|AUD|NZD|JPY|CNY|INR|KES|NGN|KRW|MXN|CHF)$/

/** Few amounts have three decimals: where other columns say nothing, points in them group thousands. */
function isAmountInThousands(mark: NumberMark | null, points: DigitGroups): boolean {
  return mark?.kind === 'currency' && (points.isLong || !WITH_POINTS.test(mark.sign))
}

/**
 * Numbers in standard syntax whose points may group thousands.
 *
 * @param isLikely the column itself suggests thousands.
 * @param forms with a decimal point, and with points that group.
 */
export function pointDecides(
  isLikely: boolean,
  marks: readonly string[],
  [standard, grouped]: readonly [NumberForm, NumberForm] = [STANDARD_NUMBER, GROUPED_POINT],
): MarkDecides {
  const read = FORM_REMARKS['grouped-point']!
  return {
    type: 'mark-decides',
    mark: '.',
    readings: [
      { ...standardType(true), form: standard, remarks: marks },
      { ...standardType(false), form: grouped, decimalMark: ',', remarks: [...marks, read] },
    ],
    likely: isLikely ? 'thousands' : null,
    couldBeAnswers: false,
  }
}
