import { monthNamed } from './month-names.ts'

/** Months without a day, as people and programs write them. */

const YEAR = String.raw`(?<year>(?:1[89]|20)\d{2})`
const NUMBER = String.raw`(?<month>\d{1,2})`
const NAME = String.raw`(?<month>\p{L}{3,12}\.?)`

const PATTERNS = [
  `${YEAR}(?:[-/M]| ?年 ?)${NUMBER}(?: ?月)?`,
  `${NUMBER}[-/.]${YEAR}`,
  `${NAME}[ -]${YEAR}`,
  `${YEAR}[ -]${NAME}`,
].map((pattern) => new RegExp(`^${pattern}$`, 'u'))

export interface Month {
  readonly year: number
  /** From 1. */
  readonly month: number
}

/** `2024-03`, `2024M03`, `03/2024`, `Mar 2024`; null for other texts. */
export function monthIn(text: string): Month | null {
  for (const pattern of PATTERNS) {
    const groups = pattern.exec(text)?.groups
    if (groups === undefined) continue
    const { year = '', month = '' } = groups
    const number = /^\d/.test(month) ? Number(month) : monthNamed(month)
    return number >= 1 && number <= 12 ? { year: Number(year), month: number } : null
  }
  return null
}
