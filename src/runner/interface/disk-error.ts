import { basename, isAbsolute } from 'node:path'
import { isInside, portablePath } from '../../base/paths.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import type { ServiceError } from '../../client/service-error.ts'

/** The meaning of a file system code for people who run studies: the fault and its remedy. */
const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room',
  EDQUOT: 'the quota on this disk is used up; make room',
  EFBIG: 'the file would be larger than this disk or the limit of this process allows',
  EROFS: 'the disk is read-only here; choose another place for results with --out',
  EACCES: 'you may not write there; change the rights, or choose another place for results with --out',
  EPERM: 'you may not write there; change the rights, or choose another place for results with --out',
  EISDIR: 'a folder is in the way; move it away',
  ENOTEMPTY: 'a folder is in the way; move it away',
  ENOTDIR: 'a file is where a folder is needed; move it away',
  EEXIST: 'something is in the way; move it away',
  ELOOP: 'the symbolic links there form a circle; remove them',
  ENAMETOOLONG: 'the name is too long for this disk; use shorter names or another folder',
  EIO: 'the disk reports an error; check it',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine',
}

/** The disk did not accept or return data: a fault of the machine, not of the program or the service. */
export class DiskError extends WhatifError {
  /** Without any path, for files. */
  readonly detail: string

  constructor(code: string, where: string | null, cause: unknown, words = WORDS[code]) {
    const detail = `${words} (${code})`
    super(code, `${where === null ? '' : `${where}: `}${detail}`, { cause })
    this.detail = detail
  }
}

/** An error of the file system as a `DiskError` whose paths begin at `anchor`; any other error unchanged. */
export function diskErrorOf(error: unknown, anchor: string): unknown {
  if (error instanceof DiskError || !(error instanceof Error) || !isDiskCode(error)) return error
  const { code, path } = error
  const isOurs = typeof path === 'string' && isAbsolute(path) && isInside(anchor, path)
  return new DiskError(code, isOurs ? portablePath(anchor, path) || basename(anchor) : null, error)
}

function isDiskCode(error: Error): error is Error & { readonly code: string; readonly path?: unknown } {
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' && Object.hasOwn(WORDS, code)
}

/**
 * The disk's own error behind the client's report that a file could not be written; null when it is about something
 * else.
 */
export function diskErrorBehind(error: ServiceError): Error | null {
  const { kind, status, cause } = error
  return kind === 'rejected' && status === null && cause instanceof Error && isDiskCode(cause) ? cause : null
}
