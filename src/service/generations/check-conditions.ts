import { Slices } from '../../base/event-loop-turns.ts'
import { momentOf } from '../../base/rfc3339.ts'
import type { SchemaColumn } from '../../contract/datasets.ts'
import type { GenerationRequest } from '../../contract/generations.ts'
import { ProblemError } from '../http/problem-error.ts'
import { echo } from '../http/request-shape.ts'
import { dataKey } from '../http/strict-json.ts'
import type { CheckedConditions } from '../records/generation-records.ts'
import type { Settings } from '../settings/settings.ts'
import { checkCells } from './check-cells.ts'
import { boundsOf, checkBounds, checkShares } from './check-shares.ts'
import { type ColumnOf, type Faults, findColumn, noFaults, problemOf } from './condition-faults.ts'

interface CheckOptions {
  readonly disclosure?: Settings['disclosure']
  /** The field of the request that holds the conditions. */
  readonly root?: string
}

/**
 * Checks the conditions of a request against the cleaned schema of its dataset, in slices, because both may have
 * thousands of levels.
 *
 * @throws ProblemError with all faults: `svc_unknown_condition_column` with a schema hint if a column or level is not
 * in the schema, `svc_invalid_field` otherwise; `svc_means_not_offered`, `svc_bounds_not_offered` and `svc_cells_not_offered` of a protected
 * seed.
 */
export async function checkConditions(
  conditions: GenerationRequest['conditions'],
  schema: readonly SchemaColumn[],
  { disclosure = 'protected', root = 'conditions' }: CheckOptions = {},
): Promise<CheckedConditions> {
  const stated = dataEntries(conditions?.means)
  const bounds = new Map(dataEntries(conditions?.bounds).map(([name, of]) => [name, new Map(dataEntries(of))]))
  if (stated.length > 0 && disclosure !== 'exact') throw meansNotOffered(root)
  if (bounds.size > 0 && disclosure !== 'exact') throw boundsNotOffered(root)
  const tables = conditions?.cells ?? []
  if (tables.length > 0 && disclosure !== 'exact') throw cellsNotOffered(root)
  const faults = noFaults()
  const slices = new Slices()
  const columns = new Map(schema.map((column) => [column.name, column]))
  const shares = new Map<string, Omit<CheckedConditions['shares'][number], 'column'>>()
  const ranges = new Map<string, { min: number; max: number }>()
  for (const [name, record] of dataEntries(conditions?.categorical)) {
    const levels = new Map(dataEntries(record))
    const column = findColumn(columns, name, 'categorical', root, faults)
    const own = bounds.get(name)
    if (column !== null && checkShares(column, levels, own, root, faults)) {
      shares.set(name, { levels: [...levels], ...(own && { bounds: boundsOf(own) }) })
    }
    await slices.next()
  }
  for (const [name, own] of bounds) {
    const column = findColumn(columns, name, 'categorical', root, faults, 'bounds')
    if (column !== null && checkBounds(column, own, root, faults) && !shares.has(name)) {
      if (checkShares(column, new Map(), own, root, faults)) shares.set(name, { levels: [], bounds: boundsOf(own) })
    }
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
  const cells = tables.flatMap((table, t) => checkCells(columns, table, `${root}.cells.${t}`, faults) ?? [])
  if (faults.errors.length > 0) throw problemOf(faults)
  return {
    shares: schema.flatMap(({ name }) => {
      const own = shares.get(name)
      return own === undefined ? [] : [{ column: name, ...own }]
    }),
    ranges: schema.flatMap(({ name }) => {
      const range = ranges.get(name)
      return range === undefined ? [] : [{ column: name, ...range }]
    }),
    ...(cells.length > 0 && { cells }),
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

function boundsNotOffered(root: string): ProblemError {
  return new ProblemError(
    'svc_bounds_not_offered',
    `${root}.bounds: this service protects its seeds and takes no bounds of shares; state the shares themselves.`,
  )
}

function cellsNotOffered(root: string): ProblemError {
  return new ProblemError(
    'svc_cells_not_offered',
    `${root}.cells: this service protects its seeds and takes no cells; state shares of the columns.`,
  )
}

/** Entries of a field whose keys are names of columns or levels. */
function dataEntries<V>(record: Readonly<Record<string, V>> = {}): (readonly [string, V])[] {
  return Object.entries(record).map(([key, value]) => [dataKey(key), value] as const)
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
