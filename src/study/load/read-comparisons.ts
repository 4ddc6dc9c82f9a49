import { listText } from '../../base/text/amount-text.ts'
import { matchesGlob } from '../../base/text/match-glob.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import { OUTCOME_KIND_NAMES, OUTCOME_KINDS, type Outcome, readOutcomes } from '../outcomes/outcome.ts'
import { readRowFilters } from '../outcomes/row-filter.ts'
import type { Comparison, ComparisonGate } from '../study.ts'
import {
  childItems,
  childMap,
  childName,
  childNode,
  childNumber,
  type Located,
  type LocatedMap,
  type LocatedNode,
  nameText,
} from '../yaml/located-node.ts'

/** Scenarios by the name that comparisons use (`comparedName`), and the ids of groups, which are not scenarios. */
export interface ScenarioIndex {
  readonly scenarios: ReadonlyMap<string, IndexedScenario>
  readonly groups: ReadonlySet<string>
}

interface IndexedScenario {
  readonly group: string | null
  /** Null for an incomplete scenario, which already has a diagnostic. */
  readonly dataset: string | null
}

/** The scenario that `baseline` names; null when there is none or it is unknown. */
export function readBaseline(root: LocatedMap, index: ScenarioIndex, diagnostics: Diagnostic[]): string | null {
  const baseline = childName(root, 'baseline')
  return baseline === undefined ? null : knownScenario(baseline, index, diagnostics)
}

/** The entries of `comparisons`, with globs resolved to ids (study language, section 4.4). */
export function readComparisons(
  root: LocatedMap,
  baseline: string | null,
  index: ScenarioIndex,
  diagnostics: Diagnostic[],
): readonly Comparison[] {
  const comparisons: Comparison[] = []
  const places = new Map<string, Located<string>>()
  for (const node of childItems(root, 'comparisons')) {
    const id = childName(node, 'id')!
    const twin = places.get(id.value)
    if (twin !== undefined) {
      diagnostics.push(
        diagnose('S3004', {
          summary: `two comparisons are called "${id.value}"`,
          range: id.range,
          related: [{ message: 'the other one', range: twin.range }],
        }),
      )
    }
    places.set(id.value, id)
    const comparison = readComparison(root, node, id, baseline, index, diagnostics)
    if (comparison !== null) comparisons.push(comparison)
  }
  return comparisons
}

function readComparison(
  root: LocatedMap,
  node: LocatedNode,
  id: Located<string>,
  baseline: string | null,
  index: ScenarioIndex,
  diagnostics: Diagnostic[],
): Comparison | null {
  const named = childName(node, 'against')
  const against = named === undefined ? baseline : knownScenario(named, index, diagnostics)
  if (against === null) {
    if (named === undefined && childNode(root, 'baseline') === undefined) {
      diagnostics.push(
        diagnose('S4303', {
          summary: `comparison "${id.value}" has nothing to compare against`,
          range: id.range,
          detail: 'add `against` to it, or a `baseline` to the study',
        }),
      )
    }
    return null
  }
  const scenarios = new Set<string>()
  for (const item of childItems(node, 'scenarios')) {
    for (const scenario of globbed(item, against, index, diagnostics)) scenarios.add(scenario)
  }
  checkDatasets(id, scenarios, against, index, diagnostics)
  const outcomes = readOutcomes(node)
  const by = childName(node, 'by')
  checkSegments(by, outcomes, diagnostics)
  const where = readRowFilters(childMap(node, 'where'), (code, text) => diagnostics.push(diagnose(code, text)))
  const gates = (key: string) =>
    childItems(node, key).map((gate) => readGate(gate, id.value, scenarios, outcomes, index, diagnostics))
  return {
    id: id.value,
    scenarios: [...scenarios],
    against,
    outcomes,
    by: by?.value ?? null,
    where,
    base: (childName(node, 'base')?.value as Comparison['base']) ?? null,
    expect: gates('expect'),
    warn: gates('warn'),
    range: id.range,
    byRange: by?.range ?? null,
  }
}

function checkDatasets(
  id: Located<string>,
  scenarios: ReadonlySet<string>,
  against: string,
  index: ScenarioIndex,
  diagnostics: Diagnostic[],
): void {
  const datasetOf = (scenario: string) => index.scenarios.get(scenario)?.dataset ?? null
  const dataset = datasetOf(against)
  if (dataset === null) return
  const stranger = [...scenarios].find((scenario) => ![dataset, null].includes(datasetOf(scenario)))
  if (stranger === undefined) return
  diagnostics.push(
    diagnose('S4304', {
      summary: `comparison "${id.value}" mixes datasets`,
      range: id.range,
      detail: [
        `${stranger} uses "${datasetOf(stranger)}", ${against} uses "${dataset}"`,
        'to compare waves, put them into one seed file with a column "wave" and give each wave a scenario',
      ].join('\n'),
    }),
  )
}

function checkSegments(by: Located<string> | undefined, outcomes: readonly Outcome[], diagnostics: Diagnostic[]): void {
  const outcome = outcomes.find(({ column }) => column === by?.value)
  if (by === undefined || outcome === undefined) return
  diagnostics.push(
    diagnose('S4307', {
      summary: `column "${by.value}" is compared, and the comparison is divided by it`,
      range: by.range,
      detail: 'inside a segment all rows have its level; compare other columns, or remove `by`',
      related: [{ message: 'compared here', range: outcome.place }],
    }),
  )
}

