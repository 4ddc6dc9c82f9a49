import { SetupError } from '../local/setup-error.ts'
import { DiskError, diskErrorOf } from '../runner/interface/disk-error.ts'
import { shownPath } from './files/new-files.ts'

/**
 * A disk error before a command could report anything itself. It is reported with its place and what to do. Any other error,
 * such as a port in use, is returned unchanged.
 */
export function asDiskError(error: unknown): unknown {
  if (error instanceof DiskError) return new SetupError(2, error.message)
  const path = (error as NodeJS.ErrnoException | null)?.path
  if (typeof path !== 'string') return error
  const fault = diskErrorOf(error, path)
  return fault instanceof DiskError ? new SetupError(2, `${shownPath(path) || '.'}: ${fault.detail}`) : error
}
