import { isMirroredScale } from '../../base/mirrored-scale.ts'
import type { RawColumn, RawNumberColumn } from '../../base/raw-table.ts'
import { plural } from '../../base/text/amount-text.ts'
import { saysNoAnswer } from '../../base/text/no-answer-words.ts'
import type { ProposedDeclaration } from '../../study/writing/starter-study.ts'
import { writtenName } from '../../study/writing/written-name.ts'
import { numbersOfTexts } from './number-texts.ts'
import { isShort, MOST_COLUMNS } from './proposal-limits.ts'

/**
 * The `missing` of a starter study: values that seem to mean that there is no answer, each with the reason.
 *
 * @param orders of levels that the service found, by column; `apart` have no place in them.
 */
export function proposeMissing(
  columns: readonly RawColumn[],
  orders: ReadonlyMap<string, { readonly apart: readonly string[] }>,
): ProposedDeclaration[] {
  const found: Proposal[] = columns.flatMap((column) => proposalOf(column, orders.get(column.name)?.apart ?? []) ?? [])
  const everywhere = wordsEverywhere(found)
  const own = found.flatMap((proposal) => {
    // A question is too long to be named in a line.
    if (!isShort(proposal.name)) return []
    const codes = proposal.codes.filter((code) => !everywhere.includes(code))
    return codes.length === 0 ? [] : [{ ...proposal, codes }]
  })
  const whyEverywhere = everywhere.every((code) => MARK.test(String(code))) ? BY_MARKS : BY_WORDS
  const all = everywhere.length === 0 ? own : [{ name: '*', codes: everywhere, why: whyEverywhere }, ...own]
  if (all.length === 0) return []
  const entries = all.slice(0, MOST_COLUMNS)
  const list = entries.map(({ name, codes }) => `${writtenName(name)}: [${codes.map(writtenCode).join(', ')}]`)
  const whys = [...new Set(entries.map(({ why }) => why))].join('; ')
  const more = all.length > entries.length ? `; ${plural(all.length - entries.length, 'more column')} like these` : ''
  return [{ yaml: `missing: { ${list.join(', ')} }`, reason: `codes that seem to mean no answer: ${whys}${more}` }]
}

interface Proposal {
  readonly name: string
  readonly codes: readonly (string | number)[]
  readonly why: string
}

const BY_WORDS = 'by their words'
const BY_MARKS = 'dashes and points among words'

function proposalOf(column: RawColumn, apart: readonly string[]): Proposal | null {
  const { name } = column
  if ('values' in column) {
    const codes = codesBeyond(column)
    return codes.length === 0 ? null : { name, codes, why: 'far from the other numbers' }
  }
  const words = wordsAmongNumbers(column.dictionary)
  if (words.length > 0) return { name, codes: words, why: 'the only texts among numbers' }
  if (apart.length > 0 && apart.every(isShort)) return { name, codes: apart, why: 'no place on the scale' }
  const silent = silentWords(column.dictionary)
  if (silent.length > 0) return { name, codes: silent, why: BY_WORDS }
  const marks = marksAmongWords(column.dictionary)
  return marks.length === 0 ? null : { name, codes: marks, why: BY_MARKS }
}

/** Columns that a word is found in before it is declared for all. */
const FEWEST_COLUMNS = 3

/** Words that say by themselves that there is no answer, and do so in several columns, or in one with a long name. */
function wordsEverywhere(found: readonly Proposal[]): (string | number)[] {
  const columns = new Map<string | number, number>()
  for (const { name, codes } of found)
    for (const code of codes) columns.set(code, (columns.get(code) ?? 0) + (isShort(name) ? 1 : FEWEST_COLUMNS))
  const words = [...columns].filter(
    ([code, count]) => typeof code === 'string' && count >= FEWEST_COLUMNS && (saysNoAnswer(code) || MARK.test(code)),
  )
  return words.map(([code]) => code).slice(0, MOST_EVERYWHERE)
}

const MOST_EVERYWHERE = 5

/** Codes that surveys give to answers off a scale: 7, 77, 97 to 99, 997 to 999 and so on, and negative ones. */
const CODES = new Set([
  ...[77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 7777, 8888, 9997, 9998, 9999, 99999],
  ...[-1, -2, -3, -7, -8, -9, -97, -98, -99, -997, -998, -999, -9999],
])

const writtenCode = (code: string | number): string => (typeof code === 'number' ? String(code) : writtenName(code))

/** Known codes that lie further from the other values than half of their span. */
function codesBeyond({ type, counts, decimals }: RawNumberColumn): number[] {
  if (type !== 'number' || counts === null || decimals > 0) return []
  const values = [...counts.keys()]
  const rest = values.filter((value) => !CODES.has(value))
  if (rest.length < 2 || isMirroredScale(values)) return []
  const [least, most] = [Math.min(...rest), Math.max(...rest)]
  const far = Math.max(1, (most - least) / 2)
  return values
    .filter((value) => CODES.has(value) && (value - most > far || (value < 0 && least >= 0)))
    .sort((a, b) => a - b)
}

const MOST_WORDS = 3

/** The few texts of a column that otherwise holds numbers. */
function wordsAmongNumbers(texts: readonly string[]): readonly string[] {
  const { numbers } = numbersOfTexts(texts)
  const words = texts.filter((_, i) => Number.isNaN(numbers[i]))
  const isFew = words.length > 0 && words.length <= MOST_WORDS && texts.length >= 4 * words.length
  return isFew && words.every(isShort) ? words : []
}

/** Texts that say that there is no answer, in a column of few other answers. */
function silentWords(texts: readonly string[]): readonly string[] {
  const words = texts.filter(saysNoAnswer)
  const isFew = words.length > 0 && words.length <= MOST_WORDS && texts.length - words.length >= 2
  return isFew && texts.length <= MOST_ANSWERS && words.every(isShort) ? words : []
}

/** What people write into a cell that they leave empty. */
const MARK = /^(?:[-\u2013\u2014]{1,3}|\.)$/
const WORD = /\p{L}{2}/u

/** Marks beside two words or more; beside "+" or "x" a dash is an answer, and beside one word a box that is not ticked. */
function marksAmongWords(texts: readonly string[]): readonly string[] {
  const marks = texts.filter((text) => MARK.test(text))
  const words = texts.filter((text) => WORD.test(text))
  const areWords = words.length >= 2 && words.length + marks.length === texts.length
  return areWords && texts.length <= MOST_ANSWERS ? marks : []
}

/** Columns of more texts are names, places or what people wrote. */
const MOST_ANSWERS = 100
