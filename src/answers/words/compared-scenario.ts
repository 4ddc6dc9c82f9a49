import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'

/** A manifest does not change, and a page asks for each name several times. */
const known = new WeakMap<Manifest['scenarios'], ReadonlyMap<string, readonly string[]>>()

/** Ids of the replicates that share a name in comparisons; empty for a scenario without replicates. */
export function replicatesOf({ scenarios }: Pick<Manifest, 'scenarios'>, name: string): readonly string[] {
  let shared = known.get(scenarios)
  if (shared === undefined) {
    shared = groupedReplicates(scenarios)
    known.set(scenarios, shared)
  }
  return shared.get(name) ?? []
}

/** The scenario that a comparison names; the first of its replicates where the name stands for several. */
export function comparedScenario(manifest: Pick<Manifest, 'scenarios'>, name: string): ManifestScenario | undefined {
  const id = replicatesOf(manifest, name)[0] ?? name
  return Object.hasOwn(manifest.scenarios, id) ? manifest.scenarios[id] : undefined
}

function groupedReplicates(scenarios: Manifest['scenarios']): ReadonlyMap<string, readonly string[]> {
  const shared = new Map<string, [id: string, number: number][]>()
  for (const [id, { replicate }] of Object.entries(scenarios))
    if (replicate !== undefined) shared.set(replicate.of, [...(shared.get(replicate.of) ?? []), [id, replicate.number]])
  return new Map([...shared].map(([name, of]) => [name, of.sort((a, b) => a[1] - b[1]).map(([id]) => id)]))
}
