import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import type { LocatedEntry, LocatedMap, LocatedScalar } from '../yaml/located-node.ts'

const PERCENT = /^([-+]?\d+(?:[.,]\d+)?)\s*%$/
const DECIMAL_COMMA = /^[-+]?\d*,\d+$/
const GROUPED = /^[-+]?\d{1,3}(?:([,_' \u00A0\u202F])\d{3})(?:\1\d{3})*(?:\.\d+)?$/
const UNDERSCORED = /^[-+]?\d+(?:_\d+)+(?:\.\d+)?$/
const PLAIN_NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/
const DATE = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[-+]\d{2}:\d{2})?)?$/
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
  return DATE.test(text) ? dateTrap(text, range) : null
}

function dateTrap(text: string, range: SourceRange): Diagnostic {
  const milliseconds = utcMilliseconds(text)
  const isThere = Number.isFinite(milliseconds) && isCalendarDay(text.slice(0, 10))
  return diagnose('S1207', {
    summary: isThere ? `"${text}" is a date, not a number` : `"${text}" is not a valid date, and not a number`,
    range,
    detail: `write ${isThere ? `${milliseconds}, ` : ''}the milliseconds since 1970-01-01 UTC`,
  })
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
        : 'such numbers lose digits in transit\nfor a range that is open at this end, write the bound of the column',
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

/** The date parser reads 2024-02-30 as the first of March. */
function isCalendarDay(day: string): boolean {
  const milliseconds = Date.parse(day)
  return Number.isFinite(milliseconds) && new Date(milliseconds).toISOString().startsWith(day)
}

/** Text without an offset counts as UTC. */
function utcMilliseconds(text: string): number {
  const iso = text.replace(/[t ]/, 'T').toUpperCase()
  return Date.parse(iso.includes('T') && !/(?:Z|[-+]\d{2}:\d{2})$/.test(iso) ? `${iso}Z` : iso)
}
