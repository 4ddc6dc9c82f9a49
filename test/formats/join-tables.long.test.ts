import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parquetMetadata } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import type { Block, OutputColumn } from '../../src/base/output-table.ts'
import type { OutputFormat } from '../../src/base/result-formats.ts'
import { joinTables, ROW_GROUP_ROWS } from '../../src/formats/join-tables.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { type TablePiece, tailOf } from '../../src/formats/writing/table-piece.ts'
import { COLUMNS, makeBlock } from './blocks.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
/** Three blocks, the last of which ends with a row group. */
const BLOCK_ROWS = ROW_GROUP_ROWS / 3

/** The same names but for their case, and more levels than an enumeration takes. */
const FURTHER: readonly OutputColumn[] = [
  ...COLUMNS,
  { name: 'VISITS', kind: 'numeric', integer: false, decimals: 12 },
  { name: 'town', kind: 'categorical', levels: Array.from({ length: 400 }, (_, i) => `town ${i}`), integer: false },
]

function block(start: number, rowCount: number): Block {
  const { columns } = makeBlock(start, rowCount)
  const values = Float64Array.from({ length: rowCount }, (_, i) => Math.sin(start + i))
  const codes = Int32Array.from({ length: rowCount }, (_, i) => ((start + i) * 7919) % 400)
  return { rowCount, columns: [...columns, { values, valid: null }, { codes }] }
}

async function write(path: string, format: OutputFormat, firstRow: number, endRow: number, isContinuation: boolean) {
  const writer = await openTableWriter(path, format, FURTHER, { tempDir: folder.path, isContinuation })
  for (let row = firstRow; row < endRow; row += BLOCK_ROWS) {
    await writer.write(block(row, Math.min(BLOCK_ROWS, endRow - row)))
  }
  await writer.close()
}

/** Reads in small steps, as a network would. */
function pieceOf(bytes: Uint8Array): TablePiece {
  return {
    bytes: bytes.length,
    async *read(start, end) {
      for (let at = start; at < end; at += 65_536) yield bytes.subarray(at, Math.min(end, at + 65_536))
    },
  }
}

async function joined(format: OutputFormat, pieces: readonly Uint8Array[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of joinTables(format, pieces.map(pieceOf))) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('pieces of a table', () => {
  it.each(['parquet', 'arrow', 'csv'] as const)('join into the bytes of a single file: %s', async (format) => {
    const ends = [ROW_GROUP_ROWS, 3 * ROW_GROUP_ROWS, 3 * ROW_GROUP_ROWS + 1_000]
    const whole = join(folder.path, `whole.${format}`)
    await write(whole, format, 0, ends.at(-1)!, false)
    const pieces: Buffer[] = []
    for (const [i, end] of ends.entries()) {
      const path = join(folder.path, `${i}.${format}`)
      await write(path, format, i === 0 ? 0 : ends[i - 1]!, end, i > 0)
      pieces.push(await readFile(path))
    }
    const bytes = await joined(format, pieces)
    expect(bytes.equals(await readFile(whole))).toBe(true)
    // One piece is the file itself.
    expect((await joined(format, pieces.slice(0, 1))).equals(pieces[0]!)).toBe(true)
  })

  it.each(['parquet', 'arrow', 'csv'] as const)('take no memory for their rows: a gigabyte of %s', async (format) => {
    const path = join(folder.path, `repeated.${format}`)
    await write(path, format, 0, ROW_GROUP_ROWS, format === 'csv')
    const bytes = await readFile(path)
    const piece: TablePiece = {
      bytes: bytes.length,
      // Copies: what a join kept of them would take its memory.
      async *read(start, end) {
        for (let at = start; at < end; at += 65_536) yield Buffer.from(bytes.subarray(at, Math.min(end, at + 65_536)))
      },
    }
    const pieces = Array.from({ length: Math.ceil(2 ** 30 / bytes.length) }, () => piece)
    const before = process.memoryUsage.rss()
    let most = before
    let chunks = 0
    let length = 0
    let last = Buffer.alloc(0)
    for await (const chunk of joinTables(format, pieces)) {
      length += chunk.length
      last = Buffer.from(chunk)
      if (chunks++ % 64 === 0) most = Math.max(most, process.memoryUsage.rss())
    }
    expect(length).toBeGreaterThan(2 ** 30 * 0.95)
    expect((most - before) / 2 ** 20).toBeLessThan(200)
    if (format === 'parquet') {
      const { buffer, byteOffset, byteLength } = last
      const footer = parquetMetadata(buffer.slice(byteOffset, byteOffset + byteLength), { geoparquet: false })
      expect(Number(footer.num_rows)).toBe(pieces.length * ROW_GROUP_ROWS)
      expect(footer.row_groups.at(-1)?.columns[0]?.meta_data?.data_page_offset).toBeGreaterThan(2 ** 29)
    }
  })

  it.each([
    ['parquet', 'a piece is no Parquet file'],
    ['arrow', 'a piece is no Arrow file'],
  ] as const)('are refused if they are something else: %s', async (format, message) => {
    await expect(joined(format, [Buffer.from('region,visits\r\nNorth,1\r\n')])).rejects.toThrow(message)
    await expect(joined(format, [])).rejects.toThrow('a table has at least one piece')
  })

  it('are refused if they are shorter than their end', async () => {
    await expect(tailOf(pieceOf(Buffer.from('ab')), 8)).rejects.toThrow('a piece of 2 bytes has no tail of 8')
  })
})
