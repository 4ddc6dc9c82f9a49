/**
 * Draws without replacement, with + - * / alone: the same numbers on every machine.
 *
 * By inversion, searching from the mode (Kachitvichyanukul and Schmeiser 1985, "Computer generation of hypergeometric random variates").
 * Neighbouring probabilities have a rational ratio. So they are added up from the mode outwards, relative to that of the mode, and no
 * logarithm of a factorial is needed. That takes a number of steps in proportion to the standard deviation.
 */

/** Numbers that are less likely than this beside the mode are never drawn: all together they are below what a uniform number resolves. */
const NEGLIGIBLE = 2 ** -80

/**
 * How many of `draws` balls from an urn are marked.
 *
 * @param marked Balls of the urn that are marked, a whole number.
 * @param others The others.
 * @param draws At most marked + others.
 * @param uniform A number in [0, 1); called once if there is anything to decide.
 */
export function drawHypergeometric(marked: number, others: number, draws: number, uniform: () => number): number {
  const least = Math.max(0, draws - others)
  const most = Math.min(marked, draws)
  if (least === most) return least
  const mode = Math.floor(((marked + 1) * (draws + 1)) / (marked + others + 2))
  const start = Math.min(most, Math.max(least, mode))
  /** How much likelier x + 1 is than x. */
  const ratio = (x: number): number => ((marked - x) / (x + 1)) * ((draws - x) / (others - draws + x + 1))
  let sum = 1
  let top = start
  for (let weight = 1; top < most; top++) {
    weight *= ratio(top)
    if (weight < NEGLIGIBLE) break
    sum += weight
  }
  let bottom = start
  for (let weight = 1; bottom > least; bottom--) {
    weight /= ratio(bottom - 1)
    if (weight < NEGLIGIBLE) break
    sum += weight
  }
  let left = uniform() * sum - 1
  if (left < 0) return start
  for (let x = start, weight = 1; x < top; ) {
    weight *= ratio(x++)
    left -= weight
    if (left < 0) return x
  }
  for (let x = start, weight = 1; x > bottom; ) {
    weight /= ratio(--x)
    left -= weight
    if (left < 0) return x
  }
  // Rounding left something over.
  return start
}
