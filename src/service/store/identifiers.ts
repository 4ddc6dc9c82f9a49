import { randomFillSync } from 'node:crypto'
import type { IdPrefix } from '../../contract/ids.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 22
/** Largest multiple of 62 within a byte. Larger bytes are discarded, so that all characters are equally likely. */
const UNBIASED = 248

/** Random bytes are fetched in bulk: every request has an identifier. Each byte is used once. */
const pool = new Uint8Array(4096)
let used = pool.length

/** A new identifier: prefix, underscore and 22 base62 characters (131 random bits), such as `ds_0a1b...`. */
export function newIdentifier(prefix: IdPrefix): string {
  let identifier = `${prefix}_`
  for (let left = LENGTH; left > 0; ) {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const byte = pool[used++]!
    if (byte >= UNBIASED) continue
    identifier += ALPHABET[byte % 62]
    left--
  }
  return identifier
}
