import { isJson } from '../../base/is-json.ts'

/** What a text of JSON holds, as its description in a message. */
export type JsonKind = 'a list of records' | 'a list of lists' | 'an object' | 'one record a line'

const KEY = '"(?:[^"\\\\\\n]|\\\\.)*"\\s*:'
const OPENS_RECORDS = new RegExp(`^\\[\\s*\\{\\s*(?:\\}|${KEY})`)
const OPENS_LISTS = /^\[\s*\[\s*(?:"|-?\d|null\b|true\b|false\b|\])/
const OPENS_OBJECT = new RegExp(`^\\{\\s*${KEY}`)

/**
 * A cell of a table may begin like JSON; in a table something follows behind it. So the first line must be JSON as a whole,
 * or must go on in the next line as only JSON does.
 */
export function jsonKind(text: string): JsonKind | null {
  const kind: JsonKind | null = OPENS_RECORDS.test(text)
    ? 'a list of records'
    : OPENS_LISTS.test(text)
      ? 'a list of lists'
      : OPENS_OBJECT.test(text)
        ? 'an object'
        : null
  if (kind === null) return null
  const end = text.search(/[\r\n]/)
  const line = (end < 0 ? text : text.slice(0, end)).trimEnd()
  if (end < 0 || /[[{,:]$/.test(line)) return kind
  // Some programs write the comma at the beginning of the next line.
  if (kind === 'a list of records' && /^\s*,\s*\{/.test(text.slice(end))) return isJson(`${line}]`) ? kind : null
  if (!isJson(line.replace(/,$/, ''))) return null
  return kind === 'an object' && text.slice(end).trim() !== '' ? 'one record a line' : kind
}

/** Whether the text begins as JSON of one record a row, which is a table. @param text the head of a file. */
export function beginsRecords(text: string): boolean {
  const kind = jsonKind(text)
  return kind === 'a list of records' || kind === 'one record a line' || (kind === 'an object' && anotherFollows(text))
}

/** Whether another object begins behind the first one, as in what `jq` prints. */
function anotherFollows(text: string): boolean {
  let depth = 0
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return /^\s*,?\s*\{/.test(text.slice(index + 1))
  }
  return false
}
