/** Rows of a table as a file of their own, which is read by ranges. */
export interface TablePiece {
  readonly bytes: number
  /** Streams the bytes from `start` up to, not including, `end`; at least one. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

/** The last `length` bytes of a piece. */
export async function tailOf(piece: TablePiece, length: number): Promise<Buffer> {
  if (length > piece.bytes) throw new RangeError(`a piece of ${piece.bytes} bytes has no tail of ${length}`)
  const chunks: Uint8Array[] = []
  for await (const chunk of piece.read(piece.bytes - length, piece.bytes)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
