import pLimit from 'p-limit'
import { nearestMixRecord } from '../../answers/manifest/nearest-mix-record.ts'
import { dataRecord } from '../../base/data-record.ts'
import type { CallOptions, ServiceClient } from '../../client/service-client.ts'
import { ServiceError } from '../../client/service-error.ts'
import { trustedShortfall } from '../../client/trusted-shortfall.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import type { FeasibleRows } from '../../records/plan-estimates.ts'
import type { Study } from '../../study/study.ts'
import type { Plan, ScenarioPlan } from '../plan/plan.ts'
import { MOST_AT_ONCE } from './ask-service.ts'
import { conditionsAdrift } from './conditions-adrift.ts'
import type { Asking } from './foresee-differences.ts'
import { plannedConditions } from './planned-conditions.ts'

/** The plan's actions that order rows. */
const ORDERS: ReadonlySet<ScenarioPlan['action']['kind']> = new Set(['generate', 'regenerate'])

interface Question {
  readonly datasetId: string
  readonly request: EstimateRequest & { readonly rows: number }
  /** Those that differ in their seed alone. */
  readonly ids: string[]
}

/**
 * By scenario, for those that would be generated with conditions from a trained dataset. A scenario is absent if the service does
 * not say it: the answer is an extension, and nothing depends on it.
 */
export async function foreseeRows(
  study: Study,
  plan: Plan,
  { open, call, facts }: Asking,
): Promise<Record<string, FeasibleRows>> {
  const [first, ...rest] = questionsOf(study, plan, conditionsAdrift(study, facts))
  const client = first === undefined ? null : await open()
  if (first === undefined || client === null) return {}
  const found = new Map<string, FeasibleRows>()
  const ask = async ({ datasetId, request, ids }: Question): Promise<boolean> => {
    const foreseen = await askRows(client, datasetId, request, call)
    if (foreseen !== null) for (const id of ids) found.set(id, foreseen)
    return foreseen !== null
  }
  // A service that does not say it for one does not say it for others.
  if (await ask(first)) {
    const limit = pLimit(MOST_AT_ONCE)
    await Promise.all(rest.map((question) => limit(() => ask(question))))
  }
  return dataRecord(study.scenarios.flatMap(({ id }) => (found.has(id) ? [[id, found.get(id)!] as const] : [])))
}

function questionsOf(study: Study, plan: Plan, adrift: ReadonlySet<string>): Question[] {
  const planned = new Map(plan.scenarios.map((one) => [one.id, one]))
  const trained = new Map(plan.datasets.map(({ id, datasetId }) => [id, datasetId]))
  const questions = new Map<string, Question>()
  for (const scenario of study.scenarios) {
    const { id, dataset, rows } = scenario
    const datasetId = trained.get(dataset) ?? null
    const one = planned.get(id)
    if (one === undefined || !one.selected || !ORDERS.has(one.action.kind) || datasetId === null) continue
    if (adrift.has(id)) continue
    const conditions = plannedConditions(scenario, one.body)
    // The request has to name an outcome. Without conditions all rows are possible.
    const outcomes = [
      ...[
        ...Object.keys({ ...conditions.categorical, ...conditions.bounds }),
        ...(conditions.cells ?? []).flatMap(({ columns }) => columns),
      ].map((column) => ({ column, statistic: 'shares' as const })),
      ...Object.keys({ ...conditions.numeric, ...conditions.means }).map((column) => ({
        column,
        statistic: 'mean' as const,
      })),
    ].slice(0, 1)
    if (outcomes.length === 0) continue
    const request = { scenario: conditions, outcomes, rows }
    const key = JSON.stringify([datasetId, request])
    const known = questions.get(key)
    if (known === undefined) questions.set(key, { datasetId, request, ids: [id] })
    else known.ids.push(id)
  }
  return [...questions.values()]
}

/** Null for every failure. Rejects only with the reason of `call.signal` after an abort. */
async function askRows(
  client: ServiceClient,
  datasetId: string,
  request: Question['request'],
  call: CallOptions,
): Promise<FeasibleRows | null> {
  try {
    const { feasible_rows: feasible, shortfall } = (await client.estimateDifferences({ datasetId, request }, call))
      .value
    if (feasible === undefined || feasible > request.rows) return null
    const rows = { requested: request.rows, feasible }
    if (feasible === request.rows || shortfall === undefined) return rows
    const { detail, nearest_mix } = trustedShortfall(shortfall, request.scenario)
    return { ...rows, detail, ...(nearest_mix && { nearest_mix: nearestMixRecord(nearest_mix) }) }
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}
