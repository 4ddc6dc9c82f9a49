import { ProblemError } from './problem-error.ts'

/**
 * JSON for requests: everything that `JSON.parse` accepts, except what two readers could understand differently. It
 * refuses objects with a duplicate key (the last one would win silently), `__proto__` as a key (other code can turn it
 * into a prototype; where keys are names of the data, `dataKey` gives it back), nesting and keys beyond a bound, and text that a database does not store unchanged: U+0000, which
 * PostgreSQL refuses, and lone surrogates, which all become the same replacement character (RFC 8259, 8.2). Bytes must
 * be UTF-8; a byte order mark is skipped (8.1).
 *
 * @throws ProblemError `svc_invalid_field`
 */
export function parseStrictJson(bytes: Uint8Array, { maxDepth, maxKeys }: JsonBounds): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused('is not valid UTF-8')
  }
  checkShape(text, maxDepth, maxKeys)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused('is not valid JSON')
  }
  if (hasProtoKey(text)) value = JSON.parse(text, withoutProtoKeys)
  // As raw bytes neither is valid JSON in UTF-8: both need an escape.
  if (UNKEPT_ESCAPE.test(text)) checkText(value)
  return value
}

/** Stands for the key `__proto__` in parsed bodies. No request has it: text with U+0000 is refused. */
const PROTO_KEY = '\0__proto__'

/** A key of a parsed body that names a column or a level, as the request has it. */
export function dataKey(key: string): string {
  return key === PROTO_KEY ? '__proto__' : key
}

/** For `JSON.parse`, whose objects hold `__proto__` as a property of their own until they are copied. */
function withoutProtoKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__')) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key === '__proto__' ? PROTO_KEY : key, item]))
}

/** Limits of a JSON text, checked before it is parsed. */
export interface JsonBounds {
  /** Deepest nesting. */
  readonly maxDepth: number
  /** Most keys, of all objects together. */
  readonly maxKeys: number
}

/** @param reason The end of a sentence that begins with "the body". */
function refused(reason: string): ProblemError {
  return new ProblemError('svc_invalid_field', `The request body ${reason}.`, {
    errors: [{ field: 'body', message: reason }],
  })
}

/** May begin text that cannot be stored: U+0000, or a surrogate that may be unpaired. */
const UNKEPT_ESCAPE = /\\u(?:0000|d[89a-f])/i

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** Counts nesting and keys before parsing. Correct for valid JSON, and harmless for everything else. */
function checkShape(text: string, maxDepth: number, maxKeys: number): void {
  let depth = 0
  let keys = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth++
      if (depth > maxDepth) throw refused(`is nested deeper than ${maxDepth} levels`)
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
    else if (code === COLON) {
      // Outside of strings, a colon follows a key and nothing else.
      keys++
      if (keys > maxKeys) throw refused(`has more than ${maxKeys} keys`)
    }
  }
}

/** The keys of an open object. */
interface OpenObject {
  readonly keys: Set<string>
  /** Levels of keys from here on that are names of columns and levels, and may be any text. */
  readonly dataDepth: number
  lastKey: string
}

/** Fields of requests whose keys are names of columns, and of levels below these. */
const DATA_DEPTHS: Readonly<Record<string, number>> = { categorical: 2, numeric: 1, means: 1, bounds: 2 }

function dataDepthIn(parent: OpenObject | null | undefined): number {
  if (parent == null) return 0
  return parent.dataDepth > 0
    ? parent.dataDepth - 1
    : Object.hasOwn(DATA_DEPTHS, parent.lastKey)
      ? DATA_DEPTHS[parent.lastKey]!
      : 0
}

/**
 * Walks valid JSON and compares the keys of each object; null stands for an open array.
 *
 * @returns whether `__proto__` is a name of the data.
 */
function hasProtoKey(text: string): boolean {
  const open: (OpenObject | null)[] = []
  let isKeyNext = false
  let hasProto = false
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const end = endOfString(text, i)
        if (isKeyNext) hasProto = addKey(open.at(-1) as OpenObject, keyOf(text, i, end)) || hasProto
        i = end
        break
      }
      case OPEN_BRACE:
        open.push({ keys: new Set(), dataDepth: dataDepthIn(open.at(-1)), lastKey: '' })
        isKeyNext = true
        break
      case OPEN_BRACKET:
        open.push(null)
        isKeyNext = false
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop()
        isKeyNext = false
        break
      case COMMA:
        isKeyNext = open.at(-1) != null
        break
      case COLON:
        isKeyNext = false
        break
    }
  }
  return hasProto
}

/**
 * The key between two quotes. Most keys have no escapes, and decoding them one by one takes longer than parsing the
 * whole text.
 */
function keyOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end)
  return raw.includes('\\') ? (JSON.parse(text.slice(start, end + 1)) as string) : raw
}

/** @returns whether the key is `__proto__`. */
function addKey(object: OpenObject, key: string): boolean {
  const isProto = key === '__proto__'
  if (isProto && object.dataDepth === 0) throw refused('has the key "__proto__", which is not allowed here')
  if (object.keys.has(key)) {
    throw refused(`has the key ${JSON.stringify(key.slice(0, 100))} twice in one object`)
  }
  object.keys.add(key)
  object.lastKey = key
  return isProto
}

/** Checks every string of a parsed value, including keys. Nesting has been bounded before. */
function checkText(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw refused('has text with U+0000, which is not allowed')
    if (/\p{Surrogate}/u.test(value)) throw refused('has text with half of a surrogate pair, which is not allowed')
  } else if (Array.isArray(value)) {
    for (const item of value) checkText(item)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      checkText(key)
      checkText(item)
    }
  }
}

/** Index of the closing quote of the string that opens at `start`, or the text's last index if it never closes. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BACKSLASH) i++
    else if (code === QUOTE) return i
  }
  return text.length - 1
}
