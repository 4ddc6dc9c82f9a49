import { SetupError } from '../local/setup-error.ts'
import { DiskError, diskErrorOf } from '../run/interface/disk-error.ts'
import { shownPath } from './files/new-files.ts'

/**
 * What the disk did not give or take before a command had anything of its own to tell: a matter of the machine, told with
 * its place and what to do. Any other error, such as one of a port that cannot be had, stays as it is.
 */
export function asDiskError(error: unknown): unknown {
  const path = (error as NodeJS.ErrnoException | null)?.path
  if (typeof path !== 'string') return error
  const fault = diskErrorOf(error, path)
  return fault instanceof DiskError ? new SetupError(2, `${shownPath(path) || '.'}: ${fault.detail}`) : error
}
