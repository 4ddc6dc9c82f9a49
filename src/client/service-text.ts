import { cutText } from '../base/text/fit-text.ts'
import type { Problem } from './replies.ts'

/** Longest text of the service that an error carries, in UTF-16 units. */
export const MAX_SERVICE_TEXT = 500
const MAX_NAME = 200
const MAX_ENTRIES = 50
/** Shorter text is not a secret, and removing it would garble messages. */
const SHORTEST_SECRET = 4

/** Cleans text of the service for messages: no secret, no control characters, bounded. */
export type Cleaner = (text: string, longest?: number) => string

const BEARER = /\bBearer\s+[\x21-\x7e]+/gi
/** Two base64url parts and a signature: any JWT. */
const JWT = /\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?/g
/** C0, DEL, C1 and the marks that reorder text on a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g

/**
 * A service, or a proxy before it, may repeat in its answer what we sent. `secrets` are removed in all spellings in
 * which they travel. This happens before the text is cut, so that no part of one remains at the end.
 */
export function cleanerFor(secrets: readonly string[]): Cleaner {
  const spellings = [...new Set(secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(spellingsOf))]
    // Longest first: a spelling may contain another.
    .sort((a, b) => b.length - a.length)
  return (text, longest = MAX_SERVICE_TEXT) => {
    let clean = text
    for (const spelling of spellings) clean = clean.replaceAll(spelling, '[secret]')
    clean = clean.replace(BEARER, 'Bearer [secret]').replace(JWT, '[secret]').replace(CONTROLS, ' ').trim()
    return clean.length <= longest ? clean : `${cutText(clean, longest - 1)}…`
  }
}

/** `cleanerFor` with its last result cached: the calls of one client have the same secrets, thousands of times. */
export function keepingCleaner(): typeof cleanerFor {
  let last: { readonly secrets: readonly string[]; readonly clean: Cleaner } | null = null
  return (secrets) => {
    const isSame = secrets.length === last?.secrets.length && secrets.every((secret, i) => secret === last?.secrets[i])
    if (last === null || !isSame) last = { secrets: [...secrets], clean: cleanerFor(secrets) }
    return last.clean
  }
}

function spellingsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ]
}

/** The problem record with every text cleaned and every list bounded; only its detail may be long. */
export function cleanProblem(problem: Problem, clean: Cleaner): Problem {
  const { detail, ...rest } = problem
  const cleaned = cleanTexts(rest, clean) as Problem
  return detail === undefined ? cleaned : { ...cleaned, detail: clean(detail) }
}

function cleanTexts(value: unknown, clean: Cleaner): unknown {
  if (typeof value === 'string') return clean(value, MAX_NAME)
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => cleanTexts(entry, clean))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, cleanTexts(field, clean)]))
}
