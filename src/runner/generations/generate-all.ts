import type { DatasetInputs } from '../../records/state/generations.ts'
import { artifactPath } from '../files/project-paths.ts'
import { DATASET_GONE, type ScenarioPlan } from '../plan/plan.ts'
import { fileInputs } from '../plan/plan-datasets.ts'
import { announce } from '../session/end-scenario.ts'
import { generates, type PlannedRun } from '../session/plan-run.ts'
import { exportResult } from './export-results.ts'
import type { GenerationRequest } from './generation-record.ts'
import { inParallel, inParallelHere } from './in-parallel.ts'
import { finishDone } from './scenario-results.ts'
import { adoptArtifact, fetchFinished, refreshMeasurement } from './store-artifact.ts'
import { DATASET_IS_GONE, generate, prepareRequest, withdrawUnsent } from './submit-generation.ts'

/**
 * Carries out the rest of a plan: up-to-date scenarios are taken as they are, the others are generated, and duplicates
 * are copied once their original is done. `isDatasetGone`: a dataset is gone, so the run has to plan again.
 */
export async function generateAll(run: PlannedRun): Promise<{ readonly isDatasetGone: boolean }> {
  const { plan } = run
  let isDatasetGone = false
  const open = plan.scenarios.filter((s) => !run.progress.ends.has(s.id))
  const local = open.filter((s) => s.action.kind === 'reuse' || s.action.kind === 'failed')
  await inParallelHere(run, local, (s) => takeLocal(run, s))
  // Scenarios that were not selected may still be the other side of comparisons, by columns that were not counted then.
  const kept = open.filter((s) => s.action.kind === 'skip' && s.action.upToDate && s.key !== null)
  await inParallelHere(run, kept, (s) => refreshMeasurement(run, run.scenarios.get(s.id)!, s.key!))
  const submit = async (s: ScenarioPlan) => {
    const prepared = await prepareRequest(run, requestOf(run, s))
    return async () => {
      const finished = await generate(run, prepared)
      if (finished !== DATASET_IS_GONE) return fetchFinished(run, prepared.request.scenario, finished, 'generated')
      isDatasetGone = true
      run.progress.running.delete(s.id)
      await forgetDataset(run, prepared.request.datasetId)
      return null
    }
  }
  try {
    await inParallel(run, open.filter(generates), submit)
  } catch (error) {
    // If the journal failed, the record stays: the same key sent later is the same request.
    await withdrawUnsent(run).catch(() => {})
    throw error
  }
  await withdrawUnsent(run)
  if (isDatasetGone) return { isDatasetGone }
  const copies = open.filter((s) => s.action.kind === 'copy')
  await inParallelHere(run, copies, (s) => copyTwin(run, s))
  return { isDatasetGone }
}

async function takeLocal(run: PlannedRun, plan: ScenarioPlan): Promise<void> {
  const scenario = run.scenarios.get(plan.id)!
  const { action } = plan
  if (action.kind === 'failed') {
    const { code, detail } = action.error
    const ids = { requestId: null, jobId: null, generationId: null, datasetId: plan.datasetId }
    const isDead = code === DATASET_GONE
    const message = isDead ? detail : `${detail} (failed in an earlier run; --retry-failed tries again)`
    const cause = isDead ? 'does_not_fit_data' : 'failed'
    announce(run, plan.id, {
      kind: 'failed',
      status: 'failed',
      fault: { code, detail, message, ...ids },
      cause,
      key: plan.key,
    })
  } else if (action.kind === 'reuse' && plan.key !== null) {
    if (action.from !== null) {
      const how = action.renamedFrom === null ? 'copy' : 'move'
      await adoptArtifact(run, scenario, plan.key, action.from, how)
    }
    await refreshMeasurement(run, scenario, plan.key)
    await exportResult(run, scenario, plan.key)
    finishDone(run, plan.id, plan.key, 'reused')
  }
}

function requestOf(run: PlannedRun, plan: ScenarioPlan): GenerationRequest {
  const dataset = run.plan.datasets.find((d) => d.id === plan.dataset)
  const { fingerprint, body, datasetId, action } = plan
  const isReady = dataset?.fingerprint != null && fingerprint !== null && body !== null && datasetId !== null
  if (!isReady || (action.kind !== 'generate' && action.kind !== 'regenerate')) {
    throw new RangeError(`scenario ${plan.id} is not ready to be generated`)
  }
  const reason = action.kind === 'generate' ? action.reason.kind : 'expired'
  return {
    scenario: run.scenarios.get(plan.id)!,
    fingerprint,
    datasetFingerprint: dataset.fingerprint!,
    datasetInputs: inputsOf(run, plan.dataset),
    datasetId,
    body,
    epoch: action.epoch,
    forced: reason === 'forced' || reason === 'dataset_forced',
  }
}

function inputsOf(run: PlannedRun, name: string): DatasetInputs {
  const source = run.study.datasets.get(name)
  if (source?.kind === 'file') {
    return fileInputs(source, run.seedFiles.get(name) ?? { sha256: '' })
  }
  const datasetId = source?.datasetId ?? ''
  return { kind: 'existing', datasetId, schemaSha256: run.store.state.existing.get(datasetId)?.schemaSha256 ?? '' }
}

async function forgetDataset(run: PlannedRun, datasetId: string): Promise<void> {
  if (!run.known.alive.delete(datasetId)) return
  for (const record of run.store.state.uploads.values()) {
    if (record.datasetId !== datasetId) continue
    await run.store.record({ kind: 'upload', id: record.key, set: { status: 'gone' } })
    run.emit({ type: 'dataset.expired', dataset: record.dataset, datasetId })
  }
}

/** A scenario with the same request as another: its artifact is a copy, its failure the same. */
async function copyTwin(run: PlannedRun, plan: ScenarioPlan): Promise<void> {
  if (plan.action.kind !== 'copy') return
  const twin = run.progress.ends.get(plan.action.of)
  if (twin === undefined) throw new RangeError(`scenario ${plan.action.of} has not ended`)
  if (twin.kind !== 'done') {
    announce(run, plan.id, twin)
    return
  }
  const scenario = run.scenarios.get(plan.id)!
  const from = artifactPath(run.places, run.scenarios.get(plan.action.of)!)
  await adoptArtifact(run, scenario, twin.key, from, 'copy')
  await refreshMeasurement(run, scenario, twin.key)
  await exportResult(run, scenario, twin.key)
  finishDone(run, plan.id, twin.key, 'copied')
}
