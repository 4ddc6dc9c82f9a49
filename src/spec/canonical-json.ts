/** Values that have a canonical form; a `Map` stands for an object whose keys are data. */
export type CanonicalValue =
  | null
  | boolean
  | number
  | string
  | readonly CanonicalValue[]
  | ReadonlyMap<string, CanonicalValue>
  | { readonly [key: string]: CanonicalValue | undefined }

type Numbers = 'safe' | 'finite'

/**
 * RFC 8785 (JSON Canonicalization Scheme): keys sorted by UTF-16 code units, no whitespace, ECMAScript numbers, `-0` as
 * `0`. Properties that are undefined are left out. Throws `TypeError` for NaN, infinities, integers beyond ±(2^53 − 1)
 * and lone surrogates, which have no form that every reader reads alike. `numbers: 'finite'` is for values that were
 * measured and not typed: integers beyond that range have their ECMAScript form, as in RFC 8785.
 */
export function canonicalJson(value: CanonicalValue, numbers: Numbers = 'safe'): string {
  const parts: string[] = []
  write(value, parts, numbers)
  return parts.join('')
}

/**
 * One list of parts for the whole text: studies have tens of thousands of small objects, and text that is put together
 * member by member stays in memory as a tree of its pieces.
 */
function write(value: CanonicalValue, parts: string[], numbers: Numbers): void {
  if (value === null || typeof value === 'boolean') parts.push(String(value))
  else if (typeof value === 'number') parts.push(canonicalNumber(value, numbers))
  else if (typeof value === 'string') parts.push(canonicalString(value))
  else if (Array.isArray(value)) writeArray(value, parts, numbers)
  else if (value instanceof Map) writeObject([...value.keys()], (key) => value.get(key), parts, numbers)
  else {
    const object = value as { readonly [key: string]: CanonicalValue | undefined }
    writeObject(Object.keys(object), (key) => object[key], parts, numbers)
  }
}

function writeArray(items: readonly CanonicalValue[], parts: string[], numbers: Numbers): void {
  let before = '['
  for (const item of items) {
    parts.push(before)
    write(item, parts, numbers)
    before = ','
  }
  parts.push(before === '[' ? '[]' : ']')
}

function writeObject(
  keys: string[],
  memberOf: (key: string) => CanonicalValue | undefined,
  parts: string[],
  numbers: Numbers,
): void {
  let before = '{'
  // Sorting without a comparison is by UTF-16 code units, as RFC 8785 section 3.2.3 wants.
  for (const key of keys.sort()) {
    const member = memberOf(key)
    if (member === undefined) continue
    parts.push(before, canonicalString(key), ':')
    write(member, parts, numbers)
    before = ','
  }
  parts.push(before === '{' ? '{}' : '}')
}

function canonicalNumber(value: number, numbers: Numbers): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical JSON form`)
  if (numbers === 'safe' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(`${value} is an integer beyond ±(2^53 − 1) and has no safe JSON form`)
  }
  return JSON.stringify(value)
}

const LONE_SURROGATE = /\p{Surrogate}/u

function canonicalString(value: string): string {
  if (LONE_SURROGATE.test(value)) throw new TypeError('text with a lone surrogate has no canonical JSON form')
  return JSON.stringify(value)
}
