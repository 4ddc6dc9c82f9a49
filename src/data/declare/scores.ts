import type { DeclaredFormula, RawColumn } from '../../base/raw-table.ts'
import { listText, plural } from '../../base/text/amount-text.ts'
import type { DeclaredScore } from '../../study/declarations.ts'
import { type Findings, quoted } from './declaration-error.ts'
import { numbersOf, ofNumbers } from './raw-values.ts'

/** Decimals of a mean beyond those of its items. */
const MORE_DECIMALS = 4
const MOST_DECIMALS = 12

/** Names that a remark lists. */
const MOST_LISTED = 10

/**
 * A score: the mean of the items that a row has answered, missing where it has answered too few. Null, with a fault, where an item holds
 * other values than numbers, or no row has a score.
 */
export function scoreOfItems(
  name: string,
  { mean, minAnswered }: DeclaredScore,
  items: readonly RawColumn[],
  findings: Findings,
): RawColumn | null {
  const numbers = items.map((item) => numbersIn('scores', item, findings))
  if (!numbers.every((one) => one !== null)) return null
  const values = new Float64Array(numbers[0]!.length).fill(Number.NaN)
  const scale = 10 ** decimalsOf(items, MORE_DECIMALS)
  let fewer = 0
  let rows = 0
  for (let row = 0; row < values.length; row++) {
    let [answered, sum] = [0, 0]
    for (const item of numbers) {
      if (Number.isNaN(item[row])) continue
      answered++
      sum += item[row]!
    }
    if (answered >= minAnswered) {
      values[row] = Math.round((sum / answered) * scale) / scale
      rows++
    } else fewer++
  }
  if (rows === 0) {
    const found = `no row has answered ${minAnswered} of the ${mean.length} items of ${quoted(name)}`
    findings.faults.push({
      key: 'scores',
      column: mean[0]!,
      found,
      advice: 'lower `min_answered`, or name other items',
    })
    return null
  }
  const without = fewer === 0 ? '' : `; ${plural(fewer, 'row')} with fewer ${fewer === 1 ? 'has' : 'have'} none`
  findings.remarks.push({
    key: 'scores',
    text: `${quoted(name)} is the mean of the answered items among ${listText(mean.map(quoted), MOST_LISTED)}, in ${plural(rows, 'row')} with at least ${minAnswered} of ${mean.length}${without}.`,
  })
  return made(name, values, { form: 'mean', of: mean, least: minAnswered })
}

/** The first column minus the second, missing where either is. Null, with a fault, where one holds other values than numbers. */
export function differenceOfColumns(
  name: string,
  of: readonly [from: string, subtracted: string],
  columns: readonly RawColumn[],
  findings: Findings,
): RawColumn | null {
  const [from, subtracted] = columns.map((column) => numbersIn('differences', column, findings))
  if (!from || !subtracted) return null
  const scale = 10 ** decimalsOf(columns, 0)
  const values = from.map((value, row) => Math.round((value - subtracted[row]!) * scale) / scale)
  const rows = values.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0)
  if (rows === 0) {
    const found = `no row has a value of both ${of.map(quoted).join(' and ')}`
    findings.faults.push({ key: 'differences', column: of[0], found, advice: `take ${quoted(name)} out` })
    return null
  }
  findings.remarks.push({
    key: 'differences',
    text: `${quoted(name)} is ${of.map(quoted).join(' minus ')}, in ${plural(rows, 'row')} with both.`,
  })
  return made(name, values, { form: 'difference', of })
}

const made = (name: string, values: Float64Array, declaredFormula: DeclaredFormula): RawColumn => ({
  ...ofNumbers({ name, declaredType: 'numeric' }, 'number', values),
  declaredFormula,
})

const decimalsOf = (columns: readonly RawColumn[], more: number): number =>
  Math.min(MOST_DECIMALS, more + Math.max(...columns.map((column) => ('values' in column ? column.decimals : 0))))

/** A code, as a level is written. */
const CODE = /^-?\d{1,15}$/

/** Length n, NaN where missing: numbers, and levels that are whole numbers. Null, with a fault, for anything else. */
function numbersIn(
  key: 'scores' | 'differences',
  column: RawColumn,
  { faults, dropped }: Findings,
): Float64Array | null {
  const { name } = column
  if ('values' in column && column.type === 'number') return numbersOf(column)
  const what = key === 'scores' ? 'an item of a score' : 'a part of a difference'
  if ('values' in column) {
    faults.push({ key, column: name, found: `${what} holds numbers, and the column holds dates`, advice: null })
    return null
  }
  const other = column.dictionary.find((text) => !CODE.test(text))
  if (other === undefined) {
    const numbers = column.dictionary.map(Number)
    return Float64Array.from(column.codes, (code) => (code < 0 ? Number.NaN : numbers[code]!))
  }
  const such = dropped.has(name) ? '' : `, such as ${quoted(other)}`
  faults.push({
    key,
    column: name,
    found: `${what} holds numbers or codes, and the column holds other texts${such}`,
    advice: 'give them numbers under `recode`, or declare those that are no answer under `missing`',
  })
  return null
}
