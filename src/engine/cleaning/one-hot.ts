/**
 * Questions with one answer that a table of one header row has as a column per option: "gender: female", "gender: male", or
 * `gender_female`, `gender_male` as programs write them that prepare data for a model.
 *
 * Names with a common beginning are weak evidence, so every row must tick exactly one: then one column says all that they say.
 * Where a colon, a dash between blanks or brackets name an option of a question, rows may tick none, as people do who skip it.
 */

import type { RawColumn } from '../../base/raw-table.ts'
import { type Ticks, ticksOf } from './boxes.ts'

/** The boxes of a question. */
export interface Choice {
  readonly question: string
  /** In the sequence of their columns. */
  readonly options: readonly string[]
  readonly ticks: readonly Ticks[]
  /** Whether each row has exactly one tick, or no value in any box; otherwise no row has two. */
  readonly isWhole: boolean
}

/**
 * What stands between a question and its option. No blank: options of a question whose cells hold several answers are named
 * with one.
 */
const JOINTS = /\s*[:/=]\s*|\s+-\s+|\s*\[|_+|\.+/g

/** Of these, those that people put between a question and its option. */
const CLEAR_JOINT = /^(?:\s*:\s+|\s+-\s+|\s*\[)$/

/** The question whose boxes begin at a column; null: there is none. */
export function oneHotFrom(columns: readonly RawColumn[], start: number, rows: number): Choice | null {
  const { name } = columns[start]!
  if (ticksOf(columns[start]!) === null) return null
  const found: Named[] = []
  for (const { 0: joint, index } of name.matchAll(JOINTS)) {
    const choice = choiceOf(columns, start, { question: name.slice(0, index), joint })
    if (choice === null) continue
    // Of the beginnings that the same columns share, the longest is the question.
    if (found.at(-1)?.options.length === choice.options.length) found.pop()
    found.push(choice)
  }
  for (const choice of found) {
    const most = mostTicks(choice, rows)
    if (most === 'one') return { ...choice, isWhole: true }
    if (most === 'one or none' && choice.isClear) return { ...choice, isWhole: false }
  }
  return null
}

interface Named extends Omit<Choice, 'isWhole'> {
  readonly isClear: boolean
}

function choiceOf(
  columns: readonly RawColumn[],
  start: number,
  { question, joint }: { readonly question: string; readonly joint: string },
): Named | null {
  const beginning = question + joint
  const ticksAt = (at: number) => (columns[at]?.name.startsWith(beginning) ? ticksOf(columns[at]!) : null)
  // A part of a question is no question, and neither are the boxes beside one that its author declared.
  if (question === '' || ticksAt(start - 1) !== null) return null
  if (columns.some(({ name, declaredType }) => declaredType !== undefined && name.startsWith(beginning))) return null
  const [options, ticks]: [string[], Ticks[]] = [[], []]
  for (let at = start; ; at++) {
    const own = ticksAt(at)
    if (own === null) break
    const option = columns[at]!.name.slice(beginning.length)
    options.push(joint.endsWith('[') ? option.replace(/\]$/, '') : option)
    ticks.push(own)
  }
  return options.length < 2 ? null : { question, options, ticks, isClear: CLEAR_JOINT.test(joint) }
}

/** What each row ticks that has values; null: some row ticks two, or has values in some boxes only. */
function mostTicks({ ticks }: Named, rows: number): 'one' | 'one or none' | null {
  let isWhole = true
  for (let row = 0; row < rows; row++) {
    let [ticked, missing] = [0, 0]
    for (const { at } of ticks) {
      const tick = at(row)
      if (tick === null) missing++
      else if (tick) ticked++
    }
    if (ticked > 1 || (missing > 0 && missing < ticks.length)) return null
    if (missing === 0 && ticked === 0) isWhole = false
  }
  return isWhole ? 'one' : 'one or none'
}
