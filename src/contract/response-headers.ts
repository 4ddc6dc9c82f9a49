import { z } from 'zod'

/** A reply header that clients act on. */
export interface ResponseHeader {
  readonly name: string
  readonly description: string
  readonly schema: z.ZodType
  /** It is on every reply of its kind; otherwise only where the description says. */
  readonly required: boolean
}

export const X_REQUEST_ID: ResponseHeader = {
  name: 'X-Request-Id',
  description: 'Names this request; the same as `request_id` in bodies. Keep it for support.',
  schema: z.string().meta({ examples: ['req_5kQ0vXc2mZr8TnB1yWdJ4H'] }),
  required: true,
}

export const RETRY_AFTER: ResponseHeader = {
  name: 'Retry-After',
  description: 'Seconds to wait before the same request is repeated.',
  schema: z
    .int()
    .min(0)
    .meta({ examples: [5] }),
  required: false,
}

export const IDEMPOTENT_REPLAYED: ResponseHeader = {
  name: 'Idempotent-Replayed',
  description: '`true` where the reply shows what an earlier request with the same `Idempotency-Key` made.',
  schema: z.enum(['true']),
  required: false,
}

export const PREFERENCE_APPLIED: ResponseHeader = {
  name: 'Preference-Applied',
  description:
    'The wait that was granted (RFC 7240, 3): the reply came at the end of the job, or after so many seconds.',
  schema: z.string().meta({ examples: ['wait=10'] }),
  required: false,
}

export const WWW_AUTHENTICATE: ResponseHeader = {
  name: 'WWW-Authenticate',
  description: 'The scheme that is wanted (RFC 9110, 11.6.1).',
  schema: z.string().meta({ examples: ['Bearer'] }),
  required: true,
}

export const ETAG: ResponseHeader = {
  name: 'ETag',
  description: 'Names this version of the content; send it back in `If-None-Match`.',
  schema: z.string().meta({ examples: ['"0f343b0931126a20f133d67c2b018a3b"'] }),
  required: true,
}

export const CONTENT_RANGE: ResponseHeader = {
  name: 'Content-Range',
  description: 'The range that is sent, and the size of the whole (RFC 9110, 14.4).',
  schema: z.string().meta({ examples: ['bytes 0-1023/48213'] }),
  required: true,
}

export const CONTENT_DISPOSITION: ResponseHeader = {
  name: 'Content-Disposition',
  description: 'A file name for the artifact.',
  schema: z.string().meta({ examples: ['attachment; filename="gen_7TqLm2xVb9KcRz4NwYpHd3.parquet"'] }),
  required: true,
}
