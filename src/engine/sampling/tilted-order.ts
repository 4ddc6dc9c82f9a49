/** Which columns of an order are tilted towards the weighted rows of the seed: those whose codes stay as their leaves give them. */

import type { Model, Order } from '../model/model.ts'
import { tiltTowards, type WeightedRows } from '../tilting/seed-margins.ts'
import type { Tilt } from '../tilting/tilt.ts'
import { effectiveRows } from '../weighting/case-weights.ts'
import { columnRoles } from './column-roles.ts'

type TiltedModel = Pick<Model, 'columns' | 'codes' | 'derivations' | 'relations'>

/**
 * Null where the seed says too little.
 *
 * Not tilted are columns that others determine; columns that are drawn again where they do not fit others (recodings, distinct levels),
 * because what is tilted is not what remains; and those whose tree predicts a difference or an equality.
 *
 * @param preset The first columns of the order, which the scenario conditions; 0 without conditions.
 */
export function tiltOfOrder(
  { columns, codes, derivations, relations }: TiltedModel,
  order: Order,
  preset: number,
  seed: WeightedRows,
): Tilt | null {
  const isTilted = new Uint8Array(columns.length)
  for (const [position, { kind }] of columnRoles(derivations, order, preset).entries()) {
    if (kind === 'drawn' && order.trees[position]!.relation === undefined) isTilted[order.columns[position]!] = 1
  }
  for (const one of relations) if (one.kind === 'distinct') for (const column of one.columns) isTilted[column] = 0
  return tiltTowards({ columns, codes }, seed, preset > 0, (column) => isTilted[column] === 1)
}

/** The rows of the seed as they are. */
export function ownRows({ rowCount, weights }: Pick<Model, 'rowCount' | 'weights'>): WeightedRows {
  if (!weights) {
    const inside = new Float64Array(rowCount).fill(1)
    return { weights: new Float64Array(rowCount).fill(1 / rowCount), inside, effectiveRows: rowCount }
  }
  return {
    weights: weights.map((weight) => weight / rowCount),
    inside: weights.map((weight) => (weight > 0 ? 1 : 0)),
    effectiveRows: effectiveRows(weights),
  }
}
