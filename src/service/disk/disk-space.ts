import { statfsSync } from 'node:fs'
import { WhatifError } from '../../base/whatif-error.ts'

export const MIB = 1 << 20

/**
 * Free space that the database needs before it writes, in bytes: three segments of its write-ahead log. PostgreSQL ends
 * itself when it cannot begin a new segment; inside this process (PGlite) it does so by spinning for ever.
 */
export const DATABASE_RESERVE_BYTES = 48 * MIB

/**
 * Free space that the database needs before it deletes: a segment and a half. Deleting frees more space than it takes.
 */
export const REMOVAL_RESERVE_BYTES = 24 * MIB

/** Free space that files must leave, in bytes: they stop before the database has to. */
export const FILES_RESERVE_BYTES = 2 * DATABASE_RESERVE_BYTES

/** How often a writer checks the free space, in bytes written. */
export const CHECK_BYTES = 8 * MIB

/** Code of a full disk: the system's own, so that our check and a failed write are handled alike. */
export const DISK_FULL = 'ENOSPC'

/**
 * @throws WhatifError with `DISK_FULL` if less than `reserveBytes` are available to this process on the disk of `folder`.
 * Takes some 5 µs.
 */
export function requireFreeSpace(folder: string, reserveBytes: number): void {
  const freeBytes = freeSpace(folder)
  if (freeBytes >= reserveBytes) return
  const free = Math.floor(freeBytes / MIB)
  const reserve = reserveBytes / MIB
  throw new WhatifError(
    DISK_FULL,
    `The disk of ${folder} has ${free} MiB free, and the service leaves ${reserve} MiB free. Free up space there.`,
  )
}

/** Bytes available to this process on the disk of `folder`. */
export function freeSpace(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
