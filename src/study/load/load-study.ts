import { diagnose, ScenarioFindings } from '../diagnostics/diagnose.ts'
import { byPlace, type Diagnostic, hasErrors, type SourceRange } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import { applyMargins, type MarginsFiles } from '../margins/apply-margins.ts'
import { expandScenarios, readScenarioEntries, type ScenarioEntry } from '../matrix/expand-scenarios.ts'
import { resolveScenario } from '../matrix/resolve-scenario.ts'
import { readPartial, readPatch, type ScenarioPatch } from '../matrix/scenario-patch.ts'
import { comparedName } from '../replicates.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { Budget, DatasetSource, Policy, Study } from '../study.ts'
import {
  childItems,
  childMap,
  childName,
  childNode,
  childNumber,
  type Located,
  type LocatedMap,
} from '../yaml/located-node.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'
import { SourceText } from '../yaml/source-text.ts'
import { checkDeclaredUses } from './check-declared-uses.ts'
import { checkGates } from './check-gates.ts'
import { readBacktests } from './read-backtests.ts'
import { readBaseline, readComparisons, type ScenarioIndex } from './read-comparisons.ts'
import { checkRelativePath, readDatasets } from './read-datasets.ts'

export interface LoadedStudy {
  /** Null when there is any error. */
  readonly study: Study | null
  /** By place in the file within each phase. */
  readonly diagnostics: readonly Diagnostic[]
  /** Paths of the files of margins that the study names, as it writes them; they are relative. */
  readonly margins: readonly Located<string>[]
}

export interface LoadOptions {
  /** Relative to the project root; diagnostics show it. */
  readonly filename: string
  /** The study is for a service that may sample rows, so tolerances of shares are checked against chance as well. */
  readonly isSampled?: boolean
  /** The files of margins. Without them a study that names any has an error. */
  readonly margins?: MarginsFiles
}

/**
 * Turns a study file's text into a `Study`, or into the reasons why it is invalid. Phases are parsing, shape,
 * semantics, expansion. All faults of a phase are reported together, and a phase with errors is the last one. Never
 * throws for a fault of the file. It reads no other file: the result names files of margins, and a second call takes them.
 */
export function loadStudy(text: string, options: LoadOptions): LoadedStudy {
  const source = new SourceText(text, options.filename)
  const { root, diagnostics: parsed } = parseYaml(source)
  if (root === null) return { study: null, diagnostics: parsed, margins: [] }

  const diagnostics: Diagnostic[] = [...checkShape(root)]
  if (hasErrors(diagnostics)) return { study: null, diagnostics, margins: [] }

  const semantics: Diagnostic[] = []
  const datasets = readDatasets(root, semantics)
  const outputDir = childName(childMap(root, 'output'), 'dir')
  const outputFault = outputDir && checkRelativePath(outputDir)
  if (outputFault) semantics.push(outputFault)
  const entries = readScenarioEntries(root, semantics)
  const patches = patchesOf(root, entries)
  checkDatasetReferences(patches, datasets, semantics)
  const margins = namedMargins(patches, semantics)
  diagnostics.push(...byPlace(semantics))
  if (hasErrors(diagnostics)) return { study: null, diagnostics, margins: [] }

  const expansion: Diagnostic[] = []
  const study = expand({ root, entries, datasets, outputDir, margins }, options, expansion)
  diagnostics.push(...byPlace(expansion))
  return { study: hasErrors(diagnostics) ? null : study, diagnostics, margins }
}

interface ReadParts {
  readonly root: LocatedMap
  readonly entries: readonly ScenarioEntry[]
  readonly datasets: ReadonlyMap<string, DatasetSource>
  readonly outputDir: Located<string> | undefined
  readonly margins: readonly Located<string>[]
}

function expand(
  { root, entries, datasets, outputDir, margins }: ReadParts,
  { filename, isSampled = false, margins: files }: LoadOptions,
  diagnostics: Diagnostic[],
): Study | null {
  const expanded = applyMargins(expandScenarios(root, entries, diagnostics), margins, files, diagnostics)
  const findings = new ScenarioFindings()
  const policy = childMap(root, 'policy')
  const originalNames = originalNamesRange(root)
  const escapesFormulas = childName(childMap(root, 'output'), 'formulas')?.value === 'escape'
  const context = {
    datasets: [...datasets.keys()],
    partial: readPartial(policy)?.value ?? ({ kind: 'fail' } as const),
    names: originalNames === null ? ('cleaned' as const) : ('original' as const),
    escapesFormulas,
  }
  const scenarios = expanded.flatMap((scenario) => resolveScenario(scenario, context, findings) ?? [])
  diagnostics.push(...findings.diagnostics(expanded.length), ...checkGates(expanded, { isSampled }))
  // A group whose matrix could not be expanded has no ids. Its comparisons would only repeat that fault.
  const there = new Set(expanded.map((one) => one.group ?? comparedName(one)))
  if (!entries.every(({ id }) => there.has(id))) return null
  const datasetOf = new Map(scenarios.map(({ id, dataset }) => [id, dataset]))
  const index: ScenarioIndex = {
    scenarios: new Map(
      expanded.map((one) => [comparedName(one), { group: one.group, dataset: datasetOf.get(one.id) ?? null }]),
    ),
    groups: new Set(entries.filter((entry) => entry.matrix !== null).map((entry) => entry.id)),
  }
  const baseline = readBaseline(root, index, diagnostics)
  const comparisons = readComparisons(root, baseline, index, diagnostics)
  const backtests = readBacktests(root, scenarios, diagnostics)
  if (hasErrors(diagnostics)) return null
  warnOfUnusedDatasets(root, new Set(scenarios.map((scenario) => scenario.dataset)), diagnostics)
  const { value: name, range: nameRange } = childName(root, 'name')!
  const study: Study = {
    version: 1,
    name,
    nameRange,
    filename,
    description: childName(root, 'description')?.value ?? null,
    datasets,
    scenarios,
    ...readOutline(root, entries),
    baseline,
    comparisons,
    backtests,
    budget: readBudget(childMap(root, 'budget')),
    budgetRange: childMap(root, 'budget')?.range ?? null,
    policy: readPolicy(policy),
    outputDir: outputDir?.value ?? `out/${name}`,
    outputDirRange: outputDir?.range ?? null,
    ...(originalNames !== null && { originalNamesRange: originalNames }),
    ...(escapesFormulas && { escapesFormulas }),
    report: wantsReport(root),
  }
  diagnostics.push(...checkDeclaredUses(study))
  return study
}

