import { setMaxListeners } from 'node:events'
import { CallLedger, type CallTrouble, troubleHint, troubleText } from './call-ledger.ts'
import type { CallOptions } from './service-client.ts'
import { ServiceError } from './service-error.ts'

/** The scope of one call of the client: one signal for everything that can end it, and its deadline. */
export interface CallScope {
  /** Fires after the caller's abort, at the deadline, and when the client is closed. */
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly deadlineMs: number
  readonly onRetry: NonNullable<CallOptions['onRetry']>
  readonly beforeTry: NonNullable<CallOptions['beforeTry']>
  readonly ledger: CallLedger
}

/** Why a scope ended, other than by the caller's own signal. */
class ScopeEnd {
  readonly why: 'deadline' | 'closed'
  constructor(why: 'deadline' | 'closed') {
    this.why = why
  }
}

/** Timers hold at most a signed 32-bit number of milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Runs `work` in a scope: until `call.deadlineMs`, or for `limitMs` from now. Listeners and timers are removed when it
 * settles, so that a signal that lives as long as the program does not accumulate them.
 */
export async function inScope<T>(
  options: {
    readonly call: CallOptions | undefined
    readonly limitMs: number
    readonly closing: AbortSignal
    readonly now: () => number
  },
  work: (scope: CallScope) => Promise<T>,
): Promise<T> {
  const { call, closing } = options
  const deadlineMs = call?.deadlineMs ?? options.now() + options.limitMs
  const end = new AbortController()
  const onAbort = () => end.abort(call?.signal?.reason)
  const onClose = () => end.abort(new ScopeEnd('closed'))
  const onDeadline = () => end.abort(new ScopeEnd('deadline'))
  const remainingMs = Math.min(LONGEST_TIMER_MS, Math.max(0, deadlineMs - options.now()))
  // Node warns about eleven listeners on one signal. Here each belongs to a call and is removed.
  if (call?.signal !== undefined) setMaxListeners(0, call.signal)
  setMaxListeners(0, closing)
  if (call?.signal?.aborted) onAbort()
  else if (closing.aborted) onClose()
  // A timer of zero milliseconds fires only after the next turn of the loop: a request could still leave before it.
  else if (remainingMs === 0) onDeadline()
  call?.signal?.addEventListener('abort', onAbort)
  closing.addEventListener('abort', onClose)
  const timer = setTimeout(onDeadline, remainingMs)
  try {
    return await work({
      signal: end.signal,
      deadlineMs,
      onRetry: call?.onRetry ?? (() => {}),
      beforeTry: call?.beforeTry ?? (async () => {}),
      ledger: call?.ledger ?? new CallLedger(),
    })
  } finally {
    clearTimeout(timer)
    call?.signal?.removeEventListener('abort', onAbort)
    closing.removeEventListener('abort', onClose)
  }
}

/** Context for the message about an aborted call. */
export interface CallSoFar {
  /** Method and path, or the subject of the wait. */
  readonly asked: string
  readonly attempts: number
  readonly requestId?: string | null
  readonly cause?: unknown
  /** The trouble of the call. Without it, the scope's ledger gives it. */
  readonly trouble?: CallTrouble | null
}

/** The rejection of a call that was aborted: the caller's own reason, or a `ServiceError`. */
export function reasonOfEnd(scope: CallScope, call: CallSoFar): unknown {
  const reason: unknown = scope.signal.reason
  if (!(reason instanceof ScopeEnd)) return reason
  if (reason.why === 'deadline') return deadlineError(scope, call)
  return new ServiceError({
    ...call,
    kind: 'network',
    message: `${call.asked} was aborted because the client was closed`,
  })
}

/** Names the known trouble of this call, or of a call that it waited for, such as a token request. */
export function deadlineError(scope: CallScope, call: CallSoFar): ServiceError {
  const trouble = call.trouble ?? scope.ledger.troubles()[0] ?? null
  const text = (withAddress: boolean) =>
    trouble === null
      ? `${call.asked}: no answer before the deadline`
      : `Out of time: ${troubleText(trouble, { withAddress })}`
  return new ServiceError({
    ...call,
    kind: 'deadline',
    message: text(false),
    located: text(true),
    hint:
      trouble === null
        ? 'Work that the service has started may continue; run again to collect it, or allow more time'
        : troubleHint(trouble),
    trouble,
  })
}
