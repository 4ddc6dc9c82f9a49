import { type CanonicalValue, canonicalJson } from '../../base/canonical-json.ts'
import { backtestValue } from '../backtests.ts'
import { writtenConditions } from '../conditions/kinds.ts'
import { GATE_FORMS, GATE_KINDS, type GateKind, type Gates, gateOf } from '../gates/gate.ts'
import { declarationsValue } from '../hashing/declarations-value.ts'
import { budgetValue, partialValue, policyValue } from '../hashing/fingerprint.ts'
import { outcomesValue } from '../outcomes/outcome.ts'
import { rowFilterValue } from '../outcomes/row-filter.ts'
import { withSharedNames } from '../replicates.ts'
import type { Comparison, DatasetSource, Scenario, Study } from '../study.ts'
import { withRangeDates } from './range-dates.ts'
import { type Difference, renamedKeys, treeDifferences } from './tree-differences.ts'

export interface StudyComparison {
  /** Scenarios with the same request under another name: old → new. They are compared under the new name. */
  readonly renamed: ReadonlyMap<string, string>
  readonly differences: readonly Difference[]
}

/**
 * The differences between two versions of a resolved study, field by field and in the study's words. The way it is
 * written (layers, matrices, sequence, spelling of numbers) makes no difference.
 */
export function compareStudies(before: Study, after: Study): StudyComparison {
  const identities = (study: Study) => new Map(study.scenarios.map((s) => [s.id, canonicalJson(requestOf(s))]))
  const renamed = renamedKeys(identities(before), identities(after))
  const byId = ({ scenarios }: Study) => new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const names = withSharedNames(renamed, byId(before), byId(after))
  const differences = treeDifferences(treeOf(before, names), treeOf(after, new Map()))
  return { renamed, differences: withRangeDates(differences, [before, after]) }
}

function treeOf(study: Study, renamed: ReadonlyMap<string, string>): CanonicalValue {
  const nameOf = (id: string): string => renamed.get(id) ?? id
  return {
    name: study.name,
    description: study.description,
    baseline: study.baseline === null ? null : nameOf(study.baseline),
    output: study.outputDir,
    names: study.originalNamesRange === undefined ? undefined : 'original',
    formulas: study.escapesFormulas ? 'escape' : undefined,
    datasets: new Map([...study.datasets].map(([id, source]) => [id, datasetOf(source)])),
    scenarios: new Map(study.scenarios.map((s) => [nameOf(s.id), scenarioOf(s)])),
    comparisons: new Map(study.comparisons.map((c) => [c.id, comparisonOf(c, nameOf)])),
    backtests: new Map(study.backtests.map((b) => [b.id, backtestValue(b)])),
    budget: budgetValue(study),
    policy: policyValue(study),
  }
}

function datasetOf(source: DatasetSource): CanonicalValue {
  if (source.kind === 'existing') return { dataset_id: source.datasetId }
  const { file, sha256, autoClean, displayName, declarations } = source
  return {
    file,
    sha256: sha256 ?? undefined,
    auto_clean: autoClean,
    display_name: displayName,
    ...(declarations && declarationsValue(declarations)),
  }
}

/** A scenario's request: everything apart from its name and its gates. */
function requestOf({ dataset, rows, seed, format, conditions }: Scenario): { [field: string]: CanonicalValue } {
  return {
    dataset,
    rows,
    seed,
    format,
    ...Object.fromEntries(writtenConditions(conditions)),
  }
}

function scenarioOf(scenario: Scenario): CanonicalValue {
  return {
    ...requestOf(scenario),
    format: scenario.form?.format ?? scenario.format,
    partial: partialValue(scenario.partial),
    expect: gatesOf(scenario.expect),
    warn: gatesOf(scenario.warn),
    tags: scenario.tags,
  }
}

function gatesOf(gates: Gates): CanonicalValue {
  return Object.fromEntries(
    GATE_KINDS.map((kind) => [
      kind,
      numbersOf(
        gates.filter((gate) => gate.kind === kind),
        kind,
      ),
    ]),
  )
}

function numbersOf(gates: Gates, kind: GateKind): CanonicalValue {
  const { number: key, hasColumns } = GATE_FORMS[kind]
  const columns = gates.flatMap(({ column, number }) => (column === null ? [] : [[column, number] as const]))
  return { [key]: gateOf(gates, kind)?.number, ...(hasColumns && { columns: new Map(columns) }) }
}

function comparisonOf(comparison: Comparison, nameOf: (id: string) => string): CanonicalValue {
  const { scenarios, against } = comparison
  const gates = (list: Comparison['expect']): CanonicalValue =>
    new Map(
      list.map((g) => [
        [
          nameOf(g.scenario),
          g.column,
          ...(g.level === null ? [] : [g.level]),
          ...(g.quantile === null ? [] : [g.quantile]),
        ].join(':'),
        {
          delta_min: g.deltaMin ?? undefined,
          delta_max: g.deltaMax ?? undefined,
          confidence: g.confidence ?? undefined,
          adjust: g.adjust ?? undefined,
        },
      ]),
    )
  return {
    scenarios: scenarios.map(nameOf),
    against: nameOf(against),
    ...outcomesValue(comparison),
    by: comparison.by ?? undefined,
    where: rowFilterValue(comparison.where),
    base: comparison.base ?? undefined,
    expect: gates(comparison.expect),
    warn: gates(comparison.warn),
  }
}
