import { canonicalJson } from '../hashing/canonical-json.ts'
import { sha256Hex } from '../hashing/sha256.ts'
import type { StudyLock } from './lock.ts'
import { renderLock } from './render-lock.ts'

/**
 * Identifies a lock's content for saved plans, whatever its layout or line ends; null when there is no lock. 64 lower-case
 * hexadecimal digits.
 */
export function lockDigest(lock: StudyLock | null): string | null {
  return lock === null ? null : sha256Hex(canonicalJson({ v: 1, kind: 'lock', lock: renderLock(lock) }))
}
