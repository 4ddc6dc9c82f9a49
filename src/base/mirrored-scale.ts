/** Fewest steps to each side: -1 beside 0 and 1 is as likely "no answer". */
const FEWEST_STEPS = 2
/** An item may lack the answer at one end. */
const MOST_LACKING = 1

/**
 * Whether whole numbers are a scale around zero, such as -3 to 3 of a semantic differential: without a gap, and as far to one
 * side as to the other. Its negative numbers are answers, and no codes for "no answer".
 */
export function isMirroredScale(values: readonly number[]): boolean {
  const least = values.reduce((one, other) => Math.min(one, other), 0)
  const most = values.reduce((one, other) => Math.max(one, other), 0)
  const isWhole = new Set(values).size === most - least + 1
  return isWhole && Math.min(-least, most) >= FEWEST_STEPS && Math.abs(most + least) <= MOST_LACKING
}
