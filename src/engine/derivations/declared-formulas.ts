/** The formulas of columns that the author of the seed made of others. */

import type { NumericColumn, Table } from '../cleaning/table.ts'
import type { Formula } from '../model/derivation.ts'

export function declaredFormulas({ formulas = [], columns }: Table): Formula[] {
  return formulas.map(({ target, form, of, least }) => ({
    kind: 'formula',
    target,
    form: form === 'mean' ? 'mean' : 'sum',
    ...(form === 'mean' && { least }),
    isDeclared: true,
    sources: of.map((column, j) => ({ column, weight: form === 'mean' || j === 0 ? 1 : -1, exceptions: [] })),
    constant: 0,
    rounding: 'nearest',
    targetExceptions: [],
    share: 1,
    missingTogether: true,
    ownMissing: false,
    ...extremes(columns[target] as NumericColumn, form),
  }))
}

/** Differences stay between those of the seed. A mean of items is between their extremes anyway. */
const extremes = ({ min, max }: NumericColumn, form: 'mean' | 'difference'): Pick<Formula, 'min' | 'max'> =>
  form === 'difference' ? { min, max } : { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }
