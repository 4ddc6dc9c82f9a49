import { momentOf, type RangeEnd } from '../../base/rfc3339.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import type { PartialPolicy, ResultFormat } from '../study.ts'
import {
  childItems,
  childMap,
  childName,
  childNode,
  childNumber,
  type Located,
  type LocatedMap,
  nameText,
} from '../yaml/located-node.ts'

/**
 * Scenario fields as written in one place: `defaults`, a scenario, an axis value, an entry of `override` or `include`.
 * Absent fields are undefined or an empty map. The shape has been checked.
 */
export interface ScenarioPatch {
  readonly dataset: Located<string> | undefined
  readonly rows: Located<number> | undefined
  readonly seed: Located<number | 'random'> | undefined
  readonly replicates: Located<number> | undefined
  readonly format: Located<ResultFormat> | undefined
  readonly partial: Located<PartialPolicy> | undefined
  readonly tags: Located<readonly string[]> | undefined
  /** Null removes an inherited condition. */
  readonly shares: ReadonlyMap<string, ColumnShares | null>
  readonly ranges: ReadonlyMap<string, ColumnRange | null>
  readonly expect: GatesPatch
  readonly warn: GatesPatch
  /** An axis with `set` changes one level or bound and keeps the others; every other patch replaces whole columns. */
  readonly isLeaf: boolean
}

export interface ColumnShares {
  readonly column: SourceRange
  readonly shares: ReadonlyMap<string, number>
  /** Keys of the levels. */
  readonly levels: ReadonlyMap<string, SourceRange>
}

export interface ColumnRange {
  readonly column: SourceRange
  readonly min: LocatedEnd | undefined
  readonly max: LocatedEnd | undefined
}

/** Milliseconds since 1970 if it is written as a date. */
export interface LocatedEnd extends Located<number> {
  readonly isDate: boolean
}

/** Every number of a gate. A number that is written once is one object in all scenarios that inherit it. */
export interface GatesPatch {
  readonly fillMin: Located<number> | undefined
  readonly tolerance: Located<number> | undefined
  readonly columns: ReadonlyMap<string, Located<number>>
  readonly outsideMax: Located<number> | undefined
}

export function readPatch(fields: LocatedMap | undefined, isLeaf = false): ScenarioPatch {
  const seed = childNode(fields, 'seed')
  const tags = childNode(fields, 'tags')
  return {
    dataset: childName(fields, 'dataset'),
    rows: childNumber(fields, 'rows'),
    seed: seed?.kind === 'scalar' ? { value: seed.value as number | 'random', range: seed.range } : undefined,
    replicates: childNumber(fields, 'replicates'),
    format: childName(fields, 'format') as Located<ResultFormat> | undefined,
    partial: readPartial(fields),
    tags: tags && { value: childItems(fields, 'tags').map(nameText), range: tags.range },
    shares: readShares(childMap(fields, 'shares')),
    ranges: readRanges(childMap(fields, 'ranges')),
    expect: readGates(childMap(fields, 'expect')),
    warn: readGates(childMap(fields, 'warn')),
    isLeaf,
  }
}

/** The policy under `partial`; undefined when there is none. */
export function readPartial(parent: LocatedMap | undefined): Located<PartialPolicy> | undefined {
  const node = childNode(parent, 'partial')
  if (node === undefined) return undefined
  if (node.kind === 'scalar') {
    return { value: { kind: node.value as 'accept' | 'warn' | 'fail' }, range: node.range }
  }
  const acceptFrom = childNumber(node, 'accept_from')!.value
  const otherwise = childName(node, 'otherwise')!.value as 'warn' | 'fail'
  return { value: { kind: 'accept_from', acceptFrom, otherwise }, range: node.range }
}

function readShares(node: LocatedMap | undefined): ReadonlyMap<string, ColumnShares | null> {
  const columns = new Map<string, ColumnShares | null>()
  for (const { key, keyRange, value } of node?.entries.values() ?? []) {
    if (value.kind !== 'map') {
      columns.set(key, null)
      continue
    }
    const shares = new Map<string, number>()
    const levels = new Map<string, SourceRange>()
    for (const level of value.entries.values()) {
      // Adding zero makes -0 the 0 that is sent.
      shares.set(level.key, Number(level.value.kind === 'scalar' ? level.value.value : Number.NaN) + 0)
      levels.set(level.key, level.keyRange)
    }
    columns.set(key, { column: keyRange, shares, levels })
  }
  return columns
}

function readRanges(node: LocatedMap | undefined): ReadonlyMap<string, ColumnRange | null> {
  const columns = new Map<string, ColumnRange | null>()
  for (const { key, keyRange, value } of node?.entries.values() ?? []) {
    columns.set(
      key,
      value.kind === 'map' ? { column: keyRange, min: childEnd(value, 'min'), max: childEnd(value, 'max') } : null,
    )
  }
  return columns
}

/** The end under `key`; the shape has been checked before. */
function childEnd(node: LocatedMap, key: RangeEnd): LocatedEnd | undefined {
  const child = childNode(node, key)
  if (child?.kind !== 'scalar') return undefined
  const { value, range } = child
  if (typeof value === 'number') return { value, range, isDate: false }
  const moment = typeof value === 'string' ? momentOf(value, key) : null
  return moment === null ? undefined : { value: moment, range, isDate: true }
}

function readGates(node: LocatedMap | undefined): GatesPatch {
  const shares = childMap(node, 'shares')
  const columns = new Map<string, Located<number>>()
  for (const { key } of childMap(shares, 'columns')?.entries.values() ?? []) {
    const tolerance = childNumber(childMap(shares, 'columns'), key)
    if (tolerance !== undefined) columns.set(key, tolerance)
  }
  return {
    fillMin: childNumber(childMap(node, 'fill'), 'min'),
    tolerance: childNumber(shares, 'tolerance'),
    columns,
    outsideMax: childNumber(childMap(node, 'ranges'), 'outside_max'),
  }
}
