/**
 * Whether the levels of a categorical column are ordered, and how: 1 to 5, "18-24" to "65+", never to always. What is doubtful
 * has no order: a wrong one does more harm than none.
 */

import { codedLabels } from './coded-labels.ts'
import { LONGEST_TEXT } from './fold-text.ts'
import { LEAST_PLACES, type LevelScale } from './level-scale.ts'
import { codesApart } from './no-answer-values.ts'
import { numberValues } from './number-scale.ts'
import { isOffScale } from './off-scale.ts'
import { wordRanks } from './word-scale.ts'

/** More levels than this are no scale that a text could be recognized in. */
const MOST_TEXT_LEVELS = 200
/** Labelled codes that follow each other like those of answers; more of them are a list of things. */
const MOST_CODES = 11
const WIDEST_GAP = 2

/**
 * The scale that the levels form, whatever their order in `levels`; null where there is none.
 *
 * @param integer the levels are the decimal texts of whole numbers (`integer` of a categorical column)
 */
export function findScale(levels: readonly string[], integer: boolean): LevelScale | null {
  return integer ? scaleOfCodes(levels) : scaleOfTexts(levels)
}

/** Whole numbers in their own order; codes that lie apart as those for no answer do (1 to 5 and 9) are off the scale. */
function scaleOfCodes(levels: readonly string[]): LevelScale | null {
  const values = Float64Array.from(levels, Number)
  const apart = new Set(codesApart([...values]))
  if (values.some((value) => !Number.isFinite(value)) || values.length - apart.size < LEAST_PLACES) return null
  return { source: 'codes', values: values.map((value) => (apart.has(value) ? Number.NaN : value)) }
}

function scaleOfTexts(levels: readonly string[]): LevelScale | null {
  if (levels.length < LEAST_PLACES || levels.length > MOST_TEXT_LEVELS) return null
  if (levels.some((level) => level.length > LONGEST_TEXT)) return null
  const isOff = levels.map(isOffScale)
  const found = onScale(levels.filter((_, i) => !isOff[i]))
  if (found === null) return null
  let next = 0
  return { source: found.source, values: Float64Array.from(isOff, (off) => (off ? Number.NaN : found.values[next++]!)) }
}

interface Found {
  readonly source: LevelScale['source']
  readonly values: readonly number[]
}

function onScale(texts: readonly string[]): Found | null {
  if (texts.length < LEAST_PLACES) return null
  const plain = saidBy(texts)
  if (plain !== null) return plain
  const coded = codedLabels(texts)
  if (coded === null) return null
  const codes = coded.map(({ code }) => code)
  const apart = new Set([...codesApart(codes), ...coded.flatMap(({ code, label }) => (isOff(label) ? [code] : []))])
  const scale = coded.filter(({ code }) => !apart.has(code))
  if (scale.length < LEAST_PLACES) return null
  const labels = scale.every(({ label }) => label !== '') ? saidBy(scale.map(({ label }) => label)) : null
  const inOrder = [...scale.keys()].sort((a, b) => scale[a]!.code - scale[b]!.code)
  const steps = inOrder.slice(1).map((at, i) => [inOrder[i]!, at] as const)
  if (labels !== null) {
    // Where the labels have an order, the codes go along with it or against it.
    const rises = steps.map(([a, b]) => labels.values[b]! > labels.values[a]!)
    if (new Set(rises).size > 1) return null
    let next = 0
    return {
      source: labels.source,
      values: codes.map((code) => (apart.has(code) ? Number.NaN : labels.values[next++]!)),
    }
  }
  const first = scale[inOrder[0]!]!.code
  const areClose = steps.every(([a, b]) => scale[b]!.code - scale[a]!.code <= WIDEST_GAP)
  if ((first !== 0 && first !== 1) || !areClose || scale.length > MOST_CODES) return null
  return { source: 'codes', values: codes.map((code) => (apart.has(code) ? Number.NaN : code)) }
}

function isOff(label: string): boolean {
  return label !== '' && isOffScale(label)
}

/** What the texts say without their codes. */
function saidBy(texts: readonly string[]): Found | null {
  const numbers = numberValues(texts)
  if (numbers !== null) return { source: 'numbers', values: numbers }
  const ranks = wordRanks(texts)
  return ranks === null ? null : { source: 'words', values: ranks }
}
