/**
 * How well reweighting predicts a group that was asked. The group is left out, the others are reweighted to its margins, and their
 * answers are held against its own. From the estimates of the service alone: no rows, nothing billed.
 */

import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import type { BacktestRecord } from '../../records/backtest.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import { askDifferences, type Difference, type Differences } from '../estimates/ask-differences.ts'
import type { AskedDataset } from '../estimates/asked-dataset.ts'
import {
  type Backtest,
  groupOutcomes,
  groupQuestions,
  marginOutcomes,
  marginQuestions,
  mostLevels,
} from './group-questions.ts'
import { judgedGroups } from './group-records.ts'

export interface Backtested {
  readonly found: BacktestRecord
  /** By group: the conditions of rows that are like it. */
  readonly alike: ReadonlyMap<string, EstimateRequest['scenario']>
}

/** @returns why the service gives no estimates, where it gives none. */
export async function backtestOf(dataset: AskedDataset, asked: Backtest): Promise<Backtested | NoEstimates> {
  const ask = (
    differences: readonly Difference[],
    outcomes: EstimateRequest['outcomes'],
    columns: readonly AnySchemaColumn[],
  ): Promise<Differences> =>
    askDifferences(differences, { ...dataset, where: dataset.where?.asked, outcomes, levels: mostLevels(columns) })
  const margins = await ask(marginQuestions(asked), marginOutcomes(asked), asked.on)
  if (typeof margins === 'string') return margins
  const questions = groupQuestions(asked, margins)
  const found = await ask(
    [...questions.map(({ reweighted }) => reweighted), ...questions.map(({ asTheyAre }) => asTheyAre)],
    groupOutcomes(asked, dataset),
    asked.figures.map(({ column }) => column),
  )
  if (typeof found === 'string') return found
  const answers = questions.map(
    ({ level }, i) =>
      [level, { reweighted: found[i] ?? null, asTheyAre: found[questions.length + i] ?? null }] as const,
  )
  const record: BacktestRecord = {
    dataset: dataset.name,
    by: asked.by.name,
    on: asked.on.map(({ name }) => name),
    ...judgedGroups(asked, new Map(answers)),
  }
  return { found: record, alike: new Map(questions.map(({ level, alike }) => [level, alike] as const)) }
}
