/** Which columns and levels the data of one side of a comparison have: its counts, and its cleaned schema. */

import { columnKindOf } from '../../base/column-kind.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { Measurement } from '../../records/state/measurements.ts'
import { OUTCOME_KINDS, type OutcomeKindName } from '../../study/outcomes/outcome.ts'

/** What a comparison asks of a column. */
export type NamedAs = OutcomeKindName | 'segments' | 'where'

/** Null: the cleaned schema is not known. */
export type KnownSchema = readonly AnySchemaColumn[] | null

interface Names {
  readonly columns: ReadonlyMap<string, AnySchemaColumn>
  readonly levels: Map<string, ReadonlySet<string>>
}

/** Schemas may be large, and every gate and outcome asks. */
const indexed = new WeakMap<readonly AnySchemaColumn[], Names>()

function namesOf(schema: readonly AnySchemaColumn[]): Names {
  let names = indexed.get(schema)
  if (names === undefined) {
    names = { columns: new Map(schema.map((column) => [column.name, column])), levels: new Map() }
    indexed.set(schema, names)
  }
  return names
}

/** Whether a schema is known to have no such column, or one of a kind that cannot be compared like this. */
export function lacksColumn(schema: KnownSchema, name: string, as: NamedAs): boolean {
  if (schema === null) return false
  const column = namesOf(schema).columns.get(name)
  if (column === undefined) return true
  if (as === 'where') return false
  const kind = columnKindOf(column)
  // No mean of levels that are not known.
  if (as === 'means' && kind === 'categorical' && column.levels === undefined) return true
  return !OUTCOME_KINDS[as === 'segments' ? 'shares' : as].fits({ kind, levels: column.levels })
}

/** Null when the levels of the column are not known. */
export function schemaHasLevel(schema: KnownSchema, name: string, level: string): boolean | null {
  if (schema === null) return null
  const names = namesOf(schema)
  const column = names.columns.get(name)
  if (column === undefined) return false
  if (column.levels === undefined) return null
  let levels = names.levels.get(name)
  if (levels === undefined) {
    levels = new Set(column.levels)
    names.levels.set(name, levels)
  }
  return levels.has(level)
}

/** One side: what was counted in its rows, and the schema that they follow. */
export interface NamedSide {
  readonly measured: Pick<Measurement, 'shares'>
  readonly schema: KnownSchema
}

const isCounted = ({ measured }: NamedSide, column: string, level: string): boolean =>
  measured.shares.find(([name]) => name === column)?.[1].levels.some(([name]) => name === level) ?? false

/**
 * Whether no figure of a level can be told: a side's schema does not have it, and none of its rows. A level that
 * neither schema nor rows of any side are known to have counts as gone as well, so that it is never taken for 0.
 */
export function isLevelGone(column: string, level: string, sides: readonly NamedSide[]): boolean {
  const found = sides.map((side) => isCounted(side, column, level) || schemaHasLevel(side.schema, column, level))
  return found.includes(false) || !found.includes(true)
}
