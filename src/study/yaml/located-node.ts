import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'

/**
 * A YAML document as simple nodes with their places. Aliases are resolved: an aliased node is the anchor's node itself,
 * so the structure is a graph without cycles. Maps are `Map`s because their keys may be data (`__proto__`).
 */
export type LocatedNode = LocatedMap | LocatedList | LocatedScalar

export interface LocatedMap {
  readonly kind: 'map'
  readonly range: SourceRange
  readonly entries: ReadonlyMap<string, LocatedEntry>
}

export interface LocatedEntry {
  readonly key: string
  readonly keyRange: SourceRange
  /** Written without quotes. */
  readonly isUnquoted: boolean
  readonly value: LocatedNode
}

export interface LocatedList {
  readonly kind: 'list'
  readonly range: SourceRange
  readonly items: readonly LocatedNode[]
}

export interface LocatedScalar {
  readonly kind: 'scalar'
  /** Empty when nothing was written. */
  readonly range: SourceRange
  readonly value: string | number | boolean | null
  /** The text as written, for scalars without quotes; null for quoted and block scalars. */
  readonly source: string | null
}

/** A typed value and where it was written. */
export interface Located<T> {
  readonly value: T
  readonly range: SourceRange
}

export function childMap(node: LocatedNode | undefined, key: string): LocatedMap | undefined {
  const child = childNode(node, key)
  return child?.kind === 'map' ? child : undefined
}

export function childItems(node: LocatedNode | undefined, key: string): readonly LocatedNode[] {
  const child = childNode(node, key)
  return child?.kind === 'list' ? child.items : []
}

export function childNode(node: LocatedNode | undefined, key: string): LocatedNode | undefined {
  return node?.kind === 'map' ? node.entries.get(key)?.value : undefined
}

/**
 * The text of a scalar in a place for a name: quoted text as it is, unquoted text as written, so that `01`, `true` and
 * `1.0` name the same level as they do as keys.
 */
export function nameText(node: LocatedNode): string {
  if (node.kind !== 'scalar') return ''
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
}

/** The name under `key`, or undefined when the key is absent. */
export function childName(node: LocatedNode | undefined, key: string): Located<string> | undefined {
  const child = childNode(node, key)
  return child && { value: nameText(child), range: child.range }
}

/** The number under `key`, or undefined when the key is absent; the shape has been checked before. */
export function childNumber(node: LocatedNode | undefined, key: string): Located<number> | undefined {
  const child = childNode(node, key)
  return child?.kind === 'scalar' && typeof child.value === 'number'
    ? { value: child.value, range: child.range }
    : undefined
}

/** The key that merged maps in YAML 1.1; YAML 1.2 has none. */
export const MERGE_KEY = '<<'

export function mergeKeyFault(range: SourceRange): Diagnostic {
  return diagnose('S1011', {
    summary: 'merge keys are not supported',
    range,
    detail: 'use `defaults` or a matrix axis',
  })
}
