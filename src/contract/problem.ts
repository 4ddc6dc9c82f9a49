import { z } from 'zod'

/** One fault of a request. `field` is a dotted path (`conditions.numeric.age.min`), a form part or a parameter. */
export const FieldError = z
  .object({ field: z.string(), message: z.string(), suggestion: z.string().optional() })
  .meta({ id: 'FieldError' })
export type FieldError = z.infer<typeof FieldError>

/** What the cleaned schema offers instead of a name it does not have, nearest first. */
export const SchemaHint = z
  .object({
    columns: z.array(z.string()).optional(),
    column: z.string().optional(),
    levels: z.array(z.string()).optional(),
  })
  .meta({ id: 'SchemaHint' })
export type SchemaHint = z.infer<typeof SchemaHint>

/** Problem record (specification, "Problem record"; RFC 9457), content type `application/problem+json`. */
export const Problem = z
  .object({
    type: z.string().describe('{base_url}/errors/{code}, or about:blank for authentication failures'),
    title: z.string().describe('The reason phrase of the status.'),
    status: z.int().describe('The HTTP status.'),
    detail: z.string().describe('What is wrong with this request, in words.'),
    code: z.string().optional().describe('The stable code. Absent if the problem has none.'),
    request_id: z.string().optional().describe('The same as `X-Request-Id`.'),
    errors: z.array(FieldError).optional().describe('All faults found.'),
    errors_omitted: z.int().optional().describe('Faults beyond those in `errors`.'),
    schema_hint: SchemaHint.optional().describe('Names of the cleaned schema, nearest first.'),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof Problem>

export const PROBLEM_CONTENT_TYPE = 'application/problem+json'

/** The one body of every authentication failure (specification, "Authentication" 5). */
export const UNAUTHORIZED_PROBLEM = {
  type: 'about:blank',
  title: 'Unauthorized',
  status: 401,
  detail: 'Invalid credentials.',
} as const

/** Why a job or generation failed. */
export const WorkError = z.object({ code: z.string(), detail: z.string() }).meta({ id: 'WorkError' })
export type WorkError = z.infer<typeof WorkError>
