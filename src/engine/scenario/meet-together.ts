/**
 * A zero of several functions of as many numbers, by Broyden's method (1965): like Newton's, with slopes learned from the steps
 * themselves.
 *
 * p  numbers
 */

/** Steps without a zero after which it is given up, and more for each number. */
const STEPS = 10
const STEPS_PER_NUMBER = 5

/** No number moves further in a step. */
const LONGEST_STEP = 2

/** A step that leaves gaps this many times larger has gone astray. */
const ASTRAY = 10

/**
 * @param gapsAt Length p → length p. Its last call is with the answer.
 * @param start Where a zero is about to be.
 * @param slope About what a gap rises with its own number, above 0.
 * @param tolerance A zero is where no gap is larger.
 * @returns whether one was found.
 */
export async function meetTogether(
  gapsAt: (at: Float64Array) => Promise<Float64Array>,
  start: Float64Array,
  slope: number,
  tolerance: number,
): Promise<boolean> {
  const p = start.length
  let at = start
  let gaps = await gapsAt(at)
  let least = sizeOf(gaps)
  // The inverse of the slopes.
  const inverse = new Float64Array(p * p)
  for (let j = 0; j < p; j++) inverse[j * p + j] = 1 / slope
  for (let step = 0; step < STEPS + STEPS_PER_NUMBER * p && sizeOf(gaps) > tolerance; step++) {
    const wanted = times(inverse, gaps)
    const longest = sizeOf(wanted)
    const part = longest > LONGEST_STEP ? LONGEST_STEP / longest : 1
    const moved = wanted.map((each) => -part * each)
    const before = gaps
    at = at.map((each, j) => each + moved[j]!)
    gaps = await gapsAt(at)
    if (!(sizeOf(gaps) <= ASTRAY * least)) return false
    least = Math.min(least, sizeOf(gaps))
    learn(
      inverse,
      moved,
      gaps.map((gap, j) => gap - before[j]!),
    )
  }
  return sizeOf(gaps) <= tolerance
}

const sizeOf = (numbers: Float64Array): number => numbers.reduce((most, each) => Math.max(most, Math.abs(each)), 0)

function times(matrix: Float64Array, vector: Float64Array): Float64Array {
  const p = vector.length
  return vector.map((_, i) => vector.reduce((sum, each, j) => sum + matrix[i * p + j]! * each, 0))
}

/** Sherman's and Morrison's formula: the least change with which the inverse takes the change of the gaps to the move. */
function learn(inverse: Float64Array, moved: Float64Array, change: Float64Array): void {
  const p = moved.length
  const predicted = times(inverse, change)
  const left = moved.map((_, j) => moved.reduce((sum, each, i) => sum + each * inverse[i * p + j]!, 0))
  const divisor = moved.reduce((sum, each, i) => sum + each * predicted[i]!, 0)
  if (!(Math.abs(divisor) > 0)) return
  for (let i = 0; i < p; i++) {
    for (let j = 0; j < p; j++) inverse[i * p + j]! += ((moved[i]! - predicted[i]!) / divisor) * left[j]!
  }
}
