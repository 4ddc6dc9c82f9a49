import { countText, plural } from '../../base/text/amount-text.ts'
import { wrapped } from '../../base/text/fit-text.ts'
import type { FeasibleRows } from '../../records/plan-estimates.ts'

/**
 * Which scenarios cannot have the rows that they ask for, and why, before anything is ordered. Empty if nothing is known of any.
 */
export function feasibleRowsText(rows: Readonly<Record<string, FeasibleRows>>, width: number): string {
  const known = Object.entries(rows)
  if (known.length === 0) return ''
  const short = new Map<string, string[]>()
  for (const [id, one] of known) {
    if (one.feasible === one.requested) continue
    // Replicates fall short alike.
    const why = shortText(one)
    short.set(why, [...(short.get(why) ?? []), id])
  }
  if (short.size === 0)
    return `\n${wrapped('', 'feasible rows: all that the scenarios with conditions ask for', width)}`
  const lines = [...short].map(([why, ids]) =>
    wrapped('  ', `${ids.length === 1 ? 'scenario' : 'scenarios'} ${ids.join(', ')}: ${why}`, width),
  )
  return `\nfeasible rows: fewer than asked for\n${lines.join('')}`
}

function shortText({ requested, feasible, detail }: FeasibleRows): string {
  const most = feasible === 0 ? 'none' : `at most ${countText(feasible)}`
  const why = detail === undefined ? '' : `; ${detail}`
  return `${most} of ${plural(requested, 'row')}${why}`
}
