import type { Action, Plan } from './plan.ts'

/** A plan as a JSON document, as `plan --json` prints it. Holds no secret and no absolute path. */
export function planJson(plan: Plan): object {
  const { rowsBound, ...counts } = plan.totals
  return {
    plan_version: 1,
    study: { name: plan.study.name, digest: plan.study.digest },
    service: plan.service === 'embedded' ? 'embedded' : 'remote',
    scope: plan.scope,
    state_serial: plan.stateSerial,
    datasets: Object.fromEntries(
      plan.datasets.map((d) => [
        d.id,
        {
          source: d.source,
          fingerprint: d.fingerprint,
          schema_sha256: d.schemaSha256,
          dataset_id: d.datasetId,
          trained_at: d.trainedAt,
          expires_at: d.expiresAt,
          action: d.action,
        },
      ]),
    ),
    scenarios: Object.fromEntries(
      plan.scenarios.map((s) => [
        s.id,
        {
          dataset: s.dataset,
          selected: s.selected,
          rows: s.rows,
          format: s.format,
          fingerprint: s.fingerprint,
          idempotency_key: s.key,
          dataset_id: s.datasetId,
          ...actionJson(s.action),
          rows_bound: s.rowsBound,
          notes: s.notes,
        },
      ]),
    ),
    totals: { ...counts, rows_bound: rowsBound },
    budget: {
      rows_per_run: plan.budget.rowsPerRun,
      violations: plan.budget.violations,
    },
    conflicts: plan.conflicts,
    unknown_results: plan.unknownResults,
  }
}

function actionJson(action: Action): { action: string; reason: object | null } {
  switch (action.kind) {
    case 'generate':
      return { action: 'generate', reason: { ...action.reason, epoch: action.epoch } }
    case 'regenerate':
      return {
        action: 'regenerate',
        reason: {
          kind: action.certain ? 'expired' : 'probably_expired',
          expired_at: action.expiredAt,
          from_epoch: action.fromEpoch,
          epoch: action.epoch,
        },
      }
    case 'resume':
      return { action: 'resume', reason: { kind: action.from } }
    case 'download':
      return { action: 'download', reason: { kind: action.because, alive_until: action.aliveUntil } }
    case 'copy':
      return { action: 'copy', reason: { kind: 'duplicate', of: action.of } }
    case 'reuse': {
      const kind = action.renamedFrom === null ? 'up_to_date' : 'renamed'
      return { action: 'reuse', reason: { kind, renamed_from: action.renamedFrom, from: action.from } }
    }
    case 'failed':
      return { action: 'failed', reason: { kind: 'failed_before', error: action.error } }
    case 'skip':
      return { action: 'skip', reason: { kind: 'not_selected', up_to_date: action.upToDate } }
  }
}
