import { comparedScenario } from '../answers/words/compared-scenario.ts'
import type { Manifest } from '../records/manifest/manifest.ts'

/**
 * How pictures and sentences name a scenario of a comparison: one of a matrix by its axes (`region north · members most`), another by its
 * id. With several matrices, the name of the group stands in front.
 */
export function scenarioNames(manifest: Manifest): (id: string) => string {
  const { study, scenarios } = manifest
  const groups = new Set(Object.values(scenarios).flatMap(({ group, axes }) => (hasAxes(axes) ? [group] : [])))
  return (id) => {
    const scenario = comparedScenario(manifest, id)
    if (scenario === undefined || !hasAxes(scenario.axes)) return id
    const axes = axesInOrder(id, scenario.axes, own(study.axes ?? {}, scenario.group ?? ''))
    const text = axes.map(([axis, value]) => `${axis} ${value}`).join(' · ')
    return groups.size > 1 && scenario.group !== null ? `${scenario.group}: ${text}` : text
  }
}

/** A manifest has the axes of a scenario by name; the study, and the id, have them in sequence. */
function axesInOrder(
  id: string,
  axes: Record<string, string>,
  declared: readonly { readonly name: string }[] | undefined,
): [string, string][] {
  const parts = id.split('--')
  const place = ([axis, value]: [string, string]): number => {
    const at = declared?.findIndex(({ name: one }) => one === axis) ?? parts.indexOf(value)
    return at < 0 ? Number.MAX_SAFE_INTEGER : at
  }
  return Object.entries(axes).sort((a, b) => place(a) - place(b))
}

const hasAxes = (axes: Record<string, string>): boolean => Object.keys(axes).length > 0

/** Names come from data, so `constructor` is one only if the record itself has it. */
export const own = <V>(record: Readonly<Record<string, V>>, key: string): V | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/** Ids of scenarios in the sequence of the study, as far as the manifest has it. */
export function scenarioOrder({ study, scenarios }: Manifest): string[] {
  const ids = Object.keys(scenarios)
  const declared = (study.scenario_order ?? []).filter((id) => Object.hasOwn(scenarios, id))
  return [...new Set([...declared, ...ids])]
}

/** Places of the scenarios of comparisons in the sequence of the study; replicates stand where the first of them does. */
export function comparedOrder(manifest: Manifest): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [i, id] of scenarioOrder(manifest).entries()) {
    const name = manifest.scenarios[id]?.replicate?.of ?? id
    if (!places.has(name)) places.set(name, i)
  }
  return places
}
