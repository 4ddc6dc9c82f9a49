import type { SchemaColumn } from '../../contract/datasets.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import { noFaults, problemOf, unknownColumn } from '../generations/check-conditions.ts'

/**
 * Names of the columns that are asked for.
 *
 * @throws ProblemError with all faults: `svc_unknown_condition_column` with a schema hint when a column is not in the schema,
 * `svc_invalid_field` for a statistic that does not fit its column.
 */
export function checkOutcomes(outcomes: EstimateRequest['outcomes'], schema: readonly SchemaColumn[]): string[] {
  const faults = noFaults()
  const columns = new Map(schema.map((column) => [column.name, column]))
  for (const [i, { column: name, statistic }] of outcomes.entries()) {
    const column = columns.get(name)
    if (column === undefined) {
      unknownColumn(columns, name, `outcomes.${i}.column`, faults)
      continue
    }
    const fitting = column.type === 'categorical' ? 'shares' : 'mean'
    if (statistic === undefined || statistic === fitting) continue
    faults.errors.push({
      field: `outcomes.${i}.statistic`,
      message: `must be ${fitting}: ${column.name} is a ${column.type} column`,
    })
  }
  if (faults.errors.length > 0) throw problemOf(faults)
  return outcomes.map(({ column }) => column)
}
