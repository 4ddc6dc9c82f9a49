import type { StudyComparison } from '../study/differences/compare-studies.ts'
import { renamedKeys, treeDifferences } from '../study/differences/tree-differences.ts'
import { canonicalBody } from '../study/hashing/canonical-body.ts'
import { type CanonicalValue, canonicalFigures } from '../study/hashing/canonical-json.ts'
import type { Study } from '../study/study.ts'
import type { Manifest } from './manifest.ts'

type Requests = ReadonlyMap<string, CanonicalValue>

/**
 * What a study asks for now, against what a run of it asked for: datasets and requests of all scenarios. A random seed is
 * the one that was drawn. How results are judged is not compared.
 */
export function compareWithStudy(manifest: Manifest, study: Study): StudyComparison {
  const ran: Requests = new Map(
    Object.entries(manifest.scenarios).map(([id, { dataset, request }]) => [
      id,
      { dataset, request } as unknown as CanonicalValue,
    ]),
  )
  const asked: Requests = new Map(study.scenarios.map((scenario) => [scenario.id, askedOf(scenario, manifest)]))
  const renamed = renamedKeys(identities(ran), identities(asked))
  const before = new Map([...ran].map(([id, request]) => [renamed.get(id) ?? id, request]))
  const tree = (name: string, scenarios: Requests): CanonicalValue => ({ name, scenarios })
  return { renamed, differences: treeDifferences(tree(manifest.study.name, before), tree(study.name, asked)) }
}

const identities = (requests: Requests): Map<string, string> =>
  new Map([...requests].map(([id, request]) => [id, canonicalFigures(request)]))

function askedOf(scenario: Study['scenarios'][number], manifest: Manifest): CanonicalValue {
  const { id, dataset, seed } = scenario
  const ran = Object.hasOwn(manifest.scenarios, id) ? manifest.scenarios[id]?.request : null
  const body = JSON.parse(canonicalBody(scenario, seed === 'random' ? (ran?.seed ?? 0) : undefined))
  return { dataset, request: seed === 'random' && !ran ? { ...body, seed } : body }
}
