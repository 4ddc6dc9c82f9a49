import { ERROR_CATALOGUE, type ErrorCode } from '../errors.ts'
import { type Problem, UNAUTHORIZED_PROBLEM } from '../problem.ts'
import { IDS } from './record-examples.ts'

/** A code that replies can have. Codes that only jobs have are left out: they have no status. */
export type ReplyCode = {
  [Code in ErrorCode]: (typeof ERROR_CATALOGUE)[Code]['status'] extends number ? Code : never
}[ErrorCode]

type Occurrence = Pick<Problem, 'detail' | 'errors' | 'schema_hint'>

/** An example occurrence of each code. */
const OCCURRENCES: Readonly<Record<ReplyCode, Occurrence>> = {
  svc_invalid_field: {
    detail: 'row_count is required (and 1 more)',
    errors: [
      { field: 'row_count', message: 'is required' },
      { field: 'row_counts', message: 'is not a known field', suggestion: 'row_count' },
    ],
  },
  svc_unknown_condition_column: {
    detail:
      'conditions.categorical.loyalty_member is a header of the seed file, not a column of the cleaned schema; did you mean loyalty.member?',
    errors: [
      {
        field: 'conditions.categorical.loyalty_member',
        message: 'is a header of the seed file, not a column of the cleaned schema',
        suggestion: 'loyalty.member',
      },
    ],
    schema_hint: { columns: ['loyalty.member', 'last.visit', 'region', 'age'] },
  },
  svc_means_not_offered: {
    detail:
      'conditions.means: this service protects its seeds and takes no means; state ranges, or shares of bands of the column.',
  },
  svc_bounds_not_offered: {
    detail:
      'conditions.bounds: this service protects its seeds and takes no bounds of shares; state the shares themselves.',
  },
  svc_cells_not_offered: {
    detail: 'conditions.cells: this service protects its seeds and takes no cells; state shares of the columns.',
  },
  svc_quantiles_not_offered: {
    detail:
      'This service protects its seeds and tells no quantiles, because each is the value of some row; ask for means, or for shares of bands of the column.',
  },
  svc_unreadable_file: {
    detail: 'The file looks like an Excel workbook with a password. Save it without one and upload it again.',
  },
  svc_untrainable_dataset: {
    detail: 'Cleaning left 12 rows; at least 50 are needed to train a model.',
  },
  svc_invalid_claim: { detail: 'The claim token is unknown, expired or already used.' },
  svc_quota_exceeded: { detail: 'row_count is 2000000; one request may ask for at most 1000000 rows.' },
  svc_forbidden: { detail: 'These credentials do not allow this operation.' },
  svc_not_found: { detail: 'There is no such dataset.' },
  svc_method_not_allowed: { detail: 'PUT is not allowed here; use DELETE, GET, HEAD.' },
  svc_idempotency_conflict: {
    detail:
      'This Idempotency-Key was used with a different request. Use another key, or repeat the first request unchanged.',
  },
  svc_dataset_not_ready: { detail: `The dataset is in training; poll job ${IDS.trainingJob}.` },
  svc_artifact_url_expired: {
    detail: 'The artifact address has passed its lifetime. GET the generation for a fresh one.',
  },
  svc_file_too_large: { detail: 'The seed file is larger than 500 MB.' },
  svc_body_too_large: { detail: 'The request body is larger than this operation accepts.' },
  svc_unsupported_content_type: { detail: 'Send the seed file as multipart/form-data.' },
  svc_rate_limited: { detail: 'Too many requests. Repeat this one after 2 s.' },
  svc_internal: { detail: 'The service failed unexpectedly.' },
  svc_unavailable: { detail: 'The service is not available at the moment.' },
}

/** A problem record with this code, of a service at `baseUrl`. */
export function problemExample(code: ReplyCode, baseUrl: string): Problem {
  const { status, title } = ERROR_CATALOGUE[code]
  const { detail, ...extras } = OCCURRENCES[code]
  return { type: `${baseUrl}/errors/${code}`, title, status, detail, code, request_id: IDS.request, ...extras }
}

/** Problems of invalid HTTP, which have no code of the contract. */
export const TRANSPORT_EXAMPLES = {
  malformed: {
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail: 'The request has several Host headers.',
    request_id: IDS.request,
  },
  timeout: {
    type: 'about:blank',
    title: 'Request Timeout',
    status: 408,
    detail: 'The request body did not arrive in time.',
    request_id: IDS.request,
  },
} as const satisfies Record<string, Problem>

/** The one body of every authentication failure. */
export const UNAUTHORIZED_EXAMPLE: Problem = { ...UNAUTHORIZED_PROBLEM, request_id: IDS.request }
