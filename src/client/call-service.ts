import type { z } from 'zod'
import type { CallTarget, OpenCall } from './call-ledger.ts'
import { type CallScope, reasonOfEnd } from './call-scope.ts'
import {
  errorOf,
  type Fault,
  failedTry,
  faultOf,
  lastFaultOf,
  readRefusal,
  reasonOf,
  requestIdOf,
  requestIdOfFault,
  unreadable,
} from './fault.ts'
import type { HttpReply, HttpRequest } from './http-exchange.ts'
import { readErrorBody, readJson } from './reply-body.ts'
import { NO_TRIES, nextMove, type Repetition } from './retry-timing.ts'
import type { Reply } from './service-client.ts'
import { ServiceError, type ServiceErrorKind } from './service-error.ts'
import type { Cleaner } from './service-text.ts'
import type { Transport } from './transport.ts'

/** The source of a call's bearer token. */
export interface Bearer {
  get(scope: CallScope): Promise<string>
  /** Called when a token was refused; true when `get` may give another one. */
  discard(token: string): boolean
}

/** One call: how to make a single try, and whether it may be repeated. */
export interface ServiceCall<T> {
  /** Method and path for messages, without host and without query, which may hold a signature. */
  readonly asked: string
  /** The destination. `operation` is `asked`, unless files should contain less. */
  readonly target: Omit<CallTarget, 'operation'> & { readonly operation?: string }
  /** How long the service is asked to delay its answer. That time does not count as silence. Default: no delay. */
  readonly heldMs?: number
  readonly repetition: Repetition
  /** Null for calls without a token. */
  readonly bearer: Bearer | null
  /** Secrets in the request, besides the token, that must not appear in a message. */
  readonly secrets?: readonly string[]
  readonly attempt: (context: AttemptContext) => Promise<TryResult<T>>
}

export interface AttemptContext {
  readonly signal: AbortSignal
  /** `authorization`, when the call has a token. */
  readonly authorization: Readonly<Record<string, string>>
  readonly clean: Cleaner
  /** Called when bytes of a body were sent or received. */
  readonly progress: () => void
}

export type TryResult<T> =
  | { readonly ok: true; readonly value: T; readonly reply: HttpReply; readonly clean: Cleaner }
  | { readonly ok: false; readonly fault: Fault }

/** Faults that another try might avoid. */
const GIVEN_UP: readonly ServiceErrorKind[] = ['network', 'server', 'deadline']

/**
 * Makes tries until one succeeds or `nextMove` says to stop. After a 401 it gets a new token once. Rejects with a
 * `ServiceError`, or with the caller's own reason after an abort.
 */
export async function callService<T>(transport: Transport, scope: CallScope, call: ServiceCall<T>): Promise<Reply<T>> {
  const { asked } = call
  const target = { operation: asked, ...call.target }
  const open = scope.ledger.begin(target, { now: transport.now, heldMs: call.heldMs ?? 0 })
  try {
    const reply = await callUntilSettled(transport, scope, call, open)
    scope.ledger.settle(open, 'done')
    return reply
  } catch (error) {
    open.end()
    const isGivenUp = error instanceof ServiceError && GIVEN_UP.includes(error.kind)
    scope.ledger.settle(open, isGivenUp || scope.signal.aborted ? 'given up' : 'refused')
    throw error
  }
}

