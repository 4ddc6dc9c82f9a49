import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { DAMAGED } from './zip-parts.ts'

/** Records of a part of an .xlsb workbook ([MS-XLSB] 2.1.4): id and length in 7 bits per byte, then the data. */
export function* xlsbRecords(part: Buffer): Generator<{ readonly id: number; readonly data: Buffer }> {
  let at = 0
  const number = (maxBytes: number) => {
    let value = 0
    for (let i = 0; i < maxBytes; i++) {
      const byte = part[at++]
      if (byte === undefined) throw new UnreadableFileError(DAMAGED)
      value |= (byte & 0x7f) << (7 * i)
      if (byte < 0x80) break
    }
    return value
  }
  while (at < part.length) {
    const id = number(2)
    const length = number(4)
    if (at + length > part.length) throw new UnreadableFileError(DAMAGED)
    yield { id, data: part.subarray(at, at + length) }
    at += length
  }
}
