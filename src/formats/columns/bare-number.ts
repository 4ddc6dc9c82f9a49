import { latinDigits } from './latin-digits.ts'

/** What people and programs put around a number, which is no part of its value. */

/** Names of the dressings, with what a note says of a column that has them; it follows "has". */
export const DRESSINGS = {
  parentheses: 'numbers in parentheses, which were read as negative',
  guard: 'apostrophes before signs, which guard against formulas and were left out',
  formula: 'numbers written as formulas (="12"), which were read as numbers',
  minus: 'minus signs (U+2212), which were read as "-"',
  dash: 'dashes before numbers, which were read as minus signs',
  behind: 'minus signs behind numbers, which were read as negative',
  digits: 'digits other than 0 to 9, which were read as these',
  dashes: 'dashes in place of decimals, which were left out',
} as const

export type Dressing = keyof typeof DRESSINGS

const PARENTHESES = /^([^\d().,-]*)\(([^()]*\d[^()]*)\)$/
const FORMULA = /^="([^"]*)"$/
/** `20.–`, `20,-`: nothing behind the point. */
const DASHES = /(?<=\d)[.,](?:-{1,2}|[\u2013\u2014])(?= ?[^\d]*$)/
const GUARD = /^'(?=[-+=@\u2212])/

/** Hyphens and dashes that people and programs type for a minus sign. */
const DASH_BEFORE = /^[\u2010-\u2013\ufe63](?=\D{0,5}\d)/
/** `1.234,50-`, as SAP writes an amount below zero; without decimals it may be a mark at school. */
const MINUS_BEHIND = /^([^\d-]*)(\d[\d.,'\u2019 \u00a0\u202f]*[.,]\d+)-(?=\D*$)/

/** @returns the number as it would be without dressings, and their names; the text itself for most texts. */
export function bareNumber(text: string, found?: Set<Dressing>): string {
  let bare = text
  const strip = (name: Dressing, without: string): void => {
    if (without === bare) return
    found?.add(name)
    bare = without
  }
  const first = text.charCodeAt(0)
  if (first === 0x27) strip('guard', bare.replace(GUARD, ''))
  if (first === 0x3d) strip('formula', bare.replace(FORMULA, '$1').trim())
  if (/[^\u0020-\u007e]/.test(bare)) strip('digits', latinDigits(bare))
  if (/[.,][-\u2013\u2014]/.test(bare)) strip('dashes', bare.replace(DASHES, ''))
  if (bare.includes('\u2212')) strip('minus', bare.replaceAll('\u2212', '-'))
  if (first >= 0x2010) strip('dash', bare.replace(DASH_BEFORE, '-'))
  if (bare.lastIndexOf('-') > 0) strip('behind', bare.replace(MINUS_BEHIND, '$1-$2'))
  // Accountants write a loss of 3 as (3), and of 3 dollars as ($3) or $(3).
  if (bare.endsWith(')')) strip('parentheses', bare.replace(PARENTHESES, '-$1$2'))
  return bare
}
