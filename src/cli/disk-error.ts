import { SetupError } from '../local/setup-error.ts'
import { asDiskFault, DiskFault } from '../run/files/disk-fault.ts'
import { shownPath } from './files/new-files.ts'

/**
 * A disk error before a command could report anything itself. It is reported with its place and what to do. Any other error,
 * such as a port in use, is returned unchanged.
 */
export function asDiskError(error: unknown): unknown {
  const path = (error as NodeJS.ErrnoException | null)?.path
  if (typeof path !== 'string') return error
  const fault = asDiskFault(error, path)
  return fault instanceof DiskFault ? new SetupError(2, `${shownPath(path) || '.'}: ${fault.detail}`) : error
}
