import { words } from '../../../base/language/language.ts'
import { localNumber } from '../../../base/language/local-number.ts'
/** The number of a tick, as short as it can be said: `−0.5`, `1,200`, `45k`, `1.2M`. */
export function tickText(value: number): string {
  const size = Math.abs(value)
  const unit = UNITS.find(([least]) => size >= least)
  const text = unit === undefined ? numberText(size) : `${numberText(size / unit[1])}${unit[2]}`
  return value < 0 ? `\u2212${text}` : text
}

/** From, divisor, letter. Four digits stay as they are, because years have four. */
const UNITS = [
  [1e9, 1e9, 'G'],
  [1e6, 1e6, 'M'],
  [1e4, 1e3, 'k'],
] as const

const numberText = (value: number): string => localNumber(String(Number(value.toPrecision(6))))

/** The day of a time in milliseconds since 1970. Empty for what no calendar has. */
export function dayText(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? '' : words().numbers.date(date.toISOString().slice(0, 10))
}

/** A figure of a column, for a drawing: four digits, whole numbers whole. */
export function shortFigure(value: number, isDate: boolean): string {
  if (isDate) return dayText(value)
  return grouped(Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4))))
}

/** The same for a table: six digits. */
export function figureOf(value: number, isDate: boolean): string {
  if (isDate) return dayText(value)
  return grouped(Math.abs(value) >= 1e5 ? String(Math.round(value)) : String(Number(value.toPrecision(6))))
}

/** Whole numbers are grouped from five digits on; others are short. */
const grouped = (text: string): string =>
  /^-?\d{5,}$/.test(text) ? text.replace(/\B(?=(?:\d{3})+$)/g, words().numbers.group) : localNumber(text)
