import type { Buffer } from 'node:buffer'
import { Slices } from '../../base/event-loop-turns.ts'
import type { SchemaColumn } from '../../contract/datasets.ts'

/** Bytes that are stored or parsed at once; a column is parsed as a whole. */
export const PIECE_BYTES = 128 * 1024

const COMMA_AND_LINE_END = 2

/**
 * A cleaned schema as JSON with a line for each column. JSON text contains no line ends, so line ends separate the
 * columns.
 */
export function schemaText(columns: readonly SchemaColumn[]): string {
  return `[${columns.map((column) => JSON.stringify(column)).join(',\n')}]`
}

/** Parses the output of `schemaText`, or another JSON list. It blocks others no longer than one column takes. */
export async function parseSchema(json: Buffer): Promise<readonly SchemaColumn[]> {
  const columns: SchemaColumn[] = []
  const slices = new Slices()
  const end = json.length - 1
  for (let start = 1; start <= end; ) {
    const lineEnd = json.indexOf('\n', start + PIECE_BYTES)
    const next = lineEnd < 0 ? end + COMMA_AND_LINE_END : lineEnd + 1
    for (const column of JSON.parse(`[${json.toString('utf8', start, next - COMMA_AND_LINE_END)}]`))
      columns.push(column)
    start = next
    await slices.next()
  }
  return columns
}

/** Text in pieces of complete characters. */
export function* piecesOf(utf8: Buffer): Generator<string> {
  for (let start = 0; start < utf8.length; ) {
    let end = Math.min(start + PIECE_BYTES, utf8.length)
    while (end < utf8.length && isWithinCharacter(utf8[end] as number)) end--
    yield utf8.toString('utf8', start, end)
    start = end
  }
}

const isWithinCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80
