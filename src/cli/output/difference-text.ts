import { countText } from '../../base/text/count-text.ts'
import { textTable } from '../../base/text/text-table.ts'
import { wrapped } from '../../base/text/wrapped-text.ts'
import { intervalText } from '../../report/difference-text.ts'
import type { Difference } from '../../study/differences/tree-differences.ts'
import { type CanonicalValue, canonicalFigures } from '../../study/hashing/canonical-json.ts'

/** More lines than this help nobody; `--json` has all. */
const MOST_LINES = 200

/** A list of differences under a title; empty when there are none. */
export function differenceText(
  title: string,
  differences: readonly (Difference & { readonly chance?: number })[],
  width: number,
): string {
  if (differences.length === 0) return ''
  const shown = differences.slice(0, MOST_LINES).map(({ path, before, after, chance }) => ({
    path: path.join(' › '),
    values: valueTexts(before, after),
    chance: chance === undefined ? '' : `±${chance}`,
  }))
  const more = differences.length - shown.length
  const rest = more > 0 ? `… and ${countText(more)} more (--json lists all)\n` : ''
  const columns = [{ title }, { title: 'Before' }, { title: 'After' }]
  const hasChance = shown.some(({ chance }) => chance !== '')
  const table = textTable(
    hasChance ? [...columns, { title: 'Noise' }] : columns,
    shown.map(({ path, values, chance }) => (hasChance ? [path, ...values, chance] : [path, ...values])),
    width,
  )
  if (table.split('\n').every((line) => [...line].length <= width)) return `${table}${rest}\n`
  // Nothing may be cut here: the end of a path is what it is about.
  const lines = shown.map(({ path, values, chance }) => {
    const change = `${values.join(' → ')}${chance === '' ? '' : ` (noise of generation: ${chance})`}`
    return `${wrapped('  ', path, width)}${wrapped('      ', change, width)}`
  })
  return `${wrapped('', title, width)}${lines.join('')}${rest}\n`
}

/** Both sides of a difference, which must not look alike. */
function valueTexts(
  before: CanonicalValue | undefined,
  after: CanonicalValue | undefined,
): readonly [before: string, after: string] {
  const texts = [valueText(before), valueText(after)] as const
  return texts[0] === texts[1] && before !== undefined && after !== undefined
    ? [canonicalFigures(before), canonicalFigures(after)]
    : texts
}

const isInterval = (value: CanonicalValue): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((end) => typeof end === 'number')

/** Digests are cut as everywhere; a branch that came or went is only named. */
function valueText(value: CanonicalValue | undefined): string {
  if (value === undefined) return '-'
  if (typeof value === 'string') return /^[0-9a-f]{64}$/.test(value) ? value.slice(0, 8) : value
  if (isInterval(value)) return intervalText(value)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return '(there)'
  return canonicalFigures(value)
}
