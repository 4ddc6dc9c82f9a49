import { mayHaveNumbers } from '../../base/column-kind.ts'
import type { MeanCondition, Range, RangeCondition } from '../conditions/condition.ts'
import { meanText } from '../conditions/mean.ts'
import { boundOf, greatestIn, rangeText } from '../conditions/range-ends.ts'
import { type CleanedColumn, withSchema } from './cleaned-schema.ts'
import type { ColumnFindings, Finding } from './column-findings.ts'

export function checkRange(findings: ColumnFindings, range: RangeCondition): readonly Finding[] {
  const { column: name, place } = range
  const found: Finding[] = []
  const column = findings.find(name, place, found)
  if (column === null) return found
  if (!mayHaveNumbers(column)) return [findings.wrongKind(column, 'categorical and takes shares, not a range', place)]
  const missing = missingEnd(findings, column, range)
  if (missing !== null) {
    const text = {
      summary: `the range of column "${name}" has no ${missing}, and the schema does not report it`,
      range: place,
      detail: withSchema('write both ends', findings.schema),
    }
    return [...found, { code: 'S2003', text }]
  }
  const min = boundOf(column, 'min')
  const max = boundOf(column, 'max')
  const greatest = greatestIn(range, column)
  const isOutside = (min !== null && greatest < min) || (max !== null && range.min > max)
  const isPartlyOutside =
    (min !== null && range.min < min && Number.isFinite(range.min)) ||
    (max !== null && greatest > max && Number.isFinite(greatest))
  if (!isOutside && !isPartlyOutside) return found
  const relation = isOutside ? 'does not overlap the trained range' : 'lies partly outside the trained range'
  const [least, most] = range.areDates ? [column.min, column.max].map(String) : [column.min, column.max].map(boundText)
  const text = {
    summary: `range ${rangeText(range)} of column "${name}" ${relation} ${least} to ${most}`,
    range: place,
    detail: withSchema('', findings.schema),
  }
  return [{ code: isOutside ? 'S2107' : 'W2108', text }]
}

export function checkMean(
  findings: ColumnFindings,
  { column: name, place, min, max }: MeanCondition,
): readonly Finding[] {
  const found: Finding[] = []
  const column = findings.find(name, place, found)
  if (column === null) return found
  if (!mayHaveNumbers(column)) return [findings.wrongKind(column, 'categorical and takes shares, not a mean', place)]
  if (column.format !== undefined) {
    const summary = `column "${name}" has dates and takes a range, not a mean`
    const detail = withSchema(
      `for means, add a column of numbers to the file, such as days since a date`,
      findings.schema,
    )
    return [{ code: 'S2105', text: { summary, range: place, detail } }]
  }
  const least = boundOf(column, 'min')
  const most = boundOf(column, 'max')
  if (least === null || most === null || (least === most && min <= least && max >= least)) return found
  if (max > least && min < most) return found
  const text = {
    summary: `mean ${meanText({ min, max })} of column "${name}" does not lie between the ends of the data, ${boundText(column.min)} and ${boundText(column.max)}`,
    range: place,
    detail: withSchema('', findings.schema),
  }
  return [{ code: 'S2113', text }]
}

/** An open end that cannot be sent, because no bound of the column is known. A lock has no bounds. */
function missingEnd(findings: ColumnFindings, column: CleanedColumn, { min, max }: Range): 'min' | 'max' | null {
  if (findings.schema.hasNoBounds === true) return null
  if (min === Number.NEGATIVE_INFINITY && boundOf(column, 'min') === null) return 'min'
  return max === Number.POSITIVE_INFINITY && boundOf(column, 'max') === null ? 'max' : null
}

function boundText(bound: number | string | undefined): string {
  if (typeof bound !== 'string') return bound === undefined ? 'unknown' : String(bound)
  const milliseconds = Date.parse(bound)
  return Number.isNaN(milliseconds) ? bound : `${bound} (${milliseconds})`
}
