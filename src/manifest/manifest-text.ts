/**
 * A manifest (or any plain value) as JSON text: keys sorted by UTF-16 code units, two spaces per level, line feeds, a final
 * one. Written by hand because an object lists keys such as `10` and `9` by number, whatever order they were put in.
 */
export function manifestText(value: object): string {
  return `${write(value, '')}\n`
}

function write(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((item) => `${inner}${write(item, inner)}`).join(',\n')}\n${indent}]`
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, member]) => `${inner}${JSON.stringify(key)}: ${write(member, inner)}`)
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`
}
