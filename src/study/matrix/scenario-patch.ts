import type { ResultFormat } from '../../base/result-formats.ts'
import { isNull } from '../conditions/column-entries.ts'
import { type ConditionPatches, readConditions } from '../conditions/kinds.ts'
import { type Gates, readGates } from '../gates/gate.ts'
import type { PartialPolicy } from '../study.ts'
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
  /** Path of a file with shares; null removes an inherited one. */
  readonly margins: Located<string | null> | undefined
  readonly conditions: ConditionPatches
  readonly expect: Gates
  readonly warn: Gates
  /** An axis with `set` changes one level or bound and keeps the others; every other patch replaces whole columns. */
  readonly isLeaf: boolean
}

export function readPatch(fields: LocatedMap | undefined, isLeaf = false): ScenarioPatch {
  const seed = childNode(fields, 'seed')
  const tags = childNode(fields, 'tags')
  const margins = childNode(fields, 'margins')
  return {
    dataset: childName(fields, 'dataset'),
    rows: childNumber(fields, 'rows'),
    seed: seed?.kind === 'scalar' ? { value: seed.value as number | 'random', range: seed.range } : undefined,
    replicates: childNumber(fields, 'replicates'),
    format: childName(fields, 'format') as Located<ResultFormat> | undefined,
    partial: readPartial(fields),
    tags: tags && { value: childItems(fields, 'tags').map(nameText), range: tags.range },
    margins: margins && { value: isNull(margins) ? null : nameText(margins), range: margins.range },
    conditions: readConditions(fields),
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
