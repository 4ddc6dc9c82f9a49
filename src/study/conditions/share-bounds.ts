import type { CanonicalValue } from '../../base/canonical-json.ts'
import { childNode, type LocatedNode } from '../yaml/located-node.ts'
import type { ShareBounds, StatedShare } from './condition.ts'

export const BOUND_ENDS = ['min', 'max'] as const

export const isBounds = (share: StatedShare): share is ShareBounds => typeof share !== 'number' && 'min' in share

/** `{ min: 0.5 }`, `{ max: 0.2 }` or both under a level; null for another value. Its shape has been checked. */
export function readBounds(node: LocatedNode): ShareBounds | null {
  const [min, max] = BOUND_ENDS.map((end) => childNode(node, end))
  if (min === undefined && max === undefined) return null
  return { min: numberOf(min) ?? Number.NEGATIVE_INFINITY, max: numberOf(max) ?? Number.POSITIVE_INFINITY }
}

const numberOf = (node: LocatedNode | undefined): number | null =>
  node?.kind === 'scalar' ? Number(node.value) + 0 : null

/** What an axis with `set` changes of bounds; the other end stays. */
export function mergeBounds(below: StatedShare | undefined, above: ShareBounds): ShareBounds {
  if (below === undefined || !isBounds(below)) return above
  return {
    min: Number.isFinite(above.min) ? above.min : below.min,
    max: Number.isFinite(above.max) ? above.max : below.max,
  }
}

/** Ends that are not stated are left out. */
export const boundsValue = ({ min, max }: ShareBounds) =>
  ({
    ...(Number.isFinite(min) && { min }),
    ...(Number.isFinite(max) && { max }),
  }) satisfies CanonicalValue

/** `at least 0.5`, `at most 0.2`, `0.3 to 0.4`. */
export function boundsText({ min, max }: ShareBounds): string {
  if (!Number.isFinite(max)) return `at least ${min}`
  return Number.isFinite(min) ? `${min} to ${max}` : `at most ${max}`
}

/** The levels whose shares are bounded. */
export const boundedShares = (shares: ReadonlyMap<string, StatedShare>): ReadonlyMap<string, ShareBounds> =>
  new Map([...shares].filter((entry): entry is [string, ShareBounds] => isBounds(entry[1])))

/** The least or the greatest share that bounds leave. */
export const endOf = (bounds: ShareBounds, end: 'min' | 'max'): number => Math.min(1, Math.max(0, bounds[end]))
