import { ERROR_CATALOGUE, type ErrorCode } from '../../contract/errors.ts'
import { ProblemError } from '../http/problem-error.ts'
import type { JobRow } from '../records/job-records.ts'

/** Why an upload that was waited for came to nothing, as the answer to the upload. */
export function trainingProblem(job: JobRow | null): ProblemError {
  if (job?.status === 'failed' && job.error_code !== null) {
    const code: ErrorCode = isKnownCode(job.error_code) ? job.error_code : 'svc_internal'
    return new ProblemError(code, job.error_detail ?? '')
  }
  if (job?.status === 'expired') {
    return new ProblemError('svc_unavailable', `Training was not finished in time (job ${job.job_id}).`, {
      headers: { 'retry-after': '60' },
    })
  }
  return new ProblemError(
    'svc_not_found',
    'The training was cancelled: the dataset was deleted, or the operator ended it.',
  )
}

function isKnownCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code)
}
