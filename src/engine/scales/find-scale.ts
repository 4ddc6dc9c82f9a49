/**
 * Whether the levels of a categorical column are ordered, and how: 1 to 5, "18-24" to "65+", never to always. Doubtful
 * levels are unordered, because a wrong sequence does more harm than none.
 */

import { monthIn } from '../../base/text/months.ts'
import { isNoAnswer } from '../../base/text/no-answer-words.ts'
import { LEAST_PLACES, type LevelScale } from './bands.ts'
import { codesApart } from './no-answer-values.ts'
import { numberValues } from './number-scale.ts'
import { LONGEST_TEXT } from './phrase-table.ts'
import { wordRanks } from './word-scale.ts'

/** A text column with more levels than this is not recognized as a scale. */
const MOST_TEXT_LEVELS = 200
/** Most labelled codes that follow each other like those of answers; a longer sequence is a list of things. */
const MOST_CODES = 11
const WIDEST_GAP = 2

/**
 * The scale that the levels form, whatever their sequence in `levels`; null if there is none.
 *
 * @param integer the levels are the decimal texts of whole numbers (`integer` of a categorical column)
 * @param order the declared order, ascending, which is believed. It may name other levels; a level that it does not name
 * is off the scale.
 */
export function findScale(
  levels: readonly string[],
  integer: boolean,
  order?: readonly string[] | undefined,
): LevelScale | null {
  if (order !== undefined) {
    const placeOf = new Map(order.map((level, place) => [level, place]))
    const values = Float64Array.from(levels, (level) => placeOf.get(level) ?? Number.NaN)
    if (values.some((place) => !Number.isNaN(place))) return { source: 'declared', values }
  }
  return integer ? scaleOfCodes(levels) : scaleOfTexts(levels)
}

/**
 * Whole numbers are in their own sequence. Codes that are far from the others, such as those for no answer (1 to 5 and 9), are off
 * the scale.
 */
function scaleOfCodes(levels: readonly string[]): LevelScale | null {
  const values = Float64Array.from(levels, Number)
  const apart = new Set(codesApart([...values]))
  if (values.some((value) => !Number.isFinite(value)) || values.length - apart.size < LEAST_PLACES) return null
  return { source: 'codes', values: values.map((value) => (apart.has(value) ? Number.NaN : value)) }
}

function scaleOfTexts(levels: readonly string[]): LevelScale | null {
  if (levels.length < LEAST_PLACES || levels.length > MOST_TEXT_LEVELS) return null
  if (levels.some((level) => level.length > LONGEST_TEXT)) return null
  const isOff = levels.map(isNoAnswer)
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
  const byTexts = saidBy(texts)
  if (byTexts !== null) return byTexts
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
    // If the labels are ordered, the codes rise or fall with them.
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
  return label !== '' && isNoAnswer(label)
}

/** The scale of the texts without their codes. */
function saidBy(texts: readonly string[]): Found | null {
  const months = texts.map(monthIn)
  if (months.every((found) => found !== null))
    return { source: 'numbers', values: months.map(({ year, month }) => 12 * year + month) }
  const numbers = numberValues(texts)
  if (numbers !== null) return { source: 'numbers', values: numbers }
  const ranks = wordRanks(texts)
  return ranks === null ? null : { source: 'words', values: ranks }
}

/** Labels with a code: "1 - Never", "5 = Strongly agree", "Never (1)", "5 (best)". */
interface CodedLabel {
  readonly code: number
  /** The label without its code; empty if there is only the code. */
  readonly label: string
}

const BEFORE = /^\s*[([]?(-?\d{1,3})[\])]?\s*(?:[.:=)\]]|-(?=\s*\p{L})|\s-\s)\s*(\S.*)$/su
const BEFORE_IN_PARENTHESES = /^\s*(-?\d{1,3})\s*[([]([^()[\]]*\p{L}[^()[\]]*)[\])]\s*$/u
const BEHIND = /^(.*\p{L}.*\S)\s*[([](-?\d{1,3})[\])]\s*$/su
const ALONE = /^\s*(-?\d{1,3})\s*$/

/** The code and label of each text; null when one has no code, when codes repeat, or when no text has a label. */
function codedLabels(texts: readonly string[]): CodedLabel[] | null {
  const labels: CodedLabel[] = []
  for (const text of texts) {
    const coded = codedLabel(text)
    if (coded === null) return null
    labels.push(coded)
  }
  const hasLabels = labels.some(({ label }) => /\p{L}/u.test(label))
  return hasLabels && new Set(labels.map(({ code }) => code)).size === labels.length ? labels : null
}

function codedLabel(text: string): CodedLabel | null {
  const before = BEFORE.exec(text) ?? BEFORE_IN_PARENTHESES.exec(text)
  if (before !== null) return withCode(before[1]!, before[2]!)
  const behind = BEHIND.exec(text)
  if (behind !== null) return withCode(behind[2]!, behind[1]!)
  const alone = ALONE.exec(text)
  return alone === null ? null : withCode(alone[1]!, '')
}

/** Codes with a leading zero number things. */
function withCode(code: string, label: string): CodedLabel | null {
  return /^-?0\d/.test(code) ? null : { code: Number(code), label: label.trim() }
}
