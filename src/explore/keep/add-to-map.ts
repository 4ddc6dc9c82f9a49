import { isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'

/**
 * Adds entries at the end of a map or list that a study has at its top, and leaves every other byte as it is: the library tells where
 * its nodes lie, and nothing is written anew. A map or list that is missing is added at the end of the file.
 *
 * @param entries The lines of each entry, from the first column; an entry of a list begins with `- `.
 * @returns the text, and the lines that it got; null where the key holds something else.
 */
export function addToTop(
  text: string,
  key: string,
  entries: readonly (readonly string[])[],
): { readonly text: string; readonly added: readonly string[] } | null {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const root = parseDocument(text, { logLevel: 'silent', version: '1.2' }).contents
  if (!isMap(root)) return null
  const node = root.get(key, true)
  if (node === undefined) {
    const added = [`${key}:`, ...entries.flatMap((lines) => lines.map((line) => `  ${line}`))]
    const gap = text.endsWith('\n') ? '' : end
    return { text: `${text}${gap}${end}${added.join(end)}${end}`, added }
  }
  if (!isMap(node) && !isSeq(node)) return null
  if (node.flow === true) return intoFlow(text, node, entries)
  const column = columnOf(text, startOf(node))
  const added = entries.flatMap((lines) => lines.map((line) => `${' '.repeat(column)}${line}`))
  const at = endOfLine(text, endOfLast(node))
  const gap = at > 0 && text[at - 1] !== '\n' ? end : ''
  return { text: `${text.slice(0, at)}${gap}${added.join(end)}${end}${text.slice(at)}`, added }
}

/** In braces or brackets, behind the last entry: each entry on one line, which is valid because its maps are. */
function intoFlow(text: string, node: YAMLMap | YAMLSeq, entries: readonly (readonly string[])[]) {
  const added = entries.map(flowEntry)
  const isEmpty = node.items.length === 0
  const at = isEmpty ? startOf(node) + 1 : endOfLast(node)
  const written = isEmpty ? ` ${added.join(', ')} ` : added.map((entry) => `, ${entry}`).join('')
  return { text: `${text.slice(0, at)}${written}${text.slice(at)}`, added }
}

/** `id:` and `  key: value` lines as `id: { key: value }`; the entry of a list without its dash. */
function flowEntry([head = '', ...rest]: readonly string[]): string {
  const inside = rest.map((line) => line.trim()).join(', ')
  return rest.length === 0 ? head.replace(/^- /, '') : `${head} { ${inside} }`
}

/** Where the first entry of a map or list in block style begins. */
const startOf = (node: YAMLMap | YAMLSeq): number => node.range?.[0] ?? 0

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1)

/** Where a node ends: that of a block takes in the blank lines and comments behind it, so that its last value counts. */
function endOf(node: unknown): number {
  const { range, items, flow } = node as { range?: readonly number[]; items?: readonly unknown[]; flow?: boolean }
  return items === undefined || items.length === 0 || flow === true ? (range?.[1] ?? 0) : endOfLast(node as YAMLMap)
}

function endOfLast({ items }: YAMLMap | YAMLSeq): number {
  const last = items.at(-1) as { readonly key?: unknown; readonly value?: unknown }
  if (last.key === undefined) return endOf(last)
  return Math.max(endOf(last.key), last.value == null ? 0 : endOf(last.value))
}

/** Behind the line break of the line that holds the last byte before an offset. */
function endOfLine(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset
  const at = text.indexOf('\n', offset)
  return at < 0 ? text.length : at + 1
}
