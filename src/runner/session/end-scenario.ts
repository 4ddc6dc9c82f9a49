import { hasCode, WhatifError } from '../../base/whatif-error.ts'
import { ServiceError } from '../../client/service-error.ts'
import type { GenerationRecord } from '../../records/state/generations.ts'
import { diskErrorBehind } from '../interface/disk-error.ts'
import { type ExitReason, exitReason } from '../interface/exit-code.ts'
import { faultOf, WorkFailedError } from '../interface/fault-text.ts'
import type { RunFault } from '../interface/run-event.ts'
import { datasetRecord } from './dataset-records.ts'
import type { OpenRun } from './open-run.ts'
import type { RunSoFar } from './plan-run.ts'
import type { Breaker, NotDone } from './scenario-progress.ts'

/** After this many scenarios in a row without an answer, no more are tried. */
const MOST_STRIKES = 3

/** The exit reason of a scenario that a breaker kept from being submitted. */
const BREAKER_CAUSE: Record<Breaker, ExitReason> = {
  payment: 'payment_required',
  failure: 'failed',
  network: 'deadline_or_network',
  authentication: 'authentication',
}

const BREAKER_TEXT: Record<Breaker, string> = {
  payment: 'the service wants payment (402)',
  failure: 'another scenario failed and the policy is to stop',
  network: 'the service cannot be reached',
  authentication: 'the service does not accept the credentials',
}

/** Code of the error of a request that is not sent because a breaker is open. */
const NOT_SUBMITTED = 'not_submitted'

/** Throws when nothing more may be submitted: `endWithError` turns that into the scenario's end. */
export function requireMayPost({ signal, progress }: OpenRun): void {
  signal.throwIfAborted()
  if (progress.breaker !== null) throw new WhatifError(NOT_SUBMITTED, 'nothing more is submitted in this run')
}

/**
 * Ends a scenario with an error that concerns it. Opens a breaker if the next scenario would fail the same way. Throws
 * an error that concerns the run: a bug, a full disk (unless the client reported it), a lost lock.
 */
export function endWithError(run: RunSoFar, id: string, error: unknown): void {
  const end = endOf(run, id, error)
  if (end === null) throw error instanceof ServiceError ? (diskErrorBehind(error) ?? error) : error
  announce(run, id, end)
}

function endOf(run: RunSoFar, id: string, error: unknown): NotDone | null {
  const key = run.progress.running.get(id) ?? null
  const work = key === null ? undefined : run.store.state.generations.get(key)
  const ids = work === undefined ? datasetIds(run, id) : generationIds(work)
  if (run.signal.aborted) {
    const reason = run.service.abortReason
    const cause = exitReason(reason)
    const fault = faultOf(reason, ids)
    return { kind: 'stopped', status: isPending(work) ? 'interrupted' : 'not_started', fault, cause, key }
  }
  if (hasCode(error, NOT_SUBMITTED)) {
    const breaker = run.progress.breaker ?? 'failure'
    const why = BREAKER_TEXT[breaker]
    const earlier = breaker === 'network' ? faultThatStopped(run) : null
    const fault = {
      ...faultOf(error),
      ...(earlier ?? { detail: `not started: ${why}`, message: why }),
      code: 'not_started',
    }
    return { kind: 'stopped', status: 'not_started', fault, cause: BREAKER_CAUSE[breaker], key }
  }
  if (error instanceof WorkFailedError) {
    return { kind: 'failed', status: 'failed', fault: faultOf(error, ids), cause: 'failed', key }
  }
  if (!(error instanceof ServiceError) || diskErrorBehind(error) !== null) return null
  const cause = exitReason(error)
  const fault = faultOf(error, ids)
  if (cause === 'deadline_or_network') {
    return { kind: 'stopped', status: isPending(work) ? 'interrupted' : 'not_started', fault, cause, key }
  }
  // Nothing was submitted yet: the run as a whole is refused, and the results of the last one stay.
  if (cause === 'authentication' && !run.sent.began) return null
  if (cause === 'authentication' && isPending(work))
    return { kind: 'stopped', status: 'interrupted', fault, cause, key }
  const status = work === undefined || work.status === 'refused' ? 'refused' : 'failed'
  return { kind: 'failed', status, fault, cause, key }
}

const generationIds = ({ jobId, generationId, datasetId }: GenerationRecord) => ({ jobId, generationId, datasetId })

/** Before anything is generated, the fault concerns the dataset. */
function datasetIds(run: RunSoFar, scenario: string) {
  const record = datasetRecord(run, run.scenarios.get(scenario)!.dataset)
  const isTraining = record?.status === 'training'
  return { jobId: isTraining ? record.jobId : null, datasetId: record?.datasetId ?? null }
}

/** Work may be running, or be ready, at the service. */
function isPending(work: { readonly status: string } | undefined): boolean {
  return work !== undefined && ['prepared', 'processing', 'ready', 'partial'].includes(work.status)
}

/** The fault that opened the network breaker. Later scenarios are not started for the same reason. */
function faultThatStopped(run: RunSoFar): Pick<RunFault, 'detail' | 'message' | 'located'> | null {
  for (const end of run.progress.ends.values()) {
    if (end.kind !== 'stopped' || end.cause !== 'deadline_or_network') continue
    const { detail, message, located = message } = end.fault
    return { detail, message, located }
  }
  return null
}

/** Sets the end of a scenario and emits it. Opens a breaker if all scenarios would fail the same way. */
export function announce(run: RunSoFar, id: string, end: NotDone): void {
  if (run.progress.ends.has(id)) return
  run.progress.finish(id, end)
  if (end.kind === 'failed') run.emit({ type: 'scenario.failed', scenario: id, error: end.fault })
  else {
    const { status, fault, cause } = end
    const isReportedAtEnd = cause === 'deadline_or_network'
    run.emit({ type: `scenario.${status}`, scenario: id, reason: fault.detail, error: fault, isReportedAtEnd })
  }
  if (end.cause === 'payment_required') run.progress.open('payment')
  else if (end.cause === 'authentication') run.progress.open('authentication')
  else if (end.cause === 'deadline_or_network') {
    run.progress.strikes += 1
    if (run.progress.strikes >= MOST_STRIKES) run.progress.open('network')
  } else if (end.kind === 'failed') {
    const policy = run.options.onFailure ?? run.study.policy.onFailure
    if (policy === 'stop') run.progress.open('failure')
  }
}
