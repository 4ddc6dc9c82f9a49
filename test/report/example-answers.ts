import type { ComparisonResult, ManifestComparison } from '../../src/records/manifest/comparisons.ts'
import type { MeanDifference, ShareDifference } from '../../src/records/manifest/differences.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { exampleManifest } from '../answers/example-manifest.ts'

const SURE = { basis: 'seed', support: 'ok' } as const

const intervalOf = (delta: number, se: number) => [delta - 1.96 * se, delta + 1.96 * se] as const

/** A share that goes from `against` to `scenario`, with a standard error and its interval. */
export function share(
  against: number,
  scenario: number,
  se: number,
  change: Partial<ShareDifference> = {},
): ShareDifference {
  const delta = Number((scenario - against).toFixed(6))
  return { against, scenario, delta, ...SURE, standard_error: se, interval: intervalOf(delta, se), ...change }
}

/** The same for a mean. */
export function mean(
  against: number,
  scenario: number,
  se: number,
  change: Partial<MeanDifference> = {},
): MeanDifference {
  const statistics = (value: number) => ({ n: 2000, mean: value, sd: 10, q05: 0, q25: 0, q50: 0, q75: 0, q95: 0 })
  const delta = scenario - against
  const sides = { against: statistics(against), scenario: statistics(scenario) }
  return { ...sides, delta, ...SURE, standard_error: se, interval: intervalOf(delta, se), ...change }
}

/** A result with these differences. */
export const compared = (
  shares: ComparisonResult['shares'],
  means: ComparisonResult['means'] = {},
): ComparisonResult => ({ status: 'compared', shares, means })

/** A manifest whose comparison `lift` has these scenarios against `base`. */
export function liftManifest(
  scenarios: Record<string, ComparisonResult>,
  change: Partial<ManifestComparison> = {},
): Manifest {
  const lift: ManifestComparison = { against: 'base', scenarios, gates: [], ...change }
  return exampleManifest(undefined, { comparisons: { lift } })
}
