/**
 * What the rows show of a scenario's conditions: target against achieved, counted in the artifact. One entry a kind, so that the
 * compiler names what a new kind lacks.
 */
import { dataRecord } from '../../base/data-record.ts'
import { momentTexts } from '../../base/rfc3339.ts'
import type {
  CellResult,
  ManifestRequest,
  ManifestScenario,
  MeanResult,
  RangeResult,
  ShareResult,
} from '../../records/manifest/scenarios.ts'
import type { Measurement } from '../../records/state/measurements.ts'
import {
  type CellCondition,
  type Condition,
  type ConditionKindName,
  type Conditions,
  columnsOf,
  conditionsOf,
  type MeanCondition,
  type RangeCondition,
  type ShareCondition,
  type StatedShare,
} from '../../study/conditions/condition.ts'
import { CONDITION_KIND_NAMES, conditionsLike } from '../../study/conditions/kinds.ts'
import { boundedShares, boundsValue } from '../../study/conditions/share-bounds.ts'
import { knownShares } from '../../study/conditions/share-change.ts'
import { sentConditions } from '../../study/hashing/canonical-body.ts'
import type { Scenario } from '../../study/study.ts'
import { nearestAllowed, roundRatio, roundStatistic, type TargetOrBounds } from '../arithmetic/figures.ts'

type SentConditions = NonNullable<ManifestRequest['conditions']>
type ConditionResults = Pick<ManifestScenario, 'shares' | 'ranges' | 'means' | 'cells'>

export const NO_RESULTS: ConditionResults = { shares: {}, ranges: {} }

interface CountedKind<K extends ConditionKindName> {
  /** What is counted of its column: the rows of each level, or its numbers. Null: combinations of several columns. */
  readonly counted: 'shares' | 'numbers' | null
  /** The member of a manifest's scenario that holds the results. */
  readonly member: keyof ConditionResults
  /** The terms of the conditions that a manifest's scenario was generated with. */
  readonly recorded: (sent: SentConditions, scenario: Pick<ManifestScenario, 'cells'>) => readonly object[]
  /** By column, or a list. */
  readonly results: (
    conditions: readonly Conditions[K][],
    measured: Measurement,
  ) => Record<string, object> | readonly object[]
}

const COUNTED_KINDS: { readonly [K in ConditionKindName]: CountedKind<K> } = {
  share: { counted: 'shares', member: 'shares', recorded: recordedShares, results: shareResults },
  range: { counted: 'numbers', member: 'ranges', recorded: recordedRanges, results: rangeResults },
  mean: { counted: 'numbers', member: 'means', recorded: recordedMeans, results: meanResults },
  cell: { counted: null, member: 'cells', recorded: recordedCells, results: cellResults },
}

/** The members of a manifest's scenario with the results of its conditions. */
export const CONDITION_MEMBERS = CONDITION_KIND_NAMES.map((kind) => COUNTED_KINDS[kind].member)

/** The columns with conditions of which the levels or the numbers are counted. */
export function countedColumns({ conditions }: Scenario, what: 'shares' | 'numbers'): readonly string[] {
  return conditions.filter(({ kind }) => COUNTED_KINDS[kind].counted === what).flatMap(columnsOf)
}

/** @param scenario Its conditions as they were sent. */
export function conditionResults(
  { conditions }: Pick<Scenario, 'conditions'>,
  measured: Measurement,
): ConditionResults {
  const resultsOf = <K extends ConditionKindName>(kind: K) => {
    const { member, results }: CountedKind<K> = COUNTED_KINDS[kind]
    const own = conditionsOf({ conditions }, kind)
    // Members that earlier manifests did not have are there only where there is something in them.
    return own.length === 0 && !Object.hasOwn(NO_RESULTS, member) ? [] : [[member, results(own, measured)] as const]
  }
  return { ...NO_RESULTS, ...Object.fromEntries(CONDITION_KIND_NAMES.flatMap((kind) => resultsOf(kind))) }
}

/** A manifest's request as a study has its conditions; their places in a file are not there. */
export function recordedConditions(
  { conditions = {} }: ManifestRequest,
  scenario: Pick<ManifestScenario, 'cells'>,
): readonly Condition[] {
  const found = CONDITION_KIND_NAMES.flatMap((kind) =>
    COUNTED_KINDS[kind].recorded(conditions, scenario).map((terms) => ({ kind, ...terms })),
  )
  return found as unknown as readonly Condition[]
}

function recordedShares({ categorical = {}, bounds = {} }: SentConditions): readonly object[] {
  return [...new Set([...Object.keys(categorical), ...Object.keys(bounds)])].map((column) => ({
    column,
    shares: new Map<string, StatedShare>([
      ...Object.entries(ownOf(categorical, column)),
      ...Object.entries(ownOf(bounds, column)).map(([level, ends]) => [level, { ...UNBOUNDED, ...ends }] as const),
    ]),
  }))
}

function recordedRanges({ numeric = {} }: SentConditions): readonly object[] {
  return Object.entries(numeric).map(([column, range]) => ({ column, ...range }))
}

function recordedMeans({ means = {} }: SentConditions): readonly object[] {
  return Object.entries(means).map(([column, mean]) => ({
    column,
    ...(typeof mean === 'number' ? { min: mean, max: mean } : { ...UNBOUNDED, ...mean }),
  }))
}

