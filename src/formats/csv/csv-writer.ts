import { type FileHandle, open, rm } from 'node:fs/promises'
import { checkBlock, levelNumbers, roundTo } from '../block-values.ts'
import type { Block, BlockColumn, OutputColumn, TableWriter } from '../table-writer.ts'

const LINE_END = '\r\n'

/** Rows turned into text at a time. */
const SLICE_ROWS = 8_192

/**
 * Writes RFC 4180 text: UTF-8 without a mark, a header, CRLF, quotes only where they are needed. A missing value is an empty field; in a
 * table of one column it is `""`, since readers skip empty lines. Cells that look like formulas are data and stay as they are.
 */
export class CsvWriter implements TableWriter {
  readonly #path: string
  readonly #file: FileHandle
  readonly #columns: readonly OutputColumn[]
  /** Text of each level, quoted as needed; null for other kinds. */
  readonly #levels: readonly (readonly string[] | null)[]
  readonly #missing: string
  #open = true

  private constructor(path: string, file: FileHandle, columns: readonly OutputColumn[]) {
    this.#path = path
    this.#file = file
    this.#columns = columns
    this.#levels = columns.map(levelTexts)
    this.#missing = columns.length === 1 ? '""' : ''
  }

  static async open(path: string, columns: readonly OutputColumn[]): Promise<CsvWriter> {
    const file = await open(path, 'w', 0o600)
    try {
      const writer = new CsvWriter(path, file, columns)
      await file.writeFile(columns.map((column) => csvField(column.name)).join(',') + LINE_END)
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
    for (let start = 0; start < block.rowCount; start += SLICE_ROWS) {
      const end = Math.min(start + SLICE_ROWS, block.rowCount)
      const texts = block.columns.map((source, i) => this.#texts(source, i, start, end))
      let out = ''
      for (let row = 0; row < end - start; row++) {
        out += texts[0]![row]!
        for (let column = 1; column < texts.length; column++) out += `,${texts[column]![row]!}`
        out += LINE_END
      }
      await this.#file.writeFile(out)
    }
  }

  #texts(source: BlockColumn, i: number, start: number, end: number): string[] {
    const out: string[] = new Array(end - start)
    if ('codes' in source) {
      const levels = this.#levels[i]!
      for (let row = start; row < end; row++) {
        const code = source.codes[row]!
        out[row - start] = code < 0 ? this.#missing : levels[code]!
      }
      return out
    }
    const text = textOf(this.#columns[i]!)
    const { values, valid } = source
    for (let row = start; row < end; row++) {
      out[row - start] = valid !== null && valid[row] === 0 ? this.#missing : text(values[row]!)
    }
    return out
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

function levelTexts(column: OutputColumn): readonly string[] | null {
  if (column.kind !== 'categorical') return null
  return column.integer ? Array.from(levelNumbers(column.levels), String) : column.levels.map(csvField)
}

function textOf(column: OutputColumn): (value: number) => string {
  switch (column.kind) {
    case 'numeric':
      return column.integer ? (value) => String(Math.round(value) + 0) : (value) => decimalText(value, column.decimals)
    case 'date':
      return (value) => dateText(value).slice(0, -14)
    case 'date-time':
      return (value) => dateText(value).replace('.000Z', '').replace('Z', '')
    case 'categorical':
      throw new RangeError(`column "${column.name}" is categorical, and its block holds values`)
  }
}

/** Always all decimals of the column; never an exponent below 1e21. */
function decimalText(value: number, decimals: number): string {
  // No negative zero.
  return (roundTo(value, decimals) + 0).toFixed(decimals)
}

/** `2024-12-31T23:59:59.000Z`. */
function dateText(milliseconds: number): string {
  return new Date(Math.round(milliseconds)).toISOString()
}

/** Quotes a field that holds the delimiter, a quote or a line end, or begins or ends with a blank (RFC 4180, section 2). */
export function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
