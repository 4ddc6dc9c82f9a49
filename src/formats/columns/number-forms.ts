import { bareNumber } from './bare-number.ts'
import { CLOCK_ZONE } from './date-forms.ts'
import { plainDate } from './date-texts.ts'

/** The forms of numbers in files. Texts are trimmed and not missing. */

export interface NumberForm {
  readonly name:
    | 'standard'
    | 'decimal-comma'
    | 'grouped-comma'
    | 'grouped-point'
    | 'grouped-blank'
    | 'time-of-day'
    | 'duration'
  /** The number with a decimal point and no grouping; null when the text has another form. */
  standardText(text: string): string | null
}

function numberForm(name: NumberForm['name'], pattern: RegExp, standard: (text: string) => string): NumberForm {
  return {
    name,
    standardText: (text) => {
      const bare = bareNumber(text)
      return pattern.test(bare) ? standard(bare) : null
    },
  }
}

export const STANDARD_NUMBER = numberForm('standard', /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/, (text) => text)

export const DECIMAL_COMMA = numberForm('decimal-comma', /^[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d{1,3})?$/, (text) =>
  text.replace(',', '.'),
)

export const GROUPED_COMMA = numberForm(
  'grouped-comma',
  // In India groups above the first have two digits: 12,34,567.
  /^[+-]?(\d{1,3}(,\d{3})+|\d{1,2}(,\d{2})+,\d{3}|\d+)(\.\d*)?$/,
  (text) => text.replaceAll(',', ''),
)

export const GROUPED_POINT = numberForm('grouped-point', /^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d*)?$/, (text) =>
  text.replaceAll('.', '').replace(',', '.'),
)

