import type { GenerationRecord } from '../../records/state/generations.ts'
import { canonicalBody, sentBody } from '../../study/hashing/canonical-body.ts'
import { bodyFingerprint } from '../../study/hashing/fingerprint.ts'
import { generationKeyHash, requestKey, scopeAt } from '../../study/hashing/request-key.ts'
import type { Scenario } from '../../study/study.ts'
import { conditionNotes } from './condition-notes.ts'
import { describeChanges } from './describe-changes.ts'
import type { Action, GenerateReason, PlannedError, ScenarioPlan } from './plan.ts'
import type { DatasetStanding } from './plan-datasets.ts'
import type { PlanInput } from './plan-input.ts'
import type { StateIndex } from './state-index.ts'
import { endOfLife } from './study-state.ts'

/** The input for planning the scenarios of one dataset, before duplicates are found. */
export interface ScenarioContext {
  readonly input: PlanInput
  readonly index: StateIndex
  readonly standing: DatasetStanding | undefined
  /** Ids of scenarios that `--force` names. */
  readonly forced: ReadonlySet<string>
  /** Paths of files on disk by the SHA-256 of their bytes. */
  readonly filesBySha: ReadonlyMap<string, readonly string[]>
  /** Scenario names of the study. */
  readonly names: ReadonlySet<string>
}

/** The plan of a selected scenario. */
export function planScenario(scenario: Scenario, context: ScenarioContext): ScenarioPlan {
  const { input } = context
  const need = needOf(scenario, context)
  // Field by field: spreading a common part is slow enough to show in a plan of 10,000 scenarios.
  return {
    id: scenario.id,
    dataset: scenario.dataset,
    selected: true,
    rows: scenario.rows,
    format: scenario.format,
    fingerprint: need.fingerprint,
    body: need.body,
    key: need.key,
    datasetId: need.datasetId,
    path: input.pathOf(scenario),
    action: need.action,
    rowsBound: need.rowsBound,
    notes: [
      ...(scenario.margins ? [`margins of ${scenario.margins.file}`] : []),
      ...conditionNotes(scenario.conditions, input.schemas?.get(scenario.dataset), need.body),
    ],
  }
}

type Need = Pick<ScenarioPlan, 'fingerprint' | 'body' | 'key' | 'datasetId' | 'action' | 'rowsBound'>

/** Section 6.2 of the language: each of its lines is one branch here. */
function needOf(scenario: Scenario, context: ScenarioContext): Need {
  const { input, standing } = context
  const drawn = scenario.seed === 'random' ? input.state.seeds.get(scenario.id) : undefined
  const body = scenario.seed === 'random' && drawn === undefined ? null : canonicalBody(scenario, drawn)
  const datasetPrint = standing?.fingerprint ?? null
  if (standing !== undefined && standing.failed !== null && (body === null || datasetPrint === null)) {
    const action = datasetFailed(scenario.dataset, standing.failed)
    return { fingerprint: null, body, key: null, datasetId: null, action, rowsBound: 0 }
  }
  if (body === null || datasetPrint === null) {
    const reason: GenerateReason = body === null ? { kind: 'random_seed' } : { kind: 'new' }
    const action: Action = { kind: 'generate', reason, epoch: 0 }
    const datasetId = standing?.datasetId ?? null
    return { fingerprint: null, body, key: null, datasetId, action, rowsBound: scenario.rows }
  }
  // Open ends are part of the fingerprint as such: the schema that closes them is made from the same data.
  const fingerprint = bodyFingerprint(datasetPrint, body)
  const sent = sentBody(scenario, standing?.record?.schema ?? null, drawn)
  const target = generationTarget(sent, context)
  const { action, record } = decide(scenario, fingerprint, sent ?? body, target, context)
  const submits = action.kind === 'generate' || action.kind === 'regenerate'
  // A prepared request may never have arrived, so sending it again can be the purchase.
  const resends = action.kind === 'resume' && action.from === 'prepared'
  return {
    fingerprint,
    body: sent ?? body,
    key: submits ? target.keyAt(action.epoch) : (record?.key ?? null),
    datasetId: submits ? target.datasetId : (record?.datasetId ?? null),
    action,
    rowsBound: submits || resends ? scenario.rows : 0,
  }
}

interface Target {
  /** Null while the dataset is still to be uploaded. */
  readonly datasetId: string | null
  /** Newest work under the hash that a request would have now. */
  readonly current: GenerationRecord | undefined
  keyAt(epoch: number): string | null
}

/** `body`: as it is sent; null while an open end of a range is unknown. */
function generationTarget(body: string | null, context: ScenarioContext): Target {
  const datasetId = context.standing?.datasetId ?? null
  if (datasetId === null || body === null) return { datasetId, current: undefined, keyAt: () => null }
  const hash = generationKeyHash({ datasetId, body })
  return {
    datasetId,
    current: context.index.generation(hash),
    keyAt: (epoch) => requestKey('gen', hash, scopeAt(context.input.options.scope, epoch)),
  }
}

interface Decision {
  readonly action: Action
  /** The earlier work that the action is about. */
  readonly record: GenerationRecord | null
}

