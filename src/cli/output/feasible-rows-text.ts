import { nearestMixLines, nearestMixWords } from '../../answers/words/nearest-mix-text.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { wrapped } from '../../base/text/fit-text.ts'
import type { FeasibleRows } from '../../records/plan-estimates.ts'

/**
 * Which scenarios cannot have the rows that they ask for, and why, before anything is ordered. Empty if nothing is known of any.
 */
export function feasibleRowsText(rows: Readonly<Record<string, FeasibleRows>>, width: number): string {
  const known = Object.entries(rows)
  if (known.length === 0) return ''
  const short = new Map<string, { readonly why: string; readonly ids: string[] }>()
  for (const [id, one] of known) {
    if (one.feasible === one.requested) continue
    // Replicates fall short alike.
    const why = shortText(one)
    const key = JSON.stringify([why, one.nearest_mix])
    short.set(key, { why, ids: [...(short.get(key)?.ids ?? []), id] })
  }
  if (short.size === 0)
    return `\n${wrapped('', 'feasible rows: all that the scenarios with conditions ask for', width)}`
  const lines = [...short.values()].map(({ why, ids }) => {
    const named = `${ids.length === 1 ? 'scenario' : 'scenarios'} ${ids.join(', ')}: ${why}`
    return `${wrapped('  ', named, width)}${mixText(rows[ids[0]!]!, width)}`
  })
  return `\nfeasible rows: fewer than asked for\n${lines.join('')}`
}

/** Its lines are not broken, so that they can be pasted. */
function mixText({ nearest_mix: mix }: FeasibleRows, width: number): string {
  if (mix === undefined) return ''
  const lines = nearestMixLines(mix).map((line) => `      ${escapeText(line)}\n`)
  return `${wrapped('    ', nearestMixWords(mix), width)}${lines.join('')}`
}

function shortText({ requested, feasible, detail }: FeasibleRows): string {
  const most = feasible === 0 ? 'none' : `at most ${countText(feasible)}`
  const why = detail === undefined ? '' : `; ${detail}`
  return `${most} of ${plural(requested, 'row')}${why}`
}
