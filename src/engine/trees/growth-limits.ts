/**
 * When a node is split, and when it stays a leaf.
 *
 * n  rows of the node     N  rows of the table     G  target classes that the node has
 */

/** Least gain of a split in log-likelihood. */
const MIN_GAIN = 0.7
/** Additional gain per class beyond the first: these are the parameters that a split adds. (1 would be Akaike's criterion.) */
const MIN_GAIN_PER_CLASS = 0.3
/**
 * Additional gain per class for every factor of e by which the table exceeds the node. About N / n nodes of that size are searched
 * for a split: the more tests, the larger the gain that chance offers (the reason of Bonferroni's correction). At the root a weak
 * effect is worth a split, otherwise scenarios shrink it to 0. Deep in a table most small gains are noise, and splitting on them
 * copies training rows. A small table has fewer rows to tell an effect from noise, so its splits must gain more. docs/engine.md
 * has the settings that were tried.
 */
const GAIN_PER_CLASS_AND_DEPTH = { small: 0.5, large: 0.22 }
/** Tables of at most 5,000 rows are small, of at least 15,000 large. Between them the gain falls with the logarithm of the rows. */
const TABLE_ROWS = { small: 5_000, large: 15_000 }

/**
 * Trees of a table whose rows would be copied (see copy-limit.ts) are stricter: at this strictness a split must gain twice as much
 * per class, and a leaf must have four times as many rows. Measured on 4,456 rows of 9 coarse columns, where new rows are copies in
 * 0.212: with both limits, copies fell from 0.289 to 0.215, and a model for prediction lost 2 %; with the gain alone, 0.217 and 3 %.
 * Higher strictness costs fidelity: C2ST of 1,500 rows of 10 columns is 0.59 here, and 0.62 with leaves twice as large; at 0 it is 0.55.
 */
export const MAX_STRICTNESS = 3

/** The least gain that a split of a node needs. */
export function leastGain(n: number, tableRows: number, g: number, strictness: number): number {
  const perClass = MIN_GAIN_PER_CLASS + gainPerDepth(tableRows) * Math.log(tableRows / n)
  return Math.max(MIN_GAIN, perClass * 2 ** (strictness / 3) * (g - 1))
}

function gainPerDepth(tableRows: number): number {
  const { small, large } = GAIN_PER_CLASS_AND_DEPTH
  const smallness = Math.log(TABLE_ROWS.large / tableRows) / Math.log(TABLE_ROWS.large / TABLE_ROWS.small)
  return large + (small - large) * Math.min(1, Math.max(0, smallness))
}

/** Fewest rows of a leaf: smaller leaves copy training rows, larger ones blur. */
export function leafRows(rowCount: number, strictness = 0): number {
  if (strictness > 0) return Math.round(leafRows(rowCount) * 4 ** (strictness / 3))
  if (rowCount < 5_000) return 10
  if (rowCount <= 200_000) return 15
  return Math.min(50, 15 + Math.floor((rowCount - 200_000) / 10_000))
}
