import { inferColumn } from '../../formats/columns/infer-column.ts'
import { markOf, NUMBER_FORMS, type NumberForm, numberIn } from '../../formats/columns/number-forms.ts'
import { textualNumber } from '../../formats/columns/read-value.ts'
import { settleDoubts } from '../../formats/columns/settle-doubts.ts'
import { TextCounts } from '../../formats/columns/text-counts.ts'

/**
 * The numbers that different texts write, in any form that is read in a file. NaN for a text that is no number, a code with
 * leading zeros, or a whole number beyond 2^53.
 */
export function numbersOfTexts(texts: readonly string[]): Float64Array {
  const form = commonForm(texts)
  return Float64Array.from(texts, (text) => (textualNumber(text) === null ? numberIn(form, text) : Number.NaN))
}

/** The form of all texts; where no form fits all of them, the one that fits most. */
function commonForm(texts: readonly string[]): NumberForm {
  const [type] = settleDoubts([inferColumn(countsOf(texts))], '')
  if (type?.type === 'number') return type.form
  const marked = texts.map(markOf).find((mark) => mark !== null)
  const forms = [...NUMBER_FORMS, ...(marked?.forms ?? [])]
  const bad = forms.map((form) => texts.filter((text) => Number.isNaN(numberIn(form, text))).length)
  return forms[bad.indexOf(Math.min(...bad))]!
}

function countsOf(texts: readonly string[]): TextCounts {
  const counts = new TextCounts()
  for (const text of texts) {
    const bytes = Buffer.from(text)
    counts.count(counts.placeOf(bytes, 0, bytes.length))
  }
  return counts
}
