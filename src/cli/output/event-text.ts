import { effectiveRowsPhrase } from '../../answers/words/effective-rows-text.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { cutText } from '../../base/text/fit-text.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'
import type { RunEvent, RunFault } from '../../runner/interface/run-event.ts'
import { unknownResultsText } from '../../runner/plan/unknown-results.ts'

/** Above this many scenarios progress counts them instead of giving each a line. */
export const MOST_LINES = 30

/** Names of columns that a line lists. */
const MOST_COLUMNS = 5

/** Which columns a dataset is trained again for. Their names come from a file. */
export function retypedText({ types }: Extract<RunEvent, { type: 'dataset.retyped' }>): string {
  const columns = Object.keys(types)
  const more = columns.length - MOST_COLUMNS
  const listed = columns.slice(0, MOST_COLUMNS).map((column) => escapeText(cutText(column, 40)))
  return `training again with ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''} as the study uses ${columns.length === 1 ? 'it' : 'them'}`
}

/** Whether a ready dataset was trained now or before, and its size. */
export function readyText({ reused, cleanRows, cleanColumns }: Extract<RunEvent, { type: 'dataset.ready' }>): string {
  const how = reused ? 'trained before' : 'trained'
  if (cleanRows === null || cleanColumns === null) return how
  return `${how}, ${countText(cleanRows)} rows x ${countText(cleanColumns)} columns after cleaning`
}

/** `2,000 rows`, or of a partial result `1,200 of 2,000 rows`. */
export function rowsText({ type, result }: Extract<RunEvent, { type: 'scenario.ready' | 'scenario.partial' }>): string {
  const { counted, requested } = result.rows
  return type === 'scenario.ready'
    ? plural(counted ?? 0, 'row')
    : `${countText(counted ?? 0)} of ${plural(requested, 'row')}`
}

/** Bar of `width` cells for a fraction in [0, 1]. */
export function bar(fraction: number, width: number): string {
  const full = Math.max(0, Math.min(width, Math.round(fraction * width)))
  return `${'█'.repeat(full)}${'░'.repeat(width - full)}`
}

/** What a person should know of the files and the lock of a run, before it requests anything. */
export function noticeText(
  event: Extract<RunEvent, { type: 'lock.taken_over' | 'manifest.damaged' | 'results.unknown' }>,
): string {
  switch (event.type) {
    case 'lock.taken_over':
      return `took over the lock of an ended run (process ${event.holder.pid}, ${event.because === 'process_gone' ? 'which is gone' : 'which gave no sign of life for over two minutes'})`
    case 'manifest.damaged':
      return `${event.path} is damaged: it is the manifest of an earlier run, and is replaced`
    case 'results.unknown':
      return unknownResultsText(event)
  }
}

export const waitingText = ({ holder }: Extract<RunEvent, { type: 'lock.waiting' }>): string =>
  `waiting for another run of this study (process ${holder.pid} on ${holder.host})`

/** For work whose status this version does not know. */
export const unknownStatusText = ({ status }: Extract<RunEvent, { type: 'status.unknown' }>): string =>
  `warning: the service reports status "${status}", which this version does not know; waiting until the deadline`

/** A failure with the ids that support asks for. */
export const faultText = (fault: RunFault): string => `${fault.message} [${[fault.code, ...idsOf(fault)].join(', ')}]`

/** Why a scenario was stopped or not begun, with the ids of work that may continue at the service. */
export function stopText({ type, error, isReportedAtEnd }: StopEvent): string {
  const how = type === 'scenario.interrupted' ? 'interrupted' : 'not started'
  const ids = idsOf(isReportedAtEnd ? { ...error, message: '', requestId: null } : error)
  return `${how}${isReportedAtEnd ? '' : `: ${error.message}`}${ids.length === 0 ? '' : ` [${ids.join(', ')}]`}`
}

type StopEvent = Extract<RunEvent, { type: 'scenario.not_started' | 'scenario.interrupted' }>

/** Without the ids that the message names. */
function idsOf({ message, requestId, jobId, generationId, datasetId }: Omit<RunFault, 'code' | 'detail'>): string[] {
  const ids = { request: requestId, job: jobId, generation: generationId, dataset: datasetId }
  return Object.entries(ids).flatMap(([what, id]) => (id === null || message.includes(id) ? [] : [`${what} ${id}`]))
}

/** Faults are reported from the second try on: the first retry often succeeds. */
const REPORTED_FROM_TRY = 2

/**
 * A line for each new cause and place of a failed try, however long it goes on. Null if there is nothing new.
 */
export function retryNotices(): (event: Extract<RunEvent, { type: 'retry' }>) => string | null {
  const reported = new Set<string>()
  return (event) => {
    const cause = `${event.reason} ${event.origin}`
    if (event.attempt < REPORTED_FROM_TRY || reported.has(cause)) return null
    reported.add(cause)
    return retryText(event)
  }
}

/** `connection refused (ECONNREFUSED) at http://127.0.0.1:9, try 3: the token request`. The end may be cut off. */
export function retryText({ reason, origin, operation, attempt }: Extract<RunEvent, { type: 'retry' }>): string {
  return `${reason} at ${origin}, try ${attempt + 1}: ${operation}`
}

/** A warning for rows that rest on little of the seed data; null for others. */
export function evidenceWarning({ evidence }: Pick<ManifestScenario, 'evidence'>): string | null {
  if (evidence?.low_support !== true) return null
  const tilt =
    evidence.largest_tilt > 1
      ? `; some combinations of levels have up to ${Number(evidence.largest_tilt.toPrecision(3))} times their usual share`
      : ''
  return `thin evidence: these rows rest on ${effectiveRowsPhrase(evidence)} of the seed data${tilt}`
}
