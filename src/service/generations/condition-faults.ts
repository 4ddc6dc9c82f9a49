/** What is wrong with the conditions of a request, and the columns that they name. */

import type { SchemaColumn } from '../../contract/datasets.ts'
import { MAX_PROBLEM_ENTRIES } from '../../contract/limits.ts'
import type { FieldError, SchemaHint } from '../../contract/problem.ts'
import { NameSearch } from '../http/nearest-names.ts'
import { ProblemError } from '../http/problem-error.ts'
import { echo, invalidFields } from '../http/request-shape.ts'

const UNKNOWN_COLUMN = 'is not a column of the cleaned schema'

/** An unknown name that is counted but not reported: a request can contain thousands of them. */
const UNREPORTED: FieldError = { field: 'conditions', message: UNKNOWN_COLUMN }

/** The faults found while checking a request. */
export interface Faults {
  readonly errors: FieldError[]
  /** Whether a column or level is not in the schema, and what the schema offers instead of the first such name. */
  hint: SchemaHint | null
  readonly search: NameSearch
}

export function noFaults(): Faults {
  return { errors: [], hint: null, search: new NameSearch() }
}

export function problemOf({ errors, hint }: Faults): ProblemError {
  if (hint === null) return invalidFields(errors)
  const [first] = errors
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`
  const suggestion = first?.suggestion === undefined ? '' : `; did you mean ${first.suggestion}?`
  return new ProblemError('svc_unknown_condition_column', `${first?.field} ${first?.message}${suggestion}${more}`, {
    errors,
    schemaHint: hint,
  })
}

export type ColumnOf<Kind extends SchemaColumn['type']> = Extract<SchemaColumn, { readonly type: Kind }>

/** Records an unknown column and similar names. */
export function unknownColumn(
  columns: ReadonlyMap<string, SchemaColumn>,
  name: string,
  field: string,
  faults: Faults,
): void {
  faults.hint ??= { columns: faults.search.nearest(name, [...columns.keys()], MAX_PROBLEM_ENTRIES) }
  if (faults.errors.length >= MAX_PROBLEM_ENTRIES) {
    faults.errors.push(UNREPORTED)
    return
  }
  // Using a header of the seed file is the likeliest mistake.
  const renamed = [...columns.values()].find((candidate) => candidate.source_name === name)
  const suggestion = renamed?.name ?? faults.search.likely(name, [...columns.keys()])
  faults.errors.push({
    field,
    message:
      renamed === undefined ? UNKNOWN_COLUMN : 'is a header of the seed file, not a column of the cleaned schema',
    ...(suggestion !== null && { suggestion }),
  })
}

export function findColumn<Kind extends SchemaColumn['type']>(
  columns: ReadonlyMap<string, SchemaColumn>,
  name: string,
  kind: Kind,
  root: string,
  faults: Faults,
  member: string = kind,
): ColumnOf<Kind> | null {
  const field = `${root}.${member}.${echo(name)}`
  const column = columns.get(name)
  if (column === undefined) {
    unknownColumn(columns, name, field, faults)
    return null
  }
  if (column.type !== kind) {
    const wanted = column.type === 'numeric' ? `a range under ${root}.numeric` : `shares under ${root}.categorical`
    faults.errors.push({ field, message: `is a ${column.type} column: it takes ${wanted}` })
    return null
  }
  return column as ColumnOf<Kind>
}

/** Records levels that the column does not have. */
export function checkLevels(
  { name, levels }: ColumnOf<'categorical'>,
  named: Iterable<string>,
  field: string,
  faults: Faults,
): void {
  const known = new Set(levels)
  for (const level of named) {
    if (known.has(level)) continue
    faults.hint ??= { column: name, levels: faults.search.nearest(level, levels, MAX_PROBLEM_ENTRIES) }
    if (faults.errors.length >= MAX_PROBLEM_ENTRIES) {
      faults.errors.push(UNREPORTED)
      continue
    }
    const suggestion = faults.search.likely(level, levels)
    faults.errors.push({
      field: `${field}.${echo(level)}`,
      message: 'is not a level of this column in the cleaned schema',
      ...(suggestion !== null && { suggestion }),
    })
  }
}
