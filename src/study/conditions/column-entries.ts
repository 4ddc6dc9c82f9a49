import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { childMap, type LocatedMap, type LocatedNode } from '../yaml/located-node.ts'

/** What stands under a kind's word where its keys are columns; null removes an inherited entry. */
export const columnEntries = <Written>(
  fields: LocatedMap | undefined,
  word: string,
  read: (column: SourceRange, node: LocatedNode) => Written,
): (readonly [column: string, written: Written | null])[] =>
  [...(childMap(fields, word)?.entries.values() ?? [])].map(
    ({ key, keyRange, value }) => [key, isNull(value) ? null : read(keyRange, value)] as const,
  )

export const isNull = (node: LocatedNode): boolean => node.kind === 'scalar' && node.value === null
