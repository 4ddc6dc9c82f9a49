/**
 * Whether a text, such as a scenario id or the name of a column, matches a glob: `*` matches any characters, `?` matches
 * one, every other character matches itself.
 */
export function matchesGlob(glob: string, text: string): boolean {
  // Two pointers with one backtracking point: linear for each star, where a regular expression could take exponential
  // time.
  let g = 0
  let i = 0
  let star = -1
  let resume = 0
  while (i < text.length) {
    if (glob[g] === '*') {
      star = g++
      resume = i
    } else if (g < glob.length && (glob[g] === '?' || glob[g] === text[i])) {
      g++
      i++
    } else if (star >= 0) {
      g = star + 1
      i = ++resume
    } else {
      return false
    }
  }
  while (glob[g] === '*') g++
  return g === glob.length
}
