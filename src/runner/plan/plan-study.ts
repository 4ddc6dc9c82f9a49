import { studyDigest } from '../../study/hashing/fingerprint.ts'
import type { Scenario, Study } from '../../study/study.ts'
import { checkBudget, partOfRows } from './budget.ts'
import { denseRows } from './dense-rows.ts'
import { foreseeModels } from './foresee-models.ts'
import type { DatasetPlan, FileConflict, Plan, PlanTotals, ScenarioPlan } from './plan.ts'
import { type DatasetStanding, datasetPlan, datasetStandings } from './plan-datasets.ts'
import type { PlanInput } from './plan-input.ts'
import { planScenario, type ScenarioContext } from './plan-scenarios.ts'
import { chooseScenarios } from './select-scenarios.ts'
import { indexState } from './state-index.ts'
import type { StudyState } from './study-state.ts'
import { unknownResults } from './unknown-results.ts'

/**
 * What a run of this study would do now, from the study, the state and the files on disk. Pure, no I/O, and the same
 * for the same input. A study that has not changed and whose artifacts are intact plans as all up to date, without a
 * service. Costs about a hash per scenario.
 */
export function plan(study: Study, input: PlanInput): Plan {
  const actions = planActions(study, input)
  const rowsOfAll = () => planActions(study, withAllForced(input)).totals.rowsBound
  return { ...actions, models: foreseeModels(study, actions, input, rowsOfAll), density: denseRows(study, actions) }
}

function withAllForced({ chosen: _, ...input }: PlanInput): PlanInput {
  const everything = { select: [], exclude: [] }
  return { ...input, options: { ...input.options, selection: everything, force: everything } }
}

function planActions(study: Study, input: PlanInput): Plan {
  const { options, state } = input
  const index = indexState(state, options.scope)
  const standings = datasetStandings(study, input, index)
  const chosen = input.chosen ?? chooseScenarios(study, options, state)
  const { selected, forced } = chosen
  const filesBySha = new Map<string, string[]>()
  for (const [path, sha256] of input.files) {
    const paths = filesBySha.get(sha256)
    if (paths === undefined) filesBySha.set(sha256, [path])
    else paths.push(path)
  }
  const names = new Set(study.scenarios.map((s) => s.id))
  const contexts = new Map<string, ScenarioContext>()
  for (const name of study.datasets.keys()) {
    contexts.set(name, { input, index, standing: standings.get(name), forced, filesBySha, names })
  }
  const planned = study.scenarios.map((scenario) => {
    const plan = planScenario(scenario, contexts.get(scenario.dataset)!)
    if (selected.has(scenario.id)) return plan
    const { action } = plan
    const upToDate = action.kind === 'reuse' && action.from === null
    return { ...plan, selected: false, action: { kind: 'skip', upToDate } as const, rowsBound: 0 }
  })
  const scenarios = shareDuplicates(planned, study.scenarios)
  const datasets = planDatasets(study, state, standings, scenarios)
  return {
    study: { name: study.name, digest: digestOf(study, standings, planned) },
    service: input.service,
    scope: options.scope,
    stateSerial: state.serial,
    datasets,
    scenarios,
    totals: totalsOf(scenarios, datasets),
    budget: checkBudget(study.budget, options.budgetRows, scenarios, datasets, partOfRows(study, chosen)),
    conflicts: options.overwrite ? [] : conflictsOf(scenarios, input, index.artifacts),
    unknownResults: unknownResults(scenarios, input, index.artifacts),
    models: [],
    density: [],
  }
}

/**
 * Scenarios with equal fingerprints share one request: the first that needs it sends it, the others copy. Each random
 * scenario draws its own seed, so these are left alone.
 */
function shareDuplicates(plans: readonly ScenarioPlan[], scenarios: readonly Scenario[]): ScenarioPlan[] {
  const first = new Map<string, string>()
  return plans.map((plan, i) => {
    const sends = ['generate', 'regenerate', 'resume', 'download'].includes(plan.action.kind)
    if (!sends || plan.body === null || scenarios[i]?.seed === 'random') return plan
    // A dataset that was never fetched has no fingerprint yet; its equal bodies are still one request.
    const identity = plan.fingerprint ?? `${plan.dataset} ${plan.body}`
    const of = first.get(identity)
    if (of === undefined) {
      first.set(identity, plan.id)
      return plan
    }
    return { ...plan, action: { kind: 'copy', of }, rowsBound: 0 }
  })
}

function planDatasets(
  study: Study,
  state: StudyState,
  standings: ReadonlyMap<string, DatasetStanding>,
  scenarios: readonly ScenarioPlan[],
): DatasetPlan[] {
  const needed = new Set(
    scenarios.filter((s) => ['generate', 'regenerate'].includes(s.action.kind)).map((s) => s.dataset),
  )
  const failed = new Set(scenarios.filter((s) => s.action.kind === 'failed').map((s) => s.dataset))
  const used = new Set(study.scenarios.map((s) => s.dataset))
  return [...standings]
    .filter(([name]) => used.has(name))
    .map(([name, standing]) => {
      const reported = standing.failed !== null && failed.has(name)
      return datasetPlan(name, standing, { needed: needed.has(name) || reported, state })
    })
}

function digestOf(
  study: Study,
  standings: ReadonlyMap<string, DatasetStanding>,
  planned: readonly ScenarioPlan[],
): string | null {
  const fingerprints = new Map<string, string>()
  for (const { dataset } of study.scenarios) {
    const fingerprint = standings.get(dataset)?.fingerprint
    if (fingerprint === undefined || fingerprint === null) return null
    fingerprints.set(dataset, fingerprint)
  }
  const known = new Map<string, string>()
  for (const { id, fingerprint } of planned) if (fingerprint !== null) known.set(id, fingerprint)
  return studyDigest(study, fingerprints, known)
}

function totalsOf(scenarios: readonly ScenarioPlan[], datasets: readonly DatasetPlan[]): PlanTotals {
  const count = (...kinds: string[]): number => scenarios.filter((s) => kinds.includes(s.action.kind)).length
  return {
    upload: datasets.filter((d) => d.action.kind === 'upload').length,
    generate: count('generate', 'regenerate'),
    download: count('download'),
    resume: count('resume'),
    copy: count('copy'),
    reuse: count('reuse'),
    failed: count('failed'),
    rowsBound: scenarios.reduce((sum, s) => sum + s.rowsBound, 0),
  }
}

/**
 * Finds work that would be bought and then could not be stored: the path of its artifact holds a file that this study
 * wrote and somebody changed since. A file at a path that the study never wrote to is checked when the artifact's hash
 * is known, because it may be that very artifact.
 */
function conflictsOf(
  scenarios: readonly ScenarioPlan[],
  input: PlanInput,
  artifacts: ReadonlySet<string>,
): FileConflict[] {
  const written = new Set([...input.state.scenarios.values()].map((s) => s.path))
  return scenarios
    .filter((s) => {
      const onDisk = input.files.get(s.path)
      return s.rowsBound > 0 && onDisk !== undefined && !artifacts.has(onDisk) && written.has(s.path)
    })
    .map((s) => ({ scenario: s.id, path: s.path }))
}
