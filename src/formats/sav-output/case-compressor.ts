/** Bias of the bytecode: a command from 1 to 251 is a whole number from -99 to 151. */
export const BIAS = 100
const SMALLEST = 1 - BIAS
const LARGEST = 251 - BIAS

const RAW = 253
const BLANKS = 254
const SYSTEM_MISSING = 255

/** A block is eight commands and the eight bytes of each that has any. */
const BLOCK_BYTES = 72
const PIECE_BYTES = 1 << 20

/**
 * Cases of a system file in bytecode ("System File Format" of the PSPP developers' manual, "Data Record"). Values are
 * given one after another; `take` returns what is complete.
 */
export class CaseCompressor {
  #piece = Buffer.allocUnsafe(PIECE_BYTES)
  #length = 0
  readonly #block = Buffer.alloc(BLOCK_BYTES)
  #commands = 0
  #blockLength = 8

  /** NaN is system-missing. */
  number(value: number): void {
    if (value >= SMALLEST && value <= LARGEST && Number.isInteger(value)) {
      this.#command(value + BIAS)
    } else if (Number.isNaN(value)) {
      this.#command(SYSTEM_MISSING)
    } else {
      this.#block.writeDoubleLE(value, this.#blockLength)
      this.#blockLength += 8
      this.#command(RAW)
    }
  }

  /** @param bytes a text with its padding of blanks, a multiple of 8 bytes. */
  text(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += 8) {
      if (bytes.readUInt32LE(at) === 0x20202020 && bytes.readUInt32LE(at + 4) === 0x20202020) {
        this.#command(BLANKS)
        continue
      }
      bytes.copy(this.#block, this.#blockLength, at, at + 8)
      this.#blockLength += 8
      this.#command(RAW)
    }
  }

  /** Whether enough is complete to be written. */
  get isFull(): boolean {
    return this.#length > PIECE_BYTES / 2
  }

  /** Returns the complete bytes, which then belong to the caller. */
  take(): Buffer {
    const piece = this.#piece.subarray(0, this.#length)
    this.#piece = Buffer.allocUnsafe(PIECE_BYTES)
    this.#length = 0
    return piece
  }

  /** The rest, after the last value. Commands of 0 fill the last block: they stand for nothing. */
  finish(): Buffer {
    if (this.#commands > 0) this.#flush()
    return this.take()
  }

  #command(code: number): void {
    this.#block[this.#commands++] = code
    if (this.#commands === 8) this.#flush()
  }

  #flush(): void {
    if (this.#length + BLOCK_BYTES > this.#piece.length) {
      const larger = Buffer.allocUnsafe(2 * this.#piece.length)
      this.#piece.copy(larger, 0, 0, this.#length)
      this.#piece = larger
    }
    this.#block.copy(this.#piece, this.#length, 0, this.#blockLength)
    this.#length += this.#blockLength
    this.#block.fill(0, 0, 8)
    this.#commands = 0
    this.#blockLength = 8
  }
}
