import { Buffer } from 'node:buffer'
import { rm } from 'node:fs/promises'
import { sizeText } from '../../base/text/amount-text.ts'
import type { Evidence, TargetResult } from '../../contract/generations.ts'
import { MAX_TARGETS_BYTES } from '../../contract/limits.ts'
import { rowDensityNote } from '../../contract/row-density.ts'
import type { Feasibility } from '../../engine/scenario/scenario.ts'
import type { ServiceContext } from '../context/context.ts'
import { ENGINE_VERSION, modelIdentity } from '../datasets/model-identity.ts'
import { recordThroughOutages } from '../jobs/outages.ts'
import { JobFailedError } from '../jobs/processes/job-failed-error.ts'
import { type AttemptControl, superseded } from '../jobs/run-attempt.ts'
import type { WorkPlace } from '../jobs/work-place.ts'
import { disclosureTask } from '../keys/disclosure-task.ts'
import { type CheckedConditions, markFinished, readGenerationOfJob } from '../records/generation-records.ts'
import { endAttempt, type JobRow } from '../records/job-records.ts'
import { keepBlob, markPending, orphanPending } from '../records/orphaned-blobs.ts'
import { leftText, readLeftToStore } from '../records/tenant-limits.ts'
import type { Settings } from '../settings/settings.ts'
import type { Queryable } from '../store/database.ts'
import { withCachedModel } from './cached-models.ts'
import type { GenerateResult, GenerateTask } from './generate-worker.ts'
import { shortfallOf } from './shortfall-record.ts'

/**
 * Generates an artifact. It stores the blob first. Then one transaction records the artifact, the ledger entry and the
 * job's end. However often the work is interrupted and restarted, the rows are billed once.
 */
export async function runGeneration(
  context: ServiceContext,
  place: WorkPlace<GenerateTask, GenerateResult>,
  attempt: JobRow,
  { signal, onProgress }: AttemptControl,
): Promise<void> {
  const { db, blobs, keys, settings, now } = context
  const row = attempt.generation_id === null ? null : await readGenerationOfJob(db, attempt.generation_id)
  if (row === null || row.model_blob === null) throw superseded()
  const modelBlob = row.model_blob
  const { limits, stored } = await readLeftToStore(db, row.tenant_id, settings)
  const artifactPath = blobs.scratchPath()
  const artifactBlob = `artifacts/${row.generation_id}.${attempt.attempts}`
  try {
    const { feasibility, targetCounts, roundingDeviation, seedRows, modelSha256 } = await withCachedModel(
      context,
      attempt,
      { datasetId: attempt.dataset_id, modelBlob },
      row.conditions,
      async (cachedModelFiles) =>
        await blobs.withLocalFile(modelBlob, async (modelPath) => {
          const task: GenerateTask = {
            modelBlob,
            modelPath,
            cachedModelFiles,
            artifactPath,
            tempDir: blobs.scratchPath(),
            outputFormat: row.output_format,
            rowCount: row.row_count,
            seed: row.seed,
            conditions: row.conditions,
            evidenceCap: settings.evidenceCap,
            disclosure: disclosureTask(settings, keys.rowKeys),
            threads: place.threads,
            limits: { artifactBytes: limits.artifactBytes, stored },
          }
          return await place.run(task, { signal, onProgress, affinity: modelBlob })
        }),
    )
    const evidence = evidenceOf(feasibility, roundingDeviation, seedRows)
    const shortfall = shortfallOf(feasibility)
    if (feasibility.rows === 0) {
      const detail = shortfall?.detail ?? 'No row can satisfy the whole scenario.'
      throw new JobFailedError('svc_infeasible_scenario', detail, { findings: { shortfall, evidence } })
    }
    await markPending(db, artifactBlob, now())
    const artifact = await blobs.adopt(artifactBlob, artifactPath)
    const recording = recordThroughOutages(context, signal, async (tx) => {
      const nowMs = now()
      await requireLeft(tx, row.tenant_id, settings, artifact.bytes)
      if (!(await endAttempt(tx, attempt, { status: 'completed', error: null, nowMs }))) throw superseded()
      const isRecorded = await markFinished(
        tx,
        row,
        {
          rowsGenerated: feasibility.rows,
          targets: targetResults(row.conditions, targetCounts, feasibility.rows),
          shortfall,
          evidence,
          artifact: { blob: artifactBlob, ...artifact },
          modelId: modelIdentity(modelSha256, settings, keys.rowKeys),
          engineVersion: ENGINE_VERSION,
        },
        nowMs,
      )
      if (!isRecorded) throw superseded()
      await keepBlob(tx, artifactBlob)
    })
    await recording.catch(async (error: unknown) => {
      // It will not be recorded, so its bytes can be removed at once.
      if (error instanceof JobFailedError) await orphanPending(db, artifactBlob, now())
      throw error
    })
    context.events?.emit({ type: 'rows.billed', jobId: attempt.job_id, rows: feasibility.rows })
  } finally {
    await rm(artifactPath, { force: true })
  }
}

/**
 * Refuses an artifact that would exceed the limit together with everything that the tenant has stored since it began.
 */
async function requireLeft(tx: Queryable, tenantId: string, settings: Settings, bytes: number): Promise<void> {
  const { stored } = await readLeftToStore(tx, tenantId, settings, { lock: true })
  if (stored === null || bytes <= stored.leftBytes) return
  throw new JobFailedError('svc_quota_exceeded', `The artifact takes ${sizeText(bytes)}; ${leftText(stored)}.`)
}

function evidenceOf(feasibility: Feasibility, roundingDeviation: number, seedRows: number): Evidence {
  const { evidenceCap } = feasibility
  const note = rowDensityNote(feasibility.rows, seedRows)
  return {
    effective_rows: finite(feasibility.effectiveRows),
    largest_tilt: finite(feasibility.largestTilt),
    in_range_share: finite(feasibility.inRangeShare),
    fill: feasibility.fill,
    cap: {
      natural_share_factor: evidenceCap.naturalShareFactor,
      rows_per_seed_row: evidenceCap.rowsPerSeedRow,
    },
    ...(feasibility.exact && { exact: true }),
    low_support: feasibility.lowSupport,
    converged: feasibility.converged,
    margin_deviation: roundingDeviation,
    sampled_share: feasibility.sampledShare,
    ...(note !== null && { note }),
  }
}

/** JSON has no infinities. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.MAX_VALUE
}

/**
 * Target and achieved shares, as many as fit. Each repeats its column's name, so without the limit a request of 1 MB
 * could have a record of 20 MB.
 */
export function targetResults(
  conditions: CheckedConditions,
  counts: ReadonlyMap<string, ReadonlyMap<string, number>>,
  rows: number,
): TargetResult[] {
  const results: TargetResult[] = []
  let bytes = 0
  for (const { column, levels } of conditions.shares) {
    for (const [level, target] of levels) {
      const count = counts.get(column)?.get(level) ?? 0
      const result = { column, level, target, achieved: count / rows, count }
      bytes += Buffer.byteLength(JSON.stringify(result)) + 1
      if (bytes > MAX_TARGETS_BYTES) return results
      results.push(result)
    }
  }
  return results
}