/** By preference. */
export const NUMBER_FORMS: readonly NumberForm[] = [
  STANDARD_NUMBER,
  DECIMAL_COMMA,
  GROUPED_COMMA,
  GROUPED_POINT,
  numberForm('grouped-blank', /^[+-]?(\d{1,3}([ '\u2019\u00b4\u00a0\u2009\u202f]\d{3})+|\d+)([.,]\d*)?$/, (text) =>
    text.replaceAll(/[ '\u2019\u00b4\u00a0\u2009\u202f]/g, '').replace(',', '.'),
  ),
]

const CLOCK = new RegExp(
  String.raw`^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?(?: ?([AaPp])[Mm])?(?:${CLOCK_ZONE})?$`,
)

/** `17:30`, `5:30 PM`, `17:30:05.5`, `9:05 a. m.`, `17h30`, `17:30+02:00`, `5:30 PM EST`, as seconds since midnight where it was asked. */
export const TIME_OF_DAY: NumberForm = {
  name: 'time-of-day',
  standardText: (text) => {
    const parts = CLOCK.exec(plainDate(text))
    if (parts === null) return null
    const [, hours, minutes, seconds, fraction, half] = parts
    // Noon and midnight are 12 on a 12-hour clock.
    const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0)
    return `${3600 * hour + 60 * Number(minutes) + Number(seconds ?? 0)}.${fraction ?? ''}`
  },
}

/** `PT1H30M`, `P1DT2H`: ISO 8601. Months and years have no fixed length, and P1D may be a product. */
const ISO_DURATION = /^([+-]?)P(?:(\d{1,6})D)?T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?$/

/** `34:52:59`, `-1:30:00`, `1 days 02:30:00` as pandas writes it, and `PT1H30M`, as seconds. */
export const DURATION = numberForm(
  'duration',
  new RegExp(String.raw`^[+-]?(?:\d{1,6} days?,? \+?)?\d{1,4}:[0-5]\d:[0-5]\d(\.\d{1,9})?$|${ISO_DURATION.source}`),
  (text) => {
    const iso = ISO_DURATION.exec(text)
    if (iso !== null) {
      const [days = 0, hours = 0, minutes = 0, seconds = 0] = iso.slice(2).map((part) => Number(part ?? 0))
      return `${iso[1]}${Number((86_400 * days + 3600 * hours + 60 * minutes + seconds).toFixed(9))}`
    }
    const [, days, sign, hours, minutes, seconds, fraction] =
      /^(?:([+-]?\d+) days?,? \+?)?([+-]?)(\d+):(\d+):(\d+)(?:\.(\d+))?$/.exec(text)!
    const whole = 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds)
    if (days === undefined) return `${sign}${whole}.${fraction ?? ''}`
    // Before 0 the days are rounded down: -1 days +23:59:59 is -1 s.
    const inAll = 86_400 * Number(days) + whole + Number(`0.${fraction ?? 0}`)
    return String(Number(inAll.toFixed(9)))
  },
)

/** The number of a text, NaN when it has another form or is beyond all doubles. Never a negative zero. */
export function numberIn(form: NumberForm, text: string): number {
  const standard = form.standardText(text)
  if (standard === null) return Number.NaN
  const value = Number(standard)
  return Number.isFinite(value) ? value + 0 : Number.NaN
}

export const MAX_DECIMALS = 12

/** Decimals of a number in standard syntax: trailing zeros do not count, at most 12. */
export function decimalsOf(standard: string): number {
  const [mantissa = '', exponent = '0'] = standard.toLowerCase().split('e')
  const places = (mantissa.split('.')[1] ?? '').replace(/0+$/, '').length
  return Math.min(MAX_DECIMALS, Math.max(0, places - Number(exponent)))
}

/** A code such as 007: its zeros show that it is not a number. */
export function hasLeadingZero(text: string): boolean {
  return /^[+-]?0\d+$/.test(text)
}

/** A whole number too long for a double: beyond 2^53 neighbours become equal. */
export function isUnsafeInteger(text: string): boolean {
  return text.length >= 16 && /^[+-]?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text))
}

/**
 * A sign that names the unit of a column's numbers: `12%`, `$1,200`. Every number has the sign of per cent; one without it may be
 * a fraction. An amount without the sign of its currency is an amount like the others.
 */
export interface NumberMark {
  readonly kind: 'percent' | 'currency'
  readonly sign: string
  /** By preference, as NUMBER_FORMS. */
  readonly forms: readonly NumberForm[]
  /** How it was read; follows "has". */
  readonly remark: string
  /** The same where some numbers lack the sign; null where all have it. */
  readonly bareRemark: string | null
}

/** In patterns: signs of currencies and their codes, alone or before `$`. */
const CURRENCY = String.raw`(?:[A-Z]{0,3}\$|[\u20a0-\u20c0£¥฿円元]|${[
  'USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|SEK|NOK|DKK|PLN|CZK|HUF|RUB|BRL|MXN|AUD|CAD|NZD|ZAR|KES|NGN|PKR|THB|KRW|Euro|euros?',
  'zł|kr\\.?|Kč|Ft|S?Fr\\.|Rs\\.?|руб\\.|лв\\.?|грн\\.?|TL',
].join('|')})`
const BEFORE = new RegExp(`^[+-]? ?(${CURRENCY}) ?[+-]?[\\d.,]`)
const AFTER = new RegExp(`[\\d.,][ \u00a0\u202f]?(%|${CURRENCY})$`)

/** The mark of a number, null when it has none. */
export function markOf(text: string): NumberMark | null {
  return markIn(bareNumber(text))
}

function markIn(text: string): NumberMark | null {
  const before = BEFORE.exec(text)?.[1]
  if (before !== undefined) return currency(before, (form) => prefixed(form, before))
  const after = AFTER.exec(text)?.[1]
  if (after === '%' || /^[+-]?%[\d.,]/.test(text)) return PERCENT
  return after === undefined ? null : currency(after, (form) => suffixed(form, after))
}

export const PERCENT: NumberMark = {
  kind: 'percent',
  sign: '%',
  // Turkish and Basque put the sign first.
  forms: NUMBER_FORMS.map((form) => either(suffixed(form, '%'), prefixed(form, '%'))),
  remark: 'percentages, which were read as numbers ("12%" as 12)',
  bareRemark: null,
}

function currency(sign: string, marked: (form: NumberForm) => NumberForm): NumberMark {
  return {
    kind: 'currency',
    sign,
    forms: NUMBER_FORMS.map((form) => either(marked(form), form)),
    remark: `amounts in "${sign}", which were read as numbers`,
    bareRemark: `amounts in "${sign}" and some without it, which were all read as numbers of one unit`,
  }
}

function prefixed(form: NumberForm, sign: string): NumberForm {
  const pattern = new RegExp(`^([+-]?) ?${literal(sign)} ?(.*)$`)
  return {
    name: form.name,
    standardText: (text) => {
      const parts = pattern.exec(bareNumber(text))
      return parts === null ? null : form.standardText(`${parts[1]}${parts[2]}`)
    },
  }
}

function suffixed(form: NumberForm, sign: string): NumberForm {
  const pattern = new RegExp(`^(.*?)[ \u00a0\u202f]?${literal(sign)}$`)
  return {
    name: form.name,
    standardText: (text) => {
      const parts = pattern.exec(bareNumber(text))
      return parts === null ? null : form.standardText(parts[1]!)
    },
  }
}

function either(one: NumberForm, other: NumberForm): NumberForm {
  return { name: one.name, standardText: (text) => one.standardText(text) ?? other.standardText(text) }
}

function literal(sign: string): string {
  return sign.replaceAll(/[$.]/g, '\\$&')
}
