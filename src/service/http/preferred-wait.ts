import { MAX_WAIT_SECONDS } from '../../contract/limits.ts'

/**
 * Seconds for which a request prefers to be held until there is something to tell: `Prefer: wait=10` (RFC 7240, 4.3), at most
 * MAX_WAIT_SECONDS. Null without that preference; what is not one by the RFC is none, and nothing in this header is an error.
 *
 * @param prefer The header, several of them joined by commas.
 */
export function preferredWaitSeconds(prefer: string | string[] | undefined): number | null {
  for (const preference of String(prefer ?? '').split(',')) {
    // Parameters of a preference follow behind semicolons. The first of several preferences of one name counts.
    const [, digits] = /^\s*wait\s*=\s*(?:"(\d{1,9})"|(\d{1,9}))\s*(?:;|$)/i.exec(preference)?.filter(Boolean) ?? []
    if (digits !== undefined) return Math.min(MAX_WAIT_SECONDS, Number(digits))
  }
  return null
}
