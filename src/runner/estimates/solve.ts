import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { SolutionRecord } from '../../records/solution.ts'
import type { Scenario } from '../../study/study.ts'
import type { TrainedDataset } from './asked-dataset.ts'
import { plannedConditions } from './planned-conditions.ts'
import { type LeverQuestion, solveLever } from './solve-lever.ts'

export interface SolveQuestion extends Omit<LeverQuestion, 'as'> {
  readonly scenario: Scenario
}

/** The same for a scenario of a study, as its plan would send it. */
export async function solve(
  dataset: TrainedDataset,
  { scenario, ...question }: SolveQuestion,
): Promise<SolutionRecord | NoEstimates> {
  const as = plannedConditions(scenario, dataset.bodies.get(scenario.id) ?? null)
  const found = await solveLever(dataset, { as, ...question })
  return typeof found === 'string' ? found : { study: dataset.study.name, scenario: scenario.id, ...found }
}
