import { join } from 'node:path'
import type { GateResult, Manifest } from '../../manifest/manifest.ts'
import { isBelowPolicy, type ManifestReview, reviewManifest, wasSelected } from '../../manifest/review-manifest.ts'
import { countText } from '../../plan/count-text.ts'
import { foundText } from '../../report/difference-text.ts'
import type { RunResult } from '../../run/interface/run-options.ts'
import { escapeText } from '../../study/diagnostics/escape-text.ts'
import type { Study } from '../../study/study.ts'
import { evidenceWarning, plural } from './event-text.ts'
import { endFinding, type Finding, type FindingPlace, findingsOf, placeOf } from './finding.ts'

type Forgiven = ReadonlySet<'gates' | 'partial'>

/** Place of a scenario or comparison in the study; null where the study is not known. */
type PlaceOf = (of: 'scenario' | 'comparison', id: string) => FindingPlace | null

/** What a run found: its diagnostics, why it was refused or broke off, and what its results are not as asked for. */
export function runFindings(
  result: RunResult,
  {
    study,
    projectRoot,
    forgiven,
  }: { readonly study: Study; readonly projectRoot: string; readonly forgiven: Forgiven },
): Finding[] {
  const { manifest } = result
  const places = placesIn(study, projectRoot)
  const found = [
    ...findingsOf(result.diagnostics, projectRoot),
    ...endFinding(result, join(projectRoot, study.filename)),
  ]
  if (manifest.status === 'refused') return found
  return [...found, ...manifestFindings(manifest, reviewManifest(manifest), { places, forgiven })]
}

/** What a manifest's results are not as asked for. `forgiven` causes are warnings. */
export function manifestFindings(
  manifest: Manifest,
  review: ManifestReview,
  { places, forgiven }: { readonly places: PlaceOf; readonly forgiven: Forgiven },
): Finding[] {
  const found: Finding[] = []
  for (const [id, scenario] of Object.entries(manifest.scenarios)) {
    if (!wasSelected(manifest, id)) continue
    const place = places('scenario', id)
    const { status, error } = scenario
    if (error && (status === 'failed' || status === 'refused'))
      found.push({
        level: 'error',
        title: `scenario ${id} ${status}`,
        message: escapeText(`${error.detail} [${error.code}]`),
        place,
      })
    const thin = evidenceWarning(scenario)
    if (thin !== null) found.push({ level: 'warning', title: `scenario ${id}`, message: escapeText(thin), place })
  }
  for (const partial of review.partial) {
    if (partial.verdict === 'accept') continue
    const isFailure = isBelowPolicy(partial, manifest) && !forgiven.has('partial')
    found.push({
      level: isFailure ? 'error' : 'warning',
      title: `scenario ${partial.scenario} partial`,
      message: `${countText(partial.counted)} of ${plural(partial.requested, 'row')}`,
      place: places('scenario', partial.scenario),
    })
  }
  for (const { of, id, gate, counts } of review.gates) {
    if (gate.passed || !counts) continue
    found.push({
      level: gate.level === 'fail' && !forgiven.has('gates') ? 'error' : 'warning',
      title: `gate ${gate.id}`,
      message: `${of} ${escapeText(id)}: expected ${expectationOf(gate)}, found ${foundText(gate)}`,
      place: places(of, id),
    })
  }
  return found.map((finding) => ({ ...finding, title: escapeText(finding.title) }))
}

const expectationOf = ({ expected }: GateResult): string =>
  Object.entries(expected)
    .map(([key, value]) => escapeText(`${key} ${value}`))
    .join(', ')

function placesIn(study: Study, projectRoot: string): PlaceOf {
  const scenarios = new Map(study.scenarios.map(({ id, origin }) => [id, placeOf(origin.scenario, projectRoot)]))
  const comparisons = new Map(study.comparisons.map(({ id, range }) => [id, placeOf(range, projectRoot)]))
  return (of, id) => (of === 'scenario' ? scenarios : comparisons).get(id) ?? null
}
