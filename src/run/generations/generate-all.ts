import { DATASET_GONE, type DatasetPlan, type Plan, type ScenarioPlan } from '../../plan/plan.ts'
import type { DatasetInputs } from '../../plan/study-state.ts'
import { uploadAndTrain } from '../datasets/make-datasets.ts'
import { artifactPath } from '../files/project-paths.ts'
import { announce, endWithError } from '../session/end-scenario.ts'
import type { RunContext } from '../session/run-context.ts'
import { fetchFinished } from './fetch-finished.ts'
import { inParallel, inParallelHere } from './in-parallel.ts'
import { finishDone } from './scenario-results.ts'
import { adoptArtifact, refreshMeasurement } from './store-artifact.ts'
import { DATASET_IS_GONE, generate, prepareRequest, withdrawUnsent } from './submit-generation.ts'

/** Uploads what the plan says. A dataset that cannot be made ends the scenarios that need it. */
export async function makeDatasets(context: RunContext, plan: Plan): Promise<void> {
  const due = plan.datasets.filter((d) => d.action.kind === 'upload' || d.action.kind === 'resume')
  await Promise.all(
    due.map(async (dataset) => {
      try {
        await makeDataset(context, dataset)
      } catch (error) {
        const needing = plan.scenarios.filter(
          (s) => s.dataset === dataset.id && generates(s) && !context.ends.has(s.id),
        )
        // An error that is about the run and not about the dataset is thrown by the first of them.
        if (needing.length === 0) throw error
        for (const { id } of needing) endWithError(context, id, error)
      }
    }),
  )
}

async function makeDataset(context: RunContext, plan: DatasetPlan): Promise<void> {
  const source = context.study.datasets.get(plan.id)
  if (source?.kind !== 'file') return
  const forced = context.options.forceDatasets.has(plan.id)
  if (plan.action.kind === 'resume') {
    const epoch = context.state.uploads.get(plan.action.key)?.epoch ?? 0
    await uploadAndTrain(context, source, { epoch, forced, resume: true })
  } else if (plan.action.kind === 'upload') {
    await uploadAndTrain(context, source, { epoch: plan.action.epoch, forced, resume: false })
  }
}

export function generates(plan: ScenarioPlan): boolean {
  return plan.action.kind === 'generate' || plan.action.kind === 'regenerate'
}

/**
 * Carries out what is left of a plan: up-to-date scenarios are taken as they are, the rest is generated, duplicates are
 * copied once theirs is there. True when a dataset turned out to be gone, so that the run has to plan again.
 */
export async function generateAll(context: RunContext, plan: Plan): Promise<boolean> {
  let datasetGone = false
  const open = plan.scenarios.filter((s) => !context.ends.has(s.id))
  const local = open.filter((s) => s.action.kind === 'reuse' || s.action.kind === 'failed')
  await inParallelHere(context, local, (s) => takeLocal(context, s))
  // What was not selected may still be what others are compared with, by columns that were not counted then.
  const kept = open.filter((s) => s.action.kind === 'skip' && s.action.upToDate && s.key !== null)
  await inParallelHere(context, kept, (s) => refreshMeasurement(context, context.scenario(s.id), s.key!))
  const orderNew = async (s: ScenarioPlan) => {
    const prepared = await prepareRequest(context, orderOf(context, s, plan))
    return async () => {
      const finished = await generate(context, prepared)
      if (finished !== DATASET_IS_GONE) return fetchFinished(context, prepared.order.scenario, finished, 'generated')
      datasetGone = true
      context.running.delete(s.id)
      await forgetDataset(context, prepared.order.datasetId)
      return null
    }
  }
  try {
    await inParallel(context, open.filter(generates), orderNew)
  } catch (error) {
    // Where the journal is what broke, the record stays: the same key sent later is the same request.
    await withdrawUnsent(context).catch(() => {})
    throw error
  }
  await withdrawUnsent(context)
  if (datasetGone) return true
  const copies = open.filter((s) => s.action.kind === 'copy')
  await inParallelHere(context, copies, (s) => copyTwin(context, s))
  return false
}

