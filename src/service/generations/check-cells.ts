import type { SchemaColumn } from '../../contract/datasets.ts'
import type { GenerationRequest } from '../../contract/generations.ts'
import type { CheckedCells } from '../records/generation-records.ts'
import { type ColumnOf, checkLevels, type Faults, unknownColumn } from './condition-faults.ts'

/** Tolerance for shares that sum to 1. */
const SHARE_TOLERANCE = 1e-9

type Table = NonNullable<NonNullable<GenerationRequest['conditions']>['cells']>[number]

/** Null, with the faults, for a table of cells that cannot be. */
export function checkCells(
  schema: ReadonlyMap<string, SchemaColumn>,
  { columns, shares }: Table,
  field: string,
  faults: Faults,
): CheckedCells | null {
  const before = faults.errors.length
  const known = columns.map((name) => {
    const column = schema.get(name)
    if (column === undefined) unknownColumn(schema, name, `${field}.columns`, faults)
    else if (column.type !== 'categorical') {
      faults.errors.push({ field: `${field}.columns`, message: `names ${name}, a numeric column, which has no cells` })
    } else return column
    return null
  })
  if (new Set(columns).size < columns.length) {
    faults.errors.push({ field: `${field}.columns`, message: 'names a column twice' })
  }
  const seen = new Set<string>()
  shares.forEach(({ levels }, i) => {
    const at = `${field}.shares.${i}`
    const key = JSON.stringify(levels)
    if (seen.has(key)) faults.errors.push({ field: at, message: 'is there twice' })
    seen.add(key)
    if (levels.length !== columns.length) {
      faults.errors.push({
        field: `${at}.levels`,
        message: `must have a level of each of the ${columns.length} columns`,
      })
    } else {
      levels.forEach((level, c) => {
        if (known[c]) checkLevels(known[c] as ColumnOf<'categorical'>, [level], `${at}.levels`, faults)
      })
    }
  })
  const sum = shares.reduce((total, { share }) => total + share, 0)
  if (sum > 1 + SHARE_TOLERANCE) {
    const message = `has shares that sum to ${Number(sum.toPrecision(12))}, which is more than 1`
    faults.errors.push({ field: `${field}.shares`, message })
  }
  return faults.errors.length === before ? { columns, cells: shares } : null
}
