/** Names of result columns under `names: original`, and why some columns keep the name that cleaning gave them. */

import { uniqueNames } from '../../base/unique-names.ts'

/** A column of a cleaned schema, as its service reports it. */
export interface SourcedColumn {
  readonly name: string
  readonly source_name?: string | undefined
  /** The option of a column with several answers that this column holds. */
  readonly source_option?: string | undefined
}

export interface OriginalNames {
  /** Cleaned name → name in the file, for columns whose names differ. */
  readonly names: ReadonlyMap<string, string>
  /** Column of the file → the several columns that it became, which keep their cleaned names. */
  readonly split: ReadonlyMap<string, readonly string[]>
  /** Columns that keep their cleaned names because another column of the result has their name in the file. */
  readonly clashing: readonly string[]
  /** The service says of no column how the file names it. */
  readonly isUnknown: boolean
}

/**
 * Finds the names of the file. No two columns get the same name, with or without regard to case: where two would, both
 * keep their cleaned names.
 *
 * @param renamed headers that cleaning renamed, for services that report those and not `source_name`.
 */
export function originalNames(
  columns: readonly SourcedColumn[],
  renamed: readonly { readonly from: string; readonly to: string }[],
): OriginalNames {
  const byCleaned = new Map(renamed.map(({ from, to }) => [to, from]))
  const sources = columns.map(({ name, source_name }) => usable(source_name) ?? usable(byCleaned.get(name)))
  const uses = new Map<string, string[]>()
  for (const [i, source] of sources.entries()) {
    if (source !== undefined) uses.set(source, [...(uses.get(source) ?? []), columns[i]!.name])
  }
  const isSplit = (i: number): boolean =>
    columns[i]!.source_option !== undefined || (uses.get(sources[i] ?? '')?.length ?? 0) > 1
  const cleaned = columns.map(({ name }) => name)
  const wished = cleaned.map((name, i) => (isSplit(i) ? name : (sources[i] ?? name)))
  const { names, kept } = uniqueNames(wished, cleaned)
  return {
    names: new Map(cleaned.flatMap((name, i) => (names[i] === name ? [] : [[name, names[i]!] as const]))),
    split: new Map([...uses].filter(([source]) => sources.some((other, i) => other === source && isSplit(i)))),
    clashing: kept.map((i) => cleaned[i]!),
    isUnknown: columns.length > 0 && uses.size === 0,
  }
}

/** A header without text names nothing. */
const usable = (name: string | undefined): string | undefined =>
  name === undefined || /^\s*$|\0/.test(name) ? undefined : name
