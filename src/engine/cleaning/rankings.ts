/** Columns in whose cells people put the same answers in a sequence: "Price, Quality, Brand" and "Brand, Price, Quality", "4>2>1>3". */

import type { RawTextColumn } from '../../base/raw-table.ts'
import { listParts } from './split-cell.ts'

const SEPARATORS = ['\n', ';#', ';', '；', '|', '、', ',', '，', '::', '>', '<', '/', '-', ' '] as const

/** Fewer answers are a pair, and more different sequences than one are a taste. */
const MIN_ANSWERS = 3
const MIN_SEQUENCES = 3
/** Least share of rows that have all of the answers. */
const RANKED_SHARE = 0.9
/** A cell that tells the separator. */
const PROBES = [0, 0.25, 0.5, 0.75]

/** What separates the answers of a ranking; null for other columns. */
export function rankingSeparator(column: RawTextColumn): string | null {
  if (column.type !== 'text' || column.dictionary.length < MIN_SEQUENCES) return null
  return SEPARATORS.find((separator) => isRanking(column, separator)) ?? null
}

function isRanking({ dictionary, counts }: RawTextColumn, separator: string): boolean {
  const sets = PROBES.map((share) => setOf(dictionary[Math.floor(share * dictionary.length)]!, separator))
  const found = sets.find((set) => set !== null && sets.filter((other) => other === set).length > 1)
  if (found === undefined) return false
  let rows = 0
  let ranked = 0
  let sequences = 0
  for (const [i, text] of dictionary.entries()) {
    rows += counts[i]!
    if (setOf(text, separator) !== found) continue
    ranked += counts[i]!
    sequences++
  }
  return sequences >= MIN_SEQUENCES && ranked >= RANKED_SHARE * rows
}

/** The answers of a cell without their sequence; null for few, or one that stands twice. */
function setOf(text: string, separator: string): string | null {
  if (!text.includes(separator)) return null
  const parts = listParts(text) ?? text.split(separator).flatMap((part) => part.trim() || [])
  return parts.length < MIN_ANSWERS || new Set(parts).size < parts.length ? null : parts.sort().join('\n')
}
