import { type Document, isAlias, isMap, isScalar, isSeq, type Node, Scalar } from 'yaml'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import { MAX_ALIAS_COUNT, MAX_DEPTH } from '../diagnostics/limits.ts'
import { type LocatedEntry, type LocatedNode, MERGE_KEY } from './located-node.ts'
import type { SourceText } from './source-text.ts'

interface Anchor {
  /** Null while the anchored value itself is being read. */
  node: LocatedNode | null
  references: number
  weight: number
  /** Whether its multiplication was already reported. */
  isReported?: boolean
}

/**
 * The document as located nodes. Finds faults that the library accepts: duplicate keys, tags, aliases that lead nowhere
 * or multiply, deep nesting, lone surrogates. `node` is null for an empty document or after a fault that leaves nothing
 * to return. `mergeKeys` are reported with the shape. The parser reports them only when no later phase runs.
 */
export function locateNodes(
  document: Document.Parsed,
  source: SourceText,
): { node: LocatedNode | null; diagnostics: readonly Diagnostic[]; mergeKeys: readonly SourceRange[] } {
  const locator = new Locator(source)
  const node = document.contents === null ? null : locator.locate(document.contents, 1).node
  return { node, diagnostics: locator.diagnostics, mergeKeys: locator.mergeKeys }
}

class Locator {
  readonly diagnostics: Diagnostic[] = []
  readonly mergeKeys: SourceRange[] = []
  readonly #source: SourceText
  readonly #anchors = new Map<string, Anchor>()

  constructor(source: SourceText) {
    this.#source = source
  }

  /** `weight` counts how often the most repeated part of the node is repeated (the library's aliasCount). */
  locate(node: Node, depth: number): { node: LocatedNode; weight: number } {
    if (isAlias(node)) return this.#resolve(node.source, this.#range(node))
    this.#refuseTag(node)
    const anchor: Anchor = { node: null, references: 0, weight: 1 }
    const name = 'anchor' in node ? node.anchor : undefined
    if (name !== undefined) this.#anchors.set(name, anchor)
    const located = this.#locateContent(node, depth)
    anchor.node = located.node
    anchor.weight = located.weight
    return located
  }

  #locateContent(node: Node, depth: number): { node: LocatedNode; weight: number } {
    const range = this.#range(node)
    if (isScalar(node)) return { node: this.#scalar(node, range), weight: 1 }
    if (depth > MAX_DEPTH) {
      this.#add(diagnose('S1008', { summary: `nested more than ${MAX_DEPTH} levels deep`, range }))
      return { node: nothing(range), weight: 0 }
    }
    if (isMap(node)) return this.#map(node.items, range, depth)
    const items: LocatedNode[] = []
    let weight = 0
    if (isSeq(node)) {
      for (const item of node.items) {
        const located = this.locate(item as Node, depth + 1)
        items.push(located.node)
        weight = Math.max(weight, located.weight)
      }
    }
    return { node: { kind: 'list', range, items }, weight }
  }

  #map(pairs: readonly { key: unknown; value: unknown }[], range: SourceRange, depth: number) {
    const entries = new Map<string, LocatedEntry>()
    let weight = 0
    for (const pair of pairs) {
      // Any other key is a NON_STRING_KEY error of the library.
      if (!isScalar(pair.key) || typeof pair.key.value !== 'string') continue
      const key = pair.key.value
      const keyRange = this.#range(pair.key)
      this.#refuseTag(pair.key)
      this.#refuseSurrogates(key, keyRange)
      if (key === MERGE_KEY) this.mergeKeys.push(keyRange)
      const mergeKeys = this.mergeKeys.length
      if (pair.key.anchor !== undefined) {
        const node = this.#scalar(pair.key, keyRange)
        this.#anchors.set(pair.key.anchor, { node, references: 0, weight: 1 })
      }
      const located = pair.value ? this.locate(pair.value as Node, depth + 1) : { node: nothing(keyRange), weight: 0 }
      weight = Math.max(weight, located.weight)
      // The content of an extension key is not checked.
      if (key.startsWith('x-')) this.mergeKeys.length = mergeKeys
      const first = entries.get(key)
      if (first !== undefined) {
        this.#add(
          diagnose('S1003', {
            summary: `key "${key}" is written twice in this map`,
            range: keyRange,
            related: [{ message: 'first written here', range: first.keyRange }],
          }),
        )
        continue
      }
      entries.set(key, { key, keyRange, isUnquoted: pair.key.type === Scalar.PLAIN, value: located.node })
    }
    return { node: { kind: 'map', range, entries } as const, weight }
  }

  #scalar(node: Scalar, range: SourceRange): LocatedNode {
    if (typeof node.value === 'string') this.#refuseSurrogates(node.value, range)
    return {
      kind: 'scalar',
      range,
      value: node.value as string | number | boolean | null,
      source: node.type === Scalar.PLAIN ? (node.source ?? '') : null,
    }
  }

  #resolve(name: string, range: SourceRange): { node: LocatedNode; weight: number } {
    const anchor = this.#anchors.get(name)
    if (anchor?.node == null) {
      this.#add(
        diagnose('S1012', {
          summary:
            anchor === undefined
              ? `there is no anchor "&${name}" before this alias`
              : `alias "*${name}" is inside its own anchor`,
          range,
          detail: 'put text that starts with an asterisk in quotes',
        }),
      )
      return { node: nothing(range), weight: 0 }
    }
    anchor.references += 1
    const weight = anchor.references * anchor.weight
    if (weight > MAX_ALIAS_COUNT) {
      // Every further alias of it has the same fault.
      if (!anchor.isReported)
        this.#add(
          diagnose('S1009', { summary: `aliases repeat a part of the file more than ${MAX_ALIAS_COUNT} times`, range }),
        )
      anchor.isReported = true
      return { node: nothing(range), weight: 0 }
    }
    return { node: anchor.node, weight }
  }

  #refuseTag(node: Node): void {
    if (isAlias(node) || node.tag === undefined) return
    const text = this.#source.text
    // The node's range starts after its tag; go back to it. A tag ends at white space and starts with `!`.
    let start = text.lastIndexOf('!', node.range?.[0] ?? text.length)
    while (start > 0 && !/[\s[{,]/.test(text.charAt(start - 1))) start--
    const tag = /^[^\s,\]}]*/.exec(text.slice(start, start + 200))?.[0] ?? '!'
    this.#add(
      diagnose('S1004', {
        summary: `tag "${tag}" is not allowed`,
        range: this.#source.range(start, start + tag.length),
        detail: 'studies are plain data; write the value itself',
      }),
    )
  }

  #refuseSurrogates(text: string, range: SourceRange): void {
    if (/\p{Surrogate}/u.test(text)) {
      this.#add(diagnose('S1014', { summary: 'half of a surrogate pair is not allowed', range }))
    }
  }

  /** One fault per place is enough, and a hostile file must not produce a million messages. */
  #add(diagnostic: Diagnostic): void {
    if (this.diagnostics.length < 100) this.diagnostics.push(diagnostic)
  }

  #range(node: Node): SourceRange {
    const [start, end] = node.range ?? [0, 0]
    return this.#source.range(start, end)
  }
}

function nothing(range: SourceRange): LocatedNode {
  return { kind: 'scalar', range: { ...range, end: range.start }, value: null, source: '' }
}
