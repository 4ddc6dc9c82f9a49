import type { CleaningReport } from './cleaning-report.ts'

/** A table of which too little is left after cleaning; `detail` says what was dropped and why. */
export class UntrainableError extends Error {
  override readonly name = 'UntrainableError'
  readonly code = 'untrainable_dataset'
  readonly detail: string
  readonly report: CleaningReport

  constructor(detail: string, report: CleaningReport) {
    super(detail)
    this.detail = detail
    this.report = report
  }
}
