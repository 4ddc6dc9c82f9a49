import type { RawTable } from '../raw-table.ts'
import type { ReadTableOptions } from '../read-table.ts'
export async function readParquet(_p: string, _o: ReadTableOptions): Promise<RawTable> {
  throw new Error('x')
}
