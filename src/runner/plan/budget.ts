import { requestIdentity } from '../../study/shards/shards.ts'
import type { Budget, Scenario, Study } from '../../study/study.ts'
import type { BudgetCheck, BudgetViolation, DatasetPlan, ScenarioPlan } from './plan.ts'
import type { Chosen } from './plan-input.ts'

/** Rows that a part asks for, and those that all parts ask for together. */
interface PartOfRows {
  readonly rows: number
  readonly ofAll: number
}

/** Of the selected scenarios, each distinct request once; null for a study that is run whole. */
export function partOfRows({ shard, scenarios }: Study, { selected, ofAll }: Chosen): PartOfRows | null {
  if (shard === undefined) return null
  const requests = new Map<string, Scenario>()
  for (const scenario of scenarios) if (ofAll.has(scenario.id)) requests.set(requestIdentity(scenario), scenario)
  const distinct = [...requests.values()]
  const sum = (of: readonly Scenario[]) => of.reduce((rows, s) => rows + s.rows, 0)
  return { rows: sum(distinct.filter(({ id }) => selected.has(id))), ofAll: sum(distinct) }
}

/**
 * Checks the bound of a plan against the study's budget; nothing may be sent while there is a violation. The lower of
 * the file's rows per run and `flag` (`--budget-rows`) applies. Raising the file's limit is a change of the study,
 * which a reviewer sees. A limit in the settings of a CI system also bounds studies that have no limit, or a higher
 * one.
 *
 * The parts of a study do not see each other, so each has its portion of the rows per run, by the rows that it asks for: the portions
 * add up to the limit at most, and are enough wherever all parts together may be run.
 */
export function checkBudget(
  budget: Budget,
  flag: number | null,
  scenarios: readonly Pick<ScenarioPlan, 'id' | 'rows' | 'rowsBound'>[],
  datasets: readonly Pick<DatasetPlan, 'id' | 'action'>[],
  part: PartOfRows | null = null,
): BudgetCheck {
  const rowsPerRun = Math.min(budget.rowsPerRun ?? Number.POSITIVE_INFINITY, flag ?? Number.POSITIVE_INFINITY)
  const limitOfAll = Number.isFinite(rowsPerRun) ? rowsPerRun : null
  const limit = limitOfAll === null || part === null ? limitOfAll : portionOf(limitOfAll, part)
  const violations: BudgetViolation[] = []
  const bound = scenarios.reduce((sum, s) => sum + s.rowsBound, 0)
  if (limit !== null && bound > limit) {
    const ofAll = part === null ? {} : { limit_of_all: limitOfAll ?? limit }
    violations.push({ kind: 'rows_per_run', limit, bound, drop: toDrop(scenarios, bound - limit), ...ofAll })
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

/** Rounded down, without the error of a product that a number cannot hold. */
function portionOf(limit: number, { rows, ofAll }: PartOfRows): number {
  return ofAll === 0 ? 0 : Number((BigInt(limit) * BigInt(rows)) / BigInt(ofAll))
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
