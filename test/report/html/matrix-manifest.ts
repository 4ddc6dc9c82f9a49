import type { ReadManifest } from '../../../src/answers/manifest/parse-manifest.ts'
import type { Section } from '../../../src/base/document/block.ts'
import { pageBlocks } from '../../../src/base/document/page-blocks.ts'
import type { MeanDifference, ShareDifference } from '../../../src/records/manifest/differences.ts'
import type { Manifest } from '../../../src/records/manifest/manifest.ts'
import type { ManifestScenario } from '../../../src/records/manifest/scenarios.ts'
import { exampleManifest, exampleScenario } from '../../answers/example-manifest.ts'

export const EDGES = [0, 10, 20, 40]

export function share(against: number, scenario: number): ShareDifference {
  const delta = Number((scenario - against).toFixed(6))
  const interval = [delta - 0.04, delta + 0.04] as const
  return {
    against,
    scenario,
    delta,
    interval,
    standard_error: 0.02,
    basis: 'seed',
    answer: { against, scenario, difference: delta, degrees_of_freedom: 400 },
    support: 'ok',
  }
}

export function mean(against: number, scenario: number, hasBins = true): MeanDifference {
  const side = (value: number, shares: readonly number[]) => ({
    n: 2000,
    mean: value,
    sd: 8,
    q05: value - 12,
    q25: value - 6,
    q50: value,
    q75: value + 7,
    q95: value + 13,
    ...(hasBins && { histogram: { edges: EDGES, shares } }),
  })
  const delta = scenario - against
  return {
    against: side(against, [0.2, 0.5, 0.3]),
    scenario: side(scenario, [0.1, 0.4, 0.5]),
    delta,
    interval: [delta - 1, delta + 1],
    standard_error: 0.5,
    basis: 'seed',
    answer: { against, scenario, difference: delta },
    support: 'ok',
  }
}

/** Members by region: their shares of loyalty, and what intent becomes. */
export const MEMBERS = { third: [0.33, 0.4], half: [0.5, 0.44], most: [0.75, 0.5] } as const

export const cellId = (region: string, members: string): string => `growth--${region}--${members}`

export function cellScenario(region: string, members: keyof typeof MEMBERS): ManifestScenario {
  const [loyal] = MEMBERS[members]
  return exampleScenario({
    group: 'growth',
    axes: { members, region },
    request: {
      conditions: { categorical: { loyal: { Yes: loyal }, region: { [region]: 1 } } },
      output_format: 'csv',
      row_count: 2000,
      seed: 7,
    },
    shares: {
      loyal: { levels: { Yes: { target: loyal, achieved: loyal, delta: 0, count: loyal * 2000 } }, unstated: {} },
    },
    ranges: {},
    evidence: { effective_rows: members === 'most' ? 40 : 600, largest_tilt: 3.2, low_support: members === 'most' },
    standard_error_factor: 2,
  })
}

/** A baseline, and members by region: without south–most. */
export function matrixManifest(change: Partial<Manifest> = {}): Manifest {
  const cells = (['north', 'south'] as const).flatMap((region) =>
    (Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]).flatMap((members) =>
      region === 'south' && members === 'most' ? [] : [{ region, members }],
    ),
  )
  const scenarios = Object.fromEntries(
    cells.map(({ region, members }) => [cellId(region, members), cellScenario(region, members)]),
  )
  const results = Object.fromEntries(
    cells.map(({ region, members }) => {
      const yes = MEMBERS[members][1] - (region === 'south' ? 0.03 : 0)
      const shares = { intent: { Yes: share(0.35, yes), Unsure: share(0.3, 0.3), No: share(0.35, 0.7 - yes) } }
      return [cellId(region, members), { status: 'compared' as const, shares, means: { spend: mean(15, 18) } }]
    }),
  )
  const base = exampleScenario({ request: null, shares: {}, ranges: {} })
  const made = exampleManifest({ base, ...scenarios })
  return {
    ...made,
    study: {
      ...made.study,
      scenario_order: ['base', ...Object.keys(scenarios)],
      axes: {
        growth: [
          { name: 'region', values: ['north', 'south'] },
          { name: 'members', values: ['third', 'half', 'most'] },
        ],
      },
    },
    comparisons: {
      lift: {
        against: 'base',
        outcomes: [
          { column: 'intent', kind: 'shares', levels: ['Yes', 'Unsure', 'No'] },
          { column: 'spend', kind: 'means' },
        ],
        scenarios: results,
        gates: [],
      },
    },
    ...change,
  }
}

export const reading = (manifest: Manifest): ReadManifest => ({ manifest, digest: 'd'.repeat(64) })

/** The texts of the marks of a page's drawings. */
export const tipsOf = (text: string): string[] => [...text.matchAll(/data-tip="([^"]*)"/g)].map(([, tip]) => tip!)

/** The cells of each row of a page's tables. */
export const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell]) => cell!.replaceAll(/<[^>]*>/g, '')),
  )

/** The markup of a section on a page; empty for none. */
export const bodyOf = (section: Pick<Section, 'blocks'> | null): string =>
  section === null ? '' : pageBlocks(section.blocks).text
