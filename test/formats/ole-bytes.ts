/**
 * An .xls workbook written by hand: a compound file ([MS-CFB]) with one stream of BIFF8 records ([MS-XLS]), plain or
 * encrypted as Excel 97 to 2003 did it.
 */

/** The encryption of a workbook, as its FilePass record says it; XOR and RC4 garble the data of the records behind it. */
export type XlsEncryption = 'xor' | 'rc4' | 'rc4-cryptoapi'

const SECTOR = 512
const END_OF_CHAIN = 0xfffffffe
const FREE = 0xffffffff
const FAT_SECTOR = 0xfffffffd

/** A workbook of one sheet with these numbers, below a header of texts. */
export function xlsBytes(
  header: readonly string[],
  rows: readonly (readonly number[])[],
  encryption: XlsEncryption | null = null,
  isWriteProtected = false,
  /** Formats of the numbers, by row and column; without one, a number is general. */
  formatOf: (row: number, column: number) => string | null = () => null,
  /** What the sheet does not show, from 0; the header is row 0. */
  hidden: { readonly rows: readonly number[]; readonly columns: readonly number[] } = { rows: [], columns: [] },
): Buffer {
  const globals = [
    bof(0x0005),
    ...(isWriteProtected ? [record(0x0086, Buffer.alloc(0))] : []),
    ...(encryption === null ? [] : [record(0x002f, filePass(encryption))]),
  ]
  const known = [...new Set(rows.flatMap((row, i) => row.map((_, column) => formatOf(i, column) ?? '')))].filter(
    Boolean,
  )
  const code = Buffer.concat([
    record(0x0042, u16(1200)),
    ...known.map((format, i) => record(0x041e, Buffer.concat([u16(164 + i), label(format)]))),
    // The first 16 are styles of the workbook and the general format.
    ...Array.from({ length: 16 }, () => record(0x00e0, Buffer.concat([u16(0), u16(0), Buffer.alloc(16)]))),
    ...known.map((_, i) => record(0x00e0, Buffer.concat([u16(0), u16(164 + i), Buffer.alloc(16)]))),
  ])
  const styleOf = (row: number, column: number) => {
    const format = formatOf(row, column)
    return format === null ? 15 : 16 + known.indexOf(format)
  }
  const sheetAt = bytesOf(globals) + code.length + boundSheet(0).length + record(0x0a, Buffer.alloc(0)).length
  const cells = [
    ...header.map((text, column) => record(0x0204, Buffer.concat([u16(0), u16(column), u16(15), label(text)]))),
    ...rows.flatMap((row, i) =>
      row.map((value, column) =>
        record(0x0203, Buffer.concat([u16(i + 1), u16(column), u16(styleOf(i, column)), f64(value)])),
      ),
    ),
  ]
  const unseen = [
    ...hidden.columns.map((at) => record(0x007d, Buffer.concat([at, at, 2_000, 0, 1, 0].map(u16)))),
    ...hidden.rows.map((at) => record(0x0208, Buffer.concat([at, 0, 2, 255, 0, 0, 0x120, 15].map(u16)))),
  ]
  const rest = [
    code,
    boundSheet(sheetAt),
    record(0x0a, Buffer.alloc(0)),
    bof(0x0010),
    ...unseen,
    ...cells,
    record(0x0a, Buffer.alloc(0)),
  ]
  const stream = Buffer.concat([
    ...globals,
    ...(encryption === null ? rest : rest.map((one) => garbled(one, encryption))),
  ])
  return compoundFile(stream)
}

/** [MS-XLS] 2.4.117: the kind; of XOR a key and a verifier, of RC4 a version, a salt and two verifiers. */
function filePass(encryption: XlsEncryption): Buffer {
  if (encryption === 'xor') return Buffer.concat([u16(0), u16(0x9a0a), u16(0x83e7)])
  const version = encryption === 'rc4' ? [u16(1), u16(1)] : [u16(2), u16(2)]
  return Buffer.concat([u16(1), ...version, Buffer.from(Array.from({ length: 48 }, (_, i) => (i * 37 + 11) % 256))])
}

