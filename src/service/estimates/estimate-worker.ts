/** A worker thread that estimates differences from the seed rows stored with a model. Runs compiled, from dist. */

import { estimateDifferences, estimateEach } from '../../engine/estimates/estimate-differences.ts'
import type { RequestedOutcome } from '../../engine/estimates/outcome-estimates.ts'
import { assessScenario } from '../../engine/generate.ts'
import type { EvidenceCap, Feasibility } from '../../engine/scenario/scenario.ts'
import { ModelCache } from '../generations/model-cache.ts'
import { requestedConditions } from '../generations/requested-conditions.ts'
import { answerTasks, threadPort } from '../jobs/processes/task-protocol.ts'
import { type DisclosureTask, disclosureOf } from '../keys/disclosure-task.ts'
import type { CheckedConditions } from '../records/generation-records.ts'

export interface EstimateTask {
  readonly modelBlob: string
  readonly modelPath: string
  readonly scenario: CheckedConditions
  readonly baseline: CheckedConditions
  readonly outcomes: readonly RequestedOutcome[]
  readonly together: readonly CheckedConditions[]
  /** Each is answered as if it were asked alone. */
  readonly further: readonly { readonly scenario: CheckedConditions; readonly baseline: CheckedConditions }[]
  readonly by?: string | undefined
  /** The rows that outcomes are counted in; absent: all. */
  readonly where?: CheckedConditions | undefined
  readonly maxSegmentLevels?: number | undefined
  readonly maxLevels: number
  /** Most levels of an outcome of `further`. */
  readonly maxFurtherLevels: number
  readonly disclosure: DisclosureTask
  /** Rows wanted of the scenario; absent: nobody asks how many it can have. */
  readonly rows?: number | undefined
  readonly evidenceCap: EvidenceCap
}

export interface EstimateResult {
  readonly estimates: Awaited<ReturnType<typeof estimateDifferences>>
  readonly further: readonly Awaited<ReturnType<typeof estimateDifferences>>[]
  /** Of the wanted rows; null: not asked. */
  readonly feasibility: Feasibility | null
  /** Rows of the cleaned seed, and how many of them the model stores. */
  readonly seedRows: number
  readonly keptRows: number
  readonly modelSha256: string
}

const models = new ModelCache()

answerTasks<EstimateTask, EstimateResult>(threadPort(), async (task, { signal }) => {
  const loaded = await models.load(task.modelBlob, task.modelPath)
  const { model, checksum } = loaded
  const disclosure = disclosureOf(task.disclosure, loaded)
  const where = task.where && requestedConditions(task.where)
  const estimates = await estimateDifferences(model, {
    scenario: requestedConditions(task.scenario),
    baseline: requestedConditions(task.baseline),
    outcomes: task.outcomes,
    together: task.together.map(requestedConditions),
    by: task.by,
    where,
    maxSegmentLevels: task.maxSegmentLevels,
    maxLevels: task.maxLevels,
    disclosure,
  })
  const further: Awaited<ReturnType<typeof estimateDifferences>>[] = []
  const pairs = task.further.map(({ scenario, baseline }) => ({
    scenario: requestedConditions(scenario),
    baseline: requestedConditions(baseline),
  }))
  const { outcomes, maxFurtherLevels: maxLevels } = task
  for await (const found of estimateEach(model, pairs, { outcomes, where, maxLevels, disclosure })) {
    further.push(found)
    signal.throwIfAborted()
  }
  const { rows, evidenceCap } = task
  const feasibility =
    rows === undefined
      ? null
      : await assessScenario(model, requestedConditions(task.scenario), rows, {
          evidenceCap,
          disclosure,
          threads: 1,
          signal,
        })
  return { estimates, further, feasibility, seedRows: model.seedRows, keptRows: model.rowCount, modelSha256: checksum }
})
