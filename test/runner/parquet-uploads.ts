import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTable } from '../../src/formats/read-table.ts'
import { readColumn } from '../formats/read-column.ts'
import { readSeed, type Seed } from './double-rows.ts'
import type { ServiceDouble } from './service-double.ts'

/** Lets a double read Parquet files, in which it knows none of our notes about columns; other files as before. */
export function readParquetUploads(double: ServiceDouble): void {
  const seeds = new Map<string, Seed>()
  const shaOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  double.intercept = async ({ method, path, body }) => {
    if (method !== 'POST' || path !== '/v1/datasets') return undefined
    // The tail of the body is a line end, the boundary between dashes, and a line end.
    const start = body.indexOf('\r\n\r\n', body.indexOf('name="seed_file"')) + 4
    const bytes = body.subarray(start, body.lastIndexOf('\r\n--'))
    if (bytes.subarray(0, 4).toString() === 'PAR1') seeds.set(shaOf(bytes), await seedOfParquet(bytes))
    return undefined
  }
  double.readUpload = (file) => seeds.get(shaOf(file)) ?? readSeed(file.toString('utf8'))
}

async function seedOfParquet(bytes: Buffer): Promise<Seed> {
  const folder = await mkdtemp(join(tmpdir(), 'whatif-double-'))
  try {
    const path = join(folder, 'upload.parquet')
    await writeFile(path, bytes)
    const table = await readTable(path, { tempDir: folder })
    const header = table.columns.map(({ name }) => name)
    const columns = header.map((name) =>
      readColumn(table, name).map((value) => String(value ?? '').replaceAll(',', ';')),
    )
    const lines = Array.from({ length: table.rowCount }, (_, row) => columns.map((column) => column[row]).join(','))
    return readSeed(`${[header.join(','), ...lines].join('\n')}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
