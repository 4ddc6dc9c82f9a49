import pLimit from 'p-limit'
import type { CallOptions, ServiceClient } from '../../client/service-client.ts'
import type { EstimateRecord } from '../../records/state/estimates.ts'
import type { PlannedRun } from '../session/plan-run.ts'
import { type AnswerPart, askService, readEstimates, readSegments } from './ask-service.ts'
import { type EstimateQuestion, questionsOf } from './estimate-questions.ts'
import type { KnownStudy } from './known-study.ts'

/** Longest time for all questions of a run: intervals are worth only a short wait. */
const LONGEST_MS = 30_000
/** Time that is reserved for the rest of the run before its deadline. */
const MARGIN_MS = 3_000
/** Concurrent questions. */
const MOST_AT_ONCE = 4
/** After this many questions without an answer, no more are asked. */
const MOST_UNANSWERED = 3
/** Answers kept for questions that the study no longer asks: its author may undo the change. */
const MOST_UNNEEDED = 1000

/**
 * Asks the service for the seed's own differences of the comparisons, once every generation has ended. The questions
 * are free and never fail a run: without an answer, intervals use what else is known. `others`: keys of answers that the study needs
 * besides.
 */
export async function askEstimates(run: PlannedRun, known: KnownStudy, others: ReadonlySet<string>): Promise<void> {
  const questions = questionsOf(known)
  const open = [...questions.values()].filter(({ key }) => isOpen(run, run.store.state.estimates.get(key)))
  if (!run.service.isUsed && lacksOperation(run)) {
    await Promise.all(open.map(({ key }) => settle(run, { key, status: 'no_estimates_operation' })))
    return
  }
  if (open.length === 0 || run.progress.breaker === 'network' || run.progress.breaker === 'authentication') return
  if (deadlineOf(run) === null) return
  const client = await clientOf(run)
  // The time to start the service does not count.
  const deadlineMs = deadlineOf(run)
  if (client === null || deadlineMs === null) {
    for (const { key } of open) run.known.unanswered.add(key)
    return
  }
  const to: Asked = { client, deadlineMs, gone: new Set() }
  const [first, ...rest] = open as [EstimateQuestion, ...EstimateQuestion[]]
  // Asked alone: its answer shows whether the service has the operation at all.
  const missing = await ask(run, first, to)
  const limit = pLimit(Math.max(1, Math.min(MOST_AT_ONCE, run.options.concurrency)))
  await Promise.all(
    rest.map((question) =>
      limit(async () => {
        if (missing) await settle(run, { key: question.key, status: 'no_estimates_operation' })
        else await ask(run, question, to)
      }),
    ),
  )
  await forgetUnneeded(run, new Set([...questions.keys(), ...others]))
}

/** A question that was settled without an answer is asked again by a run that uses the service anyway. */
export function isOpen(run: PlannedRun, known: EstimateRecord | undefined): boolean {
  return known === undefined || (known.status !== 'known' && run.service.isUsed)
}

/** One such answer holds for all questions, until a run uses the service again. */
export const lacksOperation = ({ store }: PlannedRun): boolean =>
  [...store.state.estimates.values()].some(({ status }) => status === 'no_estimates_operation')

/** Null when the run has no time left for questions. */
export function deadlineOf({ env, deadlineAt }: PlannedRun): number | null {
  const now = env.clock.now()
  const latest = Math.min(now + LONGEST_MS, (deadlineAt ?? Number.POSITIVE_INFINITY) - MARGIN_MS)
  return latest > now + MARGIN_MS ? latest : null
}

/** Null when the service cannot be started or logged in to. The results on disk stay valid. */
export async function clientOf(run: PlannedRun): Promise<ServiceClient | null> {
  try {
    return await run.service.client()
  } catch {
    run.signal.throwIfAborted()
    return null
  }
}

/** The client to ask, and the deadline. */
interface Asked {
  readonly client: ServiceClient
  readonly deadlineMs: number
  readonly gone: Set<string>
}

/** True when the service does not have the operation. */
async function ask(run: PlannedRun, question: EstimateQuestion, { client, deadlineMs, gone }: Asked): Promise<boolean> {
  const { key, comparison } = question
  run.signal.throwIfAborted()
  if (run.known.unanswered.size >= MOST_UNANSWERED) {
    run.known.unanswered.add(key)
    return false
  }
  // Its network faults must not explain a deadline of the run.
  const { ledger: _, ...common }: CallOptions = run.service.call(`comparison ${comparison}`)
  const answer = await askService(client, question, { ...common, deadlineMs }, gone)
  if (answer.kind === 'answered') {
    await settle(run, recordOf(question, answer.parts))
    return false
  }
  if (answer.why === 'estimates_failed') run.known.unanswered.add(key)
  else await settle(run, { key, status: answer.why })
  return answer.why === 'no_estimates_operation'
}

function recordOf({ key, by }: EstimateQuestion, parts: readonly AnswerPart[]): EstimateRecord {
  const estimates = readEstimates(parts)
  if (estimates === null) return { key, status: 'estimates_unreadable' }
  if (by === undefined) return { key, status: 'known', estimates }
  const segments = readSegments(parts)
  if (segments === undefined) return { key, status: 'no_segment_estimates' }
  return segments === null ? { key, status: 'estimates_unreadable' } : { key, status: 'known', estimates, segments }
}

export async function settle(run: PlannedRun, record: EstimateRecord): Promise<void> {
  const known = run.store.state.estimates.get(record.key)
  if (known?.status === record.status && known.status !== 'known') return
  await run.store.record({ kind: 'estimate', id: record.key, set: record })
}

async function forgetUnneeded(run: PlannedRun, needed: ReadonlySet<string>): Promise<void> {
  const unneeded = [...run.store.state.estimates.keys()].filter((key) => !needed.has(key))
  const oldest = unneeded.slice(0, Math.max(0, unneeded.length - MOST_UNNEEDED))
  await Promise.all(oldest.map((id) => run.store.record({ kind: 'estimate', id, set: null })))
}
