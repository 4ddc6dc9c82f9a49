/** The labels of columns in the cleaned schema: what the file says they mean. They explain a column and decide nothing. */

import type { RawColumn } from '../../base/raw-table.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { labelText } from '../../base/text/label-text.ts'
import { jsonBytes, type SchemaEntry } from './schema-entry.ts'
import { MAX_SCHEMA_BYTES } from './size-bounds.ts'

/**
 * The schema with the labels of its columns, as far as it stays within its bound: no column is left out for a label. A
 * label that repeats the header says nothing.
 *
 * @param sources by column.
 */
export function withLabels(
  schema: readonly SchemaEntry[],
  sources: readonly RawColumn[],
  maxBytes = MAX_SCHEMA_BYTES,
): { readonly schema: readonly SchemaEntry[]; readonly notes: readonly string[] } {
  let left = maxBytes - schema.reduce((sum, entry) => sum + jsonBytes(entry), 0)
  let omitted = 0
  const labelled = schema.map((entry, i) => {
    const raw = sources[i]!.label
    const label = raw === undefined ? undefined : labelText(raw)
    if (label === undefined || label === entry.sourceName) return entry
    const withLabel = { ...entry, label }
    const bytes = jsonBytes(withLabel) - jsonBytes(entry)
    if (bytes > left) {
      omitted++
      return entry
    }
    left -= bytes
    return withLabel
  })
  const notes =
    omitted === 0
      ? []
      : [
          `The ${omitted === 1 ? 'label' : 'labels'} of ${plural(omitted, 'column')} ${omitted === 1 ? 'was' : 'were'} left out, ` +
            `because the cleaned schema may have ${countText(maxBytes)} bytes in total.`,
        ]
  return { schema: labelled, notes }
}
