import { countText, listText } from '../../base/text/amount-text.ts'
import type { RecordedModel } from '../../records/state/requests.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { membersOf } from '../../study/replicates.ts'
import type { Comparison, Study } from '../../study/study.ts'
import type { Action, Plan, ScenarioPlan } from './plan.ts'
import type { PlanInput } from './plan-input.ts'
import type { StudyState } from './study-state.ts'

/** Comparisons named in a message; further ones are only counted. */
const LISTED_COMPARISONS = 5

/** The model that a side of a comparison comes from. */
interface Side {
  /** Null: a dataset that this run trains. */
  readonly datasetId: string | null
  readonly model: RecordedModel | null
}

/**
 * `stands`: the training gives the same model as the kept results. `open`: it does if the service's engine is still the
 * same. The others mix two models, or may do so.
 */
type Outlook = 'stands' | 'open' | 'other_engine' | 'other_model' | 'no_identity'

/** The forecast for a dataset's comparisons, and the kept side of the first of them. */
interface Forecast {
  readonly isTrained: boolean
  readonly kept: Side
  readonly comparisons: Comparison[]
}

/**
 * What the models of a plan mean for its comparisons: a diagnostic where a kept result meets a new one of another
 * dataset. The run finds out whether the rows come from one model; this predicts the result.
 *
 * @param rowsOfAll Most rows that generating everything again would bill; called only when that is the advice.
 */
export function foreseeModels(study: Study, plan: Plan, input: PlanInput, rowsOfAll: () => number): Diagnostic[] {
  if (study.comparisons.length === 0) return []
  const scenarios = new Map(plan.scenarios.map((scenario) => [scenario.id, scenario]))
  const models = modelsOf(input.state)
  const found = new Map<string, Map<Outlook, Forecast>>()
  for (const comparison of study.comparisons) {
    const sidesOf = (name: string): Side[] =>
      membersOf(study, name).flatMap((id) => sideOf(scenarios.get(id), scenarios, input.state, models) ?? [])
    const before = sidesOf(comparison.against)
    if (before.length === 0) continue
    for (const name of comparison.scenarios) {
      const after = sidesOf(name)
      if (after.length === 0) continue
      const { dataset } = scenarios.get(membersOf(study, name)[0]!)!
      for (const [against, side] of pairsOf([...before, ...after])) {
        const kept = side.datasetId === null ? against : side
        const isTrained = side.datasetId === null || against.datasetId === null
        const outlook = isTrained ? ofTraining(kept, input) : ofDatasets(side, against)
        if (outlook === null) continue
        note(found, dataset, outlook, { isTrained, kept, comparison })
      }
    }
  }
  return [...found].flatMap(([dataset, outlooks]) =>
    [...outlooks].map(([outlook, forecast]) => {
      if (outlook === 'stands') return standing(dataset, forecast, plan)
      if (outlook === 'open') return open(dataset, forecast, plan)
      return mixed(study, dataset, outlook, forecast, { plan, input, rowsOfAll })
    }),
  )
}

/** Each two of different datasets, the earlier one first. Replicates of one scenario can differ as well. */
function pairsOf(sides: readonly Side[]): [Side, Side][] {
  const distinct = [...new Map(sides.map((side) => [side.datasetId, side])).values()]
  return distinct.flatMap((a, i) => distinct.slice(i + 1).map((b): [Side, Side] => [a, b]))
}

function note(
  found: Map<string, Map<Outlook, Forecast>>,
  dataset: string,
  outlook: Outlook,
  { isTrained, kept, comparison }: { isTrained: boolean; kept: Side; comparison: Comparison },
): void {
  const outlooks = found.get(dataset) ?? new Map<Outlook, Forecast>()
  found.set(dataset, outlooks)
  const forecast = outlooks.get(outlook) ?? { isTrained, kept, comparisons: [] }
  outlooks.set(outlook, forecast)
  if (!forecast.comparisons.includes(comparison)) forecast.comparisons.push(comparison)
}

/**
 * Kept results match the seed file and its cleaning, otherwise they would not be kept. Only the engine can make another
 * model.
 */
function ofTraining({ model }: Side, { engine }: PlanInput): Outlook {
  if (model === null) return 'no_identity'
  if (engine == null || model.engine === null) return 'open'
  return model.engine === engine ? 'stands' : 'other_engine'
}

function ofDatasets(a: Side, b: Side): Outlook | null {
  if (a.model === null || b.model === null) return 'no_identity'
  return a.model.id === b.model.id ? null : 'other_model'
}

