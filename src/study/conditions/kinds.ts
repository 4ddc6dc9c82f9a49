import { type CanonicalValue, canonicalJson } from '../../base/canonical-json.ts'
import type { LocatedMap } from '../yaml/located-node.ts'
import { cellKind, tableName } from './cell.ts'
import { type Condition, type ConditionKindName, type Conditions, conditionsOf } from './condition.ts'
import type {
  ConditionExtension,
  ConditionKind,
  ReportFault,
  SentCondition,
  SentConditions,
  UsedName,
  WrittenConditions,
} from './condition-kind.ts'
import { meanKind } from './mean.ts'
import { rangeKind } from './range.ts'
import type { KnownColumn } from './range-ends.ts'
import { shareKind } from './share.ts'

/** In the sequence in which a scenario's conditions are listed. */
export const CONDITION_KINDS: { readonly [K in ConditionKindName]: ConditionKind<K> } = {
  share: shareKind,
  range: rangeKind,
  mean: meanKind,
  cell: cellKind,
}

export const CONDITION_KIND_NAMES = Object.keys(CONDITION_KINDS) as readonly ConditionKindName[]

const kindOf = <K extends ConditionKindName>(condition: Conditions[K]): ConditionKind<K> =>
  CONDITION_KINDS[condition.kind as K]

/** The conditions that one place of a file writes, by kind and column; null removes an inherited one. */
export type ConditionPatches = {
  readonly [K in ConditionKindName]: ReadonlyMap<string, WrittenConditions[K] | null>
}

/** After some layers; nothing is null any more. */
export type ConditionDrafts = { readonly [K in ConditionKindName]: ReadonlyMap<string, WrittenConditions[K]> }

/** A value for each kind; `make` gives each its own. The compiler cannot follow a loop over kinds, so that the loop is here once. */
function byKind<T>(make: (name: ConditionKindName) => unknown): T {
  return Object.fromEntries(CONDITION_KIND_NAMES.map((name) => [name, make(name)])) as T
}

export const NO_CONDITIONS: ConditionDrafts = byKind<ConditionDrafts>(() => new Map())

/** The conditions of a map of the file that may have them. */
export const readConditions = (fields: LocatedMap | undefined): ConditionPatches =>
  byKind<ConditionPatches>((name) => readKind(name, fields))

function readKind<K extends ConditionKindName>(name: K, fields: LocatedMap | undefined): ConditionPatches[K] {
  const kind: ConditionKind<K> = CONDITION_KINDS[name]
  return new Map(kind.entries(fields)) as ConditionPatches[K]
}

/**
 * Conditions merge by column, and a column's entry is replaced as a whole, because it is one statement. Only an axis with `set`
 * (`isLeaf`) changes a part of it and keeps the others.
 */
export const layerConditions = (below: ConditionDrafts, above: ConditionPatches, isLeaf: boolean): ConditionDrafts =>
  CONDITION_KIND_NAMES.every((name) => above[name].size === 0)
    ? below
    : byKind<ConditionDrafts>((name) => layerKind(name, below, above, isLeaf))

function layerKind<K extends ConditionKindName>(
  name: K,
  below: ConditionDrafts,
  above: ConditionPatches,
  isLeaf: boolean,
): ConditionDrafts[K] {
  const kind: ConditionKind<K> = CONDITION_KINDS[name]
  const patches: ReadonlyMap<string, WrittenConditions[K] | null> = above[name]
  if (patches.size === 0) return below[name]
  const merged: Map<string, WrittenConditions[K]> = new Map(below[name])
  for (const [column, written] of patches) {
    if (written === null) merged.delete(column)
    else merged.set(column, isLeaf ? kind.merge(merged.get(column), written) : written)
  }
  return merged as ConditionDrafts[K]
}

export const conditionCount = (drafts: ConditionDrafts): number =>
  CONDITION_KIND_NAMES.reduce((sum, name) => sum + drafts[name].size, 0)

/** The values that are written, as paths: whole columns, or parts of them for an axis with `set`. */
export function conditionPaths(patches: ConditionPatches, isLeaf: boolean): readonly (readonly string[])[] {
  const pathsOf = <K extends ConditionKindName>(name: K): (readonly string[])[] => {
    const kind: ConditionKind<K> = CONDITION_KINDS[name]
    const columns: ReadonlyMap<string, WrittenConditions[K] | null> = patches[name]
    return [...columns].flatMap(([column, written]) =>
      isLeaf && written !== null
        ? kind.paths(written).map((path) => [kind.word, column, ...path])
        : [[kind.word, column]],
    )
  }
  return CONDITION_KIND_NAMES.flatMap((name) => pathsOf(name))
}

