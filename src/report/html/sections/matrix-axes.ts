import { words } from '../../../base/language/language.ts'
import type { ManifestAxis } from '../../../records/manifest/columns.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ManifestRequest, ManifestScenario } from '../../../records/manifest/scenarios.ts'
import { own, scenarioOrder } from '../../scenario-names.ts'
import { grouped } from '../grouped.ts'

/** A matrix of the study, with the scenarios that lie on its axes. */
export interface Matrix {
  readonly group: string
  readonly axes: readonly ManifestAxis[]
  readonly scenarios: readonly (readonly [id: string, scenario: ManifestScenario])[]
}

/** Matrices in the sequence of the study. Earlier manifests lack the sequence of values, so values follow their scenarios. */
export function matrices(manifest: Manifest): Matrix[] {
  const { scenarios, study } = manifest
  const placed = scenarioOrder(manifest).flatMap((id) => {
    const scenario = scenarios[id]!
    return scenario.group !== null && Object.keys(scenario.axes).length > 0 ? [[id, scenario] as const] : []
  })
  return [...grouped(placed, ([, { group }]) => group!)].map(([group, members]) => ({
    group,
    axes: own(study.axes ?? {}, group) ?? axesOf(members),
    scenarios: members,
  }))
}

function axesOf(members: Matrix['scenarios']): ManifestAxis[] {
  const [id, first] = members[0]!
  const parts = id.split('--')
  const names = Object.keys(first.axes).sort((a, b) => parts.indexOf(first.axes[a]!) - parts.indexOf(first.axes[b]!))
  return names.map((name) => ({
    name,
    values: [...new Set(members.flatMap(([, { axes }]) => own(axes, name) ?? []))],
  }))
}

/** The numbers that the values of an axis stand for. */
export interface AxisNumbers {
  /** `share of loyalty.member Yes`, `least age`. */
  readonly of: string
  readonly isShare: boolean
  readonly at: ReadonlyMap<string, number>
}

interface Condition {
  readonly column: string
  readonly of: string
  readonly isShare: boolean
  readonly number: number
}

/**
 * The one number that the requests of the scenarios change from value to value of an axis: a share or an end of a range.
 * Null where there is none or several, so that nothing is guessed.
 */
export function axisNumbers({ scenarios }: Matrix, { name, values }: ManifestAxis): AxisNumbers | null {
  const requests = grouped(
    scenarios.filter(([, { request }]) => request !== null),
    ([, { axes }]) => own(axes, name) ?? '',
  )
  const used = values.filter((value) => requests.has(value))
  if (used.length < 2) return null
  const found = used.map((value) => common(requests.get(value)!.map(([, { request }]) => conditionsOf(request!))))
  const keys = [...found[0]!.keys()].filter((key) => {
    const numbers = found.map((of) => of.get(key)?.number)
    return numbers.every((number) => number !== undefined) && new Set(numbers).size === numbers.length
  })
  const candidates = keys.map((key) => found.map((of) => of.get(key)!))
  const isOne = new Set(candidates.map(([first]) => first!.column)).size === 1
  const isRange = candidates.some(([first]) => !first!.isShare)
  if (!isOne || (isRange && candidates.length > 1)) return null
  const rises = (of: readonly Condition[]) => of.every(({ number }, i) => i === 0 || number > of[i - 1]!.number)
  const chosen = candidates.find(rises) ?? candidates[0]!
  const { of, isShare } = chosen[0]!
  return { of, isShare, at: new Map(used.map((value, i) => [value, chosen[i]!.number])) }
}

function conditionsOf({ conditions = {} }: ManifestRequest): Map<string, Condition> {
  const { categorical = {}, numeric = {}, means = {}, bounds = {} } = conditions
  const { axes } = words().sections
  const all = [
    ...Object.entries(categorical).flatMap(([column, levels]) =>
      Object.entries(levels).map(
        ([level, number]): Condition => ({ column, of: axes.share(`${column} ${level}`), isShare: true, number }),
      ),
    ),
    ...Object.entries(bounds).flatMap(([column, levels]) =>
      Object.entries(levels).flatMap(([level, { min, max }]): Condition[] => [
        ...(min === undefined
          ? []
          : [{ column, of: axes.leastShare(`${column} ${level}`), isShare: true, number: min }]),
        ...(max === undefined
          ? []
          : [{ column, of: axes.greatestShare(`${column} ${level}`), isShare: true, number: max }]),
      ]),
    ),
    ...Object.entries(numeric).flatMap(([column, { min, max }]): Condition[] => [
      { column, of: axes.smallest(column), isShare: false, number: min },
      { column, of: axes.largest(column), isShare: false, number: max },
    ]),
    ...Object.entries(means).flatMap(([column, mean]): Condition[] =>
      typeof mean === 'number'
        ? [{ column, of: axes.mean(column), isShare: false, number: mean }]
        : [
            ...(mean.min === undefined
              ? []
              : [{ column, of: axes.leastMean(column), isShare: false, number: mean.min }]),
            ...(mean.max === undefined
              ? []
              : [{ column, of: axes.greatestMean(column), isShare: false, number: mean.max }]),
          ],
    ),
  ]
  return new Map(all.map((one) => [JSON.stringify([one.column, one.of]), one]))
}

/** The conditions that all have, with the same number. */
function common(all: readonly ReadonlyMap<string, Condition>[]): Map<string, Condition> {
  const [first, ...others] = all
  return new Map([...first!].filter(([key, { number }]) => others.every((of) => of.get(key)?.number === number)))
}
