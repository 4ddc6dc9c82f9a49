import { WhatifError } from '../../base/whatif-error.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'

/** A study with faults: its diagnostics are told in place of an answer. */
export class InvalidStudyError extends WhatifError {
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super('invalid_study', 'the study file has errors; see diagnostics')
    this.diagnostics = diagnostics
  }
}
