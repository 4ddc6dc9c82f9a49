import { Buffer } from 'node:buffer'
import { MAX_PROBLEM_BYTES } from '../../contract/limits.ts'
import type { FieldError, Problem } from '../../contract/problem.ts'
import { cutToBytes } from '../../engine/cleaning/size-bounds.ts'

/** Longest `detail`, and longest field or message of a fault, in bytes of UTF-8. */
const MAX_DETAIL_BYTES = 4096
const MAX_WORDS_BYTES = 1024
/** What the names of `schema_hint` may take; the rest is left to the faults. */
const MAX_HINT_BYTES = MAX_PROBLEM_BYTES / 2

/**
 * A problem record as it is sent: it repeats names of the request and of a dataset, both of which somebody else chose. Texts
 * are cut, lists end where the record is full, and faults that are left out are counted.
 */
export function boundedProblem(body: Problem): Problem {
  const bounded = { ...body, detail: cutText(body.detail, MAX_DETAIL_BYTES) }
  if (jsonBytes(bounded) <= MAX_PROBLEM_BYTES) return bounded
  const { errors = [], errors_omitted: omitted = 0, schema_hint: hint, ...rest } = bounded
  const cutHint = hint && {
    ...(hint.columns && { columns: firstThatFit(hint.columns, MAX_HINT_BYTES) }),
    ...(hint.column !== undefined && { column: cutText(hint.column, MAX_WORDS_BYTES) }),
    ...(hint.levels && { levels: firstThatFit(hint.levels, MAX_HINT_BYTES - 2 * MAX_WORDS_BYTES) }),
  }
  const others = { ...rest, errors_omitted: omitted + errors.length, ...(cutHint && { schema_hint: cutHint }) }
  const told = firstThatFit(errors.map(cutFault), MAX_PROBLEM_BYTES - jsonBytes({ ...others, errors: [] }))
  const left = omitted + errors.length - told.length
  return {
    ...rest,
    ...(told.length > 0 && { errors: told }),
    ...(left > 0 && { errors_omitted: left }),
    ...(cutHint && { schema_hint: cutHint }),
  }
}

/** A suggestion is of use as it is or not at all. */
function cutFault({ field, message, suggestion }: FieldError): FieldError {
  return {
    field: cutText(field, MAX_WORDS_BYTES),
    message: cutText(message, MAX_WORDS_BYTES),
    ...(suggestion !== undefined && jsonBytes(suggestion) <= 2 * MAX_WORDS_BYTES && { suggestion }),
  }
}

function firstThatFit<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 0
  const past = items.findIndex((item) => {
    bytes += jsonBytes(item) + 1
    return bytes > maxBytes
  })
  return past < 0 ? [...items] : items.slice(0, past)
}

function cutText(text: string, maxBytes: number): string {
  const cut = cutToBytes(text, maxBytes)
  return cut === text ? text : `${cut}…`
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