/** The conditions after all layers, by kind. */
export function resolveConditions(drafts: ConditionDrafts, report: ReportFault): readonly Condition[] {
  const resolve = <K extends ConditionKindName>(name: K): Condition[] => {
    const kind: ConditionKind<K> = CONDITION_KINDS[name]
    const columns: ReadonlyMap<string, WrittenConditions[K]> = drafts[name]
    return [...columns].map(([column, written]) => kind.resolve(column, written, report))
  }
  return CONDITION_KIND_NAMES.flatMap((name) => resolve(name))
}

/** As a request has them, by its words: column → what is stated, or a list of tables. Words without a condition are left out. */
export function requestedConditions(conditions: readonly Condition[]): ReadonlyMap<string, CanonicalValue> {
  const maps = new Map<string, Map<string, CanonicalValue>>()
  const lists = new Map<string, CanonicalValue[]>()
  for (const condition of conditions) {
    for (const [word, value] of Object.entries(kindOf(condition).sent(condition))) {
      if (Array.isArray(value)) lists.set(word, [...(lists.get(word) ?? []), ...value])
      else maps.set(word, (maps.get(word) ?? new Map()).set(nameOf(condition), value))
    }
  }
  const sorted = [...lists].map(([word, list]) => [word, list.sort(byText)] as const)
  return new Map<string, CanonicalValue>([...maps, ...sorted])
}

/** The sequence of tables in a file does not matter. */
function byText(a: CanonicalValue, b: CanonicalValue): number {
  const [x, y] = [canonicalJson(a), canonicalJson(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

/** What people call it: its column, or `region × gender`. */
export const nameOf = (condition: Condition): string =>
  condition.kind === 'cell' ? tableName(condition.columns) : condition.column

/** In the words of a study file, with an empty map for kinds without a condition. */
export function writtenConditions(
  conditions: readonly Condition[],
): ReadonlyMap<string, ReadonlyMap<string, CanonicalValue>> {
  const found = new Map(
    CONDITION_KIND_NAMES.map((name) => [CONDITION_KINDS[name].word, new Map<string, CanonicalValue>()]),
  )
  for (const condition of conditions) {
    const kind = kindOf(condition)
    found.get(kind.word)!.set(nameOf(condition), kind.canonical(condition))
  }
  return found
}

/** What a service must offer beyond the specification for these conditions. */
export const extensionsOf = (conditions: readonly Condition[]): readonly ConditionExtension[] =>
  conditions.flatMap((condition) => kindOf(condition).extensions(condition))

/** What was sent as people read it, by path in the words of a study file. `now`: the study's conditions, whose form it takes. */
export function sentTexts(sent: SentConditions, now: readonly Condition[]): readonly (readonly [string, string])[] {
  const textsOf = <K extends ConditionKindName>(name: K): (readonly [string, string])[] => {
    const kind: ConditionKind<K> = CONDITION_KINDS[name]
    const own = new Map(conditionsOf({ conditions: now }, name).map((condition) => [nameOf(condition), condition]))
    return Object.entries(kind.sentIn(sent)).flatMap(([column, of]) =>
      kind
        .texts(of as SentCondition[K], own.get(column))
        .map(([part, value]) => [[kind.word, column, ...(part === '' ? [] : [part])].join('.'), value] as const),
    )
  }
  return CONDITION_KIND_NAMES.flatMap((name) => textsOf(name))
}

/**
 * The conditions with what the cleaned schema says in place of what the study leaves open, as they are sent. Null when something stays
 * open, because the schema is unknown (`columns` null) or does not report it. Conditions without anything open are returned as they are.
 */
export function closedConditions(
  conditions: readonly Condition[],
  columns: readonly KnownColumn[] | null,
): readonly Condition[] | null {
  return allOrNull(conditions, (condition) => kindOf(condition).closed(condition, columns))
}

/** The conditions with what is open as another request has it, so that both can be compared. */
export function conditionsLike(conditions: readonly Condition[], sent: SentConditions): readonly Condition[] {
  return allOrNull(conditions, (condition) => kindOf(condition).asSent(condition, sent)) ?? conditions
}

function allOrNull(
  conditions: readonly Condition[],
  change: (condition: Condition) => Condition | null,
): readonly Condition[] | null {
  const changed: Condition[] = []
  for (const condition of conditions) {
    const one = change(condition)
    if (one === null) return null
    changed.push(one)
  }
  return changed.every((condition, i) => condition === conditions[i]) ? conditions : changed
}

/** The names of the data that a condition uses, the column first. */
export const usedNames = (condition: Condition): readonly UsedName[] => kindOf(condition).names(condition)

/** Whether a level that appears in the data changes what the condition means. */
export const isOfLevels = (condition: Condition): boolean => kindOf(condition).isOfLevels