async function callUntilSettled<T>(
  transport: Transport,
  scope: CallScope,
  call: ServiceCall<T>,
  open: OpenCall,
): Promise<Reply<T>> {
  const { asked, target } = call
  const operation = target.operation ?? asked
  let history = NO_TRIES
  let renewed = false
  let fault: Fault | null = null
  const ended = (attempts: number) => {
    open.end()
    return reasonOfEnd(scope, { asked, attempts, trouble: open.trouble(), ...tracesOf(fault) })
  }
  for (let attempt = 1; ; attempt++) {
    if (scope.signal.aborted) throw ended(attempt - 1)
    const token = call.bearer === null ? null : await untilEnd(scope, call.bearer.get(scope), () => ended(attempt - 1))
    await scope.beforeTry()
    open.try()
    const outcome = await tryOnce(transport, call, scope, { token, progress: () => open.progress() })
    if (outcome.ok) {
      const { value, reply } = outcome
      const replayed = reply.header('idempotent-replayed')?.toLowerCase() === 'true'
      return { value, status: reply.status, requestId: requestIdOf(reply, outcome.clean), replayed, attempts: attempt }
    }
    // An aborted try says nothing about the other side.
    if (scope.signal.aborted) throw ended(attempt)
    fault = outcome.fault
    open.fail(lastFaultOf(fault))
    const unauthorized = fault.type === 'answer' && fault.answer.status === 401 && token !== null
    if (unauthorized && !renewed && call.bearer?.discard(token)) {
      renewed = true
      continue
    }
    const clock = { nowMs: transport.now(), deadlineMs: scope.deadlineMs, random: transport.random() }
    const next = nextMove(history, failedTry(fault, call.repetition), clock)
    history = next.history
    if (!next.move.go)
      throw errorOf(fault, { asked, attempts: attempt, because: next.move.because, trouble: open.trouble() })
    const { delayMs } = next.move
    scope.onRetry({
      attempt,
      delayMs,
      reason: reasonOf(fault),
      requestId: requestIdOfFault(fault),
      operation,
      origin: target.origin,
    })
    await untilEnd(scope, transport.sleep(delayMs, scope.signal), () => ended(attempt))
  }
}

/** `work`; when the scope has ended, it rejects with the reason of that end. */
async function untilEnd<T>(scope: CallScope, work: Promise<T>, ended: () => unknown): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw scope.signal.aborted ? ended() : error
  }
}

const tracesOf = (fault: Fault | null) =>
  fault === null ? {} : { requestId: requestIdOfFault(fault), cause: fault.type === 'answer' ? undefined : fault.cause }

async function tryOnce<T>(
  transport: Transport,
  call: ServiceCall<T>,
  scope: CallScope,
  { token, progress }: { readonly token: string | null; readonly progress: () => void },
): Promise<TryResult<T>> {
  const clean = transport.cleanerFor([...(call.secrets ?? []), ...(token === null ? [] : [token])])
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
  try {
    return await call.attempt({ signal: scope.signal, authorization, clean, progress })
  } catch (error) {
    // Thrown on purpose: a changed file, a refused address.
    if (error instanceof ServiceError) throw error
    return { ok: false, fault: faultOf(error) }
  }
}

/** A call whose answer is JSON of a schema. `request` creates a new request for each try; the token is added to it. */
export async function callForJson<S extends z.ZodType>(
  transport: Transport,
  scope: CallScope,
  {
    schema,
    request,
    ...call
  }: Omit<ServiceCall<z.infer<S>>, 'attempt'> & {
    readonly schema: S
    readonly request: (context: AttemptContext) => HttpRequest
  },
): Promise<Reply<z.infer<S>>> {
  return callService(transport, scope, {
    ...call,
    attempt: (context) => {
      const made = request(context)
      const headers = { accept: 'application/json', ...made.headers, ...context.authorization }
      return exchangeJson(transport, schema, { ...made, headers }, context)
    },
  })
}

/** Parses the answer to one request as JSON. A record of another shape is final: a repeat would return the same. */
async function exchangeJson<S extends z.ZodType>(
  transport: Transport,
  schema: S,
  request: HttpRequest,
  { signal, clean }: Pick<AttemptContext, 'signal' | 'clean'>,
): Promise<TryResult<z.infer<S>>> {
  const reply = await transport.open(request, signal)
  if (reply.status < 200 || reply.status >= 300) return refused(transport, reply, clean)
  const json = await readJson(reply, transport.timeouts.bodyMs)
  if ('unusable' in json) {
    return { ok: false, fault: unreadable({ reply, clean }, json.unusable, { final: false, cause: json.cause }) }
  }
  const parsed = schema.safeParse(json.value)
  if (parsed.success) return { ok: true, value: parsed.data, reply, clean }
  const faults = parsed.error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'the record'}: ${message}`)
  const what = `a record that breaks the contract (${clean(faults.join('; '))})`
  return { ok: false, fault: unreadable({ reply, clean }, what, { final: true }) }
}

/** Reads an unsuccessful answer. */
export async function refused(transport: Transport, reply: HttpReply, clean: Cleaner): Promise<TryResult<never>> {
  const body = await readErrorBody(reply, transport.timeouts.bodyMs)
  return { ok: false, fault: { type: 'answer', answer: readRefusal(reply, body, clean, transport.now()) } }
}
