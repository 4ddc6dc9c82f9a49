import type { Block, OutputColumn } from '../../base/output-table.ts'
import { csvField } from '../../base/text/csv-field.ts'
import { AllowedFile } from '../writing/allowed-file.ts'
import { checkBlock } from '../writing/block-values.ts'
import type { TableWriter, TableWriterOptions } from '../writing/table-writer.ts'
import { RowEncoder } from './encode-rows.ts'

/** Approximate bytes per write. */
const CHUNK_BYTES = 1 << 20

/**
 * Writes RFC 4180 text: UTF-8 without a byte order mark, a header, CRLF, quotes only if needed. A missing value is an
 * empty field; in a table of one column it is `""`, since readers skip empty lines. Cells that look like formulas are
 * data and stay unchanged. A continuation has no header.
 */
export class CsvWriter implements TableWriter {
  readonly #file: AllowedFile
  readonly #columns: readonly OutputColumn[]
  readonly #encoder: RowEncoder

  private constructor(file: AllowedFile, columns: readonly OutputColumn[]) {
    this.#file = file
    this.#columns = columns
    this.#encoder = new RowEncoder(columns, CHUNK_BYTES)
  }

  static async open(
    path: string,
    columns: readonly OutputColumn[],
    { allowance, isContinuation = false }: Pick<TableWriterOptions, 'allowance' | 'isContinuation'> = {},
  ): Promise<CsvWriter> {
    const file = await AllowedFile.open(path, allowance)
    try {
      const writer = new CsvWriter(file, columns)
      if (!isContinuation)
        await file.append(Buffer.from(`${columns.map((column) => csvField(column.name)).join(',')}\r\n`))
      return writer
    } catch (error) {
      await file.remove()
      throw error
    }
  }

  async write(block: Block): Promise<void> {
    this.#file.requireOpen()
    checkBlock(block, this.#columns)
    for (const rows of this.#encoder.encode(block)) await this.#file.append(rows)
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  async abort(): Promise<void> {
    await this.#file.remove()
  }
}
