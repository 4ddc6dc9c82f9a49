import { WhatifError } from '../../../base/whatif-error.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { Evidence, Shortfall } from '../../../contract/generations.ts'

/** A job's work cannot succeed however often it is tried: the job fails with this code and these words. */
export class JobFailedError extends WhatifError {
  declare readonly code: ErrorCode
  readonly detail: string
  /** What an infeasible generation shows besides. */
  readonly findings: { readonly shortfall: Shortfall | null; readonly evidence: Evidence } | null

  constructor(
    code: ErrorCode,
    detail: string,
    options: { readonly findings?: JobFailedError['findings']; readonly cause?: unknown } = {},
  ) {
    super(code, detail, options)
    // It may quote a file, and PostgreSQL takes no U+0000 in a text: the job could never end.
    this.detail = detail.replaceAll('\0', '\uFFFD')
    this.findings = options.findings ?? null
  }
}