/** A request has the columns of cells in another sequence than the study and its manifest. */
function recordedCells(_sent: SentConditions, { cells = [] }: Pick<ManifestScenario, 'cells'>): readonly object[] {
  return cells.map(({ columns, cells: stated }) => ({
    columns,
    cells: stated.map(({ levels, target }) => ({ levels, share: target })),
  }))
}

const UNBOUNDED = { min: -Infinity, max: Infinity }

const ownOf = <V>(map: Readonly<Record<string, Readonly<Record<string, V>>>>, column: string) =>
  Object.hasOwn(map, column) ? map[column]! : {}

/** The conditions with what they leave open as `body` has it; null while nothing was sent. */
export const sentOr = ({ conditions }: Pick<Scenario, 'conditions'>, body: string | null): Scenario['conditions'] =>
  body === null ? conditions : conditionsLike(conditions, sentConditions(body))

/** Shares of all rows, including those without a value. */
function shareResults(conditions: readonly ShareCondition[], measured: Measurement): Record<string, ShareResult> {
  const counted = new Map(measured.shares)
  const ratio = (count: number): number => (measured.rows === 0 ? 0 : count / measured.rows)
  return dataRecord(
    conditions.map(({ column, shares: stated }) => {
      const bounds = [...boundedShares(stated)].map(([level, own]) => [level, boundsValue(own)] as const)
      const shares = new Map<string, TargetOrBounds>([...knownShares(stated), ...bounds])
      const found = counted.get(column) ?? { levels: [], missing: 0 }
      const counts = new Map(found.levels)
      const levels = [...shares].map(([level, target]) => {
        const count = counts.get(level) ?? 0
        const achieved = ratio(count)
        const delta = roundRatio(achieved - nearestAllowed(achieved, target))
        return [level, { target, achieved: roundRatio(achieved), delta, count }] as const
      })
      const unstated = found.levels
        .filter(([level]) => !shares.has(level))
        .map(([level, count]) => [level, roundRatio(ratio(count))] as const)
      return [
        column,
        {
          levels: dataRecord(levels),
          unstated: dataRecord(unstated),
          ...(found.missing > 0 ? { missing: roundRatio(ratio(found.missing)) } : {}),
        },
      ] as const
    }),
  )
}

function rangeResults(conditions: readonly RangeCondition[], measured: Measurement): Record<string, RangeResult> {
  const numbers = new Map(measured.numbers)
  const outside = new Map(measured.outside)
  return dataRecord(
    conditions.map(({ column, min, max, areDates }) => {
      const found = numbers.get(column)
      const achieved = found?.min == null || found.max == null ? null : { min: found.min, max: found.max }
      const count = outside.get(column) ?? 0
      const share = measured.rows === 0 ? 0 : count / measured.rows
      const target = { min, max }
      const result = { target, achieved, outside: roundRatio(share), outside_count: count }
      return [column, { ...result, ...(areDates === true && { dates: rangeDates(target, achieved) }) }] as const
    }),
  )
}

function meanResults(conditions: readonly MeanCondition[], measured: Measurement): Record<string, MeanResult> {
  const numbers = new Map(measured.numbers)
  return dataRecord(
    conditions.map(({ column, min, max }) => {
      const found = numbers.get(column)
      const mean = found?.mean ?? null
      const ends = { ...(Number.isFinite(min) && { min }), ...(Number.isFinite(max) && { max }) }
      const result: MeanResult = {
        target: min === max ? min : ends,
        achieved: mean === null ? null : roundStatistic(mean),
        delta: mean === null ? null : roundStatistic(distanceOf(mean, { min, max })),
        values: found?.n ?? 0,
      }
      return [column, result] as const
    }),
  )
}

/** Combinations that were not counted have no rows. */
export function cellResults(conditions: readonly CellCondition[], measured: Measurement): readonly CellResult[] {
  const ratio = (count: number): number => (measured.rows === 0 ? 0 : count / measured.rows)
  return conditions.map(({ columns, cells }) => {
    const counted = countedTable(columns)
    const rowsOf = new Map(
      (countsOfTable(measured, counted) ?? []).map(([levels, rows]) => [JSON.stringify(levels), rows]),
    )
    return {
      columns,
      cells: cells.map(({ levels, share: target }) => {
        const count = rowsOf.get(JSON.stringify(counted.map((name) => levels[columns.indexOf(name)]))) ?? 0
        const achieved = ratio(count)
        return { levels, target, achieved: roundRatio(achieved), delta: roundRatio(achieved - target), count }
      }),
    }
  })
}

/** The columns of a table in the sequence in which they are counted: scenarios that ask for the same rows share the counts. */
export const countedTable = (columns: readonly string[]): readonly string[] => [...columns].sort()

/** Rows by combination of levels, of a counted table; undefined if they were not counted. */
export const countsOfTable = ({ tables = [] }: Measurement, columns: readonly string[]) =>
  tables.find((table) => areSame(table.columns, columns))?.counts

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, i) => name === other[i])

/** How far a mean is above what it is to be, or below it; 0 within bounds. */
export const distanceOf = (mean: number, { min, max }: Pick<MeanCondition, 'min' | 'max'>): number =>
  mean < min ? mean - min : mean > max ? mean - max : 0

function rangeDates(
  target: RangeResult['target'],
  achieved: RangeResult['achieved'],
): NonNullable<RangeResult['dates']> {
  const texts = (range: RangeResult['target']) => {
    const { min, max } = momentTexts(range)
    return { min: min ?? String(range.min), max: max ?? String(range.max) }
  }
  return { target: texts(target), achieved: achieved && texts(achieved) }
}
