import type { CanonicalValue } from '../../base/canonical-json.ts'
import { dataRecord } from '../../base/data-record.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { SHARE_SUM_TOLERANCE } from '../diagnostics/limits.ts'
import type { LocatedNode } from '../yaml/located-node.ts'
import { columnEntries } from './column-entries.ts'
import type { StatedShare } from './condition.ts'
import type { ConditionKind, SentEnds, WrittenShares } from './condition-kind.ts'
import { BOUND_ENDS, boundedShares, boundsValue, endOf, isBounds, mergeBounds, readBounds } from './share-bounds.ts'
import { changedShare, changeValue, closedShares, knownShares, naturalShare, readShare } from './share-change.ts'

/** Target shares of a column's levels, and bounds of them. */
export const shareKind: ConditionKind<'share'> = {
  word: 'shares',
  noun: 'shares',
  isOfLevels: true,
  goesWith: ['cell'],
  settable: [['*'], ['*', 'change'], ...BOUND_ENDS.map((end) => ['*', end])],
  entries: (fields) => columnEntries(fields, 'shares', readShares),
  merge: (below, above) => ({
    column: above.column,
    shares: new Map([
      ...(below?.shares ?? []),
      ...[...above.shares].map(([level, share]): [string, StatedShare] => [
        level,
        isBounds(share) ? mergeBounds(below?.shares.get(level), share) : share,
      ]),
    ]),
    levels: new Map([...(below?.levels ?? []), ...above.levels]),
  }),
  paths: ({ shares }) =>
    [...shares].flatMap(([level, share]) => {
      if (typeof share === 'number') return [[level]]
      return isBounds(share) ? Object.keys(boundsValue(share)).map((end) => [level, end]) : [[level, 'change']]
    }),
  resolve(column, written, report) {
    const excess = excessOf(column, written.shares)
    if (excess !== null) report('S2001', { ...excess, range: written.column })
    for (const [level, { min, max }] of boundedShares(written.shares)) {
      if (min <= max) continue
      report('S2002', {
        summary: `the share of "${level}" in column "${column}" has min ${min} above max ${max}`,
        range: written.levels.get(level)!,
        detail: `write { min: ${max}, max: ${min} } if they were exchanged`,
      })
    }
    return conditionOf(column, written)
  },
  sentIn({ categorical = {}, bounds = {} }) {
    if (Object.keys(bounds).length === 0) return categorical
    const columns = new Map(
      Object.entries(categorical).map(([column, of]) => [column, Object.entries<number | SentEnds>(of)]),
    )
    for (const [column, of] of Object.entries(bounds)) {
      columns.set(column, [...(columns.get(column) ?? []), ...Object.entries(of)])
    }
    return dataRecord([...columns].map(([column, of]) => [column, dataRecord(of)] as const))
  },
  texts: (sent) =>
    Object.entries(sent).flatMap(([level, share]) =>
      typeof share === 'number'
        ? [[level, JSON.stringify(share)] as const]
        : BOUND_ENDS.flatMap((end) =>
            share[end] === undefined ? [] : [[`${level}.${end}`, String(share[end])] as const],
          ),
    ),
  canonical: ({ shares }) => new Map([...shares].map(([level, share]) => [level, writtenShare(share)])),
  sent({ shares }) {
    const bounds = boundedShares(shares)
    const targets = [...shares].filter(([level]) => !bounds.has(level))
    return {
      ...(targets.length > 0 && {
        categorical: new Map(targets.map(([level, share]) => [level, writtenShare(share)])),
      }),
      ...(bounds.size > 0 && { bounds: new Map([...bounds].map(([level, own]) => [level, boundsValue(own)])) }),
    }
  },
  extensions: ({ shares }) => (boundedShares(shares).size > 0 ? ['bounds'] : []),
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
  names: ({ column, place, shares, levels }) => [
    { column, level: null, place },
    ...[...shares.keys()].map((level) => ({ column, level, place: levels.get(level)! })),
  ],
}

function readShares(column: SourceRange, node: LocatedNode): WrittenShares {
  const shares = new Map<string, StatedShare>()
  const levels = new Map<string, SourceRange>()
  for (const { key, keyRange, value } of node.kind === 'map' ? node.entries.values() : []) {
    shares.set(key, readBounds(value) ?? readShare(value))
    levels.set(key, keyRange)
  }
  return { column, shares, levels }
}

function writtenShare(share: StatedShare): CanonicalValue {
  if (typeof share === 'number') return share
  return isBounds(share) ? boundsValue(share) : { change: changeValue(share) }
}

/** Whether the study leaves a share to what the data have. */
export const isRelative = ({ shares }: { readonly shares: ReadonlyMap<string, StatedShare> }): boolean =>
  [...shares.values()].some((share) => typeof share !== 'number' && !isBounds(share))

/** What to say of shares that sum to more than 1, also with the least ones that bounds ask for; null for others. */
export function excessOf(column: string, stated: ReadonlyMap<string, StatedShare>) {
  const least = new Map([...boundedShares(stated)].map(([level, bounds]) => [level, endOf(bounds, 'min')]))
  const shares = new Map([...knownShares(stated), ...[...least].filter(([, min]) => min > 0)])
  const sum = shareSum(shares)
  if (sum <= 1 + SHARE_SUM_TOLERANCE) return null
  const terms = [...shares.values()]
  const sumText = terms.length > 12 ? '' : `${terms.join(' + ')} = ${rounded(sum)}`
  const what = shares.size > knownShares(stated).size ? 'shares and least shares' : 'shares'
  return {
    summary: `${what} of column "${column}" sum to ${rounded(sum)}, more than 1`,
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
