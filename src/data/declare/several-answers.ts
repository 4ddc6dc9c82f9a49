import type { RawColumn } from '../../base/raw-table.ts'
import { listText, plural } from '../../base/text/amount-text.ts'
import { type Findings, quoted } from './declaration-error.ts'
import { asTexts, ofNumbers } from './raw-values.ts'

/** A question with more answers is none with boxes to tick. */
const MOST_ANSWERS = 200
/** Answers that a remark names. */
const MOST_NAMED = 5

/**
 * One column of 0 and 1 for each answer in a column with several answers in a cell, by falling number of rows. A row
 * without any answer is missing in all of them.
 *
 * @param known names of the file's columns.
 * @returns the column as it was, with a fault, when it cannot be separated.
 */
export function separateAnswers(
  column: RawColumn,
  separator: string,
  known: ReadonlySet<string>,
  { remarks, faults, dropped }: Findings,
): RawColumn[] {
  const { name, label } = column
  const texts = asTexts(column)
  const parts = texts.dictionary.map((text) => partsOf(text, separator))
  const rowsOf = new Map<string, number>()
  for (const [i, answers] of parts.entries())
    for (const answer of answers) rowsOf.set(answer, (rowsOf.get(answer) ?? 0) + texts.counts[i]!)
  const answers = [...rowsOf].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([answer]) => answer)
  const fault = (found: string, advice: string): RawColumn[] => {
    faults.push({ key: 'multiple', column: name, found, advice })
    return [column]
  }
  if (dropped.has(name)) return fault('the study drops the column', 'take it out of `drop`')
  if (!parts.some((answers) => answers.size > 1)) {
    return fault(
      `no cell has two answers with ${quoted(separator)} between them`,
      'name what separates them in the file',
    )
  }
  if (answers.length > MOST_ANSWERS) {
    const found = `it has ${answers.length} different answers, and at most ${MOST_ANSWERS} become columns`
    return fault(found, 'name what separates them in the file')
  }
  const taken = answers.find((answer) => known.has(`${name} ${answer}`))
  if (taken !== undefined) {
    return fault(`the file has a column ${quoted(`${name} ${taken}`)} already`, 'rename it in the file, or drop one')
  }
  const named = listText(answers.map(quoted), MOST_NAMED)
  remarks.push({
    key: 'multiple',
    text: `${quoted(name)} has become ${plural(answers.length, 'column')} of 0 and 1, one for each answer: ${named}.`,
  })
  return answers.map((answer) => {
    const ticked = parts.map((answers) => (answers.has(answer) ? 1 : 0))
    const values = Float64Array.from(texts.codes, (code) => (code < 0 ? Number.NaN : ticked[code]!))
    const kept = { name: `${name} ${answer}`, ...(label !== undefined && { label: `${label}: ${answer}` }) }
    return ofNumbers(kept, 'number', values)
  })
}

function partsOf(text: string, separator: string): ReadonlySet<string> {
  const parts = text.split(separator).map((part) => part.trim())
  return new Set(parts.filter((part) => part !== ''))
}
