import { childNode, type LocatedNode } from '../yaml/located-node.ts'
import type { ShareBounds, ShareChange, StatedShare } from './condition.ts'
import type { KnownColumn } from './range-ends.ts'
import { isBounds } from './share-bounds.ts'

/** `×1.2`, as people type it. The published schema has the same pattern. */
const FACTOR = /^[×x*] ?([0-9]+(?:\.[0-9]+)?)$/

/** Digits of a share that was computed: the last bits of a sum are no difference. */
const DIGITS = 12

/** The value under a level: a share, or `{ change: +0.10 }`, `{ change: "×1.2" }`. Its shape has been checked. */
export function readShare(node: LocatedNode): StatedShare {
  const change = childNode(node, 'change')
  if (change?.kind !== 'scalar') return Number(node.kind === 'scalar' ? node.value : Number.NaN) + 0
  const factor = typeof change.value === 'string' ? FACTOR.exec(change.value) : null
  return factor === null ? { times: 1, plus: Number(change.value) + 0 } : { times: Number(factor[1]), plus: 0 }
}

/** As the study writes it. */
export const changeValue = ({ times, plus }: ShareChange): number | string => (times === 1 ? plus : `×${times}`)

/** `+ 0.1`, `- 0.05`, `× 1.2`: what is done with a natural share. */
export const changeText = ({ times, plus }: ShareChange): string =>
  times === 1 ? `${plus < 0 ? '-' : '+'} ${Math.abs(plus)}` : `× ${times}`

/** The share of a level in the data; null where the schema does not tell it. */
export function naturalShare(column: KnownColumn | undefined, level: string): number | null {
  const at = column?.levels?.indexOf(level) ?? -1
  return at < 0 ? null : (column?.level_shares?.[at] ?? null)
}

/** It may lie outside 0 to 1. */
export const changedShare = (natural: number, { times, plus }: ShareChange): number =>
  Number((natural * times + plus).toFixed(DIGITS))

/** The shares with each change carried out by `shareOf`; null where it knows one of them not. */
export function closedShares(
  shares: ReadonlyMap<string, StatedShare>,
  shareOf: (level: string, change: ShareChange) => number | null,
): ReadonlyMap<string, number | ShareBounds> | null {
  const closed = new Map<string, number | ShareBounds>()
  for (const [level, stated] of shares) {
    const share = typeof stated === 'number' || isBounds(stated) ? stated : shareOf(level, stated)
    if (share === null) return null
    closed.set(level, share)
  }
  return closed
}

/** The shares that are numbers and do not depend on the data: all of them but bounds once conditions are closed. */
export const knownShares = (shares: ReadonlyMap<string, StatedShare>): ReadonlyMap<string, number> =>
  new Map([...shares].filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
