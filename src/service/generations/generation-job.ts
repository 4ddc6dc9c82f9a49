import { Buffer } from 'node:buffer'
import { rm } from 'node:fs/promises'
import type { Evidence, TargetResult } from '../../contract/generations.ts'
import { MAX_TARGETS_BYTES } from '../../contract/limits.ts'
import { rowDensityNote } from '../../contract/row-density.ts'
import type { Feasibility } from '../../engine/scenario/scenario.ts'
import type { ServiceContext } from '../context/context.ts'
import { ENGINE_VERSION, modelIdentity } from '../datasets/model-identity.ts'
import { JobFailedError } from '../jobs/processes/job-failed-error.ts'
import { type AttemptControl, superseded } from '../jobs/run-attempt.ts'
import type { WorkPlace } from '../jobs/work-place.ts'
import { disclosureTask } from '../keys/disclosure-task.ts'
import { readPlan } from '../records/generation-parts.ts'
import {
  type CheckedConditions,
  type FinishedGeneration,
  type GenerationWork,
  readGenerationOfJob,
} from '../records/generation-records.ts'
import type { JobRow } from '../records/job-records.ts'
import { readLeftToStore } from '../records/tenant-limits.ts'
import type { ArtifactLimits } from './artifact-room.ts'
import { withCachedModel } from './cached-models.ts'
import type { Findings, GenerateResult, GenerateTask } from './generate-worker.ts'
import { joinParts, recordPlan, waitForOthers, withPart } from './part-jobs.ts'
import { type GenerationAttempt, recordArtifact } from './record-artifact.ts'
import { shortfallOf } from './shortfall-record.ts'

/**
 * Generates an artifact as a whole, or plans its parts, makes one of them, or joins them: see `part-jobs.ts`.
 */
export async function runGeneration(
  context: ServiceContext,
  place: WorkPlace<GenerateTask, GenerateResult>,
  attempt: JobRow,
  { signal, onProgress }: AttemptControl,
): Promise<void> {
  const { db, blobs, settings } = context
  const row = attempt.generation_id === null ? null : await readGenerationOfJob(db, attempt.generation_id)
  if (row === null || row.model_blob === null) throw superseded()
  const work = { attempt, row, signal }
  const left = await readLeftToStore(db, row.tenant_id, settings)
  const limits = { artifactBytes: left.limits.artifactBytes, stored: left.stored }
  const plan = attempt.part_of === null ? await readPlan(db, row.generation_id) : null
  if (plan !== null) return await joinParts(context, work, plan, limits, onProgress)
  if (attempt.part_of === null) await waitForOthers(context, work)
  const artifactPath = blobs.scratchPath()
  const make = async (what: GenerateTask['work']) =>
    await runTask(
      context,
      place,
      { ...work, modelBlob: row.model_blob as string, onProgress },
      limits,
      artifactPath,
      what,
    )
  try {
    if (attempt.part_of !== null) {
      await withPart(context, work, async ({ task, record }) => {
        const result = await make(task)
        if (result.made === 'piece') await record(result, artifactPath)
      })
      return
    }
    const result = await make({ splitRows: settings.splitRows })
    if (result.made === 'piece') throw new TypeError('A piece was made where a whole was asked for.')
    const findings = findingsOf(context, row, result)
    if (result.made === 'plan') {
      const { layout, columnCount } = result
      return await recordPlan(context, work, { findings, layout, columnCount }, artifactPath)
    }
    await recordArtifact(context, work, findings, async (key) => await blobs.adopt(key, artifactPath))
  } finally {
    await rm(artifactPath, { force: true })
  }
}

async function runTask(
  context: ServiceContext,
  place: WorkPlace<GenerateTask, GenerateResult>,
  {
    attempt,
    row,
    modelBlob,
    signal,
    onProgress,
  }: GenerationAttempt & Pick<AttemptControl, 'onProgress'> & { readonly modelBlob: string },
  limits: ArtifactLimits,
  artifactPath: string,
  work: GenerateTask['work'],
): Promise<GenerateResult> {
  const { blobs, keys, settings } = context
  const dataset = { datasetId: attempt.dataset_id, modelBlob }
  return await withCachedModel(
    context,
    attempt,
    dataset,
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
          limits,
          work,
        }
        return await place.run(task, { signal, onProgress, affinity: modelBlob })
      }),
  )
}

/**
 * What the record of a generation says, except about its artifact. All of it follows from how the scenario was settled.
 *
 * @throws JobFailedError for a scenario without rows.
 */
function findingsOf(
  { settings, keys }: ServiceContext,
  row: GenerationWork,
  { feasibility, targetCounts, roundingDeviation, seedRows, modelSha256 }: Findings,
): Omit<FinishedGeneration, 'artifact'> {
  const evidence = evidenceOf(feasibility, roundingDeviation, seedRows)
  const shortfall = shortfallOf(feasibility)
  if (feasibility.rows === 0) {
    const detail = shortfall?.detail ?? 'No row can satisfy the whole scenario.'
    throw new JobFailedError('svc_infeasible_scenario', detail, { findings: { shortfall, evidence } })
  }
  return {
    rowsGenerated: feasibility.rows,
    targets: targetResults(row.conditions, targetCounts, feasibility.rows),
    shortfall,
    evidence,
    modelId: modelIdentity(modelSha256, settings, keys.rowKeys),
    engineVersion: ENGINE_VERSION,
  }
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
