/**
 * Distance to the closest record: whether a synthetic row is nearer to a training row than to any of equally many held-out rows.
 *
 *
 * d  columns     q  rows asked about     b  rows of either base     w  words of a row's levels
 */

import type { JobKind } from '../threads/crew.ts'
import type { ComparedRows } from './compared-rows.ts'
import { emptyQuery, nearest, type Points, RowPoints, TIE, takeQuery } from './gower-distance.ts'

/** Most comparisons of two cells, in all. */
const COMPARISON_BUDGET = 40_000_000
const MAX_QUERIES = 2_000

export interface NearestContext {
  readonly d: number
  readonly w: number
  /** q rows. */
  readonly queries: Points
  /** b rows each. */
  readonly training: Points
  readonly heldOut: Points
}

export interface NearestTask {
  readonly firstQuery: number
  readonly endQuery: number
}

/** Queries of the task that are nearer to a training row; a tie counts half. */
export type NearestResult = number

export function nearestContext(rows: ComparedRows): NearestContext {
  const { rowCount } = rows
  const points = new RowPoints(rows)
  const { d, w } = points
  const b = Math.min(rowCount.heldOut, rowCount.training)
  const q = Math.min(rowCount.synthetic, MAX_QUERIES, Math.max(1, Math.floor(COMPARISON_BUDGET / (2 * b * d))))
  return {
    d,
    w,
    queries: points.of('synthetic', q),
    training: points.of('training', b),
    heldOut: points.of('heldOut', b),
  }
}

export const NEAREST_JOB: JobKind<NearestContext, NearestTask, NearestResult> = {
  name: 'nearest',
  prepare: (context) => countNearer(context),
}

export function countNearer({
  d,
  w,
  queries,
  training,
  heldOut,
}: NearestContext): (task: NearestTask) => NearestResult {
  const query = emptyQuery(d, w)
  const base = training.coordinates.length / d
  return ({ firstQuery, endQuery }) => {
    let nearer = 0
    for (let q = firstQuery; q < endQuery; q++) {
      takeQuery(query, queries, q)
      const toTraining = nearest(query, training, Number.POSITIVE_INFINITY, 0, base)
      // A distance beyond that by more than a tie need not be exact.
      const toHeldOut = nearest(query, heldOut, toTraining + 2 * TIE, 0, base)
      nearer += toTraining < toHeldOut - TIE ? 1 : toTraining > toHeldOut + TIE ? 0 : 0.5
    }
    return nearer
  }
}
