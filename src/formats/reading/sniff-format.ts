import { type FileHandle, open } from 'node:fs/promises'
import { pointerIn } from '../../base/stand-in-file.ts'
import { utf16WithoutMark } from '../../base/text/utf-16.ts'
import { foreignBytes, foreignText } from './foreign-files.ts'
import { beginsRecords } from './json-kind.ts'
import { markupKind } from './markup-kind.ts'
import { isPortableFile } from './portable-file.ts'
import { UnreadableFileError } from './unreadable-file-error.ts'

/**
 * The format of a file, from its content alone: names and media types are ignored. `csv` covers every kind of delimited
 * text, `json` a list of records and one record a line.
 */
export type FileFormat = 'csv' | 'parquet' | 'xlsx' | 'xls' | 'xlsb' | 'sav' | 'zsav' | 'json' | 'arrow'

/** Enough for the first entries of a zip directory and for recognizing text. */
const HEAD_BYTES = 65_536

type Magic = readonly (readonly [readonly number[] | string, string])[]

/** First bytes of files that are often sent by mistake, and their descriptions. */
const TEXTUAL_MAGIC: Magic = [
  ['%PDF-', 'a PDF document'],
  ['{\\rtf', 'a rich-text document'],
]

/** They have bytes that no text begins with, so a file of a few bytes is recognized, too. */
const ODD_MAGIC: Magic = [
  ['\x89PNG\r\n\x1a\n', 'a PNG image'],
  [[0x1f, 0x8b], 'compressed with gzip; unpack it first'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'compressed with zstd; unpack it first'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'compressed with xz; unpack it first'],
  [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], 'a 7-Zip archive; unpack it first'],
  ['SQLite format 3\0', 'an SQLite database'],
  ['\x89HDF\r\n\x1a\n', 'an HDF5 file'],
]

/** They are letters that the name of a column may begin with as well. */
const BINARY_MAGIC: Magic = [
  ['GIF8', 'a GIF image'],
  [[0xff, 0xd8, 0xff], 'a JPEG image'],
  ['BZh', 'compressed with bzip2; unpack it first'],
  ['Rar!', 'a RAR archive; unpack it first'],
  ['ORC', 'an ORC file'],
  ['Obj\x01', 'an Avro file'],
  ['FEA1', 'a Feather file of version 1'],
]

const OLE_MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/**
 * Recognizes the format of the file at `path` by its first and last bytes.
 *
 * @throws {UnreadableFileError} when the file is empty, encrypted, or of a kind without a readable table.
 */
export async function sniffFormat(path: string): Promise<FileFormat> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size === 0) throw new UnreadableFileError('The file is empty: it has no bytes at all.')
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    const tail = Buffer.alloc(Math.min(size, HEAD_BYTES))
    await file.read(tail, 0, tail.length, size - tail.length)
    const directory = await oleDirectory(file, head.subarray(0, bytesRead))
    return formatOfBytes(head.subarray(0, bytesRead), Buffer.concat([directory, tail]))
  } finally {
    await file.close()
  }
}

/** The first names of streams in an OLE container ([MS-CFB] 2.2), which may lie anywhere in the file; else nothing. */
async function oleDirectory(file: FileHandle, head: Buffer): Promise<Buffer> {
  if (!startsWith(head, OLE_MAGIC) || head.length < 512) return Buffer.alloc(0)
  const sectorBytes = head.readUInt16LE(30) === 12 ? 4096 : 512
  // Enough for the names of an encrypted workbook.
  const directory = Buffer.alloc(4096)
  const { bytesRead } = await file.read(directory, 0, directory.length, (head.readUInt32LE(48) + 1) * sectorBytes)
  return directory.subarray(0, bytesRead)
}

