/** How the columns of an order get their codes: from their trees, or from other columns. */

import type { Derivation, Formula, Recoding } from '../model/derivation.ts'
import type { Order } from '../model/model.ts'

export type ColumnRole =
  /** Its scenario gives it. */
  | { readonly kind: 'given' }
  | { readonly kind: 'drawn' }
  /** Computed from columns before it. */
  | { readonly kind: 'computed'; readonly formula: Formula }
  /** Decided by a column before it. */
  | { readonly kind: 'decided'; readonly recoding: Recoding }
  /** Drawn so that it decides columns before it. */
  | { readonly kind: 'fitted'; readonly recodings: readonly Recoding[] }

/**
 * @param preset The first columns of the order, which the scenario conditions.
 * @returns By position in the order.
 */
export function columnRoles(
  derivations: readonly Derivation[],
  order: Pick<Order, 'columns'>,
  preset: number,
): readonly ColumnRole[] {
  const position = new Map(Array.from(order.columns, (column, i) => [column, i]))
  const isBefore = (a: number, b: number) => position.get(a)! < position.get(b)!
  const computed = new Map<number, Formula>()
  for (const one of derivations) {
    if (one.kind !== 'formula' || position.get(one.target)! < preset || computed.has(one.target)) continue
    if (one.sources.every((source) => isBefore(source.column, one.target))) computed.set(one.target, one)
  }
  const recodings = derivations.filter((one): one is Recoding => one.kind === 'recoding')
  return Array.from(order.columns, (column, i): ColumnRole => {
    if (i < preset) return { kind: 'given' }
    const formula = computed.get(column)
    if (formula) return { kind: 'computed', formula }
    const recoding = recodings.find((one) => one.target === column && isBefore(one.source, column))
    if (recoding) return { kind: 'decided', recoding }
    const wanted = recodings.filter((one) => one.source === column && isBefore(one.target, column))
    return wanted.length > 0 ? { kind: 'fitted', recodings: wanted } : { kind: 'drawn' }
  })
}
