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
  /** Whether conditions may have our extensions (`CONDITION_EXTENSIONS`): its seeds are not protected. Absent: they may. */
  readonly takesExtensions?: boolean
}

/** Who may call: anybody; a client with a bearer token; the operator with its own token. */
export type Security = 'none' | 'bearer' | 'operator'

/** Groups of operations, in the order in which a client meets them. */
export const TAGS = {
  access: 'Getting access: signup, the operator’s decision, the one-time claim, bearer tokens, rotation of the secret.',
  datasets: 'Seed datasets: upload, cleaning and training; the cleaned schema, from which conditions are built.',
  jobs: 'Long-running work. Poll a job until its status is terminal.',
  generations: 'Synthetic rows that follow a scenario, and their download.',
  webhooks: 'Addresses of a tenant that are told of events, in the form of Standard Webhooks.',
  usage: 'Usage and limits of a tenant.',
  operator: 'Decisions and limits that the operator sets. Available only if an operator token is set.',
  utility: 'Health of the service, and links to its documents.',
  documentation: 'The error catalogue and the OpenAPI document, as pages for people and as text for programs.',
} as const

export type Tag = keyof typeof TAGS

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly schema: z.ZodType
  /** Path parameters are always required. */
  readonly required?: boolean
}

/** A body per media type; null: bytes that no schema describes. */
export type Content = Readonly<Record<string, z.ZodType | null>>

export interface Response {
  readonly description: string
  readonly content?: Content
  /** Headers in addition to `X-Request-Id`, which every reply has. */
  readonly headers?: readonly ResponseHeader[]
}

/** The end of an operation, as its replies announce it. */
export interface Deprecation {
  /** From when on clients should use something else, RFC 3339. May lie in the future. */
  readonly since: string
  /** From when on it may be gone, RFC 3339; at least 30 days after `since`. Absent: not decided. */
  readonly sunset?: string
  /** Path of a page that tells what to use instead: `/docs/v2`. */
  readonly guide?: string
}

/**
 * One route of the service. The OpenAPI document has all of them except pages. A test checks that the app has exactly
 * these routes.
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
  /** Successful responses by status. */
  readonly responses: Readonly<Record<number, Response>>
  /**
   * Errors that are specific to the operation. `errorsOf` adds the errors that follow from its method, parameters and
   * body.
   */
  readonly errors?: readonly ErrorCode[]
  /** Its end, if one is planned for this operation alone (`END_OF_V1` ends all). Its replies and the document say so. */
  readonly deprecation?: Deprecation
  /** It costs the customer rows, time or data. */
  readonly consequential?: true
  /** Answered by the identity provider, at `{auth_url}`. */
  readonly onAuthUrl?: true
  /**
   * A page, a text or a file of pages. The OpenAPI document leaves it out, so generated clients have no call for it.
   */
  readonly isPage?: true
}

/** An operation of the operator, before its tag and its token are added. */
export type OperatorOperation = Omit<Operation, 'tag' | 'security'>

/** Content of one media type, `application/json`. */
export function json(schema: z.ZodType): Content {
  return { 'application/json': schema }
}

/** A page for people. The OpenAPI document leaves it out, even if the operation also has JSON. */
export const HTML: Content = { 'text/html': z.string() }

/** A path parameter; an identifier unless `schema` says otherwise. */
export function pathId(name: string, description: string, schema: z.ZodType = Identifier): Parameter {
  return { name, in: 'path', description, schema, required: true }
}

export const PREFER_WAIT: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: `\`wait=<seconds>\` delays the reply until the job has ended, for at most that time and at most ${MAX_WAIT_SECONDS} s (RFC 7240, 4.3). Other preferences are ignored.`,
  schema: z.string().meta({ examples: ['wait=10'] }),
}

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A repeat with the same key and body returns what the first request created.',
  schema: z.string().regex(IDEMPOTENCY_KEY_PATTERN),
}
