import type { Manifest } from '../../records/manifest/manifest.ts'
import { type GateChange, gateChanges } from './gate-changes.ts'
import { type AnswerChanges, answerChanges } from './wave-answers.ts'
import { type DatasetChanges, datasetChanges } from './wave-data.ts'

/** What a reader of two waves of a study asks: are the data the same, what changed beyond chance, which gates turned. */
export interface WaveChanges {
  readonly datasets: readonly DatasetChanges[]
  readonly answers: AnswerChanges
  /** The same inside the segments of comparisons. */
  readonly segments: AnswerChanges
  readonly gates: readonly GateChange[]
}

/** @param scenarioName The name that a scenario of the earlier run has in the later one. */
export function compareWaves(before: Manifest, after: Manifest, scenarioName: (name: string) => string): WaveChanges {
  const datasets = datasetChanges(before, after)
  const names = { scenario: scenarioName, datasets }
  return {
    datasets,
    answers: answerChanges(before, after, names, 'all rows'),
    segments: answerChanges(before, after, names, 'segments'),
    gates: gateChanges(before, after, scenarioName),
  }
}
