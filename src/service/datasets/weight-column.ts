/** The column of case weights that an upload names: taken out of the table that was read, and checked. */

import { MIN_CLEAN_ROWS } from '../../base/min-clean-rows.ts'
import type { RawColumn, RawNumberColumn, RawTable } from '../../base/raw-table.ts'
import { countText } from '../../base/text/amount-text.ts'
import { quoted } from '../../engine/cleaning/quoted-text.ts'
import { effectiveRows } from '../../engine/weighting/case-weights.ts'
import { NameSearch } from '../http/nearest-names.ts'
import { JobFailedError } from '../jobs/processes/job-failed-error.ts'

/**
 * Effective rows that weights must leave: as many as the rows that a table needs. With fewer, the file says less about its
 * population than the smallest table that is accepted.
 */
const MIN_EFFECTIVE_ROWS = MIN_CLEAN_ROWS

/** Squares below it have lost digits (the smallest number with all of its digits is 2^-1022). */
const LEAST_SQUARE = 2 ** -970

export interface WeightedTable {
  /** Without the column of weights. */
  readonly raw: RawTable
  /** A weight for each row held. */
  readonly weight: { readonly name: string; readonly values: Float64Array }
}

/**
 * @param name As in the header of the file.
 * @throws {JobFailedError} `svc_untrainable_dataset` when there is no such column, or its values are no weights.
 */
export function takeWeightColumn(raw: RawTable, name: string): WeightedTable {
  const column = raw.columns.find((one) => one.name === name)
  if (column === undefined) throw refused(missingColumn(raw, name))
  const said = `The weight column ${quoted(name)}`
  const fault = faultOf(column, raw.rowCount)
  if (fault !== null) throw refused(`${said} ${fault}`)
  const { values } = column as RawNumberColumn
  const effective = effectiveRows(values)
  if (raw.rowCount >= MIN_CLEAN_ROWS && (effective * raw.rowCount) / raw.sampleRows < MIN_EFFECTIVE_ROWS) {
    throw refused(
      `${said} leaves fewer than ${MIN_EFFECTIVE_ROWS} effective rows, (sum of weights)² / sum of squared weights: a few rows ` +
        'outweigh all others. Trim the largest weights, or name another column.',
    )
  }
  const columns = raw.columns.filter((one) => one !== column)
  return { raw: { ...raw, columns }, weight: { name, values } }
}

function missingColumn(raw: RawTable, name: string): string {
  const skipped = raw.skippedColumns?.find((one) => one.name === name)
  if (skipped !== undefined)
    return `The weight column ${quoted(name)} must hold numbers. It was not read: ${skipped.detail}`
  const names = raw.columns.map((one) => one.name)
  const likely = new NameSearch().likely(name, names)
  const advice = likely === null ? 'Send its name as it is in the header.' : `Did you mean ${quoted(likely)}?`
  return `The file has no column ${quoted(name)} to take weights from. ${advice}`
}

/** The fault, in words that follow the column's name; null when all values are weights. Quotes no value. */
function faultOf(column: RawColumn, rowCount: number): string | null {
  if ('codes' in column || column.type !== 'number') {
    const found = column.type === 'text' ? 'text' : column.type === 'boolean' ? 'yes and no' : 'dates'
    return `must hold numbers, and holds ${found}.`
  }
  if (column.missing > 0) {
    return (
      `has no weight in ${countText(column.missing)} of ${countText(rowCount)} rows. ` +
      'Every row needs a finite number; 0 leaves a row out.'
    )
  }
  if (column.min < 0) return 'has negative weights. A weight is 0 or more.'
  if (!(column.max > 0)) return 'holds 0 in all rows. A row of weight 0 counts for nobody.'
  // The square of their sum, and the square of each that counts, are numbers.
  if (!Number.isFinite((column.max * rowCount) ** 2))
    return 'holds numbers too large to be summed up. Divide all weights by their mean.'
  if (column.max ** 2 < LEAST_SQUARE)
    return 'holds numbers too small to be summed up. Divide all weights by their mean.'
  return null
}

function refused(detail: string): JobFailedError {
  return new JobFailedError('svc_untrainable_dataset', detail)
}
