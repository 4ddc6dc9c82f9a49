/**
 * Keeps the cleaned schema within its bound by leaving out the columns that take the most of it.
 *
 * Columns of options are never left out: they are part of a column that was split, and all of them together fit.
 */
import { Buffer } from 'node:buffer'
import type { DroppedColumn } from './cleaning-report.ts'
import { figure } from './figures.ts'
import type { KeptColumn } from './infer-column.ts'
import type { SchemaEntry } from './schema-entry.ts'
import { MAX_SCHEMA_BYTES } from './size-bounds.ts'

/** Columns that were kept, and what becomes of them; all lists of one length. */
interface Described<Column> {
  readonly columns: readonly Column[]
  readonly schema: readonly SchemaEntry[]
}

/**
 * @param describe makes columns and schema of the kept ones; names depend on all of them.
 * @returns `tooLarge` says of each column left out how much of the schema it would have taken.
 */
export function withinSchemaBound<Column>(
  kept: readonly KeptColumn[],
  describe: (kept: readonly KeptColumn[]) => Described<Column>,
  maxBytes = MAX_SCHEMA_BYTES,
): Described<Column> & { readonly kept: readonly KeptColumn[]; readonly tooLarge: readonly DroppedColumn[] } {
  const tooLarge: DroppedColumn[] = []
  for (let left = kept; ; ) {
    const described = describe(left)
    const sizes = described.schema.map(jsonBytes)
    const out = largest(left, sizes, maxBytes)
    if (out.size === 0) return { ...described, kept: left, tooLarge }
    for (const i of out) tooLarge.push(droppedColumn(left[i]!, sizes[i]!, maxBytes))
    left = left.filter((_, i) => !out.has(i))
  }
}

/** Indexes of the columns to leave out, the largest first, ties the last first; empty when all fit. */
function largest(kept: readonly KeptColumn[], sizes: readonly number[], maxBytes: number): ReadonlySet<number> {
  const out = new Set<number>()
  let bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (bytes <= maxBytes) return out
  const bySize = [...kept.keys()].filter((i) => kept[i]!.option === null).sort((a, b) => sizes[b]! - sizes[a]! || b - a)
  for (const i of bySize) {
    if (bytes <= maxBytes) break
    out.add(i)
    bytes -= sizes[i]!
  }
  return out
}

/** With the comma behind it, and what other names of the same keys may add. */
function jsonBytes(entry: SchemaEntry): number {
  return Buffer.byteLength(JSON.stringify(entry)) + 3
}

function droppedColumn({ source, column }: KeptColumn, bytes: number, maxBytes: number): DroppedColumn {
  const takes =
    column.kind === 'categorical'
      ? `Its ${figure(column.levels.length)} levels take ${figure(bytes)} bytes of the cleaned schema`
      : `It takes ${figure(bytes)} bytes of the cleaned schema`
  return {
    name: source.name,
    reason: column.kind === 'categorical' ? 'too_many_levels' : 'unmodelled',
    detail: `${takes}, which may have ${figure(maxBytes)} in all; the columns that take most of it are left out.`,
  }
}
