import { countText, listText } from '../../base/text/amount-text.ts'
import { isDense, MOST_ROWS_PER_SEED_ROW, ROW_DENSITY_RISK } from '../../contract/row-density.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import type { Study } from '../../study/study.ts'
import type { Plan, ScenarioPlan } from './plan.ts'

/** Scenarios named in a note; further ones are only counted. */
const LISTED_SCENARIOS = 5

/**
 * A note for each dataset from which more rows would be bought than its seed file supports. The plan reports it before
 * the rows are bought. No note while the number of seed rows is unknown.
 */
export function denseRows(study: Study, plan: Plan): Diagnostic[] {
  const bought = new Set(plan.scenarios.filter(({ rowsBound }) => rowsBound > 0).map(({ id }) => id))
  const isBought = ({ id, action }: ScenarioPlan): boolean => bought.has(action.kind === 'copy' ? action.of : id)
  return plan.datasets.flatMap(({ id, seedRows }) => {
    const dense = plan.scenarios.filter((s) => s.dataset === id && isDense(s.rows, seedRows) && isBought(s))
    const first = study.scenarios.find((scenario) => scenario.id === dense[0]?.id)
    return first === undefined || seedRows === null ? [] : [noteOf(id, seedRows, dense, first.origin.rows)]
  })
}

function noteOf(
  dataset: string,
  seedRows: number,
  dense: readonly ScenarioPlan[],
  range: Diagnostic['range'],
): Diagnostic {
  const limit = `more than ${MOST_ROWS_PER_SEED_ROW} rows for each of the ${countText(seedRows)} seed rows of dataset ${dataset}`
  const [only, another] = dense
  const asked = dense.map(({ id, rows }) => `${id} ${countText(rows)}`)
  return diagnose('N4404', {
    summary:
      another === undefined
        ? `${only!.id} asks for ${countText(only!.rows)} rows: ${limit}`
        : `${dense.length} scenarios ask for ${limit}`,
    detail: [...(another === undefined ? [] : [`Rows: ${listText(asked, LISTED_SCENARIOS)}.`]), ROW_DENSITY_RISK].join(
      '\n',
    ),
    range,
  })
}
