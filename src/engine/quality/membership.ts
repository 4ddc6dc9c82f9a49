/**
 * Membership risk: how well an attacker who knows a person's whole row can infer from the synthetic rows whether that row was a
 * training row. The attack uses the distance to the nearest synthetic row (Chen and others 2020): the nearer, the likelier a
 * member. It is measured on training rows and on held-out rows, with as many synthetic rows as training rows and with multiples of
 * that number: each further row is a further chance to come near to someone.
 *
 * d  columns     w  words of a row's levels     n  rows trained on
 */

import type { Block } from '../../base/output-table.ts'
import type { JobKind } from '../threads/crew.ts'
import { sharedFloat32, sharedInt32 } from '../threads/shared-arrays.ts'
import type { ComparedRows } from './compared-rows.ts'
import { emptyQuery, nearest, type Points, type Query, RowPoints, TIE, takeQuery } from './gower-distance.ts'
import type { Membership, MembershipAttack } from './quality.ts'
import { areaUnderCurve } from './two-sample-test.ts'

/** Synthetic rows per training row. */
const MULTIPLES = [1, 10, 20]
/** A multiple adds information only if it exceeds the previous one by this factor. */
const LEAST_GROWTH = 1.5
/** Most cells of synthetic rows. */
const CELL_BUDGET = 1_000_000
/** Most comparisons of two cells if each query were compared with all rows. */
const COMPARISON_BUDGET = 400_000_000
const MAX_QUERIES = 500
/** Training rows are recognized at this share of false alarms. */
const FALSE_ALARMS = 0.05
/** Bands of the leading coordinate by which rows are sorted. */
const BANDS = 256

export interface MembershipContext {
  readonly d: number
  readonly w: number
  /** Training rows, then held-out rows. */
  readonly queries: Points
  readonly members: number
  readonly others: number
  readonly synthetic: Points
  readonly multiples: readonly number[]
  /** For each multiple, the start of the rows that it adds to the previous one; then the end of all. */
  readonly parts: readonly number[]
  /** The coordinate by which the rows of a part are sorted; null for none. */
  readonly key: number | null
  /** BANDS + 1 numbers for each part: the start of each band's rows, and the end of the last. */
  readonly bandStarts: readonly Int32Array[]
}

export interface MembershipTask {
  readonly firstQuery: number
  readonly endQuery: number
}

/** For each query and multiple: the distance to the nearest synthetic row. */
export type MembershipResult = Float64Array

/** The numbers of synthetic rows per training row that the attack is measured with. */
export function attackMultiples(trained: number, columns: number): number[] {
  const most = Math.max(1, Math.floor(CELL_BUDGET / (trained * columns)))
  const affordable = MULTIPLES.filter((multiple) => multiple <= most)
  const last = affordable.at(-1)!
  return affordable.length < MULTIPLES.length && most >= LEAST_GROWTH * last ? [...affordable, most] : affordable
}

/** blocks  at least as many rows as the largest multiple needs, in sequence */
export async function membershipContext(
  rows: ComparedRows,
  multiples: readonly number[],
  blocks: AsyncIterable<Block>,
): Promise<MembershipContext> {
  const { training, heldOut } = rows.rowCount
  const place = new RowPoints(rows)
  const { d, w } = place
  const count = training * multiples.at(-1)!
  const unsorted = place.empty(count)
  let placed = 0
  for await (const block of blocks) {
    place.place(unsorted, placed, block)
    placed += block.rowCount
  }
  const key = place.leadingNumber
  const synthetic = place.empty(count)
  const parts = [0, ...multiples.map((multiple) => multiple * training)]
  const bandStarts = multiples.map((_, p) => sortByBand(unsorted, synthetic, { d, w, key }, parts[p]!, parts[p + 1]!))
  const queries = Math.max(1, Math.min(MAX_QUERIES, Math.floor(COMPARISON_BUDGET / (2 * count * d))))
  const [members, others] = [Math.min(queries, training), Math.min(queries, heldOut)]
  return {
    d,
    w,
    key,
    queries: joined(place.of('training', members), place.of('heldOut', others)),
    members,
    others,
    synthetic,
    multiples,
    parts,
    bandStarts,
  }
}

function joined(a: Points, b: Points): Points {
  const coordinates = sharedFloat32(a.coordinates.length + b.coordinates.length)
  coordinates.set(a.coordinates)
  coordinates.set(b.coordinates, a.coordinates.length)
  const words = sharedInt32(a.words.length + b.words.length)
  words.set(a.words)
  words.set(b.words, a.words.length)
  return { coordinates, words }
}

type Layout = Pick<MembershipContext, 'd' | 'w' | 'key'>