function decide(
  scenario: Scenario,
  fingerprint: string,
  body: string,
  target: Target,
  context: ScenarioContext,
): Decision {
  const { input, index, standing, forced } = context
  const generate = (reason: GenerateReason, epoch = nextEpoch(target.current)): Decision => {
    if (standing?.failed) return { action: datasetFailed(scenario.dataset, standing.failed), record: null }
    return { action: { kind: 'generate', reason, epoch }, record: null }
  }
  if (standing?.forcedNow) return generate({ kind: 'dataset_forced' })
  let record = index.newest(fingerprint)
  if (record !== undefined && standing?.pinned && record.datasetId !== standing.datasetId) record = undefined
  if (record === undefined) {
    if (standing?.pinned) return generate({ kind: 'dataset_forced' })
    return generate(
      whyNew(scenario, body, context),
      isSameWork(target.current, context) ? target.current.epoch : undefined,
    )
  }
  const pending = record.status === 'prepared' || record.status === 'processing'
  if (forced.has(scenario.id) && !pending && !input.state.forced.has(record.key)) return generate({ kind: 'forced' })
  switch (record.status) {
    case 'prepared':
    case 'processing':
      return { action: { kind: 'resume', from: record.status }, record }
    case 'ready':
    case 'partial':
      return done(record, scenario, target, context)
    case 'refused': {
      const error = record.error ?? { code: 'refused', detail: 'refused by the service in an earlier run' }
      return generate({ kind: 'refused_before', error })
    }
    case 'failed': {
      if (input.options.retryFailed) return generate({ kind: 'retry' })
      const error = record.error ?? { code: 'failed', detail: 'failed at the service in an earlier run' }
      return { action: { kind: 'failed', error }, record }
    }
    case 'gone':
      return expired(record, true, scenario, target, context)
  }
}

function done(record: GenerationRecord, scenario: Scenario, target: Target, context: ScenarioContext): Decision {
  const { input } = context
  const path = input.pathOf(scenario)
  const sha256 = record.artifact?.sha256
  const onDisk = input.files.get(path)
  if (sha256 !== undefined) {
    const places = context.filesBySha.get(sha256) ?? []
    if (onDisk === sha256 || places.length > 0) {
      const from = onDisk === sha256 ? null : places[0]!
      return { action: { kind: 'reuse', renamedFrom: oldName(record, scenario, context), from }, record }
    }
  }
  const end = endOfLife(record)
  if (end !== null && end <= input.now && !input.alive?.has(record.key)) {
    return expired(record, false, scenario, target, context)
  }
  if (sha256 === undefined) return { action: { kind: 'resume', from: 'done' }, record }
  const mayReplace = onDisk === undefined || input.options.overwrite || context.index.artifacts.has(onDisk)
  const because = onDisk === undefined ? 'missing' : mayReplace ? 'different' : 'edited'
  return {
    action: { kind: 'download', because, aliveUntil: end === null ? null : new Date(end).toISOString() },
    record,
  }
}

/** The name that this work had in the last run, when the study no longer has a scenario of that name. */
function oldName(record: GenerationRecord, scenario: Scenario, context: ScenarioContext): string | null {
  const own = context.input.state.scenarios.get(scenario.id)
  if (own !== undefined && own.fingerprint === record.fingerprint) return null
  return context.index.namesOf(record.fingerprint).find((name) => !context.names.has(name)) ?? null
}

function expired(
  record: GenerationRecord,
  certain: boolean,
  scenario: Scenario,
  target: Target,
  context: ScenarioContext,
): Decision {
  const failed = context.standing?.failed
  if (failed) return { action: datasetFailed(scenario.dataset, failed), record: null }
  const end = endOfLife(record)
  // A record that is only probably gone still blocks its own epoch.
  const sameHash = target.current !== undefined && target.current.key === record.key
  return {
    action: {
      kind: 'regenerate',
      certain,
      expiredAt: end === null ? null : new Date(end).toISOString(),
      fromEpoch: sameHash ? record.epoch : null,
      epoch: nextEpoch(target.current),
    },
    record,
  }
}

/** Epoch of a request for new work; work that was never accepted keeps its key. */
function nextEpoch(current: GenerationRecord | undefined): number {
  if (current === undefined) return 0
  return current.status === 'refused' || current.status === 'prepared' ? current.epoch : current.epoch + 1
}

/**
 * The same model, now named by its id and not by its seed file, or the reverse; or a range whose open end is now written
 * out, or the reverse: a request of the same bytes under its old key is answered with the work that was bought then.
 */
function isSameWork(current: GenerationRecord | undefined, { standing }: ScenarioContext): current is GenerationRecord {
  if (current === undefined || !['processing', 'ready', 'partial'].includes(current.status)) return false
  if (standing?.inputs == null) return false
  return standing.inputs.kind !== current.datasetInputs.kind || standing.fingerprint === current.datasetFingerprint
}

function whyNew(scenario: Scenario, body: string, context: ScenarioContext): GenerateReason {
  if (scenario.seed === 'random') return { kind: 'random_seed' }
  const before = context.input.state.scenarios.get(scenario.id)
  const work = before === undefined ? undefined : context.input.state.generations.get(before.key)
  const inputs = context.standing?.inputs ?? null
  if (work === undefined || inputs === null) return { kind: 'new' }
  const changes = describeChanges(
    { body: work.body, dataset: work.dataset, inputs: work.datasetInputs },
    { body, dataset: scenario.dataset, inputs },
    scenario.conditions,
  )
  // Same inputs, other scope: new work under a known name.
  return changes.length === 0 ? { kind: 'new' } : { kind: 'changed', changes }
}

function datasetFailed(dataset: string, error: PlannedError): Action {
  return { kind: 'failed', error: { code: error.code, detail: `dataset ${dataset}: ${error.detail}` } }
}
