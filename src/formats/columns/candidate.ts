import type { DateForm } from './date-forms.ts'
import { type NumberForm, numberIn } from './number-forms.ts'

/** A text that occurs more often is an answer, not a slip. */
export const MAX_STRAY_REPEATS = 4

/** How well a form fits the texts so far. */
export class Candidate<Form> {
  readonly form: Form
  readonly fits: (text: string) => boolean
  /** Rows with another text. */
  strayRows = 0
  strayTexts = 0
  isOut = false
  /** Of the stray rows, those with a date that no calendar has. */
  #impossibleRows = 0

  constructor(form: Form, fits: (text: string) => boolean) {
    this.form = form
    this.fits = fits
  }

  /** As if it had been there for all texts that another candidate saw. */
  follow(other: Candidate<Form>): void {
    this.strayRows = other.strayRows
    this.strayTexts = other.strayTexts
    this.isOut = other.isOut
  }

  stray(count: number, mostRows: number): void {
    this.strayRows += count
    this.strayTexts++
    if (this.strayRows - this.#impossibleRows > mostRows || count > MAX_STRAY_REPEATS) this.isOut = true
  }

  /** A date that no calendar has is no answer, however many rows have it. */
  strayDate(count: number, mostRows: number): void {
    this.strayRows += count
    this.strayTexts++
    this.#impossibleRows += count
    if (this.#impossibleRows > mostRows) this.isOut = true
  }
}

export function numberCandidate(form: NumberForm): Candidate<NumberForm> {
  return new Candidate(form, (text) => /\d/.test(text) && !Number.isNaN(numberIn(form, text)))
}

export function dateCandidate(form: DateForm): Candidate<DateForm> {
  return new Candidate(form, (text) => /\d/.test(text) && !Number.isNaN(form.read(text)))
}

/** The candidates with the fewest strays, by preference. */
export function fitting<Form>(candidates: readonly Candidate<Form>[]): readonly Candidate<Form>[] {
  const left = candidates.filter(({ isOut }) => !isOut)
  const fewest = Math.min(...left.map(({ strayRows }) => strayRows))
  return left.filter(({ strayRows }) => strayRows === fewest)
}
