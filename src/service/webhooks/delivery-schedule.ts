const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** Pauses after the first attempt, the second and so on, as Standard Webhooks proposes: nearly 72 hours together. */
export const PAUSES_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  18 * HOUR,
  22 * HOUR,
]

/** A receiver that was overloaded would otherwise get all messages at the same moment again. */
const JITTER = 0.1

/** Longest pause that a receiver can ask for. */
const MOST_ASKED_MS = 24 * HOUR

/**
 * How long to wait after a failed attempt; null: give up.
 *
 * @param attempts made so far, at least 1.
 * @param retryAfter header of the answer: seconds.
 */
export function pauseAfter(
  attempts: number,
  retryAfter: string | null,
  { pausesMs = PAUSES_MS, random = Math.random }: { pausesMs?: readonly number[]; random?: () => number } = {},
): number | null {
  const pause = pausesMs[attempts - 1]
  if (pause === undefined) return null
  const asked = retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * SECOND : 0
  return Math.round(Math.max(pause * (1 - JITTER * random()), Math.min(asked, MOST_ASKED_MS)))
}
