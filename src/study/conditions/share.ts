import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { SHARE_SUM_TOLERANCE } from '../diagnostics/limits.ts'
import type { ConditionKind, WrittenShares } from './condition-kind.ts'

/** Target shares of a column's levels. */
export const shareKind: ConditionKind<'share'> = {
  word: 'shares',
  sentWord: 'categorical',
  isOfLevels: true,
  goesWith: [],
  settable: [['*']],
  read(column, node) {
    const shares = new Map<string, number>()
    const levels = new Map<string, SourceRange>()
    for (const { key, keyRange, value } of node.kind === 'map' ? node.entries.values() : []) {
      // Adding zero makes -0 the 0 that is sent.
      shares.set(key, Number(value.kind === 'scalar' ? value.value : Number.NaN) + 0)
      levels.set(key, keyRange)
    }
    return { column, shares, levels }
  },
  merge: (below, above) => ({
    column: above.column,
    shares: new Map([...(below?.shares ?? []), ...above.shares]),
    levels: new Map([...(below?.levels ?? []), ...above.levels]),
  }),
  paths: ({ shares }) => [...shares.keys()].map((level) => [level]),
  resolve(column, written, report) {
    const sum = shareSum(written.shares)
    if (sum > 1 + SHARE_SUM_TOLERANCE) {
      const terms = [...written.shares.values()]
      const sumText = terms.length > 12 ? '' : `${terms.join(' + ')} = ${rounded(sum)}`
      report('S2001', {
        summary: `shares of column "${column}" sum to ${rounded(sum)}, more than 1`,
        range: written.column,
        detail: [sumText, roundedAdvice(sum)].filter((line) => line !== '').join('\n'),
      })
    }
    return conditionOf(column, written)
  },
  sentIn: ({ categorical = {} }) => categorical,
  texts: (sent) => Object.entries(sent).map(([level, share]) => [level, JSON.stringify(share)]),
  canonical: ({ shares }) => shares,
  closed: (condition) => condition,
  asSent: (condition) => condition,
  names: ({ place, shares, levels }) => [
    { level: null, place },
    ...[...shares.keys()].map((level) => ({ level, place: levels.get(level)! })),
  ],
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
