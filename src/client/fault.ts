import { ERROR_CATALOGUE } from '../contract/errors.ts'
import { OAuthRefusal } from './access-replies.ts'
import { type CallTrouble, type LastFault, secondsText } from './call-ledger.ts'
import type { HttpReply } from './http-exchange.ts'
import { type NetworkFault, networkFault, safeCause } from './network-fault.ts'
import { Problem } from './replies.ts'
import { type ErrorBody, mediaType } from './reply-body.ts'
import { type FailedTry, isCode, type Move, type Repetition, retryAfterMs, verdictOnStatus } from './retry-timing.ts'
import { ServiceError, type ServiceErrorInit, type ServiceErrorKind } from './service-error.ts'
import { type Cleaner, cleanProblem } from './service-text.ts'

/** Why one try has no result. */
export type Fault =
  | { readonly type: 'answer'; readonly answer: Refusal }
  | UnreadableAnswer
  | { readonly type: 'network'; readonly network: NetworkFault; readonly cause: unknown }

/** A successful answer that cannot be used. */
export interface UnreadableAnswer {
  readonly type: 'unreadable'
  readonly status: number
  readonly requestId: string | null
  readonly what: string
  /** True for a complete record that violates the contract: a repeat would return the same. */
  readonly final: boolean
  readonly cause: unknown
}

/** An unsuccessful answer; its texts are clean. */
export interface Refusal {
  readonly status: number
  readonly code: string | null
  readonly problem: Problem | null
  readonly requestId: string | null
  /** The request id in the body, which a replayed failure repeats. Without one, the header's. */
  readonly replayId: string | null
  readonly retryAfterMs: number | null
  /** Its text, or a description of its body. */
  readonly said: string
  /** Origin that a redirect leads to. */
  readonly redirect: string | null
}

/** `X-Request-Id`, if it may be shown. */
export function requestIdOf(reply: HttpReply, clean: Cleaner): string | null {
  const id = reply.header('x-request-id')
  return id !== null && /^[\x21-\x7e]{1,200}$/.test(id) ? clean(id) : null
}

export function readRefusal(reply: HttpReply, body: ErrorBody, clean: Cleaner, nowMs: number): Refusal {
  const problem = problemOf(body.json, clean)
  const code = problem?.code ?? null
  const requestId = requestIdOf(reply, clean)
  const type = mediaType(reply)
  return {
    status: reply.status,
    code,
    problem,
    requestId: requestId ?? problem?.request_id ?? null,
    replayId: problem?.request_id ?? requestId,
    retryAfterMs: retryAfterMs(reply.header('retry-after'), reply.header('date'), nowMs),
    said:
      saidBy(problem, clean) ?? (body.text === null ? (type === '' ? '' : `a body of type ${type}`) : clean(body.text)),
    redirect: reply.status >= 300 && reply.status < 400 ? redirectOrigin(reply.header('location')) : null,
  }
}

function problemOf(json: unknown, clean: Cleaner): Problem | null {
  const parsed = Problem.safeParse(json)
  if (!parsed.success) return null
  const oauth = OAuthRefusal.safeParse(json)
  const problem: Problem =
    oauth.success && parsed.data.code === undefined
      ? { ...parsed.data, code: oauth.data.error, detail: oauth.data.error_description }
      : parsed.data
  return cleanProblem(problem, clean)
}

