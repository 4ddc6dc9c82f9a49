import { NO_CREDENTIALS, type StorageError } from '../objects/storage-error.ts'
import type { ExitReason } from '../runner/interface/exit-code.ts'

/** What is wrong with a bucket: `network` is whatever may go away by itself. */
export type Trouble = 'credentials' | 'bucket' | 'clock' | 'region' | 'rights' | 'network'

/** How a command ends because of it. */
export const REASONS: Readonly<Record<Trouble, ExitReason>> = {
  credentials: 'authentication',
  bucket: 'usage',
  clock: 'authentication',
  region: 'usage',
  rights: 'authentication',
  network: 'deadline_or_network',
}

/** What to do about a trouble, where a caller says it otherwise than a command: a program has no variables. */
export type Advice = Partial<Readonly<Record<Trouble, string>>>

/** What to do where that does not depend on what the bucket is for. */
export const ADVICE = {
  clock: 'The clock of this machine is wrong: set it by NTP, and run again.',
  region: 'Set WHATIF_S3_REGION to the region of the bucket.',
} as const

/** Codes of a storage that has the bucket elsewhere. */
const MISDIRECTED = new Set(['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'])

export function troubleOf({ status, code }: StorageError): Trouble {
  if (code === NO_CREDENTIALS) return 'credentials'
  if (code === 'NoSuchBucket') return 'bucket'
  if (code === 'RequestTimeTooSkewed') return 'clock'
  if (MISDIRECTED.has(code) || (status !== null && status >= 300 && status < 400)) return 'region'
  if (status === 401 || status === 403 || code === 'ExpiredToken') return 'rights'
  return 'network'
}
