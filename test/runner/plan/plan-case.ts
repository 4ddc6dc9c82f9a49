import type { UploadRecord } from '../../../src/records/state/datasets.ts'
import type { GenerationRecord } from '../../../src/records/state/generations.ts'
import type { Plan } from '../../../src/runner/plan/plan.ts'
import { DEFAULT_PLAN_OPTIONS, type PlanInput } from '../../../src/runner/plan/plan-input.ts'
import { plan } from '../../../src/runner/plan/plan-study.ts'
import { emptyState, type StudyState } from '../../../src/runner/plan/study-state.ts'
import { canonicalBody } from '../../../src/study/hashing/canonical-body.ts'
import { datasetFingerprint, scenarioFingerprint } from '../../../src/study/hashing/fingerprint.ts'
import { datasetKeyHash, generationKeyHash, requestKey, scopeAt } from '../../../src/study/hashing/request-key.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'
import type { Study } from '../../../src/study/study.ts'

export const NOW = Date.UTC(2026, 10, 20, 12)
export const HOUR = 3600_000
export const at = (ms: number): string => new Date(ms).toISOString()

export const SEED_SHA = 'c397ba6da5225cdbff0d80df1c869c1f943336ad8c25770d61f097ff4fba39af'
const DATASET_ID = 'ds_EXAMPLE1'

export const BASE = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 100, seed: 1 }
scenarios:
  base: {}
  more-yes: { shares: { answer: { Yes: 0.7 } } }
  young: { ranges: { age: { min: 20, max: 30 } } }
`

export function study(text: string): Study {
  const { study: loaded, diagnostics } = loadStudy(text, { filename: 'demo.study.yaml' })
  if (loaded === null) throw new Error(diagnostics.map((d) => `${d.code} ${d.summary}`).join('\n'))
  return loaded
}

/** State after a first run of `text`: everything trained, generated and stored an hour ago. */
export interface Past {
  readonly state: StudyState
  /** Artifacts on disk. */
  readonly files: Map<string, string>
}

export const artifactSha = (key: string): string => `artifact of ${key}`

export function past(text: string, change: Partial<GenerationRecord> = {}, upload: Partial<UploadRecord> = {}): Past {
  const loaded = study(text)
  const state = { ...emptyState(), serial: 100 }
  const files = new Map<string, string>()
  const uploads = new Map<string, UploadRecord>()
  const generations = new Map<string, GenerationRecord>()
  const scenarios = new Map()
  const source = loaded.datasets.get('panel')
  if (source?.kind !== 'file') throw new Error('the panel is a file here')
  const { autoClean, displayName } = source
  const hash = datasetKeyHash({ fileSha256: SEED_SHA, autoClean, displayName })
  const fingerprint = datasetFingerprint({ fileSha256: SEED_SHA, autoClean })
  const common = {
    label: null,
    epoch: 0,
    submittedAt: at(NOW - HOUR),
    completedAt: at(NOW - HOUR),
    expiresAt: at(NOW + 22 * HOUR),
    jobId: 'job_1',
    requestIds: [],
    attempts: 1,
    error: null,
  }
  const trained: UploadRecord = {
    ...common,
    key: requestKey('ds', hash, scopeAt(null, 0)),
    hash,
    madeAt: 1,
    dataset: 'panel',
    fingerprint,
    fileSha256: SEED_SHA,
    autoClean,
    displayName,
    status: 'ready',
    datasetId: DATASET_ID,
    trainedAt: at(NOW - 2 * HOUR),
    schemaSha256: '4f2a90c1'.padEnd(64, '0'),
    schema: null,
    cleaning: null,
    ...upload,
  }
  uploads.set(trained.key, trained)
  loaded.scenarios.forEach((scenario, i) => {
    const body = canonicalBody(scenario, 7)
    const bodyHash = generationKeyHash({ datasetId: DATASET_ID, body })
    const key = requestKey('gen', bodyHash, scopeAt(null, 0))
    const record: GenerationRecord = {
      ...common,
      key,
      hash: bodyHash,
      madeAt: 10 + i,
      scenario: scenario.id,
      fingerprint: scenarioFingerprint(fingerprint, scenario, 7),
      dataset: 'panel',
      datasetFingerprint: fingerprint,
      datasetInputs: { kind: 'file', fileSha256: SEED_SHA, autoClean },
      datasetId: DATASET_ID,
      body,
      status: 'ready',
      generationId: `gen_${i}`,
      rowsReported: scenario.rows,
      shortfall: null,
      artifact: {
        sha256: artifactSha(key),
        bytes: 1,
        measured: { rows: scenario.rows, shares: [], numbers: [], outside: [], absent: [] },
      },
      ...change,
    }
    generations.set(key, record)
    const path = `out/demo/${scenario.id}.${scenario.format}`
    const sha256 = artifactSha(key)
    scenarios.set(scenario.id, { scenario: scenario.id, key, fingerprint: record.fingerprint, path, sha256 })
    if (record.artifact !== null) files.set(path, sha256)
  })
  return { state: { ...state, uploads, generations, scenarios }, files }
}

export interface PlanChange {
  readonly past?: Past
  readonly options?: Partial<PlanInput['options']>
  readonly input?: Partial<PlanInput>
  readonly seedSha?: string
}

export function planOf(text: string, change: PlanChange = {}): Plan {
  const before = change.past ?? { state: emptyState(), files: new Map() }
  return plan(study(text), {
    state: before.state,
    service: 'embedded',
    seedFiles: new Map([['panel', { sha256: change.seedSha ?? SEED_SHA, bytes: 18 }]]),
    files: before.files,
    pathOf: (scenario) => `out/demo/${scenario.id}.${scenario.format}`,
    now: NOW,
    options: { ...DEFAULT_PLAN_OPTIONS, ...change.options },
    ...change.input,
  })
}

/** Action of one scenario. */
export function actionOf(plan: Plan, id: string) {
  return plan.scenarios.find((s) => s.id === id)!.action
}
