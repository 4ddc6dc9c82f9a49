import { WhatifError } from '../../../base/whatif-error.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { Evidence, Shortfall } from '../../../contract/generations.ts'

/** A job's work cannot succeed on any try: the job fails with this code and text. */
export class JobFailedError extends WhatifError {
  declare readonly code: ErrorCode
  readonly detail: string
  /** Further details of an infeasible generation. */
  readonly findings: { readonly shortfall: Shortfall | null; readonly evidence: Evidence } | null

  constructor(
    code: ErrorCode,
    detail: string,
    options: { readonly findings?: JobFailedError['findings']; readonly cause?: unknown } = {},
  ) {
    super(code, detail, options)
    // It may quote a file, and PostgreSQL accepts no U+0000 in text: the job could never end.
    this.detail = detail.replaceAll('\0', '\uFFFD')
    this.findings = options.findings ?? null
  }
}
