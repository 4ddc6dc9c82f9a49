import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { SHARE_SUM_TOLERANCE } from '../diagnostics/limits.ts'
import type { StatedShare } from './condition.ts'
import type { ConditionKind, WrittenShares } from './condition-kind.ts'
import { changedShare, changeValue, closedShares, knownShares, naturalShare, readShare } from './share-change.ts'

/** Target shares of a column's levels. */
export const shareKind: ConditionKind<'share'> = {
  word: 'shares',
  sentWord: 'categorical',
  isOfLevels: true,
  goesWith: [],
  settable: [['*'], ['*', 'change']],
  read(column, node) {
    const shares = new Map<string, StatedShare>()
    const levels = new Map<string, SourceRange>()
    for (const { key, keyRange, value } of node.kind === 'map' ? node.entries.values() : []) {
      shares.set(key, readShare(value))
      levels.set(key, keyRange)
    }
    return { column, shares, levels }
  },
  merge: (below, above) => ({
    column: above.column,
    shares: new Map([...(below?.shares ?? []), ...above.shares]),
    levels: new Map([...(below?.levels ?? []), ...above.levels]),
  }),
  paths: ({ shares }) => [...shares].map(([level, share]) => (typeof share === 'number' ? [level] : [level, 'change'])),
  resolve(column, written, report) {
    const excess = excessOf(column, knownShares(written.shares))
    if (excess !== null) report('S2001', { ...excess, range: written.column })
    return conditionOf(column, written)
  },
  sentIn: ({ categorical = {} }) => categorical,
  texts: (sent) => Object.entries(sent).map(([level, share]) => [level, JSON.stringify(share)]),
  canonical: ({ shares }) =>
    new Map(
      [...shares].map(([level, share]) => [level, typeof share === 'number' ? share : { change: changeValue(share) }]),
    ),
  closed(condition, columns) {
    if (!isRelative(condition)) return condition
    const column = columns?.find(({ name }) => name === condition.column)
    const shares = closedShares(condition.shares, (level, change) => {
      const natural = naturalShare(column, level)
      const share = natural === null ? null : changedShare(natural, change)
      return share !== null && share >= 0 && share <= 1 ? share : null
    })
    return shares && { ...condition, shares }
  },
  asSent(condition, { categorical = {} }) {
    if (!isRelative(condition)) return condition
    const sent = new Map(
      Object.entries(Object.hasOwn(categorical, condition.column) ? categorical[condition.column]! : {}),
    )
    const shares = closedShares(condition.shares, (level) => sent.get(level) ?? null)
    return shares && { ...condition, shares }
  },
  names: ({ place, shares, levels }) => [
    { level: null, place },
    ...[...shares.keys()].map((level) => ({ level, place: levels.get(level)! })),
  ],
}

/** Whether the study leaves a share to what the data have. */
export const isRelative = ({ shares }: { readonly shares: ReadonlyMap<string, StatedShare> }): boolean =>
  [...shares.values()].some((share) => typeof share !== 'number')

/** What to say of shares that sum to more than 1; null for others. */
export function excessOf(column: string, shares: ReadonlyMap<string, number>) {
  const sum = shareSum(shares)
  if (sum <= 1 + SHARE_SUM_TOLERANCE) return null
  const terms = [...shares.values()]
  const sumText = terms.length > 12 ? '' : `${terms.join(' + ')} = ${rounded(sum)}`
  return {
    summary: `shares of column "${column}" sum to ${rounded(sum)}, more than 1`,
    detail: [sumText, roundedAdvice(sum)].filter((line) => line !== '').join('\n'),
  }
}

/** Shares that are written once are one object in all scenarios that inherit them, so that caches by object work. */
const resolved = new WeakMap<WrittenShares, ReturnType<typeof shareKind.resolve>>()

function conditionOf(column: string, written: WrittenShares) {
  const { column: place, shares, levels } = written
  let condition = resolved.get(written)
  if (condition === undefined) {
    condition = { kind: 'share', column, shares, place, levels }
    resolved.set(written, condition)
  }
  return condition
}

/** Rounding of published shares moves their sum by less. */
const MOST_ROUNDING = 0.01

/** What to do with shares that add to nearly 1, as published ones do; empty for others. */
export function roundedAdvice(sum: number): string {
  return Math.abs(sum - 1) < MOST_ROUNDING + SHARE_SUM_TOLERANCE
    ? 'rounded shares seldom add to 1: leave one level out, and it takes the rest'
    : ''
}

/** The sum of a column's shares; within 1e-9 of 1 it is 1. */
export function shareSum(shares: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const share of shares.values()) sum += share
  return Math.abs(sum - 1) <= SHARE_SUM_TOLERANCE ? 1 : sum
}

function rounded(value: number): string {
  return String(Number(value.toFixed(10)))
}
