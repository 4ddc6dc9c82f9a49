import { z } from 'zod'
import type { Deprecation, Operation } from './operation.ts'
import type { ResponseHeader } from './response-headers.ts'

/** Breaking changes get at least this notice (specification, "Versioning" 3). */
export const NOTICE_DAYS = 30

/**
 * The end of all operations below `/v1`; null: no end is planned. A successor sets it when `/v2` opens, so that every
 * client of `/v1` is told by the replies that it gets.
 */
export const END_OF_V1: Deprecation | null = null

export const DEPRECATION: ResponseHeader = {
  name: 'Deprecation',
  description: 'Since when the operation is deprecated, or will be: seconds since 1970 after an `@` (RFC 9745).',
  schema: z.string().meta({ examples: ['@1798761600'] }),
  required: true,
}

export const SUNSET: ResponseHeader = {
  name: 'Sunset',
  description: 'From when on the operation may be gone, as a date of HTTP (RFC 8594).',
  schema: z.string().meta({ examples: ['Mon, 01 Mar 2027 00:00:00 GMT'] }),
  required: true,
}

export const LINK: ResponseHeader = {
  name: 'Link',
  description: 'The page that tells what to use instead (RFC 8288), with the relation `deprecation`.',
  schema: z.string().meta({ examples: ['</docs/v2>; rel="deprecation"; type="text/html"'] }),
  required: true,
}

/** The headers that every reply of such an operation has, by their names. @throws RangeError Without the notice that is promised. */
export function deprecationHeaders({ since, sunset, guide }: Deprecation, baseUrl: string): Record<string, string> {
  const sinceMs = Date.parse(since)
  const headers: Record<string, string> = { [DEPRECATION.name]: `@${Math.floor(sinceMs / 1000)}` }
  if (sunset !== undefined) {
    const noticeDays = (Date.parse(sunset) - sinceMs) / 86_400_000
    if (!(noticeDays >= NOTICE_DAYS))
      throw new RangeError(
        `From ${since} to ${sunset} are not the ${NOTICE_DAYS} days of notice that the service promises.`,
      )
    headers[SUNSET.name] = new Date(sunset).toUTCString()
  }
  if (guide !== undefined) headers[LINK.name] = `<${baseUrl}${guide}>; rel="deprecation"; type="text/html"`
  return headers
}

/** The headers of one operation in the document. */
export const headersOf = ({ sunset, guide }: Deprecation): ResponseHeader[] => [
  DEPRECATION,
  ...(sunset === undefined ? [] : [SUNSET]),
  ...(guide === undefined ? [] : [LINK]),
]

/** The end of an operation: its own, or that of all below `/v1`; null: none is planned. */
export function deprecationOf(
  { path, deprecation }: Pick<Operation, 'path' | 'deprecation'>,
  endOfV1: Deprecation | null = END_OF_V1,
): Deprecation | null {
  return deprecation ?? (path.startsWith('/v1/') ? endOfV1 : null)
}
