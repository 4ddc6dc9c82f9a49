/**
 * Joins Arrow IPC files of the same columns: the messages of the first, then the record batches of the others, then one footer. Their
 * dictionaries are equal, because every file has all levels of its columns.
 */
import { MetadataVersion } from 'apache-arrow'
import { FileBlock, Footer } from 'apache-arrow/ipc/metadata/file'
import { type TablePiece, tailOf } from '../writing/table-piece.ts'

const MAGIC = Buffer.from('ARROW1')
/** The end of the stream of messages, which stands before the footer. */
const END_OF_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
/** Length of the footer, and the magic. */
const TAIL_BYTES = 4 + MAGIC.length

export async function* joinArrow(pieces: readonly TablePiece[]): AsyncGenerator<Uint8Array, void, undefined> {
  let whole: Footer | null = null
  const batches: FileBlock[] = []
  let position = 0
  for (const piece of pieces) {
    const { footer, end } = await readFooter(piece)
    const own = [...footer.recordBatches()]
    whole ??= footer
    // Messages before the first batch are the schema and the dictionaries, which the first piece brings.
    const start = position === 0 ? 0 : (own[0]?.offset ?? end)
    for (const { metaDataLength, bodyLength, offset } of own) {
      batches.push(new FileBlock(metaDataLength, bodyLength, offset - start + position))
    }
    if (end > start) yield* piece.read(start, end)
    position += end - start
  }
  if (whole === null) throw new RangeError('a table has at least one piece')
  const footer = Footer.encode(new Footer(whole.schema, MetadataVersion.V5, batches, [...whole.dictionaryBatches()]))
  const length = Buffer.alloc(4)
  length.writeInt32LE(footer.length)
  yield Buffer.concat([END_OF_STREAM, footer, length, MAGIC])
}

/** `end`: where the messages end. */
async function readFooter(piece: TablePiece): Promise<{ readonly footer: Footer; readonly end: number }> {
  const tail = await tailOf(piece, TAIL_BYTES)
  if (!tail.subarray(4).equals(MAGIC)) throw new RangeError('a piece is no Arrow file')
  const length = tail.readInt32LE(0)
  const bytes = await tailOf(piece, length + TAIL_BYTES)
  const end = piece.bytes - TAIL_BYTES - length - END_OF_STREAM.length
  return { footer: Footer.decode(bytes.subarray(0, length)), end }
}
