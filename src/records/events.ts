import { z } from 'zod'
import { ASKED_TYPES } from '../base/raw-table.ts'
import { byName, count, ordinal, sha256, text } from './values/common-values.ts'

const id = z
  .string()
  .regex(/^[a-z0-9._-]{1,120}$/)
  .meta({ id: 'id', description: 'Of a scenario, comparison or dataset, as in the study.' })
const holder = z
  .object({ pid: count, run: text, started_at: text })
  .meta({ id: 'holder', description: 'Who holds the lock.' })
const error = z
  .object({
    code: text,
    detail: text,
    request_id: text.nullable(),
    job_id: text.nullable(),
    generation_id: text.nullable(),
    dataset_id: text.nullable(),
  })
  .meta({ id: 'error', description: 'Why something failed, with the ids that support asks for.' })
const totals = z
  .object({
    scenarios: count,
    ready: count,
    partial: count,
    failed: count,
    refused: count,
    not_started: count,
    interrupted: count,
    rows_requested: count,
    rows_generated: count,
  })
  .meta({ id: 'totals' })
const progress = z.number().nullable().describe('From 0 to 1.')
const result = {
  scenario: id,
  how: z.enum(['generated', 'resumed', 'downloaded', 'copied', 'reused']),
  rows_requested: count,
  rows: count.nullable(),
}

/** The fields of an event, and what it says. */
function event<Shape extends z.ZodRawShape>(description: string, shape: Shape) {
  return z.object(shape).describe(description)
}

/**
 * Every event of `whatif run --events` by its type, without the fields that all have (`EventHead`). The published
 * `schemas/events.v1.json` is made of this (`npm run schemas`). Within version 1 fields and types are only added.
 */
