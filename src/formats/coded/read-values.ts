import type { RawNumberColumn } from '../../base/raw-table.ts'
import { MAX_COUNTS, type NumberFacts, numberColumn } from '../columns/build-column.ts'
import { type Counted, CountedValues } from '../columns/compact-texts.ts'
import { isMidnight } from '../columns/date-forms.ts'
import type { WrittenNumber } from '../columns/number-syntax.ts'
import { readValue, type ValueType } from '../columns/read-value.ts'
import type { TextCounts } from '../columns/text-counts.ts'
import { isMissingMark, isMissingWord } from '../columns/value-forms.ts'
import { NO_TEXT } from './coded-sample.ts'

/** The values of the distinct texts of a column. */
interface CodedValues {
  /** By id; NaN where missing. */
  readonly numbers: Float64Array
  /** By id. */
  readonly counts: Uint32Array
  readonly decimals: number
  /** Texts that are no values. */
  readonly others: Counted
}

/** A column of numbers or times, and the texts that were read as missing. */
export interface ReadValues {
  readonly column: RawNumberColumn
  /** Texts that stand for missing values. */
  readonly marks: Counted
  /** Rows with any other text. */
  readonly strayRows: number
}

/**
 * @param type of `texts`, without doubt.
 * @param ids of the sampled rows.
 */
export function readValues(
  name: string,
  type: ValueType,
  texts: TextCounts | CountedValues,
  ids: Int32Array,
  rowCount: number,
): ReadValues {
  const { numbers, counts, decimals, others } =
    texts instanceof CountedValues ? compactValues(texts) : valuesOf(texts, type)
  const values = new Float64Array(ids.length)
  for (let row = 0; row < ids.length; row++) values[row] = ids[row] === NO_TEXT ? Number.NaN : numbers[ids[row]!]!
  const facts = { type: kindOf(type, numbers), name, decimals, ...countedNumbers(numbers, counts, rowCount) }
  const present = others.filter(([text]) => !isMissingWord(text))
  const strays = present.filter(([text]) => !isMissingMark(text))
  return {
    column: numberColumn(facts, values),
    marks: present.filter(([text]) => isMissingMark(text)),
    strayRows: strays.reduce((sum, [, count]) => sum + count, 0),
  }
}

function valuesOf(texts: TextCounts, type: ValueType): CodedValues {
  const counts = texts.counts()
  const numbers = new Float64Array(texts.size).fill(Number.NaN)
  const others: [string, number][] = []
  const read: WrittenNumber = { value: 0, decimals: 0 }
  let decimals = 0
  for (let id = 0; id < texts.size; id++) {
    if (counts[id] === 0) continue
    readValue(type, texts.bytes, texts.startOf(id), texts.endOf(id), read)
    numbers[id] = read.value
    if (Number.isNaN(read.value)) others.push([texts.textOf(id).trim(), counts[id]!])
    else if (read.decimals > decimals) decimals = read.decimals
  }
  return { numbers, counts, decimals, others }
}

function compactValues(values: CountedValues): CodedValues {
  const { counts } = values.keys
  const numbers = values.numbers()
  // The header was only looked up.
  for (let id = 0; id < numbers.length; id++) if (counts[id] === 0) numbers[id] = Number.NaN
  return { numbers, counts, decimals: values.decimals, others: values.others() }
}

function kindOf({ type }: ValueType, numbers: Float64Array): NumberFacts['type'] {
  if (type === 'number') return 'number'
  return numbers.some((milliseconds) => !Number.isNaN(milliseconds) && !isMidnight(milliseconds)) ? 'date-time' : 'date'
}

function countedNumbers(
  numbers: Float64Array,
  textCounts: Uint32Array,
  rowCount: number,
): Pick<NumberFacts, 'missing' | 'distinct' | 'min' | 'max' | 'counts'> {
  // NaN comes last.
  const sorted = numbers.slice().sort()
  let distinct = 0
  let length = 0
  for (; length < sorted.length && !Number.isNaN(sorted[length]!); length++) {
    if (length === 0 || sorted[length] !== sorted[length - 1]) distinct++
  }
  const counts = distinct > MAX_COUNTS ? null : new Map<number, number>()
  if (counts !== null) for (let i = 0; i < length; i++) counts.set(sorted[i]!, 0)
  let missing = rowCount
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!
    if (Number.isNaN(number)) continue
    const count = textCounts[i]!
    missing -= count
    counts?.set(number, counts.get(number)! + count)
  }
  return { missing, distinct, min: sorted[0]!, max: sorted[length - 1]!, counts }
}
