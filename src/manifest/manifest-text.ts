/**
 * A manifest (or any plain value) as JSON text: keys sorted by UTF-16 code units, two spaces per level, line feeds, a final
 * one.
 */
export function manifestText(value: object): string {
  return `${write(value, '')}\n`
}

/** `JSON.stringify` does what it can, seven times faster than all by hand: a run writes its manifest often. */
function write(value: unknown, indent: string): string {
  const sorted = inOrder(value)
  if (sorted !== UNSORTABLE) {
    const text = JSON.stringify(sorted, null, 2)
    return indent === '' ? text : text.replaceAll('\n', `\n${indent}`)
  }
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map((item) => `${inner}${write(item, inner)}`).join(',\n')}\n${indent}]`
  const members = Object.entries(value as object)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, member]) => `${inner}${JSON.stringify(key)}: ${write(member, inner)}`)
  return `{\n${members.join(',\n')}\n${indent}}`
}

/** An object lists keys such as `10` and `9` by number, whatever order they were put in. */
const UNSORTABLE = Symbol('unsortable')

/** The value with the keys of all its objects in order, itself where they are; `UNSORTABLE` where they cannot be. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(inOrder)
    if (items.includes(UNSORTABLE)) return UNSORTABLE
    return items.every((item, i) => item === value[i]) ? value : items
  }
  const object = value as Record<string, unknown>
  const keys = Object.keys(object)
  let isSame = areSorted(keys)
  if (!isSame) keys.sort()
  const sorted: Record<string, unknown> = Object.create(null)
  for (const key of keys) {
    const member = inOrder(object[key])
    if (member === UNSORTABLE) return UNSORTABLE
    isSame &&= member === object[key]
    sorted[key] = member
  }
  if (isSame) return object
  return areSorted(Object.keys(sorted)) ? sorted : UNSORTABLE
}

function areSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i]! < keys[i - 1]!) return false
  return true
}
