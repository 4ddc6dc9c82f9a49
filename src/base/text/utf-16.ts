/** Enough text to see that it is none. */
const HEAD_BYTES = 65_536

/**
 * The byte order of UTF-16 without a byte order mark; null: the bytes are something else.
 *
 * Letters of English, digits and delimiters have a NUL at one parity. Texts of other scripts may have hardly any, so they
 * are UTF-16 if they decode to assigned characters without controls, and most of their line feeds are whole code units.
 */
export function utf16WithoutMark(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  const head = bytes.subarray(0, HEAD_BYTES)
  const nuls = [0, 0]
  let controls = 0
  for (let i = 0; i < head.length; i++) {
    const byte = head[i]!
    if (byte === 0) nuls[i & 1]!++
    else if (byte < 0x09 || (byte > 0x0d && byte < 0x1a)) controls++
  }
  const [even, odd] = nuls as [number, number]
  const pairs = head.length / 2
  const few = 0.02 * pairs
  if (controls <= few && odd > 0.3 * pairs && even <= few) return 'utf-16le'
  if (controls <= few && even > 0.3 * pairs && odd <= few) return 'utf-16be'
  if (odd > 0 && even === 0 && isText(head, 'utf-16le')) return 'utf-16le'
  if (even > 0 && odd === 0 && isText(head, 'utf-16be')) return 'utf-16be'
  return null
}

/** Controls but tabs and line ends, and code points that no character has. */
const NO_TEXT = /[^\P{Cc}\t\n\r]|\p{Cn}|\p{Co}|\p{Cs}/u

function isText(head: Buffer, encoding: 'utf-16le' | 'utf-16be'): boolean {
  const whole = head.subarray(0, head.length & ~1)
  // Half a pair of surrogates at the end belongs to what follows.
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(whole, { stream: true })
  let lineFeedBytes = 0
  for (const byte of whole) if (byte === 0x0a) lineFeedBytes++
  const lineEnds = text.split('\n').length - 1
  return lineEnds > 0 && 2 * lineEnds >= lineFeedBytes && !text.includes('\ufffd') && !NO_TEXT.test(text)
}
