import type { EventRecord } from '../../records/events.ts'
import type { GateResult } from '../../records/manifest/gates.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { RunEvent, RunFault } from '../../runner/interface/run-event.ts'
import type { Plan } from '../../runner/plan/plan.ts'

/**
 * The parts of an event that leave the process: names, counts and ids. Texts of faults are those that may be written to
 * files. Files are named within the project. Hosts, addresses and rows never leave.
 */
export function eventRecords(event: RunEvent): readonly EventRecord[] {
  switch (event.type) {
    case 'run.started':
      return [{ type: event.type, study: event.study, scenarios: event.scenarios }]
    case 'lock.waiting':
      return [{ type: 'lock', state: 'waiting', holder: holderOf(event.holder) }]
    case 'lock.taken_over':
      return [{ type: 'lock', state: 'taken_over', because: event.because, holder: holderOf(event.holder) }]
    case 'journal.recovered':
      return [{ type: event.type, cut_bytes: event.cutBytes }]
    case 'manifest.damaged':
      return [{ type: event.type, path: event.path }]
    case 'results.unknown':
      return [{ type: event.type, path: event.path, scenarios: event.scenarios }]
    case 'journal.pending':
      return [{ type: event.type, uploads: event.uploads, generations: event.generations }]
    case 'plan':
      return [{ type: event.type, ...planCounts(event.plan) }]
    case 'diagnostics':
      return event.diagnostics.map(({ severity, code, summary, range }) => ({
        type: 'diagnostic',
        severity,
        code,
        summary,
        file: range?.filename ?? null,
        line: range?.start.line ?? null,
        column: range?.start.column ?? null,
      }))
    case 'dataset.hashing':
      return [{ type: event.type, dataset: event.dataset, total_bytes: event.totalBytes }]
    case 'dataset.hashed':
      return [{ type: event.type, dataset: event.dataset, total_bytes: event.totalBytes, sha256: event.sha256 }]
    case 'dataset.uploading': {
      const { dataset, sentBytes, totalBytes } = event
      return [{ type: event.type, dataset, sent_bytes: sentBytes, total_bytes: totalBytes }]
    }
    case 'dataset.training':
      return [{ type: event.type, dataset: event.dataset, progress: event.progress, stage: event.stage }]
    case 'dataset.ready':
      return [
        {
          type: event.type,
          dataset: event.dataset,
          dataset_id: event.datasetId,
          reused: event.reused,
          expires_at: event.expiresAt,
          clean_rows: event.cleanRows,
          clean_columns: event.cleanColumns,
        },
      ]
    case 'dataset.expired':
      return [{ type: event.type, dataset: event.dataset, dataset_id: event.datasetId }]
    case 'dataset.retyped':
      return [{ type: event.type, dataset: event.dataset, types: event.types }]
    case 'dataset.failed':
      return [{ type: event.type, dataset: event.dataset, error: errorOf(event.error) }]
    case 'scenario.submitted':
      return [
        {
          type: event.type,
          scenario: event.scenario,
          rows: event.rows,
          idempotency_key: event.key,
          generation_id: event.generationId,
          job_id: event.jobId,
          request_id: event.requestId,
          replayed: event.replayed,
        },
      ]
    case 'scenario.polling':
      return [{ type: event.type, scenario: event.scenario, progress: event.progress, stage: event.stage }]
    case 'scenario.downloading':
      return [{ type: event.type, scenario: event.scenario, received_bytes: event.receivedBytes }]
    case 'scenario.downloaded': {
      const { type, scenario, path, bytes, sha256 } = event
      return [{ type, scenario, path, bytes, sha256 }]
    }
    case 'scenario.bumped':
      return [{ type: event.type, scenario: event.scenario, from_epoch: event.fromEpoch, epoch: event.epoch }]
    case 'scenario.expired':
      return [{ type: event.type, scenario: event.scenario, generation_id: event.generationId }]
    case 'scenario.ready':
    case 'scenario.partial': {
      const { requested, counted } = event.result.rows
      return [{ type: event.type, scenario: event.scenario, how: event.how, rows_requested: requested, rows: counted }]
    }
    case 'scenario.failed':
      return [{ type: event.type, scenario: event.scenario, error: errorOf(event.error) }]
    case 'scenario.not_started':
    case 'scenario.interrupted':
      return [{ type: event.type, scenario: event.scenario, reason: event.reason }]
    case 'retry': {
      const { type, subject, attempt, delayMs, reason, requestId } = event
      return [{ type, subject, attempt, delay_ms: delayMs, reason, request_id: requestId }]
    }
    case 'status.unknown':
      return [{ type: event.type, subject: event.subject, status: event.status }]
    case 'gate':
      return [{ type: event.type, [event.of]: event.id, ...gateOf(event.gate) }]
    case 'breaker.opened':
      return [{ type: event.type, reason: event.reason }]
    case 'manifest.written':
      return [{ type: event.type, final: event.final }]
    case 'run.finished': {
      const { type, exitCode, reason, digest, totals } = event
      return [{ type, exit_code: exitCode, reason, manifest_digest: digest, totals: totals && totalsOf(totals) }]
    }
    default:
      return event satisfies never
  }
}

const holderOf = (holder: { readonly pid: number; readonly runId: string; readonly startedAt: string }) => ({
  pid: holder.pid,
  run: holder.runId,
  started_at: holder.startedAt,
})

/** Without `message`, which can name the service's host. */
const errorOf = ({ code, detail, requestId, jobId, generationId, datasetId }: RunFault) => ({
  code,
  detail,
  request_id: requestId,
  job_id: jobId,
  generation_id: generationId,
  dataset_id: datasetId,
})

const gateOf = ({ id, level, evaluated, passed, expected, actual, interval, reason }: GateResult) => ({
  gate: id,
  level,
  evaluated,
  passed,
  expected,
  actual,
  ...(interval === undefined ? {} : { interval }),
  ...(reason === undefined ? {} : { reason }),
})

const planCounts = ({ totals }: Plan) => ({
  upload: totals.upload,
  generate: totals.generate,
  download: totals.download,
  resume: totals.resume,
  copy: totals.copy,
  reuse: totals.reuse,
  failed: totals.failed,
  rows_bound: totals.rowsBound,
})

/** A copy: fields that the manifest gains within its version are not promised here. */
const totalsOf = (totals: Manifest['totals']) => ({
  scenarios: totals.scenarios,
  ready: totals.ready,
  partial: totals.partial,
  failed: totals.failed,
  refused: totals.refused,
  not_started: totals.not_started,
  interrupted: totals.interrupted,
  rows_requested: totals.rows_requested,
  rows_generated: totals.rows_generated,
})
