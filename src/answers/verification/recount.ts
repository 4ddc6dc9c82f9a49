import { canonicalFigures } from '../../base/canonical-json.ts'
import { columnsOfRule, type Rule, withColumns } from '../../base/rules/rule.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'
import type { Measurement } from '../../records/state/measurements.ts'
import { parseRule } from '../../study/rules/parse-rule.ts'
import type { Comparison, Scenario } from '../../study/study.ts'
import { roundRatio } from '../arithmetic/figures.ts'
import { CONDITION_MEMBERS, conditionResults, recordedConditions } from '../counts/condition-results.ts'
import { measuredColumns } from '../counts/measure.ts'
import { ruleResults } from '../manifest/scenario-result.ts'
import { recordedComparison } from './recorded-comparison.ts'

/** What to count in the rows of a scenario, so that every figure of the manifest about them is known again. */
export function recountedColumns(manifest: Manifest, id: string): ReturnType<typeof measuredColumns> {
  const recorded = manifest.scenarios[id]!
  const { request, replicate } = recorded
  const conditions = request === null ? [] : recordedConditions(request, recorded)
  const scenario = { id, replicate, conditions } as unknown as Scenario
  const comparisons = Object.values(manifest.comparisons).map(recordedComparison)
  const rules = rulesOf(manifest.scenarios[id]!)
  const columns = measuredColumns(scenario, comparisons as unknown as readonly Comparison[], null, rules)
  return { ...columns, bins: recordedEdges(manifest, replicate?.of ?? id) }
}

/** The edges of the histograms that a manifest has of a scenario, by column. @param name of the scenario, or of its replicates. */
function recordedEdges({ comparisons }: Manifest, name: string): Map<string, readonly number[]> {
  const edges = new Map<string, readonly number[]>()
  for (const { against, scenarios } of Object.values(comparisons))
    for (const [scenario, { means, segments = [] }] of Object.entries(scenarios)) {
      if (name !== scenario && name !== against) continue
      for (const [column, mean] of [means, ...segments.map((one) => one.means)].flatMap((one) => Object.entries(one))) {
        const histogram = (name === scenario ? mean.scenario : mean.against)?.histogram
        if (histogram !== undefined) edges.set(column, histogram.edges)
      }
    }
  return edges
}

/** The rules that a manifest has counts of, with the names of their columns in the rows. Texts that are none are not counted again. */
function rulesOf({ rules = [] }: ManifestScenario): Rule[] {
  return rules.flatMap(({ rule, columns }) => {
    const parsed = parseRule(rule)
    if ('fault' in parsed) return []
    const named = columnsOfRule(parsed.rule)
    return [withColumns(parsed.rule, (column) => columns[named.indexOf(column)] ?? column)]
  })
}

/** The first figure of a scenario that its rows do not have, in words; null: they have all. */
export function wrongFigure(scenario: ManifestScenario, measured: Measurement): string | null {
  const { rows, request, rules = [] } = scenario
  if (rows.counted !== measured.rows) return said('rows', rows.counted, measured.rows)
  const fill = roundRatio(measured.rows / rows.requested)
  if (rows.fill !== fill) return said('rows.fill', rows.fill, fill)
  const counted = firstDifference('rules', rules, ruleResults(measured.rules ?? []))
  if (counted !== null) return counted
  if (request === null) return null
  const found = conditionResults({ conditions: recordedConditions(request, scenario) }, measured)
  // Dates are the same figures in other words.
  const recorded = { ...scenario, ranges: withoutDates(scenario.ranges) }
  for (const member of CONDITION_MEMBERS) {
    const difference = firstDifference(member, recorded[member] ?? {}, found[member] ?? {})
    if (difference !== null) return difference
  }
  return null
}

function withoutDates(ranges: ManifestScenario['ranges']): object {
  return Object.fromEntries(Object.entries(ranges).map(([column, { dates: _words, ...range }]) => [column, range]))
}

/** The first figure that two values have differently. Both sides hold figures that are rounded alike. */
export function firstDifference(path: string, recorded: unknown, found: unknown): string | null {
  if (isObject(recorded) && isObject(found)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(found)])) {
      const difference = firstDifference(
        `${path}.${key}`,
        Object.hasOwn(recorded, key) ? recorded[key] : undefined,
        Object.hasOwn(found, key) ? found[key] : undefined,
      )
      if (difference !== null) return difference
    }
    return null
  }
  if (typeof recorded === 'number' && typeof found === 'number' && isNear(recorded, found)) return null
  return recorded === found ? null : said(path, recorded, found)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Another version of Node may add in another order. */
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))

const said = (path: string, recorded: unknown, found: unknown): string =>
  `${path}: the manifest says ${figure(recorded)}, and the rows say ${figure(found)}`

const figure = (value: unknown): string =>
  value === undefined ? 'nothing' : isObject(value) ? 'something' : canonicalFigures(value as number | string | null)
