import { open } from 'node:fs/promises'
import { DataType, type RecordBatch, RecordBatchReader } from 'apache-arrow'
import { type ArtifactRequest, type ArtifactSummary, columnsOf, missingColumn } from '../reading/artifact-summary.ts'
import type { CountedColumn } from '../reading/counted-column.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { ValueCounting } from '../reading/value-counting.ts'

/** A file up to this size is read at once: piece by piece it takes ten reads for each batch. */
const WHOLE_BYTES = 4 << 20

/**
 * Counts an Arrow IPC file batch by batch; only numbers that are described are held. `source`: its path, or its bytes.
 */
export async function summarizeArrow(source: string | Buffer, request: ArtifactRequest): Promise<ArtifactSummary> {
  const file = typeof source === 'string' ? await open(source, 'r') : null
  try {
    const isLarge = file !== null && (await file.stat()).size > WHOLE_BYTES
    const reader = isLarge
      ? await RecordBatchReader.from(file)
      : RecordBatchReader.from(file === null ? (source as Buffer) : await file.readFile())
    await reader.open()
    const names = reader.schema.fields.map((field) => field.name)
    for (const name of columnsOf(request)) {
      if (!names.includes(name)) throw missingColumn(name, names)
    }
    const counting = new ValueCounting(request)
    let rows = 0
    for await (const batch of reader) {
      rows += batch.numRows
      counting.add((name) => columnOf(batch as RecordBatch, name))
    }
    return counting.summary(rows, names)
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error
    throw new UnreadableFileError('The arrow file is damaged or was cut short: it could not be read to its end.', {
      cause: error,
    })
  } finally {
    // The reader closes the file when it reaches the end.
    await file?.close().catch(() => undefined)
  }
}

/** A column of a batch, with its values as levels and as numbers. */
export function columnOf(batch: RecordBatch, name: string): CountedColumn {
  const column = batch.getChild(name)
  if (column === null) throw new UnreadableFileError(`A batch of the file has no column "${name}".`)
  const isDate = DataType.isDate(column.type)
  const isTime = DataType.isTimestamp(column.type)
  return {
    values: column,
    level: (value) => levelOf(value, isDate, isTime),
    number: numberOf,
    isDate: isDate || isTime,
  }
}

function levelOf(value: unknown, isDate: boolean, isTime: boolean): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' && (isDate || isTime)) {
    const text = new Date(value).toISOString()
    return isDate ? text.slice(0, -14) : text.replace('T', ' ').replace(/(\.000)?Z$/, '')
  }
  return typeof value === 'number' && Number.isNaN(value) ? null : String(value)
}

/** Null when missing, NaN when the value is not a number. */
function numberOf(value: unknown): number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return Number.isNaN(value) ? null : value
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
  if (typeof value === 'string') return value.trim() === '' ? null : Number(value)
  return value instanceof Date ? value.getTime() : Number.NaN
}
