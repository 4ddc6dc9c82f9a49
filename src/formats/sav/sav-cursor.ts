import { ReadOtherwiseError, UnreadableFileError } from '../reading/unreadable-file-error.ts'

export function damagedSav(what: string): UnreadableFileError {
  return new UnreadableFileError(
    `The file is an SPSS file, but damaged or cut short: ${what}. Save it again in SPSS, or export CSV.`,
  )
}

/** Reads the fields of an SPSS system file one after another; every length is checked against the remaining bytes. */
export class SavCursor {
  readonly #bytes: Buffer
  readonly #view: DataView
  readonly #fileSize: number
  offset = 0
  littleEndian = true

  /**
   * @param bytes the beginning of the file, or all of it.
   * @param fileSize bytes of the whole file.
   */
  constructor(bytes: Buffer, fileSize: number) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#fileSize = fileSize
  }

  int32(): number {
    return this.#view.getInt32(this.#advance(4), this.littleEndian)
  }

  byte(): number {
    return this.#view.getUint8(this.#advance(1))
  }

  float64(): number {
    return this.#view.getFloat64(this.#advance(8), this.littleEndian)
  }

  /** A view of the bytes, not a copy. */
  bytes(length: number): Buffer {
    const start = this.#advance(length)
    return this.#bytes.subarray(start, start + length)
  }

  skip(length: number): void {
    if (length < 0 || this.offset + length > this.#fileSize) throw damagedSav('a record reaches past its end')
    this.offset += length
  }

  #advance(length: number): number {
    const start = this.offset
    this.skip(length)
    if (this.offset > this.#bytes.length) throw new ReadOtherwiseError('the file ends within the dictionary')
    return start
  }
}
