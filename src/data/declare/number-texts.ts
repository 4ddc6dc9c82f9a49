import { inferColumn } from '../../formats/columns/infer-column.ts'
import { markOf, NUMBER_FORMS, type NumberForm, numberIn } from '../../formats/columns/number-forms.ts'
import { textualNumber } from '../../formats/columns/read-value.ts'
import { settleDoubts } from '../../formats/columns/settle-doubts.ts'
import { TextCounts } from '../../formats/columns/text-counts.ts'

/** Numbers that texts write. */
interface ReadTexts {
  /** By text; NaN for one that is no number, a code with leading zeros, or a whole number beyond 2^53. */
  readonly numbers: Float64Array
  /** How they were read; each follows "has". */
  readonly remarks: readonly string[]
}

/**
 * The numbers that different texts write, in any form that is read in a file.
 *
 * @param mark the decimal mark of the file's numbers, which decides whether 2.155 is 2155; undefined where nothing shows it.
 */
export function numbersOfTexts(texts: readonly string[], mark?: ',' | '.'): ReadTexts {
  const { form, remarks } = commonForm(texts, mark)
  const numbers = Float64Array.from(texts, (text) => (textualNumber(text) === null ? numberIn(form, text) : Number.NaN))
  return { numbers, remarks }
}

/** The form of all texts; where no form fits all of them, the one that fits most. */
function commonForm(
  texts: readonly string[],
  mark: ',' | '.' | undefined,
): { readonly form: NumberForm; readonly remarks: readonly string[] } {
  const [type] = settleDoubts([inferColumn(countsOf(texts))], '', [mark])
  if (type?.type === 'number') return type
  const marked = texts.map(markOf).find((mark) => mark !== null)
  const forms = [...NUMBER_FORMS, ...(marked?.forms ?? [])]
  const bad = forms.map((form) => texts.filter((text) => Number.isNaN(numberIn(form, text))).length)
  return { form: forms[bad.indexOf(Math.min(...bad))]!, remarks: [] }
}

function countsOf(texts: readonly string[]): TextCounts {
  const counts = new TextCounts()
  for (const text of texts) {
    const bytes = Buffer.from(text)
    counts.count(counts.placeOf(bytes, 0, bytes.length))
  }
  return counts
}
