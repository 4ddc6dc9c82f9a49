/** The binary form of SSH keys and signatures (RFC 4251, section 5): lengths of four bytes, big-endian. */

/** Reads one value after the other. Bytes may be anything: every read past the end throws a `RangeError`. */
export class WireReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new RangeError('it ends too early')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  number(): number {
    return this.take(4).readUInt32BE()
  }

  string(): Buffer {
    return this.take(this.number())
  }

  text(): string {
    return this.string().toString('latin1')
  }
}

/** A string with its length in front. */
export function wireString(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as Buffer)
  return Buffer.concat([wireNumber(bytes.length), bytes])
}

export function wireNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The bytes between the lines that mark the beginning and the end of a block of base64; null: there is no such block. */
export function armoured(text: string, what: string): Buffer | null {
  const block = new RegExp(`^\\s*-----BEGIN ${what}-----\\r?\\n([A-Za-z0-9+/=\\s]*)-----END ${what}-----\\s*$`).exec(
    text,
  )
  return block === null ? null : Buffer.from(block[1] ?? '', 'base64')
}

export function withArmour(bytes: Buffer, what: string): string {
  const lines = bytes.toString('base64').replaceAll(/.{70}(?=.)/g, '$&\n')
  return `-----BEGIN ${what}-----\n${lines}\n-----END ${what}-----\n`
}