function readGate(
  node: LocatedNode,
  comparison: string,
  scenarios: ReadonlySet<string>,
  outcomes: readonly Outcome[],
  index: ScenarioIndex,
  diagnostics: Diagnostic[],
): ComparisonGate {
  const scenario = childName(node, 'scenario')!
  const column = childName(node, 'column')!
  const level = childName(node, 'level')
  const deltaMin = childNumber(node, 'delta_min')
  const deltaMax = childNumber(node, 'delta_max')
  const confidence = childNumber(node, 'confidence')
  if (knownScenario(scenario, index, diagnostics) !== null && !scenarios.has(scenario.value)) {
    diagnostics.push(
      diagnose('S4305', {
        summary: `"${scenario.value}" is not among the scenarios of comparison "${comparison}"`,
        range: scenario.range,
      }),
    )
  }
  const quantile = childNumber(node, 'quantile')
  const kinds = OUTCOME_KIND_NAMES.filter((kind) =>
    quantile === undefined
      ? OUTCOME_KINDS[kind].within === (level === undefined ? null : 'level')
      : OUTCOME_KINDS[kind].within === 'quantile',
  )
  const names = outcomes.filter(({ kind }) => kinds.includes(kind)).map((outcome) => outcome.column)
  checkQuantile({ column, level, quantile }, outcomes, diagnostics)
  if (!names.includes(column.value)) {
    diagnostics.push(
      diagnose('S4305', {
        summary: `column "${column.value}" is not under ${kinds.map((kind) => `\`${kind}\``).join(' or ')} of comparison "${comparison}"`,
        range: column.range,
        detail: [
          'a gate checks what is compared',
          ...OUTCOME_KIND_NAMES.filter((kind) => !kinds.includes(kind)).map((kind) => OUTCOME_KINDS[kind].gateAdvice),
        ].join('; '),
        suggestions: suggest(column.value, names),
      }),
    )
  }
  if (deltaMin !== undefined && deltaMax !== undefined && deltaMin.value > deltaMax.value) {
    diagnostics.push(
      diagnose('S4306', {
        summary: `delta_min ${deltaMin.value} is above delta_max ${deltaMax.value}`,
        range: deltaMin.range,
      }),
    )
  }
  return {
    scenario: scenario.value,
    column: column.value,
    level: level?.value ?? null,
    quantile: quantile?.value ?? null,
    deltaMin: deltaMin?.value ?? null,
    deltaMax: deltaMax?.value ?? null,
    confidence: confidence?.value ?? null,
    adjust: (childName(node, 'adjust')?.value as ComparisonGate['adjust']) ?? null,
    range: level?.range ?? quantile?.range ?? column.range,
  }
}

/** A check of a quantile names one that is compared, and no level. */
function checkQuantile(
  {
    column,
    level,
    quantile,
  }: {
    readonly column: Located<string>
    readonly level: Located<string> | undefined
    readonly quantile: Located<number> | undefined
  },
  outcomes: readonly Outcome[],
  diagnostics: Diagnostic[],
): void {
  if (quantile === undefined) return
  const compared = outcomes.flatMap((one) =>
    one.kind === 'quantiles' && one.column === column.value ? one.shares : [],
  )
  if (level !== undefined) {
    const summary = `the check of "${column.value}" has a level and a quantile`
    diagnostics.push(
      diagnose('S4305', { summary, range: level.range, detail: 'a quantile is of numbers; remove one of the two' }),
    )
  } else if (compared.length > 0 && !compared.includes(quantile.value)) {
    const summary = `the quantile ${quantile.value} of column "${column.value}" is not compared`
    const detail = `a gate checks what is compared: ${compared.join(', ')}`
    diagnostics.push(diagnose('S4305', { summary, range: quantile.range, detail }))
  }
}

/** A scenario is not compared with itself, so that `*` matches all the others. */
function globbed(item: LocatedNode, against: string, index: ScenarioIndex, diagnostics: Diagnostic[]): string[] {
  const glob = located(item)
  const ids = [...index.scenarios.keys()].filter((id) => id !== against && matchesGlob(glob.value, id))
  if (ids.length > 0) return ids
  if (!/[*?]/.test(glob.value) && glob.value !== against) {
    knownScenario(glob, index, diagnostics, [`${glob.value}--*`])
  } else {
    diagnostics.push(
      diagnose('S4302', {
        summary: `"${glob.value}" matches no scenario to compare with "${against}"`,
        range: glob.range,
        detail: glob.value === against ? 'it is not compared with itself' : someIds([...index.scenarios.keys()]),
      }),
    )
  }
  return []
}

/** @param ofGroup What to write in place of the name of a group, where all of its scenarios can be meant. */
function knownScenario(
  name: Located<string>,
  index: ScenarioIndex,
  diagnostics: Diagnostic[],
  ofGroup?: readonly string[],
): string | null {
  if (index.scenarios.has(name.value)) return name.value
  const ids = [...index.scenarios.keys()]
  const members = ids.filter((id) => index.scenarios.get(id)!.group === name.value)
  const isGroup = index.groups.has(name.value)
  diagnostics.push(
    diagnose('S4301', {
      summary: isGroup ? `"${name.value}" is a group, not a scenario` : `there is no scenario "${name.value}"`,
      range: name.range,
      detail: someIds(members.length > 0 ? members : ids),
      suggestions: isGroup && ofGroup !== undefined ? ofGroup : suggest(name.value, ids),
    }),
  )
  return null
}

const someIds = (ids: readonly string[]): string => `scenarios: ${listText(ids, 5)}`

function located(node: LocatedNode): Located<string> {
  return { value: nameText(node), range: node.range }
}
