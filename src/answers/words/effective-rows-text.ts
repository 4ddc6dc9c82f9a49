/** Effective rows of the seed and what follows from them, as people read them: as the range that they are. */

import { words } from '../../base/language/language.ts'
import { localNumber } from '../../base/language/local-number.ts'
import { countText } from '../../base/text/amount-text.ts'
import type { ManifestEvidence, ManifestScenario } from '../../records/manifest/scenarios.ts'
import { effectiveRange, standardErrorFactors } from '../arithmetic/effective-rows.ts'

/** From here on figures are told to two digits. */
const TWO_DIGITS = 100

/** `37`, `fewer than 10`, `10 to 20`, `590 to 600`. */
export function effectiveRowsWords(evidence: Pick<ManifestEvidence, 'effective_rows' | 'exact'>): string {
  const { least, below } = effectiveRange(evidence)
  const { fewerThan, lessThan, range } = words().figures
  if (least === below) return exactText(least, lessThan(localNumber('0.1')))
  return least === 0 ? fewerThan(countText(below)) : range(countText(least), countText(below))
}

/** The same where there is little room: `37`, `< 10`, `10–20`, `≥ 590`. */
export function effectiveRowsFigure(evidence: ManifestEvidence): string {
  const { least, below } = effectiveRange(evidence)
  if (least === below) return exactText(least, `< ${localNumber('0.1')}`)
  if (least === 0) return `< ${countText(below)}`
  return least < TWO_DIGITS ? `${countText(least)}–${countText(below)}` : `≥ ${countText(least)}`
}

/** `10 to 20 effective rows`, `1 effective row`. */
export function effectiveRowsPhrase(evidence: ManifestEvidence): string {
  return words().figures.effectiveRows(effectiveRowsWords(evidence))
}

/** Few rows have a decimal: whether there is one and a half or one is much. */
function exactText(rows: number, none: string): string {
  if (rows < 0.05) return none
  return rows < 10 ? localNumber(String(Number(rows.toFixed(1)))) : countText(Math.round(rows))
}

/** The factor for standard errors: `× 5.2`, `at most × 5.2`, `at least × 32`. Null: nothing is known. */
export function standardErrorFactorText({
  evidence,
  standard_error_factor: recorded,
  rows: { counted },
}: Pick<ManifestScenario, 'evidence' | 'standard_error_factor' | 'rows'>): string | null {
  if (evidence === undefined || counted === null) return null
  const range = effectiveRange(evidence)
  const digits = (factor: number): string => `× ${localNumber(String(Number(factor.toPrecision(3))))}`
  if (range.least === 0) return words().figures.atLeast(digits(standardErrorFactors(counted, range).least))
  if (recorded === undefined) return null
  return range.least === range.below ? digits(recorded) : words().figures.atMost(digits(recorded))
}