/** Null where the scenario has no result now and gets none: its comparison is missing, not mixed. */
function sideOf(
  scenario: ScenarioPlan | undefined,
  scenarios: ReadonlyMap<string, ScenarioPlan>,
  state: StudyState,
  models: ReadonlyMap<string, RecordedModel>,
): Side | null {
  if (scenario === undefined) return null
  const { action } = scenario
  // The first of equal requests is never a copy itself.
  if (action.kind === 'copy') return sideOf(scenarios.get(action.of), scenarios, state, models)
  if (action.kind === 'generate' || action.kind === 'regenerate') return ofDataset(scenario.datasetId, models)
  if (!isKept(action) || scenario.key === null) return null
  const record = state.generations.get(scenario.key)
  if (record === undefined) return null
  if (record.status === 'prepared' || record.status === 'processing') return ofDataset(record.datasetId, models)
  return { datasetId: record.datasetId, model: record.model ?? null }
}

const isKept = (action: Action): boolean =>
  ['reuse', 'download', 'resume'].includes(action.kind) || (action.kind === 'skip' && action.upToDate)

const ofDataset = (datasetId: string | null, models: ReadonlyMap<string, RecordedModel>): Side => ({
  datasetId,
  model: datasetId === null ? null : (models.get(datasetId) ?? null),
})

/** Models of trained datasets, by the dataset's id. */
function modelsOf(state: StudyState): Map<string, RecordedModel> {
  const models = new Map<string, RecordedModel>()
  for (const { datasetId, model } of [...state.uploads.values(), ...state.existing.values()])
    if (datasetId !== null && model != null) models.set(datasetId, model)
  return models
}

function standing(dataset: string, { comparisons }: Forecast, plan: Plan): Diagnostic {
  return diagnose('N4401', {
    summary: `${trainedAgain(dataset, plan)}: the same seed file and engine give the same model`,
    detail: `New results can be compared with the kept ones: ${named(comparisons)}.`,
    range: comparisons[0]!.range,
  })
}

function open(dataset: string, { kept, comparisons }: Forecast, plan: Plan): Diagnostic {
  const engine = kept.model?.engine
  return diagnose('N4403', {
    summary: `${trainedAgain(dataset, plan)}: the same engine gives the same model`,
    detail: `The kept results were made by ${engine == null ? 'an engine whose version the service did not report' : `version ${engine} of the service’s engine`}. If that has changed, ${named(comparisons)} will mix two models; the run finds out.`,
    range: comparisons[0]!.range,
  })
}

function mixed(
  study: Study,
  dataset: string,
  outlook: Exclude<Outlook, 'stands' | 'open'>,
  { isTrained, kept, comparisons }: Forecast,
  { plan, input, rowsOfAll }: { plan: Plan; input: PlanInput; rowsOfAll: () => number },
): Diagnostic {
  const why = {
    other_engine: `The kept results were made by version ${kept.model?.engine} of the engine, and this is version ${input.engine}.`,
    other_model: 'The results come from two trainings with different models.',
    no_identity: 'The results come from two trainings, and it is unknown whether their models are the same.',
  }[outlook]
  const isFailure = study.policy.mixedModel === 'fail'
  return diagnose('W4402', {
    summary: isTrained
      ? `${trainedAgain(dataset, plan)}, and comparisons would mix two models`
      : `comparisons mix two models of dataset ${dataset}`,
    detail: [
      why,
      `${isFailure ? 'The gate mixed_model would fail (exit 9)' : 'The gate mixed_model would warn'}: ${named(comparisons)}.`,
      `--force generates everything again (at most ${countText(rowsOfAll())} rows billed)${isFailure ? '; policy.mixed_model: warn in the study makes it a warning' : ''}.`,
    ].join('\n'),
    range: comparisons[0]!.range,
  })
}

function trainedAgain(dataset: string, plan: Plan): string {
  const action = plan.datasets.find(({ id }) => id === dataset)?.action
  if (action?.kind !== 'upload' || action.reason !== 'expired') return `dataset ${dataset} is trained again`
  return action.certain
    ? `dataset ${dataset} expired and is trained again`
    : `dataset ${dataset} has probably expired and is trained again`
}

function named(comparisons: readonly Comparison[]): string {
  const ids = comparisons.map(({ id }) => id)
  return `${ids.length === 1 ? 'comparison' : 'comparisons'} ${listText(ids, LISTED_COMPARISONS)}`
}
