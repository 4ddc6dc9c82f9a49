import { lockDigest } from '../../study/lock/render-lock.ts'
import { exportedPath } from '../files/project-paths.ts'
import { requireFreePlaces } from '../files/result-places.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { type BudgetViolation, submitsWork } from '../plan/plan.ts'
import { planMoves } from '../plan/saved-plan.ts'
import type { PlannedRun } from './plan-run.ts'

/** A saved plan is carried out only if none of its inputs has changed. */
export function checkSavedPlan({ plan, lockFile, options: { savedPlan } }: PlannedRun): void {
  if (savedPlan === null) return
  const moved = planMoves(savedPlan, plan, lockDigest(lockFile.lock))
  if (moved.length === 0) return
  throw stalePlan(
    `the saved plan is stale, nothing was sent. Changed since: ${moved.join('; ')}. Plan again, with the flags of the run`,
  )
}

/** Answers of the service can make a run need more than the approved plan. */
function enforceSavedPlan({ plan, sent, options: { savedPlan } }: PlannedRun): void {
  if (savedPlan === null) return
  const { rowsBound, upload } = plan.totals
  if (rowsBound > savedPlan.rowsBound)
    throw stalePlan(
      `the saved plan allows at most ${savedPlan.rowsBound} billed rows, and after the service’s answers the run needs up to ${rowsBound}; plan again`,
    )
  if (sent.uploads + upload > savedPlan.uploads)
    throw stalePlan(
      `the saved plan has ${savedPlan.uploads} uploads, and a dataset that expired at the service needs one more; plan again`,
    )
}

const stalePlan = (message: string) => new RunRefusalError('usage', 'saved_plan_stale', message)

export function refuseOverBudget({ plan }: PlannedRun): void {
  const { violations } = plan.budget
  if (violations.length === 0) return
  throw new RunRefusalError(
    'over_budget',
    'budget',
    `over budget, nothing was sent: ${violations.map(violationText).join('; ')}`,
  )
}

/** Must pass before anything that can cost money is sent. */
export async function guardSpending(run: PlannedRun): Promise<void> {
  const { plan } = run
  enforceSavedPlan(run)
  refuseOverBudget(run)
  const datasets = run.study.budget.newDatasetsPerRun
  if (datasets !== null && run.sent.uploads + plan.totals.upload > datasets) {
    throw new RunRefusalError(
      'over_budget',
      'budget',
      `over budget: a dataset expired during the run, and at most ${datasets} may be uploaded`,
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
  const bought = plan.scenarios
    .filter((s) => s.rowsBound > 0 && !run.progress.ends.has(s.id))
    .flatMap(({ id, path }) => {
      const exported = exportedPath(run.places, run.scenarios.get(id)!)
      return [{ id, path }, ...(exported === null ? [] : [{ id, path: exported }])]
    })
  await requireFreePlaces(run.env.fs, run, bought, run.options)
  if (run.sent.confirmed || !submitsWork(plan) || run.env.confirm === undefined) return
  const answer = await run.env.confirm(plan)
  if (!answer.go) throw new RunRefusalError('usage', 'not_confirmed', answer.message)
  run.sent.confirmed = true
}

function violationText(violation: BudgetViolation): string {
  switch (violation.kind) {
    case 'rows_per_run':
      return `up to ${violation.bound} rows, and at most ${violation.limit} are allowed ${violation.limit_of_all === undefined ? 'per run' : `in this part, of ${violation.limit_of_all} in all parts together`}; leave out ${violation.drop.join(', ')}`
    case 'rows_per_scenario':
      return `${violation.scenario} asks for ${violation.rows} rows, and at most ${violation.limit} are allowed per scenario`
    case 'new_datasets_per_run':
      return `${violation.uploads.length} uploads (${violation.uploads.join(', ')}), and at most ${violation.limit} are allowed per run`
  }
}
