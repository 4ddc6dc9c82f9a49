import { type BudgetViolation, type Plan, submitsWork } from '../../plan/plan.ts'
import type { Selection } from '../../plan/plan-input.ts'
import { planMoves } from '../../plan/saved-plan.ts'
import { selectScenarios } from '../../plan/select-scenarios.ts'
import { lastStatuses } from '../../plan/state-index.ts'
import type { StudyState } from '../../plan/study-state.ts'
import { lockDigest } from '../../study/lock/lock-digest.ts'
import type { Study } from '../../study/study.ts'
import { requirePlaces } from '../files/result-places.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { RunOptions } from '../interface/run-options.ts'
import type { RunContext } from './run-context.ts'
import { selectOrRefuse } from './select-or-refuse.ts'

/** Refuses flags that name nothing in the study. */
export function checkFlags(study: Study, options: RunOptions, state: StudyState): void {
  for (const name of [...options.forceDatasets, ...options.datasetIds.keys()]) {
    if (study.datasets.has(name)) continue
    const known = [...study.datasets.keys()].join(', ')
    throw new RunRefusalError('usage', 'unknown_dataset', `the study has no dataset "${name}"; it has ${known}`)
  }
  for (const name of options.forceDatasets) {
    if (study.datasets.get(name)?.kind === 'file') continue
    throw new RunRefusalError(
      'usage',
      'not_uploaded',
      `--force-dataset ${name}: it is named by its id, so there is no file to upload again; --force generates anew from it`,
    )
  }
  const statuses = lastStatuses(state, options.scope)
  const select = (selection: Selection, none: string) => selectOrRefuse(study, selection, statuses, none)
  if (!options.allowEmpty) select(options.selection, 'nothing is selected')
  if (options.force === null) return
  const forced = select(options.force, '--force matches nothing')
  const selected = selectScenarios(study, options.selection, statuses).ids
  if (selected.size > 0 && ![...forced].some((id) => selected.has(id)))
    throw new RunRefusalError(
      'usage',
      'nothing_selected',
      'nothing of what --force names is selected; select it as well',
    )
}

/** Datasets that the selected scenarios use. */
export function datasetsOfSelected(study: Study, { selection, scope }: RunOptions, state: StudyState): Set<string> {
  const { ids } = selectScenarios(study, selection, lastStatuses(state, scope))
  return new Set(study.scenarios.filter((s) => ids.has(s.id)).map((s) => s.dataset))
}

/** A saved plan is carried out only when what it was made from has not moved. */
export function checkSavedPlan(context: RunContext, plan: Plan): void {
  const { savedPlan } = context.options
  if (savedPlan === null) return
  const moved = planMoves(savedPlan, plan, lockDigest(context.lockFile?.lock ?? null))
  if (moved.length === 0) return
  throw stalePlan(
    `the saved plan is stale, nothing was sent. Changed since: ${moved.join('; ')}. Plan again, with the flags that the run will have`,
  )
}

/** What a run finds out at the service may make it need more than the plan that somebody agreed to. */
function holdToSavedPlan(context: RunContext, plan: Plan): void {
  const { savedPlan } = context.options
  if (savedPlan === null) return
  const { rowsBound, upload } = plan.totals
  if (rowsBound > savedPlan.rowsBound)
    throw stalePlan(
      `the saved plan allows at most ${savedPlan.rowsBound} rows to be billed, and what the service still has makes it ${rowsBound}; plan again`,
    )
  if (context.uploads + upload > savedPlan.uploads)
    throw stalePlan(
      `the saved plan has ${savedPlan.uploads} uploads, and a dataset that has ended at the service would need one more; plan again`,
    )
}

const stalePlan = (message: string) => new RunRefusalError('usage', 'saved_plan_stale', message)

export function refuseOverBudget({ budget: { violations } }: Plan): void {
  if (violations.length === 0) return
  throw new RunRefusalError(
    'over_budget',
    'budget',
    `over budget, nothing was sent: ${violations.map(violationText).join('; ')}`,
  )
}

/** Nothing that can cost money is sent before this has passed. */
export async function guardSpending(context: RunContext, plan: Plan, asked: { confirmed: boolean }): Promise<void> {
  holdToSavedPlan(context, plan)
  refuseOverBudget(plan)
  const datasets = context.study.budget.newDatasetsPerRun
  if (datasets !== null && context.uploads + plan.totals.upload > datasets) {
    throw new RunRefusalError(
      'over_budget',
      'budget',
      `over budget: a dataset ended during the run, and at most ${datasets} may be uploaded`,
    )
  }
  if (plan.conflicts.length > 0) {
    const paths = plan.conflicts.map((c) => c.path).join(', ')
    throw new RunRefusalError(
      'usage',
      'file_changed',
      `${paths}: changed since this study wrote it, and the run would replace it; move it away or pass --overwrite`,
    )
  }
  await requirePlaces(context, plan)
  if (asked.confirmed || !submitsWork(plan) || context.env.confirm === undefined) return
  const answer = await context.env.confirm(plan)
  if (!answer.go) throw new RunRefusalError('usage', 'not_confirmed', answer.message)
  asked.confirmed = true
}

function violationText(violation: BudgetViolation): string {
  switch (violation.kind) {
    case 'rows_per_run':
      return `up to ${violation.bound} rows where at most ${violation.limit} are allowed per run; leave out ${violation.drop.join(', ')}`
    case 'rows_per_scenario':
      return `${violation.scenario} asks for ${violation.rows} rows where at most ${violation.limit} are allowed per scenario`
    case 'new_datasets_per_run':
      return `${violation.uploads.length} uploads (${violation.uploads.join(', ')}) where at most ${violation.limit} are allowed per run`
  }
}