/** Copies rows first … end - 1 in the order of their bands (counting sort). */
function sortByBand(from: Points, to: Points, { d, w, key }: Layout, first: number, end: number): Int32Array {
  const band = (row: number) => (key === null ? 0 : bandOf(from.coordinates[row * d + key]!))
  const starts = new Int32Array(BANDS + 1)
  for (let row = first; row < end; row++) starts[band(row) + 1]!++
  starts[0] = first
  for (let b = 1; b <= BANDS; b++) starts[b]! += starts[b - 1]!
  const next = starts.slice()
  for (let row = first; row < end; row++) {
    const at = next[band(row)]!++
    for (let c = 0; c < d; c++) to.coordinates[at * d + c] = from.coordinates[row * d + c]!
    for (let k = 0; k < w; k++) to.words[at * w + k] = from.words[row * w + k]!
  }
  return starts
}

/** Band 0 holds missing values; the others are equally wide parts of 0 … 1. */
function bandOf(coordinate: number): number {
  if (coordinate < -1) return 0
  return 1 + Math.min(BANDS - 2, Math.max(0, Math.floor(coordinate * (BANDS - 1))))
}

export const MEMBERSHIP_JOB: JobKind<MembershipContext, MembershipTask, MembershipResult> = {
  name: 'membership',
  prepare: (context) => nearestSynthetic(context),
}

export function nearestSynthetic(context: MembershipContext): (task: MembershipTask) => MembershipResult {
  const { d, w, queries, multiples, parts, bandStarts, synthetic, key } = context
  const query = emptyQuery(d, w)
  return ({ firstQuery, endQuery }) => {
    const distances = new Float64Array((endQuery - firstQuery) * multiples.length)
    for (let q = firstQuery; q < endQuery; q++) {
      takeQuery(query, queries, q)
      let best = d + 1
      multiples.forEach((_, p) => {
        best =
          key === null
            ? nearest(query, synthetic, best, parts[p]!, parts[p + 1]!)
            : nearestByBands(query, synthetic, best, bandStarts[p]!, query.coordinates[key]!)
        distances[(q - firstQuery) * multiples.length + p] = best
      })
    }
    return distances
  }
}

/** Searches outwards from the query's own band, until that one coordinate alone puts all further rows farther away. */
function nearestByBands(query: Query, base: Points, bound: number, starts: Int32Array, at: number): number {
  const own = bandOf(at)
  let best = nearest(query, base, bound, starts[own]!, starts[own + 1]!)
  for (let out = 1; out < BANDS; out++) {
    // The rest of the query's own band lies between the query and these rows.
    const gap = own === 0 ? 1 : Math.min(1, (out - 1) / (BANDS - 1))
    if (gap > best) break
    const [below, above] = [own - out, own + out]
    if (below >= 1) best = nearest(query, base, best, starts[below]!, starts[below + 1]!)
    if (above < BANDS) best = nearest(query, base, best, starts[above]!, starts[above + 1]!)
  }
  // Missing values are at a distance of 1.
  return own !== 0 && best > 1 ? nearest(query, base, best, starts[0]!, starts[1]!) : best
}

/** distances  of all queries, as the tasks returned them, one after the other */
export function scoreAttacks(context: MembershipContext, distances: Float64Array): Membership {
  const { members, others, multiples } = context
  const isMember = new Uint8Array(members + others).fill(1, 0, members)
  return {
    queries: Math.min(members, others),
    attacks: multiples.map((multiple, p): MembershipAttack => {
      // Distances that differ only by rounding are a tie.
      const scores = Float64Array.from(isMember, (_, q) => -Math.round(distances[q * multiples.length + p]! / TIE))
      return {
        multiple,
        auc: areaUnderCurve(scores, isMember),
        // Two standard errors of the rank statistic of two samples of one population (Mann and Whitney 1947).
        chance: 2 * Math.sqrt((members + others + 1) / (12 * members * others)),
        identified: shareIdentified(scores, isMember),
        identifiedChance: 2 * Math.sqrt(FALSE_ALARMS * (1 - FALSE_ALARMS) * (1 / members + 1 / others)),
      }
    }),
  }
}

/** A point of the ROC curve at the share of false alarms; the curve is straight between its points. */
function shareIdentified(scores: Float64Array, isMember: Uint8Array): number {
  const order = Array.from(scores, (_, q) => q).sort((a, b) => scores[b]! - scores[a]!)
  const members = isMember.reduce((sum, one) => sum + one, 0)
  const others = isMember.length - members
  let [identified, alarms] = [0, 0]
  for (let i = 0; i < order.length; ) {
    let [more, moreAlarms] = [0, 0]
    const score = scores[order[i]!]!
    for (; i < order.length && scores[order[i]!] === score; i++) {
      if (isMember[order[i]!] === 1) more++
      else moreAlarms++
    }
    const room = FALSE_ALARMS * others - alarms
    if (moreAlarms > room) return (identified + (more * room) / moreAlarms) / members
    identified += more
    alarms += moreAlarms
  }
  return identified / members
}
