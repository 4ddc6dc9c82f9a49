/** What can be asked of a column. */

import { LEAST_QUANTILE, MAX_ESTIMATED_SEGMENTS } from '../../contract/limits.ts'
import { areCodes } from '../../study/outcomes/outcome.ts'
import type { AskedFigure, AskedOutcome, ExploredColumn, ExploredDataset } from '../wire/messages.ts'

export const naturalOutcome = ({ name, levels }: ExploredColumn): AskedOutcome => ({
  column: name,
  of: levels === null ? 'mean' : 'shares',
})

/** Quantiles that are offered; a study may ask for others. */
const OFFERED = [0.1, 0.25, 0.5, 0.75, 0.9]

/** Whether a column has such figures. A text of a link may say anything. */
export function hasOutcome({ levels }: ExploredColumn, of: unknown): boolean {
  if (of === 'shares') return levels !== null
  if (of === 'mean') return levels === null || areCodes(levels.map(({ name }) => name))
  return levels === null && typeof of === 'number' && of >= LEAST_QUANTILE && of <= 1 - LEAST_QUANTILE
}

/** Whether the levels of a column can be segments. */
export const canDivide = (column: ExploredColumn | undefined): boolean =>
  column !== undefined && column.levels !== null && column.levels.length <= MAX_ESTIMATED_SEGMENTS

/** Beside the natural one: quantiles of a number, the mean of codes. */
export const furtherOutcomes = (column: ExploredColumn): readonly AskedOutcome[] =>
  (column.levels === null ? OFFERED : (['mean'] as const))
    .filter((of) => hasOutcome(column, of))
    .map((of) => ({ column: column.name, of }))

/** Levels of a column that a list names; the rarer ones are many. */
const MOST_LISTED = 30

/** The figures of outcomes, as a list of choices has them. */
export const figuresOf = ({ columns }: ExploredDataset, outcomes: readonly AskedOutcome[]): readonly AskedFigure[] =>
  outcomes.flatMap(({ column: name, of }): AskedFigure[] => {
    const column = columns.find((one) => one.name === name)
    if (of !== 'shares') return [{ column: name, level: null, ...(of !== 'mean' && { quantile: of }) }]
    return (column?.levels ?? []).slice(0, MOST_LISTED).map((level) => ({ column: name, level: level.name }))
  })
