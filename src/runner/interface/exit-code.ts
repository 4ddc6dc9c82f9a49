import type { Clock } from '../../base/clock.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import { ServiceError, type ServiceErrorKind } from '../../client/service-error.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import type { FaultCode } from './fault-meanings.ts'

/** Exit codes by their cause (study language, section 10). 12 and 20 belong to commands, not to runs. */
export const EXIT_CODES = {
  ok: 0,
  unexpected_error: 1,
  usage: 2,
  invalid_study: 3,
  does_not_fit_data: 4,
  authentication: 5,
  over_budget: 6,
  payment_required: 6,
  failed: 7,
  partial_below_policy: 8,
  gates_failed: 9,
  lock_held: 10,
  deadline_or_network: 11,
  parts_missing: 11,
  interrupted: 130,
  terminated: 143,
} as const

export type ExitReason = keyof typeof EXIT_CODES

/**
 * Of several causes the first in this list wins. An interruption is not listed: it ends the run whatever else happened.
 */
const PRECEDENCE: readonly ExitReason[] = [
  'unexpected_error',
  'usage',
  'invalid_study',
  'does_not_fit_data',
  'authentication',
  'over_budget',
  'payment_required',
  'deadline_or_network',
  'parts_missing',
  'failed',
  'partial_below_policy',
  'gates_failed',
]

/** The exit reason of a service error. */
const BY_KIND: Record<ServiceErrorKind, ExitReason> = {
  auth: 'authentication',
  forbidden: 'authentication',
  quota: 'payment_required',
  network: 'deadline_or_network',
  deadline: 'deadline_or_network',
  server: 'deadline_or_network',
  not_found: 'failed',
  gone: 'failed',
  conflict: 'failed',
  rejected: 'failed',
  too_large: 'failed',
  reply: 'failed',
}

export interface Verdict {
  readonly exitCode: number
  readonly reason: ExitReason
  /** The other causes, by precedence. */
  readonly also: readonly ExitReason[]
}

/** The exit code of a run with these causes; no cause means success. */
export function verdict(causes: Iterable<ExitReason>): Verdict {
  const found = new Set(causes)
  found.delete('ok')
  const ended = (['interrupted', 'terminated', 'lock_held'] as const).find((reason) => found.has(reason))
  const rest = PRECEDENCE.filter((reason) => found.has(reason))
  if (ended !== undefined) return { exitCode: EXIT_CODES[ended], reason: ended, also: rest }
  const [reason, ...also] = rest
  return reason === undefined
    ? { exitCode: EXIT_CODES.ok, reason: 'ok', also: [] }
    : { exitCode: EXIT_CODES[reason], reason, also }
}

/**
 * The run ends here: nothing more is submitted, and the process exits with this reason. The code `lock_held` means that
 * another run holds the lock, or has taken it over: nothing more may be sent or written then.
 */
export class RunRefusalError extends WhatifError {
  /** Short stable word for the manifest. */
  declare readonly code: FaultCode | 'lock_held'
  readonly reason: ExitReason
  /** The same as findings about the study file, if it concerns the file. */
  readonly diagnostics: readonly Diagnostic[]

  constructor(
    reason: ExitReason,
    code: FaultCode | 'lock_held',
    message: string,
    options: { readonly cause?: unknown; readonly diagnostics?: readonly Diagnostic[] } = {},
  ) {
    super(code, message, options)
    this.reason = reason
    this.diagnostics = options.diagnostics ?? []
  }
}

const INTERRUPTIONS = { SIGINT: 'interrupted', SIGTERM: 'terminated', deadline: 'deadline_or_network' } as const

/** Abort reason of a run's signal: SIGINT, SIGTERM and the run's deadline have exit codes of their own. */
export class RunInterruptedError extends WhatifError {
  declare readonly code: (typeof INTERRUPTIONS)[keyof typeof INTERRUPTIONS]
  /** The manifest's text: nothing that differs from one run to the next. */
  readonly detail: string
  /** The message with the address of the service, for terminals only. */
  readonly located: string

  constructor(
    by: keyof typeof INTERRUPTIONS,
    message = `interrupted by ${by}`,
    words: { readonly detail?: string; readonly located?: string } = {},
  ) {
    super(INTERRUPTIONS[by], message)
    this.detail = words.detail ?? message
    this.located = words.located ?? message
  }
}

/** Aborts `controller` when the deadline has passed, unless `stopped` aborts first. */
export function abortAtDeadline(
  controller: AbortController,
  deadlineMs: number,
  clock: Clock,
  stopped: AbortSignal,
): void {
  clock.sleep(deadlineMs, stopped).then(
    () => controller.abort(new RunInterruptedError('deadline', `the deadline of ${deadlineMs / 1000} s has passed`)),
    () => {},
  )
}

export function isDeadline(error: unknown): error is RunInterruptedError {
  return error instanceof RunInterruptedError && error.code === 'deadline_or_network'
}

/** The exit reason of an error. */
export function exitReason(error: unknown): ExitReason {
  if (error instanceof RunRefusalError) return error.reason
  if (error instanceof RunInterruptedError) return error.code
  if (error instanceof ServiceError) {
    const { kind, code } = error
    // The conditions are checked first, so the service's schema disagrees with its generator.
    if (kind === 'rejected' && code?.endsWith('_unknown_condition_column')) return 'does_not_fit_data'
    return BY_KIND[kind]
  }
  return 'unexpected_error'
}
