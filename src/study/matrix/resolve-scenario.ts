import type { ScenarioFindings } from '../diagnostics/diagnose.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { SHARE_SUM_TOLERANCE } from '../diagnostics/limits.ts'
import { endTexts } from '../scenario-ranges.ts'
import type { Gates, PartialPolicy, Range, ResultForm, ResultFormat, Scenario } from '../study.ts'
import type { ExpandedScenario } from './expanded-scenario.ts'
import type { ColumnRange, ColumnShares, GatesPatch } from './scenario-patch.ts'

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
  const shares = new Map<string, ReadonlyMap<string, number>>()
  for (const [column, written] of draft.shares) {
    checkShares(id, column, written, findings)
    shares.set(column, written.shares)
  }
  const ranges = new Map<string, Range>()
  const rangesAt = new Map<string, SourceRange>()
  for (const [column, bounds] of draft.ranges) {
    rangesAt.set(column, bounds.column)
    ranges.set(column, resolveRange(id, column, bounds, findings))
    const twice = draft.shares.get(column)
    if (twice !== undefined) {
      findings.add('S2008', id, {
        summary: `column "${column}" has both shares and a range`,
        range: bounds.column,
        related: [{ message: 'its shares', range: twice.column }],
      })
    }
  }
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
    shares,
    ranges,
    partial: draft.partial?.value ?? context.partial,
    expect: gatesOf(draft.expect),
    warn: gatesOf(draft.warn),
    tags: draft.tags?.value ?? [],
    origin: {
      scenario: range,
      rows: draft.rows.range,
      shares: draft.shares,
      ranges: rangesAt,
      expect: placesOf(draft.expect),
      warn: placesOf(draft.warn),
    },
  }
}

/** What is asked of the service, and the form of the result where it is another one. */
function formatsOf(
  format: ResultFormat,
  { names, escapesFormulas }: Pick<ScenarioContext, 'names' | 'escapesFormulas'>,
): Pick<Scenario, 'format' | 'form'> {
  if (format === 'sav') return { format: 'parquet', form: { format, names } }
  // Other formats say themselves what is text.
  if (format === 'csv' && escapesFormulas) return { format, form: { format, names, escapesFormulas } }
  return names === 'original' ? { format, form: { format, names } } : { format }
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

function checkShares(id: string, column: string, { column: range, shares }: ColumnShares, findings: ScenarioFindings) {
  const sum = shareSum(shares)
  if (sum <= 1 + SHARE_SUM_TOLERANCE) return
  const terms = [...shares.values()]
  const sumText = terms.length > 12 ? '' : `${terms.join(' + ')} = ${rounded(sum)}`
  findings.add('S2001', id, {
    summary: `shares of column "${column}" sum to ${rounded(sum)}, more than 1`,
    range,
    detail: [sumText, roundedAdvice(sum)].filter((line) => line !== '').join('\n'),
  })
}

/** Rounding of published shares moves their sum by less. */
const MOST_ROUNDING = 0.01

/** What to do with shares that add to nearly 1, as published ones do; empty for others. */
export function roundedAdvice(sum: number): string {
  return Math.abs(sum - 1) < MOST_ROUNDING + SHARE_SUM_TOLERANCE
    ? 'rounded shares seldom add to 1: leave one level out, and it takes the rest'
    : ''
}

function resolveRange(
  id: string,
  column: string,
  { column: range, min, max }: ColumnRange,
  findings: ScenarioFindings,
): Range {
  const resolved: Range = {
    min: min?.value ?? Number.NEGATIVE_INFINITY,
    max: max?.value ?? Number.POSITIVE_INFINITY,
    ...((min?.isDate || max?.isDate) && { areDates: true as const }),
  }
  if (resolved.min > resolved.max) {
    const ends = endTexts(resolved)
    findings.add('S2002', id, {
      summary: `the range of column "${column}" has min ${ends.min} above max ${ends.max}`,
      range,
      detail: `write { min: ${ends.max}, max: ${ends.min} } if they were exchanged`,
    })
  }
  return resolved
}

/** The sum of a column's shares; within 1e-9 of 1 it is 1. */
export function shareSum(shares: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const share of shares.values()) sum += share
  return Math.abs(sum - 1) <= SHARE_SUM_TOLERANCE ? 1 : sum
}

function rounded(value: number): string {
  return String(Number(value.toFixed(10)))
}

const gatePlaces = new WeakMap<GatesPatch, ReadonlyMap<string, SourceRange>>()

/** One object for all scenarios that inherit the same gates. */
function placesOf(patch: GatesPatch): ReadonlyMap<string, SourceRange> {
  const known = gatePlaces.get(patch)
  if (known !== undefined) return known
  const { fillMin, tolerance, columns, outsideMax } = patch
  const places = new Map<string, SourceRange>()
  for (const [gate, number] of [
    ['fill', fillMin],
    ['shares', tolerance],
    ['ranges', outsideMax],
    ...[...columns].map(([column, own]) => [`shares:${column}`, own] as const),
  ] as const)
    if (number !== undefined) places.set(gate, number.range)
  gatePlaces.set(patch, places)
  return places
}

const resolvedGates = new WeakMap<GatesPatch, Gates>()

/** One object for all scenarios that inherit the same gates. */
function gatesOf(patch: GatesPatch): Gates {
  const known = resolvedGates.get(patch)
  if (known !== undefined) return known
  const hasShares = patch.tolerance !== undefined || patch.columns.size > 0
  const gates: Gates = {
    fillMin: patch.fillMin?.value ?? null,
    shares: hasShares
      ? {
          tolerance: patch.tolerance?.value ?? null,
          columns: new Map([...patch.columns].map(([column, { value }]) => [column, value])),
        }
      : null,
    rangesOutsideMax: patch.outsideMax?.value ?? null,
  }
  resolvedGates.set(patch, gates)
  return gates
}
