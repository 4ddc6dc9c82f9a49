import { ProblemError } from '../http/problem-error.ts'
import type { Settings } from '../settings/settings.ts'

/** Nothing changes by repeating; an hour keeps clients that repeat anyway from knocking. */
const RETRY_AFTER_S = 3600

/**
 * Refuses what only our own identity provider can do, when tokens come from another one.
 *
 * @throws ProblemError `svc_unavailable`
 */
export function refuseWithForeignProvider({ identityProvider }: Pick<Settings, 'identityProvider'>): void {
  if (identityProvider === null) return
  throw new ProblemError(
    'svc_unavailable',
    `Credentials and tokens of this service come from the identity provider ${identityProvider.issuer}; it gives none itself.`,
    { headers: { 'retry-after': String(RETRY_AFTER_S) } },
  )
}
