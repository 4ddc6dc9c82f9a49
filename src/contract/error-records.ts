import { z } from 'zod'

/** GET /errors/{code}: an entry of the error catalogue. */
export const ErrorDescription = z
  .object({
    code: z.string(),
    status: z.int().nullable().describe('HTTP status; null: only inside the `error` of a job or generation.'),
    title: z.string(),
    cause: z.string(),
    fix: z.string(),
    retryable: z
      .boolean()
      .describe('Whether the unchanged request may be repeated; a POST only with the same `Idempotency-Key`.'),
    support: z.string().describe('What to keep and to tell support.'),
    url: z.string().describe('Address of this description, relative to the service’s own.'),
  })
  .meta({ id: 'ErrorDescription' })
export type ErrorDescription = z.infer<typeof ErrorDescription>

/** GET /errors: the whole catalogue. */
export const ErrorIndex = z.object({ errors: z.array(ErrorDescription) }).meta({ id: 'ErrorIndex' })
export type ErrorIndex = z.infer<typeof ErrorIndex>
