/** Columns that one proposal names; more make a study that nobody reads. */
export const MOST_COLUMNS = 8

const LONGEST = 60

/** Whether a name or a value fits in a line of a study. */
export function isShort(text: string): boolean {
  return text.length <= LONGEST && !/\p{Control}/u.test(text)
}
