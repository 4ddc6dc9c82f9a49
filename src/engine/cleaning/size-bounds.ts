/**
 * How large the texts of a model may be. What they make up, the cleaned schema above all, is read whole by everyone who asks
 * about a dataset: texts without a bound make an answer of a gigabyte from a file of kilobytes. Sizes are bytes of UTF-8.
 */
import { Buffer } from 'node:buffer'

/** Longest header of a column. */
export const MAX_NAME_BYTES = 1024
/** Longest level; what is longer is no answer to choose but free text. */
export const MAX_LEVEL_BYTES = 1024
/** Largest cleaned schema, all entries together, as JSON. */
export const MAX_SCHEMA_BYTES = 4 * 1024 * 1024

export function isLonger(text: string, maxBytes: number): boolean {
  return text.length > maxBytes || (3 * text.length > maxBytes && Buffer.byteLength(text) > maxBytes)
}

/** As many whole characters of a text as fit. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (!isLonger(text, maxBytes)) return text
  // What is left of a character that was cut in two is decoded as one that says so.
  return Buffer.from(text.slice(0, maxBytes))
    .subarray(0, maxBytes)
    .toString()
    .replace(/\ufffd+$/, '')
}
