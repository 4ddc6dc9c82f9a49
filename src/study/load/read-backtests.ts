import { BACKTEST_GATE_KINDS, BACKTEST_GATES, type Backtest, type BacktestGates } from '../backtests.ts'
import { columnsOf } from '../conditions/condition.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import type { Outcome } from '../outcomes/outcome.ts'
import { comparedName } from '../replicates.ts'
import type { Scenario } from '../study.ts'
import {
  childItems,
  childMap,
  childName,
  childNumber,
  type Located,
  type LocatedMap,
  type LocatedNode,
  nameText,
} from '../yaml/located-node.ts'

/** The entries of `backtests`. `scenarios` are those of the study, as far as they are complete. */
export function readBacktests(
  root: LocatedMap,
  scenarios: readonly Scenario[],
  diagnostics: Diagnostic[],
): readonly Backtest[] {
  const places = new Map<string, Located<string>>()
  return childItems(root, 'backtests').flatMap((node) => {
    const id = childName(node, 'id')!
    const twin = places.get(id.value)
    if (twin !== undefined)
      diagnostics.push(
        diagnose('S3004', {
          summary: `two backtests are called "${id.value}"`,
          range: id.range,
          related: [{ message: 'the other one', range: twin.range }],
        }),
      )
    places.set(id.value, id)
    return readBacktest(node, id, scenarios, diagnostics) ?? []
  })
}

function readBacktest(
  node: LocatedNode,
  id: Located<string>,
  scenarios: readonly Scenario[],
  diagnostics: Diagnostic[],
): Backtest | null {
  const scenario = childName(node, 'scenario')
  const conditioned = scenario === undefined ? null : conditionsOf(scenario, scenarios, diagnostics)
  const dataset = datasetOf(node, id, conditioned?.dataset ?? null, scenarios, diagnostics)
  if (dataset === null || (scenario !== undefined && conditioned === null)) return null
  const by = childName(node, 'by')!
  const outcomes = (['shares', 'means'] as const).flatMap((kind) =>
    childItems(node, kind).map((item): Outcome => ({ kind, column: nameText(item), place: item.range })),
  )
  const named = childItems(node, 'on').map(located)
  const on = distinct(named.length > 0 ? named : (conditioned?.columns ?? []).filter(({ value }) => value !== by.value))
  if (on.length === 0) {
    diagnostics.push(
      diagnose('S4310', {
        summary: `scenario "${scenario?.value}" sets no column but "${by.value}"`,
        range: scenario?.range ?? id.range,
        detail: `name the columns whose margins the groups have: on: [age, region]`,
      }),
    )
    return null
  }
  checkRoles({ by, on, outcomes }, diagnostics)
  return {
    id: id.value,
    dataset,
    by: by.value,
    levels: distinct(childItems(node, 'levels').map(located)),
    on,
    outcomes,
    base: (childName(node, 'base')?.value as Backtest['base']) ?? null,
    expect: readGates(childMap(node, 'expect')),
    warn: readGates(childMap(node, 'warn')),
    range: id.range,
    byRange: by.range,
  }
}

/** The columns that a scenario conditions, and its dataset; null where there is none of this name. */
function conditionsOf(
  name: Located<string>,
  scenarios: readonly Scenario[],
  diagnostics: Diagnostic[],
): { readonly dataset: string; readonly columns: readonly Located<string>[] } | null {
  const scenario = scenarios.find((one) => comparedName(one) === name.value)
  if (scenario !== undefined)
    return {
      dataset: scenario.dataset,
      columns: scenario.conditions.flatMap(columnsOf).map((value) => ({ value, range: name.range })),
    }
  const ids = [...new Set(scenarios.map(comparedName))]
  diagnostics.push(
    diagnose('S4301', {
      summary: `there is no scenario "${name.value}"`,
      range: name.range,
      detail: `scenarios: ${ids.slice(0, 5).join(', ')}`,
      suggestions: suggest(name.value, ids),
    }),
  )
  return null
}

/** A run trains the datasets that its scenarios use. */
function datasetOf(
  node: LocatedNode,
  id: Located<string>,
  ofScenario: string | null,
  scenarios: readonly Scenario[],
  diagnostics: Diagnostic[],
): string | null {
  const used = [...new Set(scenarios.map(({ dataset }) => dataset))]
  const named = childName(node, 'dataset')
  const dataset = named?.value ?? ofScenario ?? (used.length === 1 ? used[0]! : null)
  if (dataset !== null && used.includes(dataset)) return dataset
  diagnostics.push(
    dataset === null
      ? diagnose('S2006', {
          summary: `backtest "${id.value}" does not name its dataset`,
          range: id.range,
          detail: `add dataset: ${used[0]}; the scenarios use: ${used.join(', ')}`,
        })
      : diagnose('S2007', {
          summary: `no scenario uses a dataset "${dataset}"`,
          range: named?.range ?? id.range,
          detail: `a run trains the datasets of its scenarios: ${used.join(', ')}`,
          suggestions: suggest(dataset, used),
        }),
  )
  return null
}

/** What groups have alike, or what makes them, cannot be predicted of them. */
function checkRoles(
  { by, on, outcomes }: { by: Located<string>; on: readonly Located<string>[]; outcomes: readonly Outcome[] },
  diagnostics: Diagnostic[],
): void {
  const report = (summary: string, range: Located<string>['range'], other: Located<string>['range'], detail: string) =>
    diagnostics.push(
      diagnose('S4310', { summary, range, detail, related: [{ message: 'the other place', range: other }] }),
    )
  for (const { value, range } of on)
    if (value === by.value)
      report(
        `column "${value}" makes the groups, and is under \`on\``,
        range,
        by.range,
        'name other columns under `on`',
      )
  for (const { column, place } of outcomes) {
    if (column === by.value)
      report(`column "${column}" makes the groups, and is an outcome`, place, by.range, 'name other outcomes')
    const held = on.find(({ value }) => value === column && value !== by.value)
    if (held !== undefined)
      report(
        `column "${column}" is under \`on\`, and is an outcome`,
        place,
        held.range,
        'both sides have its shares or mean, so that there is nothing to predict; remove one of the two',
      )
  }
}

const readGates = (node: LocatedMap | undefined): BacktestGates =>
  BACKTEST_GATE_KINDS.flatMap((kind) => {
    const written = childNumber(childMap(node, kind), BACKTEST_GATES[kind])
    return written === undefined ? [] : [{ kind, number: written.value, place: written.range }]
  })

const located = (item: LocatedNode): Located<string> => ({ value: nameText(item), range: item.range })

/** Each name once. */
const distinct = (names: readonly Located<string>[]): readonly Located<string>[] =>
  [...new Map([...names].reverse().map((one) => [one.value, one])).values()].reverse()
