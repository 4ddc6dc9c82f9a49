import { cutToBytes, isLonger } from './fit-text.ts'

/** Longest label of a column, in bytes of UTF-8. */
export const MAX_LABEL_BYTES = 1024

const ELLIPSIS = '…'

/**
 * A label of a column as it is kept, whatever text a file or a service gave: one line without control characters and
 * lone surrogates, cut to 1 KiB. Undefined when nothing is left of it.
 */
export function labelText(raw: string): string | undefined {
  // A text of megabytes is not taken apart.
  const text = raw
    .slice(0, 4 * MAX_LABEL_BYTES)
    .replaceAll(/[\s\p{Control}]+/gu, ' ')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .trim()
  if (text === '') return undefined
  if (!isLonger(text, MAX_LABEL_BYTES)) return text
  return cutToBytes(text, MAX_LABEL_BYTES - Buffer.byteLength(ELLIPSIS)).trimEnd() + ELLIPSIS
}
