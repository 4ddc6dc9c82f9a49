import { capital } from '../../base/text/capital.ts'
import { cutText } from '../../base/text/fit-text.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import { type CallLedger, troubleHint, troubleInShort, troubleText } from '../../client/call-ledger.ts'
import { ServiceError } from '../../client/service-error.ts'
import { DiskError } from './disk-error.ts'
import { type ExitReason, exitReason, RunInterruptedError, RunRefusalError } from './exit-code.ts'
import type { FaultCode } from './fault-meanings.ts'
import type { RunFault } from './run-event.ts'

/** A problem's detail is cut to this many characters before it is written anywhere. */
const MOST_DETAIL = 500

/** The words for an error that the service did not explain: no address, no path. */
const BY_KIND: Record<ServiceError['kind'], string> = {
  auth: 'the service did not accept the credentials',
  forbidden: 'the credentials do not allow this',
  quota: 'the request exceeds the row subscription or the request cap',
  not_found: 'the service does not have the requested resource',
  gone: 'the requested resource no longer exists',
  conflict:
    'according to the service this key is in use: a request with it is still in progress there, or the service remembers the key with another body',
  rejected: 'the service refused the request',
  too_large: 'the service refused the size of the request',
  server: 'the service failed',
  network: 'the service could not be reached',
  deadline: 'the service did not finish in time',
  reply: 'the service sent an answer that breaks the contract',
}

/** Ids that a fault concerns. */
export type FaultIds = Partial<Pick<RunFault, 'jobId' | 'generationId' | 'datasetId'>>

/**
 * An error as it is written to manifest and state (`detail`): the service's own words, or ours, and nothing that
 * differs from one run to the next. `message` is for people who watch, and `located` for a terminal.
 */
export function faultOf(error: unknown, ids: FaultIds = {}): RunFault {
  const base = { jobId: null, generationId: null, datasetId: null, ...ids }
  if (error instanceof ServiceError) {
    const isLate = error.kind === 'deadline' && error.trouble !== null
    const words = isLate ? wordsFor(error) : (error.problem?.detail ?? wordsFor(error))
    const status = error.status === null || isLate || fileRefusal(error) !== null ? '' : ` (status ${error.status})`
    const said = status === '' ? words : `${words.replace(/\.$/, '')}${status}`
    const detail = error.hint === null ? said : `${said}${/[.!?]$/.test(said) ? '' : '.'} ${error.hint}`
    return {
      ...base,
      code: error.code ?? error.kind,
      detail: cutText(detail, MOST_DETAIL),
      message: fileRefusal(error) ?? error.message,
      located: fileRefusal(error) ?? error.located,
      requestId: error.requestId,
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof RunInterruptedError) {
    const { code, detail, located } = error
    return { ...base, code, detail: cutText(detail, MOST_DETAIL), message, located, requestId: null }
  }
  if (error instanceof DiskError) return { ...base, code: 'disk', detail: error.detail, message, requestId: null }
  if (error instanceof WorkFailedError) {
    // The message may come from the service and have any length.
    const detail = cutText(message, MOST_DETAIL)
    return { ...base, code: error.code, detail, message: detail, requestId: error.requestId }
  }
  if (error instanceof RunRefusalError) {
    return { ...base, code: error.code, detail: cutText(message, MOST_DETAIL), message, requestId: null }
  }
  const code = (error as NodeJS.ErrnoException | null)?.code
  // Messages of the file system name absolute paths.
  const detail = typeof code === 'string' ? `unexpected error ${code}` : 'unexpected error'
  return { ...base, code: exitReason(error), detail, message, requestId: null }
}

/** The cause of the error, if known. */
function wordsFor({ kind, trouble }: ServiceError): string {
  if (trouble === null) return BY_KIND[kind]
  if (kind === 'network') return troubleInShort(trouble)
  return kind === 'deadline' ? `${BY_KIND.deadline}: ${troubleInShort(trouble)}` : BY_KIND[kind]
}

/** The message of an error for a terminal, where the service may be named. */
export function locatedMessage(error: unknown): string {
  if (error instanceof ServiceError || error instanceof RunInterruptedError) return error.located
  return error instanceof Error ? error.message : String(error)
}

/** What a service says of a seed file that it cannot read, without the request that carried the file; null for other errors. */
export function fileRefusal(error: unknown): string | null {
  const isRefusal = error instanceof ServiceError && /(?:^|_)unreadable_file$/.test(error.code)
  return isRefusal ? (error.problem?.detail ?? null) : null
}

/** A job, a generation or an artifact failed: an outcome of one scenario or dataset, not of the run. */
export class WorkFailedError extends WhatifError {
  /** Of the answer that reported it, if it had one. */
  readonly requestId: string | null

  constructor(code: FaultCode, message: string, requestId: string | null = null) {
    super(code, message)
    this.requestId = requestId
  }

  /** With a code that came from the service. */
  static fromService(code: string, message: string, requestId: string | null = null): WorkFailedError {
    return new WorkFailedError(code as FaultCode, message, requestId)
  }
}

/** Different causes that are listed; further ones are only counted. */
const MOST_LISTED = 3

/** Why scenarios were stopped, reported once for all of them. */
export interface StopCauses {
  /** Names no host. */
  readonly message: string
  /** The same with the address of the service. */
  readonly located: string
  /** The manifest's texts for the scenarios that this explains. */
  readonly details: readonly string[]
}

/** How a scenario ended, as far as it matters here. */
type End =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed' | 'stopped'; readonly cause: ExitReason; readonly fault: RunFault }

/** A deadline together with the network faults that delayed the service's answers until then. */
export function explainedDeadline(passed: RunInterruptedError, ledger: CallLedger): RunInterruptedError {
  const troubles = ledger.troubles()
  const [first] = troubles
  if (first === undefined) return passed
  const text = (withAddress: boolean) =>
    [
      passed.message,
      ...listed(troubles.map((trouble) => capital(troubleText(trouble, { withAddress })))),
      troubleHint(first),
    ]
      .map((sentence) => `${sentence.replace(/\.$/, '')}.`)
      .join(' ')
  return new RunInterruptedError('deadline', text(false), {
    located: text(true),
    detail: `${passed.detail}; ${troubleInShort(first)}`,
  })
}

/** Why scenarios could not be requested, or not followed to their end; null when there are none. */
export function stopCauses(ends: Iterable<End>): StopCauses | null {
  const causes = new Map<string, { readonly message: string; readonly located: string }>()
  for (const end of ends) {
    if (end.kind !== 'stopped' || end.cause !== 'deadline_or_network') continue
    const { detail, message, located = message } = end.fault
    if (!causes.has(detail)) causes.set(detail, { message, located })
  }
  if (causes.size === 0) return null
  const found = [...causes.values()]
  return {
    message: listed(found.map(({ message }) => message)).join(' '),
    located: listed(found.map(({ located }) => located)).join(' '),
    details: [...causes.keys()],
  }
}

function listed(texts: readonly string[]): string[] {
  const rest = texts.length - MOST_LISTED
  return rest <= 0 ? [...texts] : [...texts.slice(0, MOST_LISTED), `There are ${rest} more causes`]
}