async function takeLocal(context: RunContext, plan: ScenarioPlan): Promise<void> {
  const scenario = context.scenario(plan.id)
  const { action } = plan
  if (action.kind === 'failed') {
    const { code, detail } = action.error
    const ids = { requestId: null, jobId: null, generationId: null, datasetId: plan.datasetId }
    const isDead = code === DATASET_GONE
    const message = isDead ? detail : `${detail} (failed in an earlier run; --retry-failed tries again)`
    const cause = isDead ? 'does_not_fit_data' : 'failed'
    announce(context, plan.id, {
      kind: 'failed',
      status: 'failed',
      fault: { code, detail, message, ...ids },
      cause,
      key: plan.key,
    })
  } else if (action.kind === 'reuse' && plan.key !== null) {
    if (action.from !== null) {
      const how = action.renamedFrom === null ? 'copy' : 'move'
      await adoptArtifact(context, scenario, plan.key, action.from, how)
    }
    await refreshMeasurement(context, scenario, plan.key)
    finishDone(context, plan.id, plan.key, 'reused')
  }
}

function orderOf(context: RunContext, plan: ScenarioPlan, whole: Plan) {
  const dataset = whole.datasets.find((d) => d.id === plan.dataset)
  const { fingerprint, body, datasetId, action } = plan
  const isReady = dataset?.fingerprint != null && fingerprint !== null && body !== null && datasetId !== null
  if (!isReady || (action.kind !== 'generate' && action.kind !== 'regenerate')) {
    throw new RangeError(`scenario ${plan.id} is not ready to be generated`)
  }
  const reason = action.kind === 'generate' ? action.reason.kind : 'expired'
  return {
    scenario: context.scenario(plan.id),
    fingerprint,
    datasetFingerprint: dataset.fingerprint!,
    datasetInputs: inputsOf(context, plan.dataset),
    datasetId,
    body,
    epoch: action.epoch,
    forced: reason === 'forced' || reason === 'dataset_forced',
  }
}

function inputsOf(context: RunContext, name: string): DatasetInputs {
  const source = context.study.datasets.get(name)
  if (source?.kind === 'file') {
    const fileSha256 = context.seedFiles.get(name)?.sha256 ?? ''
    return { kind: 'file', fileSha256, autoClean: source.autoClean }
  }
  const datasetId = source?.datasetId ?? ''
  return { kind: 'existing', datasetId, schemaSha256: context.state.existing.get(datasetId)?.schemaSha256 ?? '' }
}

async function forgetDataset(context: RunContext, datasetId: string): Promise<void> {
  if (!context.alive.delete(datasetId)) return
  for (const record of context.state.uploads.values()) {
    if (record.datasetId !== datasetId) continue
    await context.store.record({ kind: 'upload', id: record.key, set: { status: 'gone' } })
    context.emit({ type: 'dataset.expired', dataset: record.dataset, datasetId })
  }
}

/** A scenario with the same request as another: its artifact is a copy, its failure the same. */
async function copyTwin(context: RunContext, plan: ScenarioPlan): Promise<void> {
  if (plan.action.kind !== 'copy') return
  const twin = context.ends.get(plan.action.of)
  if (twin === undefined) throw new RangeError(`scenario ${plan.action.of} has not ended`)
  if (twin.kind !== 'done') {
    announce(context, plan.id, twin)
    return
  }
  const scenario = context.scenario(plan.id)
  const from = artifactPath(context.places, context.scenario(plan.action.of))
  await adoptArtifact(context, scenario, twin.key, from, 'copy')
  await refreshMeasurement(context, scenario, twin.key)
  finishDone(context, plan.id, twin.key, 'copied')
}
