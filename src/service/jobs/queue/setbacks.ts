/** Setbacks after which a job is tried again soon; from the next one on it waits longer, and the operator is told. */
export const SETBACKS_IN_A_ROW = 3

const FIRST_PAUSE_MS = 5_000
const FIRST_LONG_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 10 * 60_000

/** How long a job waits after its `setbacks`-th setback, in milliseconds: 5 s, then 15 s, 30 s, 1 min … 10 min. */
export function pauseMs(setbacks: number): number {
  if (setbacks < SETBACKS_IN_A_ROW) return FIRST_PAUSE_MS
  return Math.min(LONGEST_PAUSE_MS, FIRST_LONG_PAUSE_MS * 2 ** Math.min(20, setbacks - SETBACKS_IN_A_ROW))
}
