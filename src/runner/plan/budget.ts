import type { Budget } from '../../study/study.ts'
import type { BudgetCheck, BudgetViolation, DatasetPlan, ScenarioPlan } from './plan.ts'

/**
 * Checks the bound of a plan against the study's budget; nothing may be sent while there is a violation. The lower of
 * the file's rows per run and `flag` (`--budget-rows`) applies. Raising the file's limit is a change of the study,
 * which a reviewer sees. A limit in the settings of a CI system also bounds studies that have no limit, or a higher
 * one.
 */
export function checkBudget(
  budget: Budget,
  flag: number | null,
  scenarios: readonly Pick<ScenarioPlan, 'id' | 'rows' | 'rowsBound'>[],
  datasets: readonly Pick<DatasetPlan, 'id' | 'action'>[],
): BudgetCheck {
  const rowsPerRun = Math.min(budget.rowsPerRun ?? Number.POSITIVE_INFINITY, flag ?? Number.POSITIVE_INFINITY)
  const limit = Number.isFinite(rowsPerRun) ? rowsPerRun : null
  const violations: BudgetViolation[] = []
  const bound = scenarios.reduce((sum, s) => sum + s.rowsBound, 0)
  if (limit !== null && bound > limit) {
    violations.push({ kind: 'rows_per_run', limit, bound, drop: toDrop(scenarios, bound - limit) })
  }
  const perScenario = budget.rowsPerScenario
  if (perScenario !== null) {
    for (const s of scenarios) {
      if (s.rowsBound > perScenario) {
        violations.push({ kind: 'rows_per_scenario', limit: perScenario, scenario: s.id, rows: s.rows })
      }
    }
  }
  const uploads = datasets.filter((d) => d.action.kind === 'upload').map((d) => d.id)
  if (budget.newDatasetsPerRun !== null && uploads.length > budget.newDatasetsPerRun) {
    violations.push({ kind: 'new_datasets_per_run', limit: budget.newDatasetsPerRun, uploads })
  }
  return { rowsPerRun: limit, violations }
}

/** Scenarios to leave out until `excess` rows are saved, starting with the last in the file. In file sequence. */
function toDrop(scenarios: readonly Pick<ScenarioPlan, 'id' | 'rowsBound'>[], excess: number): string[] {
  const drop: string[] = []
  let left = excess
  for (let i = scenarios.length - 1; i >= 0 && left > 0; i--) {
    const s = scenarios[i]!
    if (s.rowsBound === 0) continue
    drop.unshift(s.id)
    left -= s.rowsBound
  }
  return drop
}
