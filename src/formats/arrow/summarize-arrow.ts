import { open } from 'node:fs/promises'
import { DataType, type RecordBatch, RecordBatchReader, type Vector } from 'apache-arrow'
import {
  type ArtifactRequest,
  type ArtifactSummary,
  MAX_LEVELS,
  missingColumn,
  type NumericSummary,
  QUANTILES,
  sortedCounts,
} from '../artifact-summary.ts'
import { UnreadableFileError } from '../unreadable-file-error.ts'

/** Counts an Arrow IPC file batch by batch; only the numbers to be described are held. */
export async function summarizeArrow(path: string, request: ArtifactRequest): Promise<ArtifactSummary> {
  const file = await open(path, 'r')
  try {
    const reader = await RecordBatchReader.from(file)
    await reader.open()
    const names = reader.schema.fields.map((field) => field.name)
    for (const name of [...request.shares, ...request.ranges.keys(), ...request.numeric]) {
      if (!names.includes(name)) throw missingColumn(name, names)
    }
    const counting = new Counting(request)
    for await (const batch of reader) counting.add(batch as RecordBatch)
    return counting.summary(names)
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error
    throw new UnreadableFileError('The arrow file is damaged or was cut short: it could not be read to its end.', {
      cause: error,
    })
  } finally {
    // The reader closes the file when it comes to its end.
    await file.close().catch(() => undefined)
  }
}

class Counting {
  readonly #request: ArtifactRequest
  readonly #shares: Map<string, { counts: Map<string, number>; missing: number }>
  readonly #ranges: Map<string, { min: number | null; max: number | null; outside: number; missing: number }>
  readonly #numeric: Map<string, { values: number[][]; missing: number }>
  #rows = 0

  constructor(request: ArtifactRequest) {
    this.#request = request
    this.#shares = new Map(request.shares.map((name) => [name, { counts: new Map(), missing: 0 }]))
    this.#ranges = new Map(
      [...request.ranges.keys()].map((name) => [name, { min: null, max: null, outside: 0, missing: 0 }]),
    )
    this.#numeric = new Map(request.numeric.map((name) => [name, { values: [], missing: 0 }]))
  }

  add(batch: RecordBatch): void {
    this.#rows += batch.numRows
    for (const [name, share] of this.#shares) countLevels(columnOf(batch, name), name, share)
    for (const [name, range] of this.#ranges) {
      const { min, max } = this.#request.ranges.get(name)!
      for (const value of columnOf(batch, name)) {
        const number = numberOf(value)
        if (number === null) range.missing++
        else if (Number.isNaN(number)) range.outside++
        else {
          if (range.min === null || number < range.min) range.min = number
          if (range.max === null || number > range.max) range.max = number
          if (number < min || number > max) range.outside++
        }
      }
    }
    for (const [name, numeric] of this.#numeric) {
      const values: number[] = []
      for (const value of columnOf(batch, name)) {
        const number = numberOf(value)
        if (number === null || !Number.isFinite(number)) numeric.missing++
        else values.push(number)
      }
      numeric.values.push(values)
    }
  }

  summary(columns: readonly string[]): ArtifactSummary {
    return {
      rows: this.#rows,
      columns,
      shares: new Map(
        [...this.#shares].map(([name, { counts, missing }]) => [name, { counts: sortedCounts(counts), missing }]),
      ),
      ranges: this.#ranges,
      numeric: new Map([...this.#numeric].map(([name, { values, missing }]) => [name, describe(values, missing)])),
    }
  }
}

function columnOf(batch: RecordBatch, name: string): Vector {
  const column = batch.getChild(name)
  if (column === null) throw new UnreadableFileError(`A batch of the file has no column "${name}".`)
  return column
}

function countLevels(column: Vector, name: string, into: { counts: Map<string, number>; missing: number }): void {
  const isDate = DataType.isDate(column.type)
  const isTime = DataType.isTimestamp(column.type)
  for (const value of column) {
    const level = levelOf(value, isDate, isTime)
    if (level === null) into.missing++
    else into.counts.set(level, (into.counts.get(level) ?? 0) + 1)
  }
  if (into.counts.size > MAX_LEVELS)
    throw new UnreadableFileError(`Column "${name}" has more than ${MAX_LEVELS} levels.`)
}

function levelOf(value: unknown, isDate: boolean, isTime: boolean): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' && (isDate || isTime)) {
    const text = new Date(value).toISOString()
    return isDate ? text.slice(0, -14) : text.replace('T', ' ').replace(/(\.000)?Z$/, '')
  }
  return typeof value === 'number' && Number.isNaN(value) ? null : String(value)
}

/** Null where missing, NaN where the value is no number. */
function numberOf(value: unknown): number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return Number.isNaN(value) ? null : value
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
  if (typeof value === 'string') return value.trim() === '' ? null : Number(value)
  return value instanceof Date ? value.getTime() : Number.NaN
}

function describe(parts: readonly (readonly number[])[], missing: number): NumericSummary {
  const count = parts.reduce((sum, part) => sum + part.length, 0)
  const values = new Float64Array(count)
  let length = 0
  for (const part of parts) {
    values.set(part, length)
    length += part.length
  }
  if (count === 0) return { count, missing, mean: null, sd: null, quantiles: null }
  const mean = compensatedSum(values, (value) => value) / count
  const squares = compensatedSum(values, (value) => (value - mean) ** 2)
  values.sort()
  return {
    count,
    missing,
    mean,
    sd: count < 2 ? null : Math.sqrt(squares / (count - 1)),
    quantiles: QUANTILES.map((p) => quantile(values, p)),
  }
}

/** Kahan 1965: a plain sum of a million values loses six digits. */
function compensatedSum(values: Float64Array, of: (value: number) => number): number {
  let sum = 0
  let lost = 0
  for (const value of values) {
    const y = of(value) - lost
    const next = sum + y
    lost = next - sum - y
    sum = next
  }
  return sum
}

function quantile(sorted: Float64Array, p: number): number {
  const at = (sorted.length - 1) * p
  const below = Math.floor(at)
  const low = sorted[below]!
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!
  return low + (high - low) * (at - below)
}
