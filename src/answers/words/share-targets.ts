import type { CellResult, ManifestScenario } from '../../records/manifest/scenarios.ts'
import type { TargetOrBounds } from '../arithmetic/figures.ts'

/** A share that a scenario states, and what its rows have. Of a cell, column and level are those of a table: `region × gender`. */
export interface ShareTarget {
  readonly column: string
  readonly level: string
  readonly target: TargetOrBounds
  readonly achieved: number
  readonly delta: number
  readonly count: number
}

const BETWEEN = ' × '

/** The stated shares of levels, and then of cells. */
export const shareTargetsOf = ({ shares, cells = [] }: ManifestScenario): ShareTarget[] => [
  ...Object.entries(shares).flatMap(([column, { levels }]) =>
    Object.entries(levels).map(([level, result]) => ({ column, level, ...result })),
  ),
  ...cells.flatMap(cellTargetsOf),
]

export const cellTargetsOf = ({ columns, cells }: CellResult): ShareTarget[] =>
  cells.map(({ levels, ...result }) => ({ column: columns.join(BETWEEN), level: levels.join(BETWEEN), ...result }))