/** Every place of the file that may have fields of scenarios, also those that no combination uses. */
function patchesOf(root: LocatedMap, entries: readonly ScenarioEntry[]): readonly ScenarioPatch[] {
  const patches: ScenarioPatch[] = [readPatch(childMap(root, 'defaults'))]
  for (const { patch, matrix } of entries) {
    patches.push(patch)
    for (const axis of matrix?.axes ?? []) patches.push(...axis.values.map((value) => value.patch))
    patches.push(...(matrix?.override ?? []).map((entry) => entry.patch))
    patches.push(...(matrix?.include ?? []).map((entry) => entry.patch))
  }
  return patches
}

function namedMargins(patches: readonly ScenarioPatch[], diagnostics: Diagnostic[]): readonly Located<string>[] {
  const named = patches.flatMap(({ margins }) =>
    margins?.value == null ? [] : [{ value: margins.value, range: margins.range }],
  )
  diagnostics.push(...named.flatMap((path) => checkRelativePath(path) ?? []))
  return named
}

function checkDatasetReferences(
  patches: readonly ScenarioPatch[],
  datasets: ReadonlyMap<string, DatasetSource>,
  diagnostics: Diagnostic[],
): void {
  const names = [...datasets.keys()]
  for (const { dataset } of patches) {
    if (dataset === undefined || datasets.has(dataset.value)) continue
    diagnostics.push(
      diagnose('S2007', {
        summary: `there is no dataset "${dataset.value}"`,
        range: dataset.range,
        detail: `datasets: ${names.join(', ')}`,
        suggestions: suggest(dataset.value, names),
      }),
    )
  }
}

function warnOfUnusedDatasets(root: LocatedMap, used: ReadonlySet<string>, diagnostics: Diagnostic[]): void {
  for (const { key, keyRange } of childMap(root, 'datasets')?.entries.values() ?? []) {
    if (used.has(key)) continue
    diagnostics.push(diagnose('W1303', { summary: `no scenario uses dataset "${key}"`, range: keyRange }))
  }
}

/** What the scenarios are about, for people who read results. */
function readOutline(
  root: LocatedMap,
  entries: readonly ScenarioEntry[],
): Pick<Study, 'axes' | 'scenarioDescriptions'> {
  const scenarios = childMap(root, 'scenarios')
  return {
    axes: new Map(
      entries.flatMap(({ id, matrix }) =>
        matrix === null || matrix.axes.length === 0
          ? []
          : [[id, matrix.axes.map(({ name, values }) => ({ name: name.value, values: values.map((v) => v.slug) }))]],
      ),
    ),
    scenarioDescriptions: new Map(
      entries.flatMap(({ id }) => {
        const entry = childMap(scenarios, id)
        const included = childItems(childMap(entry, 'matrix'), 'include')
        return [
          [id, childName(entry, 'description')] as const,
          ...included.map((one) => [`${id}--${childName(one, 'id')!.value}`, childName(one, 'description')] as const),
        ].flatMap(([of, description]) => (description === undefined ? [] : [[of, description.value] as const]))
      }),
    ),
  }
}

/** Where the study asks for the names of the seed file; null: it does not. */
function originalNamesRange(root: LocatedMap): SourceRange | null {
  const names = childName(childMap(root, 'output'), 'names')
  return names?.value === 'original' ? names.range : null
}

function readBudget(node: LocatedMap | undefined): Budget {
  return {
    rowsPerRun: childNumber(node, 'rows_per_run')?.value ?? null,
    rowsPerScenario: childNumber(node, 'rows_per_scenario')?.value ?? null,
    newDatasetsPerRun: childNumber(node, 'new_datasets_per_run')?.value ?? null,
  }
}

function readPolicy(node: LocatedMap | undefined): Policy {
  return {
    onFailure: childName(node, 'on_failure')?.value === 'stop' ? 'stop' : 'continue',
    drift: childName(node, 'drift')?.value === 'warn' ? 'warn' : 'fail',
    mixedModel: childName(node, 'mixed_model')?.value === 'warn' ? 'warn' : 'fail',
  }
}

function wantsReport(root: LocatedMap): boolean {
  const report = childNode(childMap(root, 'output'), 'report')
  return !(report?.kind === 'scalar' && report.value === false)
}
