/**
 * Questions with one answer that a table of one header row has as a column per option: "gender: female", "gender: male", or
 * `gender_female`, `gender_male` as programs write them that prepare data for a model.
 *
 * Names with a common beginning are weak evidence, so every row must tick exactly one: then one column says all that they say.
 */

import type { RawColumn } from '../../base/raw-table.ts'
import { type Ticks, ticksOf } from './boxes.ts'

/** The boxes of a question. */
export interface Choice {
  readonly question: string
  /** In the sequence of their columns. */
  readonly options: readonly string[]
  readonly ticks: readonly Ticks[]
}

/**
 * What stands between a question and its option. No blank: options of a question whose cells hold several answers are named
 * with one.
 */
const JOINTS = /\s*[:/=]\s*|\s+-\s+|\[|_+|\.+/g

/** The question whose boxes begin at a column; null: there is none. */
export function oneHotFrom(columns: readonly RawColumn[], start: number, rows: number): Choice | null {
  const { name } = columns[start]!
  if (ticksOf(columns[start]!) === null) return null
  const found: Choice[] = []
  for (const { 0: joint, index } of name.matchAll(JOINTS)) {
    const choice = choiceOf(columns, start, { question: name.slice(0, index), joint })
    if (choice === null) continue
    // Of the beginnings that the same columns share, the longest is the question.
    if (found.at(-1)?.options.length === choice.options.length) found.pop()
    found.push(choice)
  }
  return found.find((choice) => isPartition(choice, rows)) ?? null
}

function choiceOf(
  columns: readonly RawColumn[],
  start: number,
  { question, joint }: { readonly question: string; readonly joint: string },
): Choice | null {
  const beginning = question + joint
  const ticksAt = (at: number) => (columns[at]?.name.startsWith(beginning) ? ticksOf(columns[at]!) : null)
  // A part of a question is no question.
  if (question === '' || ticksAt(start - 1) !== null) return null
  const [options, ticks]: [string[], Ticks[]] = [[], []]
  for (let at = start; ; at++) {
    const own = ticksAt(at)
    if (own === null) break
    const option = columns[at]!.name.slice(beginning.length)
    options.push(joint === '[' ? option.replace(/\]$/, '') : option)
    ticks.push(own)
  }
  return options.length < 2 ? null : { question, options, ticks }
}

/** Whether each row ticks exactly one, or has no value in any. */
function isPartition({ ticks }: Choice, rows: number): boolean {
  for (let row = 0; row < rows; row++) {
    let [ticked, missing] = [0, 0]
    for (const { at } of ticks) {
      const tick = at(row)
      if (tick === null) missing++
      else if (tick) ticked++
    }
    if (missing === 0 ? ticked !== 1 : missing < ticks.length) return false
  }
  return true
}
