import type { IncomingHttpHeaders } from 'node:http'

/** `ignored`: as a storage that writes whatever it has; `refused`: as one that knows no such header. */
export type Conditions = 'kept' | 'ignored' | 'refused'

export const isConditional = (headers: IncomingHttpHeaders): boolean =>
  headers['if-none-match'] !== undefined || headers['if-match'] !== undefined

/** As S3 does: `If-None-Match: *` wants no object, `If-Match` one with this tag. `etag`: of the object; null: there is none. */
export function conditionRefusal(
  { 'if-none-match': none, 'if-match': tag }: IncomingHttpHeaders,
  etag: string | null,
  conditions: Conditions,
): readonly [status: number, code: string] | null {
  if (conditions === 'refused') return [501, 'NotImplemented']
  if (none !== undefined && etag !== null) return [412, 'PreconditionFailed']
  if (tag === undefined) return null
  if (etag === null) return [404, 'NoSuchKey']
  return tag === etag ? null : [412, 'PreconditionFailed']
}
