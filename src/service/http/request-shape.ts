import { z } from 'zod'
import { MAX_PROBLEM_ENTRIES } from '../../contract/limits.ts'
import type { FieldError } from '../../contract/problem.ts'
import { emptyBody } from './body-parsers.ts'
import { NameSearch } from './nearest-names.ts'
import { ProblemError } from './problem-error.ts'
import { dataKey } from './strict-json.ts'

/** Longest piece of a request that a reply repeats, in characters. */
const MAX_ECHO = 100

/** Replaces zod's error, which is expensive to create and never thrown here: its issues become a problem record. */
class Issues {
  readonly issues: readonly z.core.$ZodIssue[]

  constructor(issues: readonly z.core.$ZodIssue[]) {
    this.issues = issues
  }
}

const safeParse = z.core._safeParse(Issues as unknown as z.core.$ZodErrorClass)

/**
 * Checks a JSON body against its schema of the contract and returns the parsed value. Throws `svc_invalid_field` with
 * all faults, including unknown fields, or for a missing body. `others` are faults found in the request's headers; they
 * are reported with those of the body.
 */
export function checkBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  others: readonly FieldError[] = [],
): z.output<Schema> {
  if (body === undefined) throw emptyBody()
  return check(schema, body, 'body', others)
}

/** Checks query parameters (strings, or arrays of strings for repeated ones) in the same way. */
export function checkQuery<Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> {
  return check(schema, query, 'query')
}

/** The 400 for faults: the first one is in `detail`, all of them are in `errors`. */
export function invalidFields(errors: readonly FieldError[]): ProblemError {
  const [first] = errors
  if (first === undefined) throw new RangeError('invalidFields needs at least one fault')
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`
  const suggestion = first.suggestion === undefined ? '' : `; did you mean ${first.suggestion}?`
  return new ProblemError('svc_invalid_field', `${first.field} ${first.message}${suggestion}${more}`, { errors })
}

/** A piece of the request, cut so that a reply can repeat it. */
export function echo(text: string): string {
  return text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text
}

function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  root: string,
  others: readonly FieldError[] = [],
): z.output<Schema> {
  const result = safeParse(schema, value, { reportInput: true })
  if (result.success && others.length === 0) return result.data
  const issues = result.error?.issues ?? []
  throw invalidFields([...others, ...issues.flatMap((issue) => faultsOf(issue, schema, root))])
}

/** A fault that is counted but not reported: there may be thousands. */
const UNTOLD: FieldError = { field: 'body', message: 'is not a known field' }

function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType, root: string): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path)
    const search = new NameSearch()
    return issue.keys.map((key, index) => {
      // The number of reported faults is limited.
      if (index >= MAX_PROBLEM_ENTRIES) return UNTOLD
      const suggestion = search.likely(key, known)
      return {
        field: fieldOf([...issue.path, key], root),
        message: 'is not a known field',
        ...(suggestion !== null && { suggestion }),
      }
    })
  }
  return [{ field: fieldOf(issue.path, root), message: messageOf(issue, root) }]
}

function messageOf(issue: z.core.$ZodIssue, root: string): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required'
  if (issue.code === 'invalid_type') return wrongKind(issue, root)
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_small') return sizeFault(issue.origin, `at least ${issue.minimum}`)
  if (issue.code === 'too_big') return sizeFault(issue.origin, `at most ${issue.maximum}`)
  if (issue.code === 'invalid_union') return wrongKindOfSeveral(issue)
  // zod's own words for the rest; they do not repeat the input.
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1)
}

/** The kinds of JSON values by zod's names. */
const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
}

function kindOf({ expected, input }: z.core.$ZodIssueInvalidType): string {
  // A literal beyond the range of numbers, such as 1e400, is read as infinite.
  if (expected === 'number' && typeof input === 'number') return 'a finite number'
  return KINDS[expected] ?? `of type ${expected}`
}

function wrongKind(issue: z.core.$ZodIssueInvalidType, root: string): string {
  // A repeated query parameter arrives as a list.
  if (root === 'query' && issue.expected === 'string' && Array.isArray(issue.input)) return 'must be given once'
  return `must be ${kindOf(issue)}`
}

function wrongKindOfSeveral({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const kinds = errors.flatMap(([first]) => (first?.code === 'invalid_type' ? [kindOf(first)] : []))
  return kinds.length === 0 ? 'has a type that is not allowed here' : `must be ${[...new Set(kinds)].join(' or ')}`
}

function sizeFault(origin: string, bound: string): string {
  if (origin === 'array') return `must have ${bound} ${bound.endsWith(' 1') ? 'entry' : 'entries'}`
  return origin === 'string' ? `must be ${bound} characters long` : `must be ${bound}`
}

function fieldOf(path: readonly PropertyKey[], root: string): string {
  return path.length === 0 ? root : path.map((part) => echo(dataKey(String(part)))).join('.')
}

/** The keys of the object schema at `path`; none if it is not an object. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let current: unknown = unwrap(schema)
  for (const part of path) {
    if (current instanceof z.ZodObject) current = unwrap(current.shape[String(part)])
    else if (current instanceof z.ZodRecord) current = unwrap(current.valueType)
    else if (current instanceof z.ZodArray) current = unwrap(current.element)
    else return []
  }
  return current instanceof z.ZodObject ? Object.keys(current.shape) : []
}

function unwrap(schema: unknown): unknown {
  let current = schema
  while (current instanceof z.ZodOptional || current instanceof z.ZodNullable || current instanceof z.ZodDefault) {
    current = current.unwrap()
  }
  return current
}
