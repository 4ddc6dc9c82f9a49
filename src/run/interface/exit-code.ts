import { ServiceError, type ServiceErrorKind } from '../../client/service-error.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { LockHeldError, LockLostError } from '../state/lock-errors.ts'
import type { FaultCode } from './fault-meanings.ts'

/** Exit codes (study language, section 10), by their cause. 12 and 20 belong to commands, not to runs. */
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
  interrupted: 130,
  terminated: 143,
} as const

export type ExitReason = keyof typeof EXIT_CODES

/** Of several causes the first of these wins. An interruption is not among them: it ends the run whatever else was. */
const PRECEDENCE: readonly ExitReason[] = [
  'unexpected_error',
  'usage',
  'invalid_study',
  'does_not_fit_data',
  'authentication',
  'over_budget',
  'payment_required',
  'deadline_or_network',
  'failed',
  'partial_below_policy',
  'gates_failed',
]

/** What a service error means for the run as a whole. */
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
  /** The other causes, in the order of precedence. */
  readonly also: readonly ExitReason[]
}

/** The exit code of a run with these causes; no cause at all is success. */
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

/** The run ends here: nothing more is submitted, and the process exits with this reason. */
export class RunRefusal extends Error {
  override readonly name = 'RunRefusal'
  readonly reason: ExitReason
  /** Short stable word for the manifest. */
  readonly code: FaultCode
  /** The same as findings about the study file, where it is one. */
  readonly diagnostics: readonly Diagnostic[]

  constructor(
    reason: ExitReason,
    code: FaultCode,
    message: string,
    options: { readonly cause?: unknown; readonly diagnostics?: readonly Diagnostic[] } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.reason = reason
    this.code = code
    this.diagnostics = options.diagnostics ?? []
  }
}

/** Reason to abort a run's signal with: SIGINT and SIGTERM have exit codes of their own. */
export class RunInterrupted extends Error {
  override readonly name = 'RunInterrupted'
  readonly signal: 'SIGINT' | 'SIGTERM'

  constructor(signal: 'SIGINT' | 'SIGTERM', message = `interrupted by ${signal}`) {
    super(message)
    this.signal = signal
  }
}

/** The run's own deadline has passed. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
  /** What the manifest says: nothing that differs from one run to the next. */
  readonly detail: string
  /** The message with the address of the service, for terminals only. */
  readonly located: string

  constructor(message: string, told: { readonly detail?: string; readonly located?: string } = {}) {
    super(message)
    this.detail = told.detail ?? message
    this.located = told.located ?? message
  }
}

/** What an error means for the run as a whole. */
export function exitReason(error: unknown): ExitReason {
  if (error instanceof RunRefusal) return error.reason
  if (error instanceof RunInterrupted) return error.signal === 'SIGTERM' ? 'terminated' : 'interrupted'
  if (error instanceof DeadlinePassed) return 'deadline_or_network'
  if (error instanceof LockHeldError || error instanceof LockLostError) return 'lock_held'
  if (error instanceof ServiceError) {
    const { kind, code } = error
    // The live check is made first, so this is a service whose schema says other things than its generator.
    if (kind === 'rejected' && code?.endsWith('_unknown_condition_column')) return 'does_not_fit_data'
    return BY_KIND[kind]
  }
  return 'unexpected_error'
}
