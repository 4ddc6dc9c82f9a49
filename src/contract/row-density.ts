import { countText } from '../base/text/amount-text.ts'

/**
 * Above this many generated rows for each row of the seed, more rows add no information and reveal more about the
 * people in the seed.
 */
export const MOST_ROWS_PER_SEED_ROW = 20

/**
 * How well the distance to the nearest generated row distinguishes people in the seed from others, as area under the
 * ROC curve (0.5: not at all), by generated rows for each row of the seed. `npm run bench:membership` measures and
 * prints it. Measure it again when the engine changes.
 */
export const MEMBERSHIP_RISKS = [
  { rowsPerRow: 1, auc: 0.57 },
  { rowsPerRow: 10, auc: 0.65 },
  { rowsPerRow: 100, auc: 0.77 },
] as const

/** Why a scenario should not have more rows than that. */
export const ROW_DENSITY_RISK = `Further rows add no information, and raise the risk for the people in the seed data: the distance to the nearest generated row told them from others with an area under the ROC curve of ${MEMBERSHIP_RISKS.map(({ rowsPerRow, auc }) => `${auc} at ${rowsPerRow}`).join(', ')} rows per seed row (0.5 is chance; measured on simulated people).`

/** Whether there are more than 20 rows for each row of the seed. False if the number of seed rows is unknown. */
export function isDense(rows: number, seedRows: number | null): seedRows is number {
  return seedRows !== null && seedRows > 0 && rows > MOST_ROWS_PER_SEED_ROW * seedRows
}

/** The warning about more than 20 rows for each row of the seed; null for fewer. */
export function rowDensityNote(rows: number, seedRows: number): string | null {
  if (!isDense(rows, seedRows)) return null
  return `${countText(rows)} rows are more than ${MOST_ROWS_PER_SEED_ROW} for each of the ${countText(seedRows)} rows of the seed data. ${ROW_DENSITY_RISK}`
}
