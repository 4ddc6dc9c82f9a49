import { childSchema, type SchemaNode, studySchema } from '../shape/study-schema.ts'
import { isReadAsWritten } from '../shape/unquoted-value.ts'
import type { LocatedMap, LocatedNode, LocatedScalar } from '../yaml/located-node.ts'

/**
 * A study in which text that YAML takes for a number, a truth value or nothing has quotes: `[01, 2026]` in a list of
 * names. This runner reads it as written; others would change it. `root` is the parsed `text`, with a valid shape.
 */
export function quoteNames(text: string, root: LocatedMap): string {
  const uses = new Uses()
  uses.add(root, studySchema())
  let quoted = ''
  let at = 0
  for (const { range, source } of uses.onlyAsText()) {
    quoted += `${text.slice(at, range.start.offset)}"${source}"`
    at = range.end.offset
  }
  return quoted + text.slice(at)
}

/** An aliased scalar may be a name in one place and a number in another, and is one node. */
class Uses {
  readonly #asText = new Set<LocatedScalar>()
  readonly #otherwise = new Set<LocatedScalar>()
  readonly #seen = new Map<LocatedNode, Set<SchemaNode | null | undefined>>()

  add(node: LocatedNode, schema: SchemaNode | null | undefined): void {
    if (node.kind === 'scalar') {
      const uses = schema && isReadAsWritten(node, schema) ? this.#asText : this.#otherwise
      uses.add(node)
      return
    }
    const seen = this.#seen.get(node) ?? new Set()
    if (seen.has(schema)) return
    this.#seen.set(node, seen.add(schema))
    const child = (key: string | number) => (schema ? childSchema(schema, node, key) : schema)
    if (node.kind === 'list') for (const [i, item] of node.items.entries()) this.add(item, child(i))
    else for (const { key, value } of node.entries.values()) this.add(value, child(key))
  }

  /** In the sequence of the file. */
  onlyAsText(): LocatedScalar[] {
    return [...this.#asText]
      .filter((node) => !this.#otherwise.has(node))
      .sort((a, b) => a.range.start.offset - b.range.start.offset)
  }
}