/** Ids and lengths stay readable, as do BOF and the position in BOUNDSHEET8; the rest is garbled. */
function garbled(one: Buffer, encryption: XlsEncryption): Buffer {
  const id = one.readUInt16LE(0)
  if (id === 0x0809) return one
  const from = id === 0x0085 ? 8 : 4
  const stream = encryption === 'xor' ? xorKey() : rc4Key(Buffer.from([1, 2, 3, 4, 5]))
  return Buffer.from(one.map((byte, i) => (i < from ? byte : byte ^ stream(i))))
}

function xorKey(): (at: number) => number {
  const key = [0x0a, 0x9a, 0x41, 0x6f, 0x13, 0xc7, 0x88, 0x2b, 0x5d, 0xe1, 0x76, 0x39, 0xf4, 0x02, 0xbb, 0x90]
  return (at) => key[at % 16]!
}

/** RC4 (Rivest 1987): the key stream from its beginning. */
function rc4Key(key: Buffer): (at: number) => number {
  const state = Array.from({ length: 256 }, (_, i) => i)
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    ;[state[i], state[j]] = [state[j]!, state[i]!]
  }
  let i = 0
  let j = 0
  return () => {
    i = (i + 1) & 255
    j = (j + state[i]!) & 255
    ;[state[i], state[j]] = [state[j]!, state[i]!]
    return state[(state[i]! + state[j]!) & 255]!
  }
}

function compoundFile(workbook: Buffer): Buffer {
  // Shorter streams would lie in the mini stream.
  const sectors = Math.max(8, Math.ceil(workbook.length / SECTOR))
  const stream = Buffer.concat([workbook, Buffer.alloc(sectors * SECTOR - workbook.length)])
  const header = Buffer.alloc(SECTOR)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(header)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(1, 44)
  header.writeUInt32LE(1, 48)
  header.writeUInt32LE(4096, 56)
  header.writeUInt32LE(END_OF_CHAIN, 60)
  header.writeUInt32LE(END_OF_CHAIN, 68)
  for (let i = 0; i < 109; i++) header.writeUInt32LE(i === 0 ? 0 : FREE, 76 + 4 * i)
  const fat = Buffer.alloc(SECTOR, 0xff)
  fat.writeUInt32LE(FAT_SECTOR, 0)
  fat.writeUInt32LE(END_OF_CHAIN, 4)
  for (let i = 0; i < sectors; i++) fat.writeUInt32LE(i === sectors - 1 ? END_OF_CHAIN : 3 + i, 4 * (2 + i))
  const directory = Buffer.concat([
    entry('Root Entry', 5, 1, END_OF_CHAIN, 0),
    entry('Workbook', 2, FREE, 2, stream.length),
    entry('', 0, FREE, 0, 0),
    entry('', 0, FREE, 0, 0),
  ])
  return Buffer.concat([header, fat, directory, stream])
}

function entry(name: string, type: number, child: number, start: number, size: number): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.write(name, 0, 'utf16le')
  bytes.writeUInt16LE(name === '' ? 0 : 2 * name.length + 2, 64)
  bytes.writeUInt8(type, 66)
  bytes.writeUInt8(1, 67)
  bytes.writeUInt32LE(FREE, 68)
  bytes.writeUInt32LE(FREE, 72)
  bytes.writeUInt32LE(child, 76)
  bytes.writeUInt32LE(start, 116)
  bytes.writeUInt32LE(size, 120)
  return bytes
}

function bof(kind: number): Buffer {
  return record(0x0809, Buffer.concat([u16(0x0600), u16(kind), u16(0x0dbb), u16(0x07cc), Buffer.alloc(8)]))
}

function boundSheet(position: number): Buffer {
  const at = Buffer.alloc(4)
  at.writeUInt32LE(position)
  return record(0x0085, Buffer.concat([at, u16(0), Buffer.from([4, 0]), Buffer.from('Data')]))
}

function label(text: string): Buffer {
  return Buffer.concat([u16(text.length), Buffer.from([0]), Buffer.from(text, 'latin1')])
}

function record(id: number, data: Buffer): Buffer {
  return Buffer.concat([u16(id), u16(data.length), data])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function f64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}

const bytesOf = (records: readonly Buffer[]) => records.reduce((sum, one) => sum + one.length, 0)
