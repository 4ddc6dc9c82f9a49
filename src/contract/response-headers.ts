import { z } from 'zod'

/** A reply header that clients act on. */
export interface ResponseHeader {
  readonly name: string
  readonly description: string
  readonly schema: z.ZodType
  /** Whether every such reply has it. Otherwise only the replies that the description names. */
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
  description: 'Seconds to wait before repeating the same request.',
  schema: z
    .int()
    .min(0)
    .meta({ examples: [5] }),
  required: false,
}

export const RATE_LIMIT: ResponseHeader = {
  name: 'RateLimit',
  description:
    'Requests that this client can send in the next `t` seconds (`r`). As many are restored in that time; where none is left, the next one is. Absent where the service has no rate limits, and without a token.',
  schema: z.string().meta({ examples: ['"client";r=1999;t=4'] }),
  required: false,
}

export const RATE_LIMIT_POLICY: ResponseHeader = {
  name: 'RateLimit-Policy',
  description: 'Most requests of a client at once (`q`), and the seconds in which as many are restored (`w`).',
  schema: z.string().meta({ examples: ['"client";q=2000;w=4'] }),
  required: false,
}

export const IDEMPOTENT_REPLAYED: ResponseHeader = {
  name: 'Idempotent-Replayed',
  description: '`true` if the reply shows what an earlier request with the same `Idempotency-Key` created.',
  schema: z.enum(['true']),
  required: false,
}

export const PREFERENCE_APPLIED: ResponseHeader = {
  name: 'Preference-Applied',
  description:
    'The wait that was granted (RFC 7240, 3): the reply came when the job ended, or after this many seconds.',
  schema: z.string().meta({ examples: ['wait=10'] }),
  required: false,
}

export const WWW_AUTHENTICATE: ResponseHeader = {
  name: 'WWW-Authenticate',
  description: 'The required scheme (RFC 9110, 11.6.1).',
  schema: z.string().meta({ examples: ['Bearer'] }),
  required: true,
}

export const ETAG: ResponseHeader = {
  name: 'ETag',
  description: 'Identifies this version of the content. Send it back in `If-None-Match`.',
  schema: z.string().meta({ examples: ['"0f343b0931126a20f133d67c2b018a3b"'] }),
  required: true,
}

export const CONTENT_RANGE: ResponseHeader = {
  name: 'Content-Range',
  description: 'The range in this reply, and the total size (RFC 9110, 14.4).',
  schema: z.string().meta({ examples: ['bytes 0-1023/48213'] }),
  required: true,
}

export const CONTENT_DISPOSITION: ResponseHeader = {
  name: 'Content-Disposition',
  description: 'A file name for the artifact.',
  schema: z.string().meta({ examples: ['attachment; filename="gen_7TqLm2xVb9KcRz4NwYpHd3.parquet"'] }),
  required: true,
}
