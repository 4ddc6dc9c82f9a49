import { cutText } from '../base/text/fit-text.ts'
import { troubleInShort } from '../client/call-ledger.ts'
import { ServiceError } from '../client/service-error.ts'
import { DeadlinePassed, exitReason, RunInterrupted, RunRefusal } from './exit-code.ts'
import type { FaultCode } from './fault-meanings.ts'
import { DiskFault } from './files/disk-fault.ts'
import type { RunFault } from './run-event.ts'
import { LockLostError } from './state/lock-errors.ts'

/** A problem's own words are cut to this many characters before they are written anywhere. */
const MOST_DETAIL = 500

/** What is said of an error when the service gave no words of its own: no address, no path. */
const BY_KIND: Record<ServiceError['kind'], string> = {
  auth: 'the service did not accept the credentials',
  forbidden: 'the credentials do not allow this',
  quota: 'the request exceeds the row subscription or the request cap',
  not_found: 'the service does not have what was asked for',
  gone: 'what was asked for is no longer there',
  conflict:
    'the service says that this key is in use: a request with it is still in flight there, or it remembers the key with another body',
  rejected: 'the service refused the request',
  too_large: 'the service refused the size of the request',
  server: 'the service failed',
  network: 'the service could not be reached',
  deadline: 'the service did not finish in time',
  reply: 'the service answered something that breaks the contract',
}

/** Ids that a fault is about. */
export type FaultIds = Partial<Pick<RunFault, 'jobId' | 'generationId' | 'datasetId'>>

/**
 * An error as it may be written into manifest and state (`detail`): the service's own words, or ours, and nothing that
 * differs from one run to the next. `message` is for people who watch, and `located` for those at a terminal.
 */
export function faultOf(error: unknown, ids: FaultIds = {}): RunFault {
  const base = { jobId: null, generationId: null, datasetId: null, ...ids }
  if (error instanceof ServiceError) {
    const isLate = error.kind === 'deadline' && error.trouble !== null
    const told = isLate ? toldOf(error) : (error.problem?.detail ?? toldOf(error))
    const status = error.status === null || isLate ? '' : ` (status ${error.status})`
    const said = status === '' ? told : `${told.replace(/\.$/, '')}${status}`
    const detail = error.hint === null ? said : `${said}${/[.!?]$/.test(said) ? '' : '.'} ${error.hint}`
    return {
      ...base,
      code: error.code ?? error.kind,
      detail: cutText(detail, MOST_DETAIL),
      message: error.message,
      located: error.located,
      requestId: error.requestId,
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof DeadlinePassed) {
    const { located } = error
    return {
      ...base,
      code: exitReason(error),
      detail: cutText(error.detail, MOST_DETAIL),
      message,
      located,
      requestId: null,
    }
  }
  if (error instanceof RunInterrupted || error instanceof LockLostError) {
    return { ...base, code: exitReason(error), detail: message, message, requestId: null }
  }
  if (error instanceof DiskFault) return { ...base, code: 'disk', detail: error.detail, message, requestId: null }
  if (error instanceof WorkFailed) {
    // The words may be the service's own, however many.
    const detail = cutText(message, MOST_DETAIL)
    return { ...base, code: error.code, detail, message: detail, requestId: error.requestId }
  }
  if (error instanceof RunRefusal) {
    return { ...base, code: error.code, detail: cutText(message, MOST_DETAIL), message, requestId: null }
  }
  const code = (error as NodeJS.ErrnoException | null)?.code
  // Messages of the file system name absolute paths.
  const detail = typeof code === 'string' ? `unexpected error ${code}` : 'unexpected error'
  return { ...base, code: exitReason(error), detail, message, requestId: null }
}

/** What stood in the way, where that is known. */
function toldOf({ kind, trouble }: ServiceError): string {
  if (trouble === null) return BY_KIND[kind]
  if (kind === 'network') return troubleInShort(trouble)
  return kind === 'deadline' ? `${BY_KIND.deadline}: ${troubleInShort(trouble)}` : BY_KIND[kind]
}

/** What is said of an error at a terminal, where the service may be named. */
export function locatedMessage(error: unknown): string {
  if (error instanceof ServiceError || error instanceof DeadlinePassed) return error.located
  return error instanceof Error ? error.message : String(error)
}

/** A job, a generation or an artifact did not turn out: an outcome of one scenario or dataset, not of the run. */
export class WorkFailed extends Error {
  override readonly name = 'WorkFailed'
  /** The service's code, or a word of ours: `job_expired`, `row_count_mismatch`… */
  readonly code: string
  /** Of the answer that showed it, when that had one. */
  readonly requestId: string | null

  constructor(code: FaultCode, message: string, requestId: string | null = null) {
    super(message)
    this.code = code
    this.requestId = requestId
  }

  /** With a code that came from the service. */
  static told(code: string, message: string, requestId: string | null = null): WorkFailed {
    return new WorkFailed(code as FaultCode, message, requestId)
  }
}
