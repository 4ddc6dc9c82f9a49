/** A nearest mix beside the conditions that were stated. Without zod: the page in a browser uses it, too. */

import { dataRecord } from '../base/data-record.ts'
import type { Conditions } from './conditions.ts'
import type { NearestMix } from './nearest-mix.ts'

/** The conditions with those of the mix in the place of their own. */
export function withNearestMix(stated: Conditions, { conditions: mix }: Pick<NearestMix, 'conditions'>): Conditions {
  const isShared = (column: string): boolean => has(mix.categorical, column) || has(mix.bounds, column)
  const kept = <Value>(of: Record<string, Value> | undefined, isGone: (column: string) => boolean) =>
    Object.entries(of ?? {}).filter(([column]) => !isGone(column))
  const categorical = [...kept(stated.categorical, isShared), ...Object.entries(mix.categorical ?? {})]
  const bounds = [...kept(stated.bounds, isShared), ...Object.entries(mix.bounds ?? {})]
  const means = [...kept(stated.means, (column) => has(mix.means, column)), ...Object.entries(mix.means ?? {})]
  const cells = stated.cells?.map((table) => mix.cells?.find((other) => columnsOf(other) === columnsOf(table)) ?? table)
  return {
    ...(categorical.length > 0 && { categorical: inSequence(stated.categorical, categorical) }),
    ...(stated.numeric && { numeric: stated.numeric }),
    ...(means.length > 0 && { means: inSequence(stated.means, means) }),
    ...(bounds.length > 0 && { bounds: inSequence(stated.bounds, bounds) }),
    ...(cells && { cells }),
  }
}

/** Whether a mix names nothing but what the conditions state: a service is not trusted with more. */
export function isMixOf({ conditions: mix }: Pick<NearestMix, 'conditions'>, stated: Conditions): boolean {
  const levelsOf = (column: string): ReadonlySet<string> =>
    new Set([...keysOf(own(stated.categorical, column)), ...keysOf(own(stated.bounds, column))])
  const named = [...Object.entries(mix.categorical ?? {}), ...Object.entries(mix.bounds ?? {})]
  const isKnownTable = (table: NonNullable<Conditions['cells']>[number]): boolean => {
    const known = stated.cells?.find((other) => columnsOf(other) === columnsOf(table))
    const cells = new Set(known?.shares.map(({ levels }) => JSON.stringify(levels)))
    return table.shares.length === cells.size && table.shares.every(({ levels }) => cells.has(JSON.stringify(levels)))
  }
  return (
    mix.numeric === undefined &&
    named.every(([column, levels]) => keysOf(levels).every((level) => levelsOf(column).has(level))) &&
    keysOf(mix.means).every((column) => has(stated.means, column)) &&
    (mix.cells ?? []).every(isKnownTable)
  )
}

const columnsOf = ({ columns }: { readonly columns: readonly string[] }): string => JSON.stringify(columns)

const has = (map: object | undefined, key: string): boolean => map !== undefined && Object.hasOwn(map, key)

const own = <Value>(map: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  has(map, key) ? map![key] : undefined

const keysOf = (map: object | undefined): string[] => Object.keys(map ?? {})

/** Names of a study are data: one of them may be `__proto__`. */
function inSequence<Value>(
  of: object | undefined,
  entries: readonly (readonly [string, Value])[],
): Record<string, Value> {
  const sequence = keysOf(of)
  const placeOf = (name: string): number => (sequence.includes(name) ? sequence.indexOf(name) : sequence.length)
  return dataRecord(entries.toSorted(([a], [b]) => placeOf(a) - placeOf(b)))
}
