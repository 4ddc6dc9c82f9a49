import { z } from 'zod'
import { ERROR_CATALOGUE } from '../errors.ts'
import { PROBLEM_CONTENT_TYPE, Problem } from '../problem.ts'
import {
  RATE_LIMIT,
  RATE_LIMIT_POLICY,
  RETRY_AFTER,
  type ResponseHeader,
  WWW_AUTHENTICATE,
  X_REQUEST_ID,
} from '../response-headers.ts'
import { problemExample, type ReplyCode, TRANSPORT_EXAMPLES, UNAUTHORIZED_EXAMPLE } from './problem-examples.ts'

/** A piece of the document. */
export type Json = { readonly [key: string]: unknown }

/** Codes that any operation can answer with. They share one response with the same words. */
const SHARED_CODES: readonly ReplyCode[] = ['svc_not_found', 'svc_rate_limited', 'svc_internal', 'svc_unavailable']

const TRANSPORT_WORDS: Readonly<Record<keyof typeof TRANSPORT_EXAMPLES, string>> = {
  malformed: 'The request is not well-formed HTTP. There is no code.',
  timeout: 'The body of the request did not arrive in time. There is no code.',
}

/** Codes whose replies may have `Retry-After`. */
const RETRY_AFTER_CODES: readonly ReplyCode[] = [
  'svc_idempotency_conflict',
  'svc_dataset_not_ready',
  'svc_rate_limited',
  'svc_unavailable',
]

/** The document's `components`. They are collected while the operations are written, so that none is unused. */
export class Components {
  readonly #baseUrl: string
  readonly #kinds = {
    schemas: new Map<string, unknown>(),
    responses: new Map<string, unknown>(),
    headers: new Map<string, unknown>(),
    examples: new Map<string, unknown>(),
  }

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  /** JSON Schema of a zod schema, with every named schema moved here. */
  schema(schema: z.ZodType): Json {
    const { $defs, ...rest } = jsonSchemaOf(schema)
    for (const [name, definition] of Object.entries(($defs as Json | undefined) ?? {})) {
      this.#kinds.schemas.set(name, definition)
    }
    return rest
  }

  /** The headers of a response, beginning with those that all have. */
  headers(headers: readonly ResponseHeader[] = []): Json {
    return Object.fromEntries(
      [X_REQUEST_ID, RATE_LIMIT, RATE_LIMIT_POLICY, ...headers].map((header) => [header.name, this.#header(header)]),
    )
  }

  /** The response of a status that means one or more codes. */
  problemResponse(codes: readonly ReplyCode[]): Json {
    const [code] = codes
    if (code !== undefined && codes.length === 1 && SHARED_CODES.includes(code)) {
      return this.#refer('responses', code, () => this.#problemResponse(codes))
    }
    return this.#problemResponse(codes)
  }

  /** A response of the operation itself, for a status that a problem may share. */
  orProblem(own: Json, codes: readonly ReplyCode[]): Json {
    return { ...own, content: { ...(own.content as Json | undefined), ...this.#problemContent(codes) } }
  }

  /** A response to invalid HTTP; it has no code. */
  transportResponse(kind: keyof typeof TRANSPORT_EXAMPLES): Json {
    return this.#refer('responses', kind, () => ({
      description: TRANSPORT_WORDS[kind],
      headers: this.headers(),
      content: { [PROBLEM_CONTENT_TYPE]: { schema: this.schema(Problem), example: TRANSPORT_EXAMPLES[kind] } },
    }))
  }

  /** The one answer to every failed authentication. */
  unauthorizedResponse(): Json {
    return this.#refer('responses', 'unauthorized', () => ({
      description: 'Invalid credentials. The reply does not distinguish the cases.',
      headers: this.headers([WWW_AUTHENTICATE]),
      content: { [PROBLEM_CONTENT_TYPE]: { schema: this.schema(Problem), example: UNAUTHORIZED_EXAMPLE } },
    }))
  }

  /** Everything that the document refers to, sorted by name. */
  toJson(): Json {
    return Object.fromEntries(
      Object.entries(this.#kinds).map(([kind, entries]) => [
        kind,
        Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1))),
      ]),
    )
  }

  #problemResponse(codes: readonly ReplyCode[]): Json {
    const mayRetry = codes.some((code) => RETRY_AFTER_CODES.includes(code))
    return {
      description: codes.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].cause}`).join(' '),
      headers: this.headers(mayRetry ? [RETRY_AFTER] : []),
      content: this.#problemContent(codes),
    }
  }

  #problemContent(codes: readonly ReplyCode[]): Json {
    return {
      [PROBLEM_CONTENT_TYPE]: {
        schema: this.schema(Problem),
        examples: Object.fromEntries(codes.map((code) => [code, this.#problemExample(code)])),
      },
    }
  }

  #problemExample(code: ReplyCode): Json {
    return this.#refer('examples', code, () => ({
      summary: ERROR_CATALOGUE[code].cause,
      value: problemExample(code, this.#baseUrl),
    }))
  }

  #header(header: ResponseHeader): Json {
    return this.#refer('headers', header.name, () => ({
      description: header.description,
      required: header.required,
      schema: this.schema(header.schema),
    }))
  }

  #refer(kind: 'responses' | 'headers' | 'examples', name: string, make: () => Json): Json {
    const entries = this.#kinds[kind]
    if (!entries.has(name)) entries.set(name, make())
    return { $ref: `#/components/${kind}/${name}` }
  }
}

/**
 * JSON Schema in input form, for replies too: that form does not forbid unknown fields, which clients must ignore.
 * Redundant keywords are left out: zod bounds every integer by the range of a double, and states the type of every key
 * of a record.
 */
function jsonSchemaOf(schema: z.ZodType): Json {
  const made = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      delete jsonSchema.propertyNames
    },
  })
  const { $schema: _dialect, ...rest } = made
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
}
