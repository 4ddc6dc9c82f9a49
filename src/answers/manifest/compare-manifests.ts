import { type CanonicalValue, canonicalFigures } from '../../base/canonical-json.ts'
import { dataRecord } from '../../base/data-record.ts'
import type { ManifestBacktest } from '../../records/manifest/backtests.ts'
import type { GateResult } from '../../records/manifest/gates.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'
import type { StudyComparison } from '../../study/differences/compare-studies.ts'
import { withRangeDates } from '../../study/differences/range-dates.ts'
import { type Difference, renamedKeys, treeDifferences } from '../../study/differences/tree-differences.ts'
import { bodyLike, canonicalBody } from '../../study/hashing/canonical-body.ts'
import { datasetFingerprint } from '../../study/hashing/fingerprint.ts'
import { withSharedNames } from '../../study/replicates.ts'
import type { Study } from '../../study/study.ts'
import { chanceOfDifference, roundRatio } from '../arithmetic/figures.ts'

/** What a difference concerns: the request, the resulting shares, other results, or gates. */
export type DifferenceKind = 'input' | 'share' | 'result' | 'gate'

export interface ManifestDifference extends Difference {
  readonly kind: DifferenceKind
  /** For shares that both have: the variation of their difference by chance alone, ±2·√(p(1−p)/n + q(1−q)/m). */
  readonly chance?: number
}

export interface ManifestComparisonResult {
  /** Scenarios with the same fingerprint under another name: old → new. They are compared under the new name. */
  readonly renamed: ReadonlyMap<string, string>
  /** The name that a scenario of the earlier manifest, or several replicates together, have in the later one. */
  readonly nameOf: (scenario: string) => string
  readonly differences: readonly ManifestDifference[]
}

/** The differences between two manifests apart from `run` and `trace`, which differ between any two runs. */
export function compareManifests(before: Manifest, after: Manifest): ManifestComparisonResult {
  const identities = ({ scenarios }: Manifest) =>
    new Map(Object.entries(scenarios).map(([id, { fingerprint }]) => [id, fingerprint]))
  const renamed = renamedKeys(identities(before), identities(after))
  const byId = ({ scenarios }: Manifest) => new Map(Object.entries(scenarios))
  const names = withSharedNames(renamed, byId(before), byId(after))
  const nameOf = (id: string): string => names.get(id) ?? id
  const old = renamedIn(before.scenarios, nameOf)
  const differences = treeDifferences(
    comparable(before, nameOf),
    comparable(after, (id) => id),
  )
  return {
    renamed,
    nameOf,
    differences: differences.map((difference) => {
      const kind = kindOf(difference.path)
      return kind === 'share'
        ? { kind, ...difference, ...chanceOf(difference, old, after.scenarios) }
        : { kind, ...difference }
    }),
  }
}

/** Scenarios by their current names, lists of gates and findings by name, shares without derived values. */
function comparable(manifest: Manifest, nameOf: (id: string) => string): CanonicalValue {
  const { run: _run, trace: _trace, study, scenarios, comparisons, backtests, diagnostics, ...rest } = manifest
  return {
    ...rest,
    study: { ...study, baseline: study.baseline === null ? null : nameOf(study.baseline) },
    scenarios: mapped(renamedIn(scenarios, nameOf), ({ shares, gates, replicate, ...scenario }) => ({
      ...scenario,
      ...(replicate && { replicate: { ...replicate, of: nameOf(replicate.of) } }),
      shares: mapped(shares, ({ levels, unstated, missing }) => ({
        levels: { ...unstated, ...mapped(levels, ({ achieved }) => achieved) },
        missing,
      })),
      gates: gatesByName(gates),
    })),
    comparisons: mapped(comparisons, ({ against, against_replicates: baseline, gates, ...comparison }) => ({
      ...comparison,
      against: nameOf(against),
      ...(baseline && { against_replicates: baseline.map(nameOf) }),
      scenarios: mapped(renamedIn(comparison.scenarios, nameOf), ({ segments, replicates, ...result }) => ({
        ...result,
        ...(replicates && { replicates: { ...replicates, ids: replicates.ids.map(nameOf) } }),
        ...(segments && { segments: dataRecord(segments.map(({ level, ...segment }) => [level, segment] as const)) }),
      })),
      gates: gatesByName(gates.map((gate) => ({ ...gate, id: gateName(gate.id, nameOf) }))),
    })),
    ...(backtests && { backtests: mapped(backtests, comparableBacktest) }),
    diagnostics: dataRecord(diagnostics.map((d) => [`${d.code} ${d.summary}`, { ...d }] as const)),
  } as unknown as CanonicalValue
}

/** Groups and figures by their names. */
const comparableBacktest = ({ groups, gates, ...backtest }: ManifestBacktest): object => ({
  ...backtest,
  groups: dataRecord(
    groups.map(({ level, predictions, ...group }) => [
      level,
      {
        ...group,
        predictions: dataRecord(
          predictions.map(
            ({ column, level: of, ...one }) => [of === undefined ? column : `${column} ${of}`, one] as const,
          ),
        ),
      },
    ]),
  ),
  gates: gatesByName(gates),
})

