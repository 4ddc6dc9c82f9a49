/** What the value labels of a numeric variable make of it: levels, or numbers of which some are marked. */

import { isNoAnswer } from '../../base/text/no-answer-words.ts'

type Labels = ReadonlyMap<number, string>

/** Largest share of rows whose code has no label, among rows with an answer. */
const MAX_ODD_SHARE = 0.1
/** With so many labelled codes for each one without a label it does not matter how many rows have that one. */
const LABELLED_PER_ODD = 4

/** The values whose label means that there is no answer. */
export function noAnswerValues(labels: Labels): ReadonlySet<number> {
  return new Set([...labels].flatMap(([value, label]) => (isNoAnswer(withoutValue(label, value)) ? [value] : [])))
}

/** A label that several values share has the value appended. */
function withoutValue(label: string, value: number): string {
  const appended = appendedValue(value)
  return label.endsWith(appended) ? label.slice(0, -appended.length) : label
}

/** The suffix that distinguishes values with the same label. */
export function appendedValue(value: number | string): string {
  return ` (${value})`
}

/**
 * Whether a variable is labelled: its labels are levels. It is when all its values have a label. When some have none,
 * they must be few beside the labelled answers. The labels of a scale's ends ("0 = not at all", "10 = fully") and of
 * codes for no answer leave most values without one: these are amounts. A label that repeats its number says nothing.
 *
 * @param counts rows by value, without missing ones.
 * @param noAnswers of `noAnswerValues`.
 * @param isNominal the file says so: then it is enough that most of the values with an answer have a label.
 */
export function isLabelled(
  counts: ReadonlyMap<number, number>,
  labels: Labels,
  noAnswers: ReadonlySet<number>,
  isNominal: boolean,
): boolean {
  const values = [...counts.keys()]
  const odd = values.filter((value) => !labels.has(value))
  const named = values.filter((value) => saysMore(labels, value))
  if (odd.length === 0) return named.length > 0
  const answers = named.filter((value) => !noAnswers.has(value))
  if (odd.length * LABELLED_PER_ODD <= answers.length) return true
  if (isNominal && odd.length < answers.length) return true
  const rowsOf = (some: readonly number[]) => some.reduce((rows, value) => rows + counts.get(value)!, 0)
  return odd.length <= answers.length && rowsOf(odd) <= MAX_ODD_SHARE * (rowsOf(odd) + rowsOf(answers))
}

/** Whether a value has a label that is not just the value. */
export function saysMore(labels: Labels, value: number): boolean {
  const label = labels.get(value)
  return label !== undefined && label !== String(value)
}

/** The level of each value: its label, or its number if it has none. Values never share a level. */
export function levelTexts(
  values: Iterable<number>,
  labels: Labels,
  written: (value: number) => number,
): ReadonlyMap<number, string> {
  const texts = new Map<number, string>()
  for (const value of values) texts.set(value, labels.get(value) ?? String(written(value)))
  for (;;) {
    const uses = new Map<string, number>()
    for (const text of texts.values()) uses.set(text, (uses.get(text) ?? 0) + 1)
    if (uses.size === texts.size) return texts
    for (const [value, text] of texts) {
      if (uses.get(text)! > 1) texts.set(value, text + appendedValue(written(value)))
    }
  }
}
