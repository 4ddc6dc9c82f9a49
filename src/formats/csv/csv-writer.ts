import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Block, OutputColumn } from '../../base/output-table.ts'
import { checkBlock } from '../writing/block-values.ts'
import type { TableWriter, TableWriterOptions, WriteAllowance } from '../writing/table-writer.ts'
import { csvField } from './csv-text.ts'
import { RowEncoder } from './encode-rows.ts'

/** Approximate bytes per write. */
const CHUNK_BYTES = 1 << 20

/**
 * Writes RFC 4180 text: UTF-8 without a byte order mark, a header, CRLF, quotes only if needed. A missing value is an
 * empty field; in a table of one column it is `""`, since readers skip empty lines. Cells that look like formulas are
 * data and stay unchanged.
 */
export class CsvWriter implements TableWriter {
  readonly #path: string
  readonly #file: FileHandle
  readonly #columns: readonly OutputColumn[]
  readonly #encoder: RowEncoder
  readonly #allowance: WriteAllowance | undefined
  #open = true

  private constructor(path: string, file: FileHandle, columns: readonly OutputColumn[], allowance?: WriteAllowance) {
    this.#path = path
    this.#file = file
    this.#columns = columns
    this.#allowance = allowance
    this.#encoder = new RowEncoder(columns, CHUNK_BYTES)
  }

  static async open(
    path: string,
    columns: readonly OutputColumn[],
    { allowance }: Pick<TableWriterOptions, 'allowance'> = {},
  ): Promise<CsvWriter> {
    const file = await open(path, 'w', 0o600)
    try {
      const writer = new CsvWriter(path, file, columns, allowance)
      await writer.#append(Buffer.from(`${columns.map((column) => csvField(column.name)).join(',')}\r\n`))
      return writer
    } catch (error) {
      await file.close()
      await rm(path, { force: true })
      throw error
    }
  }

  async write(block: Block): Promise<void> {
    if (!this.#open) throw new Error('the writer is closed')
    checkBlock(block, this.#columns)
    for (const rows of this.#encoder.encode(block)) await this.#append(rows)
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.#allowance?.take(bytes.length)
    await this.#file.writeFile(bytes)
  }

  async close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    await this.#file.close()
  }

  async abort(): Promise<void> {
    await this.close()
    await rm(this.#path, { force: true })
  }
}
