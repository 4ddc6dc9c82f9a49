import { randomBytes } from 'node:crypto'

/** Largest count within one millisecond: the 12 bits after the version. */
const COUNT_LIMIT = 4096

/**
 * Makes UUIDs of version 7 (RFC 9562, 5.7 and 6.2, method 1): milliseconds since 1970, a counter, random bits. Those of
 * one maker ascend strictly, also within a millisecond and when the clock is set back.
 */
export function orderedUuids(now: () => number = Date.now): () => string {
  let lastMs = 0
  let count = 0
  return () => {
    const nowMs = now()
    if (nowMs > lastMs) {
      lastMs = nowMs
      count = 0
    } else if (++count === COUNT_LIMIT) {
      // Ahead of the clock for a moment, rather than out of order.
      lastMs++
      count = 0
    }
    const bytes = randomBytes(16)
    bytes.writeUIntBE(lastMs, 0, 6)
    bytes.writeUInt16BE(0x7000 | count, 6)
    bytes[8] = 0x80 | (bytes[8]! & 0x3f)
    const hex = bytes.toString('hex')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }
}
