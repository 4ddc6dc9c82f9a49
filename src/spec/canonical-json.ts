/** Values that have a canonical form; a `Map` stands for an object whose keys are data. */
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
 * `0`. Properties that are undefined are left out. Throws `TypeError` for NaN, infinities, integers beyond ±(2^53 − 1)
 * and lone surrogates, which have no form that every reader reads alike.
 */
export function canonicalJson(value: CanonicalValue): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return canonicalNumber(value)
  if (typeof value === 'string') return canonicalString(value)
  if (Array.isArray(value)) return `[${value.map((item: CanonicalValue) => canonicalJson(item)).join(',')}]`
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  // Plain comparison of strings is by UTF-16 code units, as RFC 8785 section 3.2.3 wants.
  const members = entries
    .filter((entry): entry is [string, CanonicalValue] => entry[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, member]) => `${canonicalString(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical JSON form`)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(`${value} is an integer beyond ±(2^53 − 1) and has no safe JSON form`)
  }
  return JSON.stringify(value)
}

function canonicalString(value: string): string {
  if (/\p{Surrogate}/u.test(value)) throw new TypeError('text with a lone surrogate has no canonical JSON form')
  return JSON.stringify(value)
}
