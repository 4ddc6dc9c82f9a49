import { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { IDEMPOTENCY_KEY_PATTERN, Identifier } from './ids.ts'
import { MAX_WAIT_SECONDS } from './limits.ts'
import type { ResponseHeader } from './response-headers.ts'

/** The addresses of a service that its document names, without trailing slashes. */
export interface ContractAddresses {
  /** `{base_url}` */
  readonly baseUrl: string
  /** `{auth_url}`: the identity provider. */
  readonly authUrl: string
}

/** Who may call: anybody; a client with a bearer token; the operator with its own token. */
export type Security = 'none' | 'bearer' | 'operator'

/** Groups of operations, in the order in which a client meets them. */
export const TAGS = {
  access: 'Getting access: signup, the operator’s decision, the one-time claim, bearer tokens, rotation of the secret.',
  datasets: 'Seed datasets: upload, cleaning and training; the cleaned schema, from which conditions are built.',
  jobs: 'Long-running work. Poll a job until its status is terminal.',
  generations: 'Synthetic rows that follow a scenario, and their download.',
  usage: 'What a tenant uses and may use.',
  operator: 'Decisions and limits of whoever runs the service. On only where an operator token is set.',
  utility: 'Health of the service and where things are.',
  documentation: 'The error catalogue and the OpenAPI document. Pages for people and texts for programs say the same.',
} as const

export type Tag = keyof typeof TAGS

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly schema: z.ZodType
  /** Path parameters always are. */
  readonly required?: boolean
}

/** A body per media type; null: bytes that no schema describes. */
export type Content = Readonly<Record<string, z.ZodType | null>>

export interface Response {
  readonly description: string
  readonly content?: Content
  /** Beside `X-Request-Id`, which every reply carries. */
  readonly headers?: readonly ResponseHeader[]
}

/**
 * One route of the service. The OpenAPI document is made of these, but for pages, and a test holds the app's routes equal
 * to them.
 */
export interface Operation {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** As in OpenAPI: `/v1/jobs/{job_id}`. */
  readonly path: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  readonly security: Security
  readonly parameters?: readonly Parameter[]
  readonly request?: { readonly required: boolean; readonly content: Content }
  /** What goes well, by status. */
  readonly responses: Readonly<Record<number, Response>>
  /** What goes wrong in ways of its own; what its method, parameters and body can get wrong is added (`errorsOf`). */
  readonly errors?: readonly ErrorCode[]
  /** It costs the customer rows, time or data. */
  readonly consequential?: true
  /** Answered by the identity provider, at `{auth_url}`. */
  readonly onAuthUrl?: true
  /** A page, a text or a file of pages: it is not in the OpenAPI document, so generated clients have no call for it. */
  readonly isPage?: true
}

/** An operation of the operator, before its tag and its token are added. */
export type OperatorOperation = Omit<Operation, 'tag' | 'security'>

/** Content of one media type, `application/json`. */
export function json(schema: z.ZodType): Content {
  return { 'application/json': schema }
}

/** A page for people; the OpenAPI document leaves it out, also beside JSON. */
export const HTML: Content = { 'text/html': z.string() }

/** A path parameter; an identifier unless `schema` says otherwise. */
export function pathId(name: string, description: string, schema: z.ZodType = Identifier): Parameter {
  return { name, in: 'path', description, schema, required: true }
}

export const PREFER_WAIT: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: `\`wait=<seconds>\` holds the reply until the job has ended, at most so long and at most ${MAX_WAIT_SECONDS} s (RFC 7240, 4.3). Other preferences are ignored.`,
  schema: z.string().meta({ examples: ['wait=10'] }),
}

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Repeats of a request with the same key and body answer with what the first one made.',
  schema: z.string().regex(IDEMPOTENCY_KEY_PATTERN),
}
