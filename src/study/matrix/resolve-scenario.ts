import { RESULT_FORMATS, type ResultFormat } from '../../base/result-formats.ts'
import { type Condition, columnsOf, conditionsOf, type ShareCondition } from '../conditions/condition.ts'
import { CONDITION_KINDS, resolveConditions } from '../conditions/kinds.ts'
import { meanText } from '../conditions/mean.ts'
import { rangeText } from '../conditions/range-ends.ts'
import { shareSum } from '../conditions/share.ts'
import { boundedShares, endOf, isBounds } from '../conditions/share-bounds.ts'
import { knownShares } from '../conditions/share-change.ts'
import type { ScenarioFindings } from '../diagnostics/diagnose.ts'
import { SHARE_SUM_TOLERANCE } from '../diagnostics/limits.ts'
import type { PartialPolicy, ResultForm, Scenario } from '../study.ts'
import type { ExpandedScenario } from './expanded-scenario.ts'

export interface ScenarioContext {
  /** Ids of datasets, in file order. */
  readonly datasets: readonly string[]
  /** `policy.partial`. */
  readonly partial: PartialPolicy
  /** `output.names`. */
  readonly names: ResultForm['names']
  /** `output.formulas: escape`. */
  readonly escapesFormulas: boolean
}

/** The checks that need all layers. Returns null when a field is missing or wrong; the reasons go to `findings`. */
export function resolveScenario(
  expanded: ExpandedScenario,
  context: ScenarioContext,
  findings: ScenarioFindings,
): Scenario | null {
  const { draft, id, range } = expanded
  const dataset = resolveDataset(expanded, context, findings)
  const subject = `"${expanded.group ?? expanded.replicate?.of ?? id}"`
  if (draft.rows === undefined) {
    findings.add('S2005', id, { summary: `${subject} has no rows`, range, detail: 'add for example "rows: 1000"' })
  }
  if (draft.seed === undefined) {
    findings.add('S2004', id, { summary: `${subject} has no seed`, range, detail: 'add for example "seed: 1"' })
  }
  const conditions = resolveConditions(draft.conditions, (code, text) => findings.add(code, id, text))
  reportTwice(id, conditions, findings)
  reportOutsideRange(id, conditions, findings)
  reportCellsAgainstShares(id, conditions, findings)
  if (dataset === null || draft.rows === undefined || draft.seed === undefined) return null
  return {
    id,
    group: expanded.group,
    axes: expanded.axes,
    ...(expanded.replicate && { replicate: expanded.replicate }),
    dataset,
    rows: draft.rows.value,
    seed: draft.seed.value,
    ...formatsOf(draft.format?.value ?? 'parquet', context),
    conditions,
    ...(draft.margins?.value != null &&
      expanded.marginsSha256 !== undefined && {
        margins: { file: draft.margins.value, sha256: expanded.marginsSha256 },
      }),
    partial: draft.partial?.value ?? context.partial,
    expect: draft.expect,
    warn: draft.warn,
    tags: draft.tags?.value ?? [],
    origin: {
      scenario: range,
      rows: draft.rows.range,
    },
  }
}

/** What is asked of the service, and the form of the result where it is another one. */
function formatsOf(
  format: ResultFormat,
  { names, escapesFormulas }: Pick<ScenarioContext, 'names' | 'escapesFormulas'>,
): Pick<Scenario, 'format' | 'form'> {
  const { artifact, mayHoldFormulas } = RESULT_FORMATS[format]
  if (mayHoldFormulas && escapesFormulas) return { format: artifact, form: { format, names, escapesFormulas } }
  return format !== artifact || names === 'original'
    ? { format: artifact, form: { format, names } }
    : { format: artifact }
}

function resolveDataset(
  { draft, id, group, replicate, range }: ExpandedScenario,
  { datasets }: ScenarioContext,
  findings: ScenarioFindings,
): string | null {
  if (draft.dataset !== undefined) return draft.dataset.value
  if (datasets.length === 1) return datasets[0]!
  findings.add('S2006', id, {
    summary: `"${group ?? replicate?.of ?? id}" does not name the dataset that it uses`,
    range,
    detail: `add "dataset: ${datasets[0]}"; datasets: ${datasets.join(', ')}`,
  })
  return null
}

/** A column has one condition, or those that go together. */
function reportTwice(id: string, conditions: readonly Condition[], findings: ScenarioFindings): void {
  const before = new Map<string, Condition[]>()
  for (const condition of conditions) {
    const { place, kind } = condition
    for (const column of columnsOf(condition)) {
      const others = before.get(column) ?? []
      before.set(column, [...others, condition])
      const twin = others.find((other) => !CONDITION_KINDS[kind].goesWith.includes(other.kind))
      if (twin !== undefined)
        findings.add('S2008', id, {
          summary: `column "${column}" has both ${CONDITION_KINDS[twin.kind].noun} and ${CONDITION_KINDS[kind].noun}`,
          range: place,
          related: [{ message: `its ${CONDITION_KINDS[twin.kind].word}`, range: twin.place }],
        })
    }
  }
}

/** The cells of a level are no more than its share. */
function reportCellsAgainstShares(id: string, conditions: readonly Condition[], findings: ScenarioFindings): void {
  for (const table of conditionsOf({ conditions }, 'cell')) {
    for (const { column, shares, place } of conditionsOf({ conditions }, 'share')) {
      const at = table.columns.indexOf(column)
      if (at < 0) continue
      const sums = new Map<string, number>()
      for (const { levels, share } of table.cells) sums.set(levels[at]!, (sums.get(levels[at]!) ?? 0) + share)
      const tooMuch = [...sums].find(([level, sum]) => sum > mostOf(shares, level) + SHARE_SUM_TOLERANCE)
      if (tooMuch === undefined) continue
      const [level, sum] = tooMuch
      findings.add('S2022', id, {
        summary: `cells with "${level}" of column "${column}" sum to ${rounded(sum)}, more than the ${rounded(mostOf(shares, level))} that its shares leave`,
        range: table.place,
        detail: 'lower the cells, or raise the share',
        related: [{ message: 'the shares', range: place }],
      })
    }
  }
}

/** The most that a level can have: what the study states of it, or what the others leave. What it leaves to the data may be anything. */
function mostOf(shares: ShareCondition['shares'], level: string): number {
  const own = shares.get(level)
  if (typeof own === 'number') return own
  const others = new Map([...shares].filter(([other]) => other !== level))
  const bounds = [...boundedShares(others).values()].reduce((sum, bound) => sum + endOf(bound, 'min'), 0)
  const left = 1 - shareSum(knownShares(others)) - bounds
  return own !== undefined && isBounds(own) ? Math.min(left, endOf(own, 'max')) : left
}

const rounded = (value: number): number => Number(value.toFixed(10))

/** A mean lies among the values. */
function reportOutsideRange(id: string, conditions: readonly Condition[], findings: ScenarioFindings): void {
  for (const mean of conditionsOf({ conditions }, 'mean')) {
    const range = conditionsOf({ conditions }, 'range').find(({ column }) => column === mean.column)
    if (range === undefined || (mean.min <= range.max && mean.max >= range.min)) continue
    findings.add('S2009', id, {
      summary: `the mean of column "${mean.column}" is to be ${meanText(mean)}, outside its range ${rangeText(range)}`,
      range: mean.place,
      related: [{ message: 'the range', range: range.place }],
    })
  }
}
