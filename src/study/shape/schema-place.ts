import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { type LocatedEntry, type LocatedMap, type LocatedNode, MERGE_KEY } from '../yaml/located-node.ts'
import { childSchema, resolveSchema, type SchemaNode } from './study-schema.ts'

/** The place of a schema error: the node, its schema, and its name for people. */
export interface SchemaPlace {
  readonly node: LocatedNode
  readonly schema: SchemaNode
  /** The map entry whose value the node is; null for the root and for items of lists. */
  readonly entry: LocatedEntry | null
  /** The map that `entry` is in. */
  readonly parent: LocatedMap | null
  /** A merge key on the way to the node: its content is not checked. */
  readonly merge: LocatedEntry | null
  /** `"rows"`, `entry 2 of "axes"`, `the study`. */
  readonly title: string
  /** What to underline: the value, or the key when the value is a whole block or nothing. */
  readonly range: SourceRange
  /** What to underline for a fault of the map as such: its key. */
  readonly keyRange: SourceRange
}

/** Follows a JSON pointer of the validator through nodes and schema. */
export function findPlace(root: LocatedNode, rootSchema: SchemaNode, rootTitle: string, pointer: string): SchemaPlace {
  let node = root
  let schema: SchemaNode = rootSchema
  let entry: LocatedEntry | null = null
  let parent: LocatedMap | null = null
  let merge: LocatedEntry | null = null
  let title = rootTitle
  let keyRange: SourceRange = startOf(root.range)
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (node.kind === 'list') {
      const index = Number(key)
      schema = childSchema(schema, node, index) ?? {}
      title = `entry ${index + 1} of ${title}`
      node = node.items[index] ?? node
      entry = null
      parent = null
      keyRange = node.kind === 'scalar' ? node.range : startOf(node.range)
    } else if (node.kind === 'map') {
      const found = node.entries.get(key)
      if (found === undefined) break
      schema = childSchema(schema, node, key) ?? {}
      title = `"${key}"`
      entry = found
      parent = node
      if (key === MERGE_KEY && found.value.kind === 'map') merge ??= found
      keyRange = found.keyRange
      node = found.value
    }
  }
  const isShort = node.kind === 'scalar' && node.range.end.offset > node.range.start.offset
  const range = isShort ? node.range : keyRange
  return { node, schema: resolveSchema(schema), entry, parent, merge, title, keyRange, range }
}

function startOf(range: SourceRange): SourceRange {
  return { ...range, end: range.start }
}
