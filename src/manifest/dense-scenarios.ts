import { isDense, MOST_ROWS_PER_SEED_ROW, ROW_DENSITY_RISK } from '../contract/row-density.ts'
import type { Manifest } from './manifest.ts'

/** A scenario that delivered more rows than its seed can tell of. */
export interface DenseScenario {
  readonly dataset: string
  readonly scenario: string
  readonly rows: number
  /** Rows that cleaning left of the seed file. */
  readonly seedRows: number
}

/** None of a dataset whose rows the service did not tell. */
export function denseScenarios({ datasets, scenarios }: Manifest): DenseScenario[] {
  return Object.entries(scenarios).flatMap(([scenario, { dataset, rows }]) => {
    const seedRows = datasets[dataset]?.cleaning?.clean_rows ?? null
    return rows.counted !== null && isDense(rows.counted, seedRows)
      ? [{ dataset, scenario, rows: rows.counted, seedRows }]
      : []
  })
}

/** What that means. */
export const DENSITY_NOTE = `These have more than ${MOST_ROWS_PER_SEED_ROW} rows for each row that cleaning left of the seed file. ${ROW_DENSITY_RISK}`
