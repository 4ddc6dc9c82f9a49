// Tables of the simulations: each figure with its interval, and a mark where a target is missed.

/** @typedef {{ value: number, low: number, high: number }} Figure */

/**
 * Targets that were missed, in words.
 *
 * @type {string[]}
 */
export const missed = []

/**
 * @param {string} title
 * @param {readonly string[]} head
 */
export function print(title, head) {
  process.stdout.write(`\n${title}\n\n`)
  row(head)
  row(head.map(() => '---'))
}

/** @param {readonly string[]} cells */
export function row(cells) {
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}

/**
 * @param {Figure} figure
 * @param {number} [digits]
 */
export function figureText({ value, low, high }, digits = 3) {
  return `${value.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`
}

/** @param {number} share */
export function percent(share) {
  return `${(100 * share).toFixed(1)} %`
}

/**
 * @param {Figure} figure
 * @param {number} low
 * @param {number} high
 * @param {string} place
 */
export function within(figure, low, high, place) {
  return checked(figure, figure.value >= low && figure.value <= high, `${place} between ${low} and ${high}`)
}

/**
 * Of few repetitions: missed where chance does not explain it.
 *
 * @param {Figure} figure
 * @param {number} low
 * @param {number} high
 * @param {string} place
 */
export function reaches(figure, low, high, place) {
  return checked(figure, figure.high >= low && figure.low <= high, `${place} reaches ${low} to ${high}`)
}

/**
 * @param {Figure} figure
 * @param {number} least
 * @param {string} place
 * @param {number} [digits] So many that the figure is not rounded to its bound.
 */
export function atLeast(figure, least, place, digits) {
  return checked(figure, figure.value >= least, `${place} at least ${least}`, digits)
}

/**
 * @param {Figure} figure
 * @param {number} most
 * @param {string} place
 * @param {number} [digits] Of the figure.
 */
export function atMost(figure, most, place, digits) {
  return checked(figure, figure.value <= most, `${place} at most ${Number(most.toFixed(digits ?? 3))}`, digits)
}

/**
 * A number of faults, which must be 0.
 *
 * @param {number} count
 * @param {string} place
 */
export function none(count, place) {
  if (count > 0) missed.push(`${place}: ${count}`)
  return `${count}${count > 0 ? ' *' : ''}`
}

/**
 * @param {Figure} figure
 * @param {boolean} isReached
 * @param {string} wanted
 * @param {number} [digits]
 */
function checked(figure, isReached, wanted, digits) {
  if (!isReached) missed.push(`${wanted}: ${figureText(figure, digits)}`)
  return `${figureText(figure, digits)}${isReached ? '' : ' *'}`
}
