import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'

/** The key that YAML 1.1 merged maps with, and YAML 1.2 has no more. */
export const MERGE_KEY = '<<'

export function mergeKeyFault(range: SourceRange): Diagnostic {
  return diagnose('S1011', {
    summary: 'merge keys are not supported',
    range,
    detail: 'use `defaults` or a matrix axis',
  })
}
