import { UnreadableFileError } from './unreadable-file-error.ts'

/**
 * The error of a statement over a Parquet file of somebody else: damage of the file, unless it is a fault of this machine
 * or of this program. The signal's reason comes first.
 */
export function damagedParquet(error: unknown, signal: AbortSignal | undefined): unknown {
  signal?.throwIfAborted()
  if (error instanceof UnreadableFileError || error instanceof TypeError || error instanceof RangeError) return error
  const isOurs = (error as NodeJS.ErrnoException).syscall !== undefined
  if (isOurs || /out of memory|could not allocate|no space left/i.test(String(error))) return error
  const text = 'The parquet file is damaged or was cut short: it could not be read to its end.'
  return new UnreadableFileError(text, { cause: error })
}
