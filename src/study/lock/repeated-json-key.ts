/**
 * The first key that stands twice in one object of a valid JSON text, and its line. `JSON.parse` keeps the last of them
 * without a word, which is how a merge that kept both sides goes unnoticed.
 */
export function repeatedJsonKey(text: string): { readonly key: string; readonly line: number } | null {
  /** Keys of the objects around; null for lists. */
  const open: (Set<string> | null)[] = []
  let lastString = { start: 0, end: 0 }
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at)
      lastString = { start: at, end }
      at = end - 1
    } else if (character === '{') open.push(new Set())
    else if (character === '[') open.push(null)
    else if (character === '}' || character === ']') open.pop()
    else if (character === ':') {
      const key = JSON.parse(text.slice(lastString.start, lastString.end)) as string
      const keys = open.at(-1)
      if (keys?.has(key)) return { key, line: text.slice(0, lastString.start).split('\n').length }
      keys?.add(key)
    }
  }
  return null
}

/** Index behind the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
