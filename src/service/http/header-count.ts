import type { FastifyRequest } from 'fastify'

/** How often a header, named in lower case, was sent: Node keeps the first of some of them and says nothing. */
export function headerCount(request: FastifyRequest, name: string): number {
  const { rawHeaders } = request.raw
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const other = rawHeaders[i] as string
    if (other.length === name.length && other.toLowerCase() === name) count++
  }
  return count
}

/** The `Authorization` of a request. Of several none is taken: whoever forwarded the request may have gone by another one. */
export function authorizationOf(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  return authorization === undefined || headerCount(request, 'authorization') > 1 ? undefined : authorization
}
