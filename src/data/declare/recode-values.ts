import type { RawColumn, RawTextColumn } from '../../base/raw-table.ts'
import { countText, listText } from '../../base/text/amount-text.ts'
import { type Findings, quoted } from './declaration-error.ts'
import { numbersOfTexts } from './number-texts.ts'
import { asTexts, keptOf, keptTextsOf, ofNumbers, ofTexts } from './raw-values.ts'

/** Pairs of value and word that a remark or a fault names. */
const MOST_NAMED = 5

/**
 * The column with the study's words in place of values of the file. Values without a word stay. A column of which numbers
 * alone are left becomes one of numbers, unless `keepsTexts`: a later declaration says what its texts are.
 *
 * @param separator of several answers in a cell, each of which gets its word; null: a cell has one.
 */
export function recodeValues(
  column: RawColumn,
  words: Readonly<Record<string, string>>,
  { keepsTexts, separator }: { readonly keepsTexts: boolean; readonly separator: string | null },
  findings: Findings,
): RawColumn {
  const texts = asTexts(column)
  const wordOf = new Map(Object.entries(words))
  const answersOf = (text: string) => (separator === null || wordOf.has(text) ? [text] : text.split(separator))
  const valuesIn = (text: string) =>
    new Set(
      separator === null ? [text] : answersOf(text).map((answer) => (wordOf.has(answer) ? answer : answer.trim())),
    )
  report(texts, wordOf, valuesIn, findings)
  const kept = keptTextsOf(texts)
  const order = kept.declaredOrder?.map((level) => wordOf.get(level) ?? level)
  const recoded = ofTexts(
    { ...kept, ...(order !== undefined && { declaredOrder: [...new Set(order)] }) },
    'text',
    texts.codes.length,
    (row) => {
      const code = texts.codes[row]!
      if (code < 0) return null
      const answers = answersOf(texts.dictionary[code]!)
      if (separator === null) return wordOf.get(answers[0]!) ?? answers[0]!
      return answers.map((answer) => wordOf.get(answer) ?? wordOf.get(answer.trim()) ?? answer).join(separator)
    },
  )
  return keepsTexts ? recoded : (asNumbers(recoded, new Set(wordOf.values()), findings) ?? recoded)
}

/**
 * The same values as numbers; null when a text is none.
 *
 * @param words of the study, which writes numbers with a point: they say nothing of the marks in the file.
 */
function asNumbers(
  column: RawTextColumn,
  words: ReadonlySet<string>,
  { remarks: said, dropped }: Findings,
): RawColumn | null {
  const { dictionary } = column
  const isPlain = dictionary.map((text) => words.has(text) && /^-?\d+(\.\d+)?$/.test(text) && !/^-?0\d/.test(text))
  const { numbers: read, remarks } = numbersOfTexts(
    dictionary.filter((_, i) => !isPlain[i]),
    column.decimalMark,
  )
  let at = 0
  const numbers = dictionary.map((text, i) => (isPlain[i] ? Number(text) : read[at++]!))
  if (dictionary.length === 0 || numbers.some(Number.isNaN)) return null
  if (!dropped.has(column.name))
    for (const remark of remarks) said.push({ key: 'recode', text: `${quoted(column.name)} has ${remark}.` })
  const values = Float64Array.from(column.codes, (code) => (code < 0 ? Number.NaN : numbers[code]!))
  return ofNumbers(keptOf(column), 'number', values)
}

function report(
  column: RawTextColumn,
  wordOf: ReadonlyMap<string, string>,
  valuesIn: (text: string) => ReadonlySet<string>,
  findings: Findings,
): void {
  const { remarks, faults, dropped } = findings
  if (dropped.has(column.name)) return
  const rowsOf = new Map<string, number>()
  for (const [i, text] of column.dictionary.entries())
    for (const value of valuesIn(text)) rowsOf.set(value, (rowsOf.get(value) ?? 0) + column.counts[i]!)
  const found = [...wordOf].filter(([value]) => rowsOf.has(value))
  const lacking = [...wordOf.keys()].filter((value) => !rowsOf.has(value))
  const name = quoted(column.name)
  if (found.length === 0) {
    const held = listText(column.dictionary.map(quoted), MOST_NAMED)
    const advice = column.dictionary.length === 0 ? null : `the column holds ${held}`
    faults.push({ key: 'recode', column: column.name, found: 'no row has any of the listed values', advice })
    return
  }
  const changes = found.map(
    ([value, word]) => `${quoted(value)} became ${quoted(word)} (${countText(rowsOf.get(value)!)})`,
  )
  remarks.push({ key: 'recode', text: `Values of ${name}: ${listText(changes, MOST_NAMED)}.` })
  if (lacking.length === 0) return
  const occur = lacking.length === 1 ? 'occurs' : 'occur'
  remarks.push({ key: 'recode', text: `${listText(lacking.map(quoted), MOST_NAMED)} of ${name} never ${occur}.` })
}