export const EVENTS = {
  'run.started': event('A run begins. Everything after it in the same log carries its id in `run`.', {
    study: text,
    scenarios: count,
  }),
  service: event('A service is needed: the embedded one is started, or which one it is.', {
    state: z.enum(['starting', 'embedded', 'remote']),
  }),
  lock: event('Another run of the study holds its lock: it is waited for, or, being gone, taken over.', {
    state: z.enum(['waiting', 'taken_over']),
    holder,
    because: z.enum(['process_gone', 'heartbeat_old']).optional(),
  }),
  'journal.recovered': event('The torn last line that a killed run left was cut from the journal.', {
    cut_bytes: count,
  }),
  'manifest.damaged': event('The manifest of an earlier run is not whole, and is replaced.', { path: text }),
  'results.unknown': event(
    'The output folder holds files of scenarios that no state knows. They are requested again.',
    { path: text, scenarios: ordinal },
  ),
  'journal.pending': event('Work of an earlier run that is collected.', { uploads: count, generations: count }),
  plan: event('The planned actions, as counts; sent again when the plan changes. The run carries out the last one.', {
    upload: count,
    generate: count,
    download: count,
    resume: count,
    copy: count,
    reuse: count,
    failed: count,
    rows_bound: count,
  }),
  diagnostic: event('A finding of the check against the live schema.', {
    severity: z.enum(['error', 'warning', 'note']),
    code: text,
    summary: text,
    file: text.nullable(),
    line: count.nullable(),
    column: count.nullable(),
  }),
  'dataset.hashing': event('A seed file is read.', { dataset: id, total_bytes: count }),
  'dataset.hashed': event('A seed file was read.', { dataset: id, total_bytes: count, sha256 }),
  'dataset.uploading': event('Progress of an upload, at most one per second; the first has `sent_bytes` 0.', {
    dataset: id,
    sent_bytes: count,
    total_bytes: count,
  }),
  'dataset.training': event('Progress of a training, as far as the service reports it.', {
    dataset: id,
    progress,
    stage: text.nullable(),
  }),
  'dataset.ready': event('A dataset can be generated from. `reused`: this run did not upload it.', {
    dataset: id,
    dataset_id: text,
    reused: z.boolean(),
    expires_at: text.nullable(),
    clean_rows: count.nullable(),
    clean_columns: count.nullable(),
  }),
  'dataset.expired': event('A dataset has ended at the service.', { dataset: id, dataset_id: text }),
  'dataset.retyped': event(
    'A dataset is trained again, because the study uses columns of answer codes as another kind than the service does.',
    { dataset: id, types: byName(z.enum(ASKED_TYPES)) },
  ),
  'dataset.failed': event('An upload or a training failed.', { dataset: id, error }),
  'scenario.submitted': event(
    'A generation was asked for. `replayed`: the service had this request before, and nothing new was started.',
    {
      scenario: id,
      rows: count,
      idempotency_key: text,
      generation_id: text.nullable(),
      job_id: text.nullable(),
      request_id: text.nullable(),
      replayed: z.boolean(),
    },
  ),
  'scenario.polling': event('Progress of a generation, as far as the service reports it.', {
    scenario: id,
    progress,
    stage: text.nullable(),
  }),
  'scenario.downloading': event('Progress of a download, at most one per second.', {
    scenario: id,
    received_bytes: count,
  }),
  'scenario.downloaded': event(
    'The artifact is in its place. `path` is relative to the project root, or to the folder of --out.',
    { scenario: id, path: text, bytes: count, sha256 },
  ),
  'scenario.bumped': event('An earlier result is gone; the same request is made again under the next epoch.', {
    scenario: id,
    from_epoch: count,
    epoch: count,
  }),
  'scenario.expired': event('A generation has ended at the service.', {
    scenario: id,
    generation_id: text.nullable().describe('Null when the service had named only the job.'),
  }),
  'scenario.ready': event('All rows are there, counted in the artifact.', result),
  'scenario.partial': event('Fewer rows than requested are there.', result),
  'scenario.failed': event('A scenario ended without a result.', { scenario: id, error }),
  'scenario.not_started': event('Nothing was sent for a scenario.', { scenario: id, reason: text }),
  'scenario.interrupted': event('Work on a scenario may be going on at the service.', { scenario: id, reason: text }),
  'status.unknown': event(
    'For a minute or more the service gives something a status that this version does not know. It is waited for until the deadline.',
    { subject: text, status: text },
  ),
  retry: event('A request did not succeed and is sent again after `delay_ms`.', {
    subject: text,
    attempt: count,
    delay_ms: count,
    reason: text,
    request_id: text.nullable(),
  }),
  'breaker.opened': event('Nothing more is submitted; running work continues to its end.', {
    reason: z.enum(['payment', 'failure', 'network', 'authentication']),
  }),
  gate: event('A gate was judged: of the scenario, the comparison or the backtest that is named.', {
    scenario: id.optional(),
    comparison: id.optional(),
    backtest: id.optional(),
    gate: text,
    level: z.enum(['fail', 'warn']),
    evaluated: count,
    passed: z.boolean(),
    expected: z.record(z.string(), z.union([z.number(), z.string()])),
    actual: z.number().nullable(),
    interval: z
      .tuple([z.number(), z.number()])
      .readonly()
      .optional()
      .describe('Of a gate that asks for confidence: the interval of the difference at that confidence.'),
    reason: text.optional().describe('For a gate with confidence: why there is no interval to evaluate.'),
  }),
  'manifest.written': event('manifest.json was replaced.', { final: z.boolean() }),
  'run.finished': event('A run ends. `totals` and `manifest_digest` are null for a run that was refused.', {
    exit_code: count,
    reason: text,
    manifest_digest: sha256.nullable(),
    totals: totals.nullable(),
  }),
} as const

export type EventType = keyof typeof EVENTS

/** What every line has before its event. */
export const EventHead = z.object({
  v: z.literal(1).describe('Version of this form.'),
  ts: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .describe('Time of the event, UTC.'),
  run: text.optional().describe('Id of the run, as in its manifest.'),
  type: text,
})

/** An event as `--events` writes it, without version, time and run. */
export type EventRecord = {
  [T in EventType]: { readonly type: T } & Readonly<z.infer<(typeof EVENTS)[T]>>
}[EventType]
