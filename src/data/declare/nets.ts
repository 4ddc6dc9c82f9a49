import type { RawColumn } from '../../base/raw-table.ts'
import { listText, plural } from '../../base/text/amount-text.ts'
import { NET_LEVELS } from '../../study/declarations.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'
import { type Findings, quoted } from './declaration-error.ts'
import { levelText, ofTexts, rowsOf } from './raw-values.ts'

/** Levels that a remark lists. */
const MOST_LISTED = 20

/**
 * A net: Yes where a row has one of the levels, No where it has another one, missing where it has none. A level that no row has may
 * come with the next wave, unless it is near one that rows have. Null, with a fault, where no row has any of them.
 */
export function netColumn(
  name: string,
  column: RawColumn,
  levels: readonly string[],
  { remarks, faults, dropped }: Findings,
): RawColumn | null {
  const [yes, no] = NET_LEVELS
  const { name: of } = column
  const wanted = new Set(levels)
  const seen = new Set<string>()
  let inside = 0
  const made = ofTexts({ name }, 'text', rowsOf(column), (row) => {
    const level = levelText(column, row)
    if (level === null) return null
    seen.add(level)
    if (!wanted.has(level)) return no
    inside++
    return yes
  })
  const absent = levels.filter((level) => !seen.has(level))
  // Of a dropped column no value is quoted. All codes are near each other.
  const words = dropped.has(of) ? [] : absent.filter((level) => Number.isNaN(Number(level)))
  const likely = words.flatMap((level) => suggest(level, seen).slice(0, 1))
  if (inside === 0 || likely.length > 0) {
    const found = `no row has ${listText(absent.map(quoted), MOST_LISTED)}`
    const others = dropped.has(of) ? null : `the levels are ${listText([...seen].sort().map(quoted), MOST_LISTED)}`
    faults.push({
      key: 'nets',
      column: of,
      found,
      advice: likely.length > 0 ? `did you mean ${listText(likely.map(quoted), MOST_LISTED)}?` : others,
    })
    return null
  }
  const without = absent.length === 0 ? '' : `; no row has ${listText(absent.map(quoted), MOST_LISTED)}`
  const text = `${quoted(name)} is ${yes} in ${plural(inside, 'row')} with ${listText(levels.map(quoted), MOST_LISTED)} of ${quoted(of)}${without}.`
  remarks.push({ key: 'nets', text })
  return { ...made, declaredType: 'categorical' }
}
