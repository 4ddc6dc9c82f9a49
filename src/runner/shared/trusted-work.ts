import type { StudyState } from '../plan/study-state.ts'
import type { Change } from '../state/journal.ts'

/**
 * What a run takes of a scope that it trusts: results that are there, the datasets that they come from, and what the service told. They
 * become work of the run's own scope, under the keys that they were bought with; what the run already has stays.
 */
export function* trustedWork(state: StudyState, trusted: StudyState, label: string | null): Generator<Change> {
  for (const upload of trusted.uploads.values())
    if (upload.status === 'ready' && !state.uploads.has(upload.key))
      yield { kind: 'upload', id: upload.key, set: { ...upload, label, madeAt: state.serial + 1 } }
  for (const dataset of trusted.existing.values())
    if (!state.existing.has(dataset.datasetId)) yield { kind: 'existing', id: dataset.datasetId, set: dataset }
  for (const work of trusted.generations.values()) {
    const isDone = (work.status === 'ready' || work.status === 'partial') && work.artifact !== null
    if (isDone && !state.generations.has(work.key))
      yield { kind: 'generation', id: work.key, set: { ...work, label, madeAt: state.serial + 1 } }
  }
  for (const scenario of trusted.scenarios.values())
    if (!state.scenarios.has(scenario.scenario)) yield { kind: 'scenario', id: scenario.scenario, set: scenario }
  for (const answer of trusted.estimates.values())
    if (!state.estimates.has(answer.key)) yield { kind: 'estimate', id: answer.key, set: answer }
}
