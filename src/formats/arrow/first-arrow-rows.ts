import { open } from 'node:fs/promises'
import { RecordBatchReader } from 'apache-arrow'
import { type FirstRows, type FirstRowsRequest, wantedColumns } from '../reading/artifact-summary.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { columnOf } from './summarize-arrow.ts'

/** The first rows of an Arrow IPC file; batches behind them are not read. */
export async function firstArrowRows(path: string, request: FirstRowsRequest): Promise<FirstRows> {
  const file = await open(path, 'r')
  try {
    const reader = await RecordBatchReader.from(file)
    await reader.open()
    const names = reader.schema.fields.map((field) => field.name)
    const wanted = wantedColumns(names, request.columns)
    const rows: (string | null)[][] = []
    for await (const batch of reader) {
      const columns = wanted.map((i) => columnOf(batch, names[i]!))
      const cells = columns.map(({ values, level }) => firstOf(values, request.rows - rows.length).map(level))
      const count = Math.min(batch.numRows, request.rows - rows.length)
      for (let row = 0; row < count; row++) rows.push(cells.map((column) => column[row] ?? null))
      if (rows.length === request.rows) break
    }
    return { columns: names, shown: wanted.map((i) => names[i]!), rows }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error
    throw new UnreadableFileError('The arrow file is damaged or was cut short.', { cause: error })
  } finally {
    // The reader closes the file when it reaches the end.
    await file.close().catch(() => undefined)
  }
}

function firstOf(values: Iterable<unknown>, count: number): unknown[] {
  const found: unknown[] = []
  for (const value of values) {
    if (found.length === count) break
    found.push(value)
  }
  return found
}
