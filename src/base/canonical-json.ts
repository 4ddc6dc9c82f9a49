/** Values that have a canonical form. A `Map` is an object whose keys are data. */
export type CanonicalValue =
  | null
  | boolean
  | number
  | string
  | readonly CanonicalValue[]
  | ReadonlyMap<string, CanonicalValue>
  | { readonly [key: string]: CanonicalValue | undefined }

/**
 * RFC 8785 (JSON Canonicalization Scheme): keys sorted by UTF-16 code units, no whitespace, ECMAScript numbers, `-0` as
 * `0`. Undefined properties are left out. Throws `TypeError` for NaN, infinities, integers beyond ±(2^53 − 1) and lone
 * surrogates, because readers disagree about them. Use it for requests.
 */
export function canonicalJson(value: CanonicalValue): string {
  const parts: string[] = []
  write(value, parts, SENT)
  return parts.join('')
}

/**
 * The same for measured figures and figures of a service, where a column of large numbers is valid: any finite number
 * as RFC 8785 writes it, and lone surrogates as their escapes. Throws `TypeError` for NaN and infinities.
 */
export function canonicalFigures(value: CanonicalValue): string {
  const parts: string[] = []
  write(value, parts, MEASURED)
  return parts.join('')
}

interface Leaves {
  number(value: number): string
  string(value: string): string
}

const SENT: Leaves = { number: safeNumber, string: wholeString }
const MEASURED: Leaves = { number: finiteNumber, string: JSON.stringify }

/**
 * One list of parts for the whole text. Studies have tens of thousands of small objects, and text that is concatenated
 * member by member stays in memory as a tree of its pieces.
 */
function write(value: CanonicalValue, parts: string[], leaves: Leaves): void {
  if (value === null || typeof value === 'boolean') parts.push(String(value))
  else if (typeof value === 'number') parts.push(leaves.number(value))
  else if (typeof value === 'string') parts.push(leaves.string(value))
  else if (Array.isArray(value)) writeArray(value, parts, leaves)
  else if (value instanceof Map) writeObject([...value.keys()], (key) => value.get(key), parts, leaves)
  else {
    const object = value as { readonly [key: string]: CanonicalValue | undefined }
    writeObject(Object.keys(object), (key) => object[key], parts, leaves)
  }
}

function writeArray(items: readonly CanonicalValue[], parts: string[], leaves: Leaves): void {
  let before = '['
  for (const item of items) {
    parts.push(before)
    write(item, parts, leaves)
    before = ','
  }
  parts.push(before === '[' ? '[]' : ']')
}

function writeObject(
  keys: string[],
  memberOf: (key: string) => CanonicalValue | undefined,
  parts: string[],
  leaves: Leaves,
): void {
  let before = '{'
  // Sorting without a comparison is by UTF-16 code units, as RFC 8785 section 3.2.3 wants.
  for (const key of keys.sort()) {
    const member = memberOf(key)
    if (member === undefined) continue
    parts.push(before, leaves.string(key), ':')
    write(member, parts, leaves)
    before = ','
  }
  parts.push(before === '{' ? '{}' : '}')
}

function finiteNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical JSON form`)
  return JSON.stringify(value)
}

function safeNumber(value: number): string {
  // `-0` is a safe integer, and as text it is `0`.
  if (Number.isSafeInteger(value)) return String(value)
  if (Number.isInteger(value)) {
    throw new TypeError(`${value} is an integer beyond ±(2^53 − 1) and has no safe JSON form`)
  }
  return finiteNumber(value)
}

function wholeString(value: string): string {
  if (!value.isWellFormed()) throw new TypeError('text with a lone surrogate has no canonical JSON form')
  return JSON.stringify(value)
}