function formatOfBytes(head: Buffer, tail: Buffer): FileFormat {
  // IBM's encrypted system files start with this word after a few length bytes.
  if (head.subarray(0, 64).includes('ENCRYPTEDSAV')) {
    throw new UnreadableFileError(
      'The file is an SPSS file with a password. Save it without a password, or export CSV.',
    )
  }
  if (startsWith(head, '$FL2')) return 'sav'
  if (startsWith(head, '$FL3')) return 'zsav'
  if (startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06')) return formatOfZip(head, tail)
  if (startsWith(head, OLE_MAGIC)) return formatOfOle(head, tail)
  for (const [magic, what] of TEXTUAL_MAGIC) {
    if (startsWith(head, magic)) throw new UnreadableFileError(`The file is ${what}, not a table. ${WHAT_WE_READ}`)
  }
  if (isPortableFile(head)) {
    throw new UnreadableFileError(
      'The file is an SPSS portable file (.por), which cannot be read. Open it in SPSS, or in the free PSPP, and save it as .sav.',
    )
  }
  const foreign = foreignBytes(head)
  if (foreign !== null) throw new UnreadableFileError(`The file is ${foreign}`)
  for (const [magic, what] of ODD_MAGIC) {
    if (startsWith(head, magic)) throw new UnreadableFileError(`The file is ${what}. ${WHAT_WE_READ}`)
  }
  // A small table with long labels is mostly text. The length of its footer has a zero byte before the last mark.
  if (startsWith(head, 'PAR1') && tail.subarray(-5).toString('latin1') === '\0PAR1') return 'parquet'
  // The following marks are letters that a column name may begin with as well, so they count only in binary files.
  if (!looksBinary(head)) {
    const begin = textOfHead(head)
    if (beginsRecords(begin.trimStart())) return 'json'
    const pointer = pointerIn(begin)
    if (pointer !== null) throw new UnreadableFileError(`The file ${pointer}.`)
    const markup = markupKind(begin)
    if (markup !== null) throw new UnreadableFileError(`The file is ${markup} ${WHAT_WE_READ}`)
    const text = foreignText(begin)
    if (text !== null) throw new UnreadableFileError(`The file is ${text}`)
    return 'csv'
  }
  if (startsWith(head, 'PAR1')) {
    if (tail.subarray(-4).toString('latin1') === 'PARE') throw encryptedParquet()
    return 'parquet'
  }
  if (startsWith(head, 'PARE')) throw encryptedParquet()
  if (startsWith(head, 'ARROW1')) return 'arrow'
  for (const [magic, what] of BINARY_MAGIC) {
    if (startsWith(head, magic)) throw new UnreadableFileError(`The file is ${what}. ${WHAT_WE_READ}`)
  }
  throw new UnreadableFileError(`The file is neither text nor a known format. ${WHAT_WE_READ}`)
}

const WHAT_WE_READ = 'Send CSV, TSV, Parquet, Excel, SPSS or JSON records.'

function encryptedParquet(): UnreadableFileError {
  return new UnreadableFileError(
    'The Parquet file is encrypted, its list of columns included. Write it without encryption and send it again.',
  )
}

/** Workbooks store their parts in a zip; the directory of a small one is in the head, of a large one at the end. */
function formatOfZip(head: Buffer, tail: Buffer): FileFormat {
  const has = (name: string) => head.includes(name) || tail.includes(name)
  if (has('xl/workbook.bin')) return 'xlsb'
  if (has('xl/workbook.xml') || has('xl/worksheets/') || has('xl/_rels')) return 'xlsx'
  if (has('word/document.xml'))
    throw new UnreadableFileError(`The file is a Word document, not a table. ${WHAT_WE_READ}`)
  if (has('Index/Document.iwa') || has('Index.zip')) {
    throw new UnreadableFileError(
      'The file is an Apple Numbers document, which cannot be read. In Numbers, choose File > Export To > CSV or Excel, and send that.',
    )
  }
  if (has('content.xml') && has('opendocument')) {
    throw new UnreadableFileError(`The file is an OpenDocument file. ${WHAT_WE_READ}`)
  }
  throw new UnreadableFileError(`The file is a zip archive; unpack it first. ${WHAT_WE_READ}`)
}

/** Names of streams in an OLE container are UTF-16. */
function formatOfOle(head: Buffer, tail: Buffer): FileFormat {
  const has = (name: string) => {
    const bytes = Buffer.from(name, 'utf16le')
    return head.includes(bytes) || tail.includes(bytes)
  }
  if (has('EncryptedPackage') || has('EncryptionInfo')) {
    throw new UnreadableFileError('The workbook has a password. Save it without a password, or export CSV.')
  }
  if (has('WordDocument')) throw new UnreadableFileError(`The file is a Word document, not a table. ${WHAT_WE_READ}`)
  return 'xls'
}

/** Text of any known encoding has hardly any control characters, except UTF-16, in which any byte may occur. */
function looksBinary(head: Buffer): boolean {
  if (startsWith(head, [0xff, 0xfe]) || startsWith(head, [0xfe, 0xff])) return false
  let controls = 0
  for (const byte of head) if (byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1a && byte !== 0x1b)) controls++
  return controls > Math.max(1, 0.02 * head.length) && utf16WithoutMark(head) === null
}

/** Letters of ASCII, in whatever encoding the file has. */
function textOfHead(head: Buffer): string {
  const wide =
    head[0] === 0xff && head[1] === 0xfe
      ? 'utf-16le'
      : head[0] === 0xfe && head[1] === 0xff
        ? 'utf-16be'
        : utf16WithoutMark(head)
  return wide === null ? head.toString('latin1').replace(/^\xef\xbb\xbf/, '') : new TextDecoder(wide).decode(head)
}

function startsWith(bytes: Buffer, magic: readonly number[] | string): boolean {
  const expected = typeof magic === 'string' ? Buffer.from(magic, 'latin1') : Buffer.from(magic)
  return bytes.length >= expected.length && bytes.subarray(0, expected.length).equals(expected)
}
