import { Slices } from '../../base/event-loop-turns.ts'
import { momentOf } from '../../base/rfc3339.ts'
import type { SchemaColumn } from '../../contract/datasets.ts'
import type { GenerationRequest } from '../../contract/generations.ts'
import { MAX_PROBLEM_ENTRIES } from '../../contract/limits.ts'
import type { FieldError, SchemaHint } from '../../contract/problem.ts'
import { NameSearch } from '../http/nearest-names.ts'
import { ProblemError } from '../http/problem-error.ts'
import { echo, invalidFields } from '../http/request-shape.ts'
import { dataKey } from '../http/strict-json.ts'
import type { CheckedConditions } from '../records/generation-records.ts'
import type { Settings } from '../settings/settings.ts'

/** Tolerance for shares that sum to 1. */
const SHARE_TOLERANCE = 1e-9

const UNKNOWN_COLUMN = 'is not a column of the cleaned schema'

/** An unknown name that is counted but not reported: a request can contain thousands of them. */
const UNREPORTED: FieldError = { field: 'conditions', message: UNKNOWN_COLUMN }

interface CheckOptions {
  readonly disclosure?: Settings['disclosure']
  /** The field of the request that holds the conditions. */
  readonly root?: string
}

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

/**
 * Checks the conditions of a request against the cleaned schema of its dataset, in slices, because both may have
 * thousands of levels.
 *
 * @throws ProblemError with all faults: `svc_unknown_condition_column` with a schema hint if a column or level is not
 * in the schema, `svc_invalid_field` otherwise; `svc_means_not_offered` for means of a protected seed.
 *
 */
export async function checkConditions(
  conditions: GenerationRequest['conditions'],
  schema: readonly SchemaColumn[],
  { disclosure = 'protected', root = 'conditions' }: CheckOptions = {},
): Promise<CheckedConditions> {
  const stated = dataEntries(conditions?.means)
  if (stated.length > 0 && disclosure !== 'exact') throw meansNotOffered(root)
  const faults = noFaults()
  const slices = new Slices()
  const columns = new Map(schema.map((column) => [column.name, column]))
  const shares = new Map<string, readonly (readonly [string, number])[]>()
  const ranges = new Map<string, { min: number; max: number }>()
  for (const [name, record] of dataEntries(conditions?.categorical)) {
    const levels = new Map(dataEntries(record))
    const column = findColumn(columns, name, 'categorical', root, faults)
    if (column !== null && checkShares(column, levels, root, faults)) shares.set(name, [...levels])
    await slices.next()
  }
  for (const [name, range] of dataEntries(conditions?.numeric)) {
    const column = findColumn(columns, name, 'numeric', root, faults)
    const checked = column === null ? null : checkRange(column, range, root, faults)
    if (checked !== null) ranges.set(name, checked)
    await slices.next()
  }
  const means = new Map<string, { min: number | null; max: number | null }>()
  for (const [name, mean] of stated) {
    const column = findColumn(columns, name, 'numeric', root, faults, 'means')
    const checked = column === null ? null : checkMean(column, mean, root, faults)
    if (checked !== null) means.set(name, checked)
    await slices.next()
  }
  if (faults.errors.length > 0) throw problemOf(faults)
  return {
    shares: schema.flatMap(({ name }) => {
      const levels = shares.get(name)
      return levels === undefined ? [] : [{ column: name, levels }]
    }),
    ranges: schema.flatMap(({ name }) => {
      const range = ranges.get(name)
      return range === undefined ? [] : [{ column: name, ...range }]
    }),
    ...(means.size > 0 && {
      means: schema.flatMap(({ name }) => {
        const mean = means.get(name)
        return mean === undefined ? [] : [{ column: name, ...mean }]
      }),
    }),
  }
}

function meansNotOffered(root: string): ProblemError {
  return new ProblemError(
    'svc_means_not_offered',
    `${root}.means: this service protects its seeds and takes no means; state ranges, or shares of bands of the column.`,
  )
}

/** Entries of a field whose keys are names of columns or levels. */
function dataEntries<V>(record: Readonly<Record<string, V>> = {}): (readonly [string, V])[] {
  return Object.entries(record).map(([key, value]) => [dataKey(key), value] as const)
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

type ColumnOf<Kind extends SchemaColumn['type']> = Extract<SchemaColumn, { readonly type: Kind }>

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

function findColumn<Kind extends SchemaColumn['type']>(
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

function checkShares(
  column: ColumnOf<'categorical'>,
  shares: ReadonlyMap<string, number>,
  root: string,
  faults: Faults,
): boolean {
  const field = `${root}.categorical.${echo(column.name)}`
  const { levels } = column
  const known = new Set(levels)
  const before = faults.errors.length
  if (shares.size === 0) faults.errors.push({ field, message: 'names no level' })
  for (const level of shares.keys()) {
    if (known.has(level)) continue
    faults.hint ??= { column: column.name, levels: faults.search.nearest(level, levels, MAX_PROBLEM_ENTRIES) }
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
  const sum = [...shares.values()].reduce((total, share) => total + share, 0)
  if (sum > 1 + SHARE_TOLERANCE) {
    faults.errors.push({
      field,
      message: `has shares that sum to ${Number(sum.toPrecision(12))}, which is more than 1`,
    })
  } else if (
    sum < 1 - SHARE_TOLERANCE &&
    column.missing_share === 0 &&
    levels.length > 0 &&
    levels.every((level) => shares.has(level))
  ) {
    faults.errors.push({
      field,
      message: `lists every level, with shares that sum to ${Number(sum.toPrecision(12))}: nothing is left to take the rest`,
    })
  }
  return faults.errors.length === before
}

function checkRange(
  column: ColumnOf<'numeric'>,
  range: { readonly min: number | string; readonly max: number | string },
  root: string,
  faults: Faults,
): { min: number; max: number } | null {
  const field = `${root}.numeric.${echo(column.name)}`
  const ends = { min: Number.NaN, max: Number.NaN }
  for (const end of ['min', 'max'] as const) {
    const bound = range[end]
    if (typeof bound === 'number') ends[end] = bound
    else if (column.format === undefined) faults.errors.push({ field: `${field}.${end}`, message: 'must be a number' })
    else {
      // Values of a date column are midnights: the last one in a range is the midnight that begins its last day.
      const moment = momentOf(bound, column.format === 'date' ? 'min' : end)
      if (moment !== null) ends[end] = moment
      else {
        faults.errors.push({
          field: `${field}.${end}`,
          message: 'must be an RFC 3339 date or date-time, or milliseconds since 1970',
        })
      }
    }
  }
  if (Number.isNaN(ends.min) || Number.isNaN(ends.max)) return null
  if (ends.min > ends.max) {
    faults.errors.push({ field, message: 'has a min above its max' })
    return null
  }
  return ends
}

function checkMean(
  column: ColumnOf<'numeric'>,
  mean: number | { readonly min?: number | undefined; readonly max?: number | undefined },
  root: string,
  faults: Faults,
): { min: number | null; max: number | null } | null {
  const field = `${root}.means.${echo(column.name)}`
  if (column.format !== undefined) {
    faults.errors.push({ field, message: `is a column of dates: it takes a range under ${root}.numeric` })
    return null
  }
  if (typeof mean === 'number') return { min: mean, max: mean }
  const { min = null, max = null } = mean
  if (min !== null && max !== null && min > max) {
    faults.errors.push({ field, message: 'has a min above its max' })
    return null
  }
  return { min, max }
}
