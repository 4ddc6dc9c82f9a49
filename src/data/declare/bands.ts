import type { RawColumn } from '../../base/raw-table.ts'
import { plural } from '../../base/text/amount-text.ts'
import { bandLabels } from '../../study/band-labels.ts'
import { type Findings, quoted } from './declaration-error.ts'
import { ofTexts } from './raw-values.ts'

/**
 * The bands of a column of numbers, ordered: level i of `bandLabels` holds the values from `at[i - 1]` up to, but not
 * including, `at[i]`. Null, with a fault, when the column holds no numbers.
 */
export function bandColumn(
  name: string,
  column: RawColumn,
  at: readonly number[],
  { remarks, faults, dropped }: Findings,
): RawColumn | null {
  const { name: of } = column
  const fault = (found: string, advice: string | null): null => {
    faults.push({ key: 'bands', column: of, found, advice })
    return null
  }
  if (!('values' in column) || column.type !== 'number') {
    const what = 'codes' in column ? 'texts' : 'dates'
    const advice = what === 'texts' ? 'declare the texts that mean no number in `missing`' : null
    return fault(`bands need numbers, and the column holds ${what}`, advice)
  }
  const isRising = at.every((cut, i) => Number.isFinite(cut) && (i === 0 || cut > at[i - 1]!))
  if (at.length === 0 || !isRising) return fault('the cuts of bands must rise', 'write them as [18, 30, 45, 65]')
  const levels = bandLabels(at, column.decimals === 0)
  const counts = new Float64Array(levels.length)
  const made = ofTexts({ name }, 'text', column.values.length, (row) => {
    if (column.valid[row] === 0) return null
    const band = bandOf(column.values[row]!, at)
    counts[band]!++
    return levels[band]!
  })
  const filled = levels.filter((_, i) => counts[i]! > 0)
  if (!dropped.has(of) || filled.length > 0) {
    const empty = levels.length - filled.length
    const more = empty > 0 ? `; ${plural(empty, 'band')} without a row` : ''
    const text = `${quoted(name)} has ${plural(filled.length, 'band')} of ${quoted(of)}: ${filled.join(', ')}${more}.`
    remarks.push({ key: 'bands', text })
  }
  return { ...made, declaredType: 'ordinal', declaredOrder: levels }
}

function bandOf(value: number, at: readonly number[]): number {
  let band = 0
  while (band < at.length && value >= at[band]!) band++
  return band
}
