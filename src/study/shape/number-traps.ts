import { momentOf } from '../../base/rfc3339.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { LocatedEntry, LocatedMap, LocatedScalar } from '../yaml/located-node.ts'

const PERCENT = /^([-+]?\d+(?:[.,]\d+)?)\s*%$/
const DECIMAL_COMMA = /^[-+]?\d*,\d+$/
const GROUPED = /^[-+]?\d{1,3}(?:([,_' \u00A0\u202F])\d{3})(?:\1\d{3})*(?:\.\d+)?$/
const UNDERSCORED = /^[-+]?\d+(?:_\d+)+(?:\.\d+)?$/
const PLAIN_NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/
const DATE = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[-+]\d{2}:\d{2})?)?$/
const PARTS_OF_TIME = /^(.{10})[Tt ](\d{2}:\d{2})(:\d{2})?(\.\d+)?([Zz]|[-+]\d{2}:\d{2})?$/
const NOT_FINITE = /^[-+]?\.(?:inf|nan)$|^[-+]?(?:inf|infinity|nan)$/i

/**
 * The fault of a value that was probably meant as a number; null when no number seems to have been meant. Each slip has
 * its own message that shows the correct form (study language, section 3). `isInteger`: whether an integer is required,
 * or any number, as for the bounds of a range.
 */
export function numberTrap(scalar: LocatedScalar, isInteger = true): Diagnostic | null {
  const { range } = scalar
  if (typeof scalar.value === 'number') return unsafeNumber(scalar, scalar.value, isInteger)
  if (typeof scalar.value !== 'string') return null
  const text = scalar.value.trim()
  const percent = PERCENT.exec(text)
  if (percent !== null) {
    const written = percent[1]!.replace(',', '.')
    return diagnose('S1201', {
      summary: `"${text}" is text, not a number`,
      range,
      detail: `write ${shareOfPercent(Number(written))}`,
    })
  }
  // 1,000 means a thousand rather than one, like 1,000,000. 0,700 cannot be a group of thousands.
  const isGrouped = (GROUPED.test(text) && !/^[-+]?0/.test(text)) || UNDERSCORED.test(text)
  if (isGrouped) {
    return diagnose('S1203', {
      summary: `"${text}" is text, not a number`,
      range,
      detail: `write ${text.replaceAll(/[,_' \u00A0\u202F]/g, '')}`,
    })
  }
  if (DECIMAL_COMMA.test(text)) {
    return diagnose('S1202', {
      summary: `"${text}" is text, not a number`,
      range,
      detail: `use a decimal point: write ${text.replace(/^([-+]?),/, '$10.').replace(',', '.')}`,
    })
  }
  if (PLAIN_NUMBER.test(text)) {
    return diagnose('S1204', { summary: `"${text}" in quotes is text, not a number`, range, detail: `write ${text}` })
  }
  if (NOT_FINITE.test(text)) return notFinite(scalar, text)
  if (!DATE.test(text)) return null
  return (
    dateTrap(scalar) ??
    diagnose('S1207', {
      summary: `"${text}" is a date, not a number`,
      range,
      detail: 'only the ends of ranges may be dates',
    })
  )
}

/** The fault of a text that was probably meant as the end of a range of dates; null for RFC 3339 and for other text. */
export function dateTrap({ value, range }: LocatedScalar): Diagnostic | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (!DATE.test(text) || momentOf(value, 'min') !== null) return null
  const whole = wholeTime(text)
  return momentOf(whole, 'min') === null
    ? diagnose('S1207', {
        summary: `"${text}" is not in the calendar`,
        range,
        detail: 'write a date such as 2026-10-05, or a time such as 2026-10-05T08:00:00Z',
      })
    : diagnose('S1207', {
        summary: `"${text}" is not a time in RFC 3339`,
        range,
        detail: `write ${whole} for a time in UTC, or end it with an offset such as +02:00`,
      })
}

/** With seconds and an offset. */
function wholeTime(text: string): string {
  const [, day, minutes = '', seconds = ':00', fraction = '', offset = 'Z'] = PARTS_OF_TIME.exec(text) ?? []
  return minutes === '' ? text : `${day}T${minutes}${seconds}${fraction}${offset}`
}

/**
 * `{ North: 0,7 }`: between braces a comma ends the entry, and `7` becomes a key without value. Null when `entry` is not
 * such a key.
 */
export function splitAtComma(map: LocatedMap, entry: LocatedEntry): Diagnostic | null {
  const isDigits = entry.isUnquoted && /^\d+$/.test(entry.key)
  if (!isDigits || entry.value.kind !== 'scalar' || entry.value.value !== null) return null
  const before = [...map.entries.values()].find(
    ({ value }) => value.range.end.offset + 1 === entry.keyRange.start.offset && value.kind === 'scalar',
  )?.value
  const whole = before?.kind === 'scalar' && typeof before.value === 'number' ? before.source : null
  if (before === undefined || whole === null) return null
  const isThousands = entry.key.length === 3 && !/^[-+]?0/.test(whole)
  return diagnose(isThousands ? 'S1203' : 'S1202', {
    summary: `"${whole},${entry.key}" is read as two entries, not as a number`,
    range: { ...before.range, end: entry.keyRange.end },
    detail: isThousands ? `write ${whole}${entry.key}` : `use a decimal point: write ${whole}.${entry.key}`,
  })
}

/** A warning for `007`, which other readers take as octal; null for every other number. */
export function leadingZero(scalar: LocatedScalar): Diagnostic | null {
  const source = scalar.source ?? ''
  if (typeof scalar.value !== 'number' || !/^[-+]?0[0-9]/.test(source)) return null
  return diagnose('W1208', {
    summary: `${source} is read as the number ${scalar.value}`,
    range: scalar.range,
    detail: `write ${scalar.value}`,
  })
}

function unsafeNumber(scalar: LocatedScalar, value: number, isInteger: boolean): Diagnostic | null {
  const written = scalar.source ?? String(value)
  if (!Number.isFinite(value)) return notFinite(scalar, written)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return diagnose('S1206', {
      summary: `${written} is a whole number beyond ±${Number.MAX_SAFE_INTEGER}`,
      range: scalar.range,
      detail: isInteger
        ? 'such numbers lose digits in transit; write a smaller one'
        : 'such numbers lose digits in transit\nfor a range that is open at this end, leave the end out',
    })
  }
  return null
}

function notFinite(scalar: LocatedScalar, written: string): Diagnostic {
  return diagnose('S1205', {
    summary: `${written} is not a finite number`,
    range: scalar.range,
    detail: 'write a number between -1.8e308 and 1.8e308',
  })
}

/** 70 → "0.70"; written with at least two decimals, as shares usually are. */
function shareOfPercent(percent: number): string {
  const share = Number((percent / 100).toPrecision(15))
  return String(share).length < 4 ? share.toFixed(2) : String(share)
}
