import { randomBytes } from 'node:crypto'
import type { IdPrefix } from '../contract/ids.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 22
/** Largest multiple of 62 within a byte: bytes from here on are thrown away, so that every character is as likely. */
const UNBIASED = 248

/** A new identifier: prefix, underscore and 22 base62 characters (131 random bits), such as `ds_0a1b...`. */
export function newIdentifier(prefix: IdPrefix): string {
  let characters = ''
  while (characters.length < LENGTH) {
    for (const byte of randomBytes(2 * LENGTH)) {
      if (byte < UNBIASED && characters.length < LENGTH) characters += ALPHABET[byte % 62]
    }
  }
  return `${prefix}_${characters}`
}
