import { agoText, countText, inText, listText, percent, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable, wrapped } from '../../base/text/fit-text.ts'
import type { LiveJob } from '../../runner/live-jobs.ts'
import type { RunRecord } from '../../runner/state/run-records.ts'
import type { DatasetStanding, ScenarioStanding, StudyStatus } from '../../runner/study-status.ts'

/** More missing parts are only counted. */
const MOST_MISSING = 10

/** Longer ids have a line of their own. */
const LONGEST_ID = 36

const ELSEWHERE =
  'the state on this machine (.whatif) does not know the results of that run; copy .whatif from where they were made, or a run requests them again'

/** How a study stands, for people: its last run, its datasets, a table of its scenarios, and what is pending. */
export function statusText(
  status: StudyStatus,
  jobs: ReadonlyMap<string, LiveJob>,
  /** `now`: ms since 1970. `file`: the study as the command line names it. */
  options: { readonly now: number; readonly width: number; readonly file: string },
): string {
  const { now, width } = options
  const columns = [
    { title: 'scenario', longest: LONGEST_ID },
    { title: 'status', mayShrink: true },
    { title: 'rows', align: 'right' as const },
    { title: 'age', align: 'right' as const },
    { title: 'expires' },
  ]
  const rows = status.scenarios.map((s) => [s.id, stateText(s, jobs), rowsText(s), ageText(s, now), endText(s, now)])
  return [
    ...runLines(status, now, width),
    ...status.datasets.map((dataset) => wrapped(`  dataset ${dataset.id}: `, datasetText(dataset, jobs, now), width)),
    '\n',
    textTable(columns, rows, width),
    ...(status.isStateElsewhere ? ['\n', wrapped('note: ', ELSEWHERE, width)] : []),
    ...partLines(status, options.file, width),
    ...pendingLines(status, options.file, width),
  ].join('')
}

function runLines({ study, last, lastComplete, lock }: StudyStatus, now: number, width: number): string[] {
  const label = `${study}: `
  const lines = [
    wrapped(label, last === null ? 'no run so far' : `last run ${runText(last, lock !== null, now)}`, width),
  ]
  if (last !== null && lastComplete?.id !== last.id) {
    const text =
      lastComplete === null
        ? 'no run has completed the whole study'
        : `last complete run ${agoOf(lastComplete.finishedAt ?? lastComplete.startedAt, now)}`
    lines.push(wrapped('  ', text, width))
  }
  if (lock !== null) {
    const { holder, stale } = lock
    const who = `process ${holder.pid} on ${holder.host}`
    const text =
      stale === null
        ? `running now: ${who}, since ${agoOf(holder.startedAt, now)}`
        : `an ended run left its lock behind (${who}); the next run takes it over`
    lines.push(wrapped('  ', text, width))
  }
  return lines
}

function runText(run: RunRecord, isLocked: boolean, now: number): string {
  if (run.status === 'running') return `began ${agoOf(run.startedAt, now)}${isLocked ? '' : ' and was killed'}`
  const causes = [run.reason, ...run.also].filter((cause) => cause !== null && cause !== 'ok').join(', ')
  return `${run.status} ${agoOf(run.finishedAt ?? run.startedAt, now)} (exit ${run.exitCode ?? 'unknown'}${causes === '' ? '' : `: ${causes}`})`
}

/** A run that another machine wrote down may be of a clock that is ahead. */
const agoOf = (at: string, now: number): string =>
  Number.isFinite(Date.parse(at)) ? agoText(at, now) : 'at an unknown time'

function datasetText(dataset: DatasetStanding, jobs: ReadonlyMap<string, LiveJob>, now: number): string {
  const { status, datasetId, trainedAt, expiresAt, error } = dataset
  const known = [
    `${status}${jobText(dataset.jobId, jobs)}`,
    datasetId,
    trainedAt === null ? null : `trained ${agoOf(trainedAt, now)}`,
    expiresAt === null || status === 'gone' || status === 'failed' ? null : whenText(expiresAt, now),
  ]
  const text = known.filter((part) => part !== null).join(', ')
  return error === null ? text : `${text}: ${error.detail}`
}

function whenText(at: string, now: number): string {
  return Date.parse(at) > now ? `expires ${inText(at, now)}` : `expired ${agoText(at, now)}`
}

function stateText(scenario: ScenarioStanding, jobs: ReadonlyMap<string, LiveJob>): string {
  const remarks = [
    scenario.isChanged ? 'changed since' : null,
    scenario.file === 'missing' ? 'file missing' : scenario.file === 'changed' ? 'file differs' : null,
    scenario.error?.code ?? null,
  ].filter((remark) => remark !== null)
  const state = `${scenario.status.replace('_', ' ')}${jobText(scenario.jobId, jobs)}`
  return remarks.length === 0 ? state : `${state} (${remarks.join(', ')})`
}

function jobText(jobId: string | null, jobs: ReadonlyMap<string, LiveJob>): string {
  const job = jobId === null ? undefined : jobs.get(jobId)
  if (job === undefined) return ''
  const parts = [job.status, job.stage, job.progress === null ? null : percent(job.progress)]
  return ` [${parts.filter((part) => part !== null).join(', ')}]`
}

function rowsText({ rows, requested }: ScenarioStanding): string {
  if (rows === null) return `0 of ${countText(requested)}`
  return rows === requested ? countText(rows) : `${countText(rows)} of ${countText(requested)}`
}

function ageText({ since }: ScenarioStanding, now: number): string {
  return since === null || !Number.isFinite(Date.parse(since)) ? '' : agoText(since, now).replace(/^just | ago$/g, '')
}

function endText({ expiresAt, status }: ScenarioStanding, now: number): string {
  if (status === 'expired') return 'expired'
  if (expiresAt === null) return ''
  return Date.parse(expiresAt) > now ? inText(expiresAt, now) : agoText(expiresAt, now)
}

/** The table above shows the merged result, or none. */
const partLines = ({ parts }: StudyStatus, file: string, width: number): string[] =>
  parts.flatMap(({ of, indexes }) => [
    '\n',
    wrapped('parts: ', partsText(of, indexes), width),
    `  to make one result of them: whatif merge ${escapeText(file)}${parts.length > 1 ? ` --shards ${of}` : ''}\n`,
  ])

function partsText(of: number, indexes: readonly number[]): string {
  const here = new Set(indexes)
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !here.has(index))
  const text = `${indexes.length} of ${of} in the output folder`
  return missing.length === 0 ? text : `${text}; missing: ${listText(missing.map(String), MOST_MISSING)}`
}

function pendingLines({ pending }: StudyStatus, file: string, width: number): string[] {
  const { trainings, generations, downloads, unanswered } = pending
  const collectable = [
    generations > 0 ? `${plural(generations, 'generation')} at the service` : null,
    downloads > 0 ? `${plural(downloads, 'result')} not fetched` : null,
  ].filter((part) => part !== null)
  const resendable = [
    trainings > 0 ? plural(trainings, 'training') : null,
    unanswered > 0 ? `${plural(unanswered, 'request')} without an answer` : null,
  ].filter((part) => part !== null)
  // A command stays on one line, because people copy it.
  const entry = (parts: readonly string[], how: string) =>
    parts.length === 0 ? [] : [wrapped('pending: ', parts.join(', '), width), `  ${how} ${escapeText(file)}\n`]
  const lines = [...entry(collectable, 'to collect: whatif resume'), ...entry(resendable, 'to continue: whatif run')]
  return lines.length === 0 ? [] : ['\n', ...lines]
}
