/** Names and values of the file as words in a report's sentences. */

const MAX_TEXT = 100

/** A name or value of the file in quotes, cut if it is long. */
export function quoted(text: string): string {
  return `"${cut(text)}"`
}

/** At most 100 characters of a text of the file. */
export function cut(text: string): string {
  // A character has at most two code units; texts of megabytes are not taken apart.
  const characters = text.length > MAX_TEXT ? [...text.slice(0, 2 * MAX_TEXT + 2)] : []
  return characters.length > MAX_TEXT ? `${characters.slice(0, MAX_TEXT).join('')}…` : text
}
