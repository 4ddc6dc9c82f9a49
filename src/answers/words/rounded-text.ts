import { words } from '../../base/language/language.ts'
import { figureText } from './difference-text.ts'

/**
 * The rule of the Particle Data Group for rounding by an error: two digits of an error that begins with 100 to 354, one
 * digit of a larger one. Made for `figureText`, which keeps two digits of what it is given.
 */
export function roundingOf(standardError: number): number {
  const leading = standardError / 10 ** Math.floor(Math.log10(standardError))
  return leading < 3.55 ? standardError : standardError * 10
}

export function signed(value: number, step: number | null): string {
  const text = grouped(figureText(value, step))
  if (!/[1-9]/.test(text)) return text.replace('-', '')
  return value > 0 ? `+${text}` : text
}

/** An end that rounds to 0 keeps its sign, because readers check whether the interval contains 0. */
export function end(value: number, step: number | null): string {
  const text = grouped(figureText(value, step))
  if (value === 0 || /[1-9]/.test(text)) return text
  return `${value < 0 ? '-' : '+'}${text.replace('-', '')}`
}

/** A side that rounds to 0 has no sign. */
export const unsigned = (text: string): string => grouped(/[1-9]/.test(text) ? text : text.replace('-', ''))

/** `12,345.6`: from five digits on, so that years stay as they are. As the language in effect writes it. */
export function grouped(text: string): string {
  const { group, decimal } = words().numbers
  const [whole = '', ...rest] = text.split('.')
  const isLong = whole.length >= 5 && /^-?\d{5,}$/.test(whole)
  return [isLong ? whole.replace(/\B(?=(?:\d{3})+$)/g, group) : whole, ...rest].join(decimal)
}