/** The detail, then faults of single fields that add to it. The whole has a bound. */
function saidBy(problem: Problem | null, clean: Cleaner): string | null {
  if (problem === null) return null
  const detail = problem.detail ?? problem.title ?? ''
  const fields = (problem.errors ?? [])
    .filter((error) => error.suggestion !== undefined || !isSaid(error, detail))
    .map(
      ({ field, message, suggestion }) =>
        `${field}: ${message}${suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`}`,
    )
  const parts = [fields.length === 0 ? detail : detail.replace(/\.$/, ''), ...fields].filter((part) => part !== '')
  return parts.length === 0 ? null : clean(parts.join('; '))
}

/**
 * Whether the detail already says this: word for word, or by naming the field and every number of the message (a
 * limit).
 */
function isSaid({ field, message }: { readonly field: string; readonly message: string }, detail: string): boolean {
  if (message === detail) return true
  const words = new Set(detail.match(/[\p{L}\p{N}_]+/gu))
  const numbers = message.match(/\d+/g) ?? []
  return numbers.length > 0 && words.has(field) && numbers.every((number) => words.has(number))
}

function redirectOrigin(location: string | null): string | null {
  return location !== null && URL.canParse(location) ? new URL(location).origin : 'another path'
}

/** A network fault that stopped a try. */
export function faultOf(error: unknown): Fault {
  return { type: 'network', network: networkFault(error), cause: safeCause(error) }
}

export function unreadable(
  { reply, clean }: { reply: HttpReply; clean: Cleaner },
  what: string,
  { final, cause }: { final: boolean; cause?: unknown },
): UnreadableAnswer {
  return { type: 'unreadable', status: reply.status, requestId: requestIdOf(reply, clean), what, final, cause }
}

export function failedTry(fault: Fault, repetition: Repetition): FailedTry {
  switch (fault.type) {
    case 'answer': {
      const { status, replayId, retryAfterMs } = fault.answer
      return { verdict: verdictOnStatus(fault.answer, repetition), status, replayId, retryAfterMs }
    }
    case 'unreadable':
      // The service has acted. With the same key, or for a read, a repeat returns the lost answer.
      return silent(fault.final || repetition === 'once', fault.status)
    case 'network':
      return silent(fault.network.permanent || (repetition === 'once' && fault.network.maybeSent), null)
  }
}

const silent = (final: boolean, status: number | null): FailedTry => ({
  verdict: final ? 'final' : 'repeat',
  status,
  replayId: null,
  retryAfterMs: null,
})

/** A fault in a few words, for a line about a retry. */
export function reasonOf(fault: Fault): string {
  switch (fault.type) {
    case 'answer':
      return `${fault.answer.status}${fault.answer.code === null ? '' : ` ${fault.answer.code}`}`
    case 'unreadable':
      return `${fault.status} with ${fault.what}`
    case 'network':
      return fault.network.why
  }
}

/** A fault as it is reported when its call fails, in words that files may contain. */
export function lastFaultOf(fault: Fault): LastFault {
  const requestId = requestIdOfFault(fault)
  switch (fault.type) {
    case 'answer': {
      const { status, code, said, retryAfterMs } = fault.answer
      const wait = retryAfterMs === null ? '' : ` (Retry-After: ${secondsText(retryAfterMs)})`
      const came = cameOf({ ...fault.answer, redirect: null })
      const words = `${came}${said === '' ? '' : `: ${said.replace(/\.$/, '')}`}${wait}`
      return { kind: 'answer', words, requestId, hint: status === 429 ? HINTS.busy : hintFor(kindOf(status), code) }
    }
    case 'unreadable':
      return { kind: 'answer', words: `${fault.status} with ${fault.what}`, requestId, hint: HINTS.reply }
    case 'network':
      return { kind: 'network', words: fault.network.why, requestId, hint: networkHint(fault.network) }
  }
}

const cameOf = ({ status, code, redirect }: Pick<Refusal, 'status' | 'code' | 'redirect'>): string =>
  redirect === null ? `${status}${code === null ? '' : ` ${code}`}` : `${status}, a redirect to ${redirect}`

const networkHint = ({ hint, permanent, maybeSent }: NetworkFault): string =>
  hint ?? (permanent || !maybeSent ? 'Check the address of the service and the network' : HINTS.network)

export function requestIdOfFault(fault: Fault): string | null {
  return fault.type === 'answer' ? fault.answer.requestId : fault.type === 'unreadable' ? fault.requestId : null
}

/** The error of a failed call. */
export function errorOf(
  fault: Fault,
  call: {
    readonly asked: string
    readonly attempts: number
    readonly because: Exclude<Move, { go: true }>['because']
    readonly trouble: CallTrouble | null
  },
): ServiceError {
  const { asked, attempts, because, trouble } = call
  const ending = ENDINGS[because]
  const often = attempts > 1 && trouble !== null ? `${attempts} tries in ${secondsText(trouble.elapsedMs)}` : ''
  const tries = often === '' ? '' : ` (${often})`
  const requestId = requestIdOfFault(fault)
  const { hint } = lastFaultOf(fault)
  /** The address helps if nothing answers there, or something other than a working service. */
  const made = (init: Omit<ServiceErrorInit, 'message' | 'located'>, text: (place: string) => string) =>
    new ServiceError({
      ...init,
      requestId,
      attempts,
      message: text(''),
      ...(isPlaced(init.kind) && trouble !== null ? { located: text(` at ${trouble.origin}`), trouble } : {}),
    })
  if (fault.type === 'network') {
    return made(
      { kind: because === 'deadline' ? 'deadline' : 'network', cause: fault.cause, hint },
      (place) => `${asked}${place} failed: ${fault.network.why}${tries}${ending}`,
    )
  }
  if (fault.type === 'unreadable') {
    const { status, what, cause } = fault
    return made(
      { kind: because === 'deadline' ? 'deadline' : 'reply', status, cause, hint },
      (place) => `${asked}${place} was answered with ${status} and ${what}${tries}${ending}`,
    )
  }
  const { status, code, said, redirect, problem, retryAfterMs } = fault.answer
  const kind = because === 'deadline' ? 'deadline' : kindOf(status)
  const wait = because === 'deadline' && retryAfterMs !== null ? `; it asks to wait ${secondsText(retryAfterMs)}` : ''
  return made(
    {
      kind,
      status,
      code,
      problem,
      hint:
        redirect !== null
          ? HINTS.redirect
          : because === 'replayed'
            ? HINTS.replayed
            : kind === 'server'
              ? hint
              : problem?.detail !== undefined && TOLD_BY_DETAIL.some((name) => isCode(code, name))
                ? null
                : hintFor(kind, code),
    },
    (place) => {
      const answer = `${asked}${place} was answered with ${cameOf(fault.answer)}${said === '' ? '' : `: ${said}`}`
      const rest = `${tries}${wait}${ending}`
      return rest === '' ? answer : `${answer.replace(/\.$/, '')}${rest}`
    },
  )
}

const isPlaced = (kind: ServiceErrorKind): boolean => ['network', 'server', 'deadline', 'reply'].includes(kind)

const ENDINGS = {
  final: '',
  tries: '',
  in_flight: '; the same key stayed in flight',
  replayed: '; the same failure came back under the same request id',
  deadline: '; the next try would be after the deadline',
} as const

function kindOf(status: number): ServiceErrorKind {
  if (status >= 500 || status === 429 || status === 408) return 'server'
  if (status >= 400) return KINDS[status] ?? 'rejected'
  return 'reply'
}

const KINDS: Readonly<Record<number, ServiceErrorKind>> = {
  401: 'auth',
  402: 'quota',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  413: 'too_large',
}

const HINTS = {
  auth: 'Check client id, client secret and audience; the secret may have been rotated',
  quota: 'Ask for fewer rows, or have the quota raised',
  forbidden: 'These credentials do not allow this; ask the operator of the service',
  not_found: 'Check the address of the service and the identifier; what it named may have expired',
  gone: 'It has expired; request it again',
  conflict:
    'Either a request with this key is still in progress (run again later), or the key was used with another body (use another scope)',
  rejected: 'The request must be changed before it is sent again',
  too_large: 'Send less: fewer rows or columns, or a Parquet file',
  server: 'The service has a fault; run again later, nothing is done twice',
  busy: 'The service limits the rate of requests; run again later, nothing is done twice',
  network: 'Check the network and run again; nothing is done twice',
  deadline: 'Run again to continue from here, or allow more time',
  reply:
    'The answer does not follow the contract; check that the address belongs to the service, and report the request id',
  redirect: 'Calls do not follow redirects; give the actual address of the service',
  replayed: 'The service has stored this failure under the key; a new attempt needs a new key',
} as const

/** Faults of a file, whose detail says what to do; the catalogue's advice is to read it. */
const TOLD_BY_DETAIL = ['unreadable_file', 'untrainable_dataset'] as const

/** The catalogue's advice for a known code, with any prefix; otherwise advice for the kind of fault. */
function hintFor(kind: ServiceErrorKind, code: string | null): string {
  if (kind === 'conflict' && (code === null || isCode(code, 'idempotency_conflict'))) return HINTS.conflict
  // The catalogue addresses authors of clients. This client has already waited and repeated.
  if (kind === 'server') return HINTS.server
  const known = Object.entries(ERROR_CATALOGUE).find(([name]) => isCode(code, name.replace(/^svc_/, '')))
  return kind === 'deadline' ? HINTS.deadline : (known?.[1].fix ?? HINTS[kind])
}
