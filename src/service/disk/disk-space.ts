import { statfsSync } from 'node:fs'
import { WhatifError } from '../../base/whatif-error.ts'

export const MIB = 1 << 20

/**
 * What the database finds free before it writes, in bytes: three segments of its write-ahead log. PostgreSQL ends itself
 * when it cannot begin a new segment; inside this process (PGlite) it does so by spinning for ever.
 */
export const DATABASE_RESERVE_BYTES = 48 * MIB

/**
 * What the database finds free before it deletes: a segment, and half of one. What is deleted makes more room than it takes.
 */
export const REMOVAL_RESERVE_BYTES = 24 * MIB

/** What files leave free, in bytes: they stop before the database has to. */
export const FILES_RESERVE_BYTES = 2 * DATABASE_RESERVE_BYTES

/** How often whoever writes a file looks at the free space, in bytes written. */
export const CHECK_BYTES = 8 * MIB

/** The disk of a folder is full, or so nearly that it must not be written to. */
export class DiskFullError extends WhatifError {
  constructor(folder: string, freeBytes: number, reserveBytes: number) {
    const free = Math.floor(freeBytes / MIB)
    super(
      'ENOSPC',
      `The disk of ${folder} has ${free} MiB free, and ${reserveBytes / MIB} MiB are kept free. Make room there.`,
    )
  }
}

/** @throws DiskFullError when fewer than `reserveBytes` are free to us on the disk of `folder`. Takes some 5 µs. */
export function requireFreeSpace(folder: string, reserveBytes: number): void {
  const freeBytes = freeSpace(folder)
  if (freeBytes < reserveBytes) throw new DiskFullError(folder, freeBytes, reserveBytes)
}

/** Bytes that are free to us on the disk of `folder`. */
export function freeSpace(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
