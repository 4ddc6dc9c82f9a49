import { createReadStream } from 'node:fs'

/** The different texts of a file by which its encoding can be recognized, as bytes. */
export interface TextEvidence {
  /** Texts with a byte above 0x7F, one a line. */
  readonly beyondAscii: Buffer
  /** These, and as many bytes of other words beside them: "ja" and "nein" tell the language of "weiß nicht". */
  readonly all: Buffer
  /** Whether all bytes above 0x7F are in the first lines, where headers are. */
  readonly isInHeader: boolean
}

const CHUNK_BYTES = 1 << 20
/** Letters of a few hundred words decide; more would only take time. */
const MAX_BYTES = 65_536
const MAX_ASCII_BYTES = 16_384
/** Bytes of ASCII words kept for each byte of other words; more would be evidence for another language. */
const ASCII_SHARE = 1
/** A header has hardly more lines. */
const HEADER_LINES = 3
const LF = 0x0a
/** A longer text is cut at a blank. */
const LONG_TEXT = 1_024
const LONGEST_TEXT = 8_192

/** Bytes that end a field or line in every encoding here: none is the second byte of a letter. */
const ENDS = new Set([...'\n\r\t,;"'].map((end) => end.charCodeAt(0)))
const BLANK = 0x20

/**
 * Collects the different texts of a delimited file. A table repeats its answers and is mostly digits: what tells one
 * encoding from another may be a single word in the last column. The file is read piece by piece, until there is enough.
 */
export async function textEvidence(path: string, start: number, signal?: AbortSignal): Promise<TextEvidence> {
  const collector = new TextCollector()
  const chunks = createReadStream(path, {
    start,
    highWaterMark: CHUNK_BYTES,
    ...(signal === undefined ? {} : { signal }),
  })
  for await (const chunk of chunks) {
    collector.push(chunk as Buffer)
    if (collector.isFull) break
  }
  return collector.evidence()
}

class TextCollector {
  readonly #texts = new Map<string, boolean>()
  #rest = Buffer.alloc(0)
  #bytes = 0
  #asciiBytes = 0
  #lines = 0
  #isInHeader = true
  /** Inside a text that was too long. */
  #isTorn = false

  get isFull(): boolean {
    return this.#bytes >= MAX_BYTES
  }

  push(chunk: Buffer): void {
    const bytes = Buffer.concat([this.#rest, chunk])
    let from = 0
    let isBeyondAscii = false
    let hasLetter = false
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte > 0x7f) isBeyondAscii = true
      else if (byte >= 0x41) hasLetter = true
      const length = at - from
      const isEnd = ENDS.has(byte)
      if (!isEnd && !(byte === BLANK && length > LONG_TEXT) && length < LONGEST_TEXT) continue
      // A text that is cut within a letter says nothing.
      const isWhole = length < LONGEST_TEXT && !this.#isTorn
      if (isWhole && (isBeyondAscii || hasLetter)) this.#add(bytes.subarray(from, at), isBeyondAscii)
      if (byte === LF) this.#lines++
      this.#isTorn = !isEnd && (this.#isTorn || length >= LONGEST_TEXT)
      from = at + 1
      isBeyondAscii = false
      hasLetter = false
      if (this.isFull) return
    }
    this.#rest = bytes.subarray(from)
  }

  #add(text: Buffer, isBeyondAscii: boolean): void {
    if (isBeyondAscii && this.#lines >= HEADER_LINES) this.#isInHeader = false
    if (!isBeyondAscii && this.#asciiBytes >= MAX_ASCII_BYTES) return
    const key = text.toString('latin1')
    if (this.#texts.has(key)) return
    this.#texts.set(key, isBeyondAscii)
    if (isBeyondAscii) this.#bytes += text.length
    else this.#asciiBytes += text.length
  }

  evidence(): TextEvidence {
    if (this.#rest.length > 0 && !this.#isTorn)
      this.#add(
        this.#rest,
        this.#rest.some((byte) => byte > 0x7f),
      )
    const lines = (texts: readonly string[]) => Buffer.from([...texts, ''].join('\n'), 'latin1')
    const beyond = [...this.#texts].flatMap(([text, isBeyondAscii]) => (isBeyondAscii ? [text] : []))
    let left = ASCII_SHARE * this.#bytes
    const all = [...this.#texts].flatMap(([text, isBeyondAscii]) => {
      if (isBeyondAscii) return [text]
      left -= text.length
      return left >= 0 ? [text] : []
    })
    return { beyondAscii: lines(beyond), all: lines(all), isInHeader: this.#isInHeader }
  }
}
