import type { UploadRecord } from '../../records/state/datasets.ts'
import type { GenerationRecord, GenerationStatus } from '../../records/state/generations.ts'
import { canonicalBody } from '../../study/hashing/canonical-body.ts'
import type { Scenario } from '../../study/study.ts'
import type { StudyState } from './study-state.ts'

/**
 * Look-ups over a state that planning needs once per scenario. They are made once per plan, so that 10,000 scenarios
 * cost 10,000 look-ups and not 10,000 scans. Only the records of one scope are visible: other scopes are other work.
 */
export interface StateIndex {
  /** The upload with the highest epoch for this request hash. */
  upload(hash: string): UploadRecord | undefined
  /** The generation with the highest epoch for this request hash. */
  generation(hash: string): GenerationRecord | undefined
  /** The newest work for this scenario fingerprint, from any dataset. */
  newest(fingerprint: string): GenerationRecord | undefined
  /** The newest upload made for a dataset of this name. */
  uploadNamed(dataset: string): UploadRecord | undefined
  /** Scenario names whose stored artifact has this fingerprint. */
  namesOf(fingerprint: string): readonly string[]
  /** SHA-256 of every artifact this study is known to have stored, in any scope. */
  readonly artifacts: ReadonlySet<string>
}

export function indexState(state: StudyState, label: string | null): StateIndex {
  const uploads = new Map<string, UploadRecord>()
  for (const record of state.uploads.values()) if (record.label === label) keepHighestEpoch(uploads, record)
  const generations = new Map<string, GenerationRecord>()
  const artifacts = new Set<string>()
  for (const record of state.generations.values()) {
    if (record.artifact !== null) artifacts.add(record.artifact.sha256)
    if (record.label === label) keepHighestEpoch(generations, record)
  }
  const names = new Map<string, string[]>()
  for (const record of state.scenarios.values()) {
    artifacts.add(record.sha256)
    const known = names.get(record.fingerprint)
    if (known === undefined) names.set(record.fingerprint, [record.scenario])
    else known.push(record.scenario)
  }
  const newest = new Map<string, GenerationRecord>()
  for (const record of generations.values()) {
    const known = newest.get(record.fingerprint)
    if (known === undefined || known.madeAt < record.madeAt) newest.set(record.fingerprint, record)
  }
  return {
    upload: (hash) => uploads.get(hash),
    generation: (hash) => generations.get(hash),
    newest: (fingerprint) => newest.get(fingerprint),
    uploadNamed: lastUploads(state, label),
    namesOf: (fingerprint) => names.get(fingerprint) ?? [],
    artifacts,
  }
}

function keepHighestEpoch<R extends { hash: string; epoch: number }>(records: Map<string, R>, record: R): void {
  const known = records.get(record.hash)
  if (known === undefined || known.epoch < record.epoch) records.set(record.hash, record)
}

/** The scope whose work counts, by its label (null = no `--scope`); absent: all scopes. */
export type ScopeAsked = string | null | undefined

/** The last work of each scenario name. A name without work shares the work of the same request under another name. */
export function lastWork(state: StudyState, label?: ScopeAsked): (scenario: Scenario) => GenerationRecord | undefined {
  const newest = new Map<string, GenerationRecord>()
  const shared = requestsOf(state, label)
  const offer = (scenario: string, record: GenerationRecord): void => {
    if (label !== undefined && record.label !== label) return
    const known = newest.get(scenario)
    if (known === undefined || known.madeAt < record.madeAt) newest.set(scenario, record)
  }
  for (const record of state.generations.values()) offer(record.scenario, record)
  for (const { scenario, key } of state.scenarios.values()) {
    const record = state.generations.get(key)
    if (record !== undefined) offer(scenario, record)
  }
  return (scenario) => newest.get(scenario.id) ?? shared(scenario)
}

/** Requests by their content for a dataset; indexed on first use. */
function requestsOf(state: StudyState, label: ScopeAsked): (scenario: Scenario) => GenerationRecord | undefined {
  let requests: Map<string, GenerationRecord> | null = null
  return (scenario) => {
    // A drawn seed belongs to one scenario only.
    if (scenario.seed === 'random') return undefined
    if (requests === null) {
      requests = new Map()
      for (const record of state.generations.values()) {
        if (label !== undefined && record.label !== label) continue
        const request = `${record.dataset} ${record.body}`
        const known = requests.get(request)
        if (known === undefined || known.madeAt < record.madeAt) requests.set(request, record)
      }
    }
    return requests.get(`${scenario.dataset} ${canonicalBody(scenario)}`)
  }
}

/** Statuses of a scenario's last work; `unanswered`: a request whose answer was never seen. */
export const SCENARIO_STATES = [
  'not_started',
  'unanswered',
  'running',
  'ready',
  'partial',
  'failed',
  'refused',
  'expired',
] as const

export type ScenarioState = (typeof SCENARIO_STATES)[number]

export const STATE_OF: Record<GenerationStatus, ScenarioState> = {
  prepared: 'unanswered',
  processing: 'running',
  ready: 'ready',
  partial: 'partial',
  failed: 'failed',
  refused: 'refused',
  gone: 'expired',
}

/**
 * The status of each scenario's last work, for `--select status:x`. Without work, its dataset shows whether there could
 * have been any: `failed` or `refused`, else `not_started`.
 */
export function lastStatuses(state: StudyState, label?: ScopeAsked): (scenario: Scenario) => ScenarioState {
  const work = lastWork(state, label)
  const dataset = lastUploads(state, label)
  return (scenario) => {
    const record = work(scenario)
    return record === undefined ? stateWithout(dataset(scenario.dataset)) : STATE_OF[record.status]
  }
}

/** The status of a scenario without a request. */
export function stateWithout(upload: UploadRecord | undefined): ScenarioState {
  return upload?.status === 'failed' || upload?.status === 'refused' ? upload.status : 'not_started'
}

/** The last upload of each dataset name. */
export function lastUploads(state: StudyState, label?: ScopeAsked): (dataset: string) => UploadRecord | undefined {
  const newest = new Map<string, UploadRecord>()
  for (const record of state.uploads.values()) {
    if (label !== undefined && record.label !== label) continue
    const known = newest.get(record.dataset)
    if (known === undefined || known.madeAt < record.madeAt) newest.set(record.dataset, record)
  }
  return (dataset) => newest.get(dataset)
}