const renamedIn = <V>(record: Record<string, V>, nameOf: (id: string) => string): Record<string, V> =>
  dataRecord(Object.entries(record).map(([id, value]) => [nameOf(id), value] as const))

/** `delta:<scenario>:…` under the scenario's current name; ids of scenarios hold no colon. */
const gateName = (id: string, nameOf: (id: string) => string): string =>
  id.replace(/^delta:([^:]*)/, (_, scenario: string) => `delta:${nameOf(scenario)}`)

const mapped = <V, W>(record: Record<string, V>, map: (value: V) => W): Record<string, W> =>
  dataRecord(Object.entries(record).map(([key, value]) => [key, map(value)] as const))

const gatesByName = (gates: readonly GateResult[]): Record<string, object> =>
  dataRecord(gates.map(({ id, level, ...gate }) => [level === 'warn' ? `${id} (warn)` : id, gate] as const))

/** Fields that identify a scenario. The others are results. */
const INPUTS: ReadonlySet<string | undefined> = new Set([
  'group',
  'axes',
  'dataset',
  'fingerprint',
  'request',
  'partial',
  undefined,
])

function kindOf([part, , field, ...rest]: readonly string[]): DifferenceKind {
  if (part === 'scenarios') {
    if (field === 'shares') return 'share'
    if (field === 'gates') return 'gate'
    return INPUTS.has(field) || (field === 'rows' && rest[0] === 'requested') ? 'input' : 'result'
  }
  if ((part === 'comparisons' || part === 'backtests') && field === 'gates') return 'gate'
  return part === 'study' || part === 'datasets' ? 'input' : 'result'
}

function chanceOf(
  { path, before, after }: Difference,
  old: Record<string, ManifestScenario>,
  now: Record<string, ManifestScenario>,
): { chance?: number } {
  const id = path[1] ?? ''
  const [n, m] = [old[id]?.rows.counted ?? 0, now[id]?.rows.counted ?? 0]
  if (typeof before !== 'number' || typeof after !== 'number' || n === 0 || m === 0) return {}
  return { chance: roundRatio(chanceOfDifference({ share: before, n }, { share: after, n: m })) }
}

type Requests = ReadonlyMap<string, CanonicalValue>

/**
 * Compares the datasets and requests of a study's scenarios with those of a run's manifest. A random seed is the one
 * that was drawn. Gates are not compared.
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
  const [datasets, now] = [ranDatasets(manifest, study), askedDatasets(manifest, study)]
  const differences = treeDifferences(
    { name: manifest.study.name, datasets, scenarios: before },
    { name: study.name, datasets: now, scenarios: asked },
  )
  return { renamed, differences: withRangeDates(differences, [study]) }
}

type FileReadings = ReadonlyMap<string, { readonly [field: string]: CanonicalValue }>

/** Datasets of seed files that both the run and the study have. */
const sharedFiles = ({ datasets }: Manifest, study: Study) =>
  [...study.datasets].flatMap(([id, source]) => {
    const ran = Object.hasOwn(datasets, id) ? datasets[id] : undefined
    return source.kind === 'file' && ran?.source != null && ran.fingerprint !== null ? [{ id, source, ran }] : []
  })

const ranDatasets = (manifest: Manifest, study: Study): FileReadings =>
  new Map(sharedFiles(manifest, study).map(({ id, ran }) => [id, { file: ran.source, [READING]: ran.fingerprint }]))

/** The same file read as the study says now: whether the file itself is another one today is for a plan to say. */
const askedDatasets = (manifest: Manifest, study: Study): FileReadings =>
  new Map(
    sharedFiles(manifest, study).map(({ id, source, ran }) => {
      const { file, autoClean, declarations } = source
      const fileSha256 = ran.sent?.sha256 ?? ran.sha256 ?? ''
      return [id, { file, [READING]: datasetFingerprint({ fileSha256, autoClean, declarations }) }]
    }),
  )

/** What of a dataset's fingerprint is in the study. */
const READING = 'declarations and auto_clean'

const identities = (requests: Requests): Map<string, string> =>
  new Map([...requests].map(([id, request]) => [id, canonicalFigures(request)]))

function askedOf(scenario: Study['scenarios'][number], manifest: Manifest): CanonicalValue {
  const { id, dataset, seed } = scenario
  const ran = Object.hasOwn(manifest.scenarios, id) ? manifest.scenarios[id]?.request : null
  const drawn = seed === 'random' ? (ran?.seed ?? 0) : undefined
  const asked = ran ? bodyLike(scenario, JSON.stringify(ran), drawn) : canonicalBody(scenario, drawn)
  const body = JSON.parse(asked)
  return { dataset, request: seed === 'random' && !ran ? { ...body, seed } : body }
}
