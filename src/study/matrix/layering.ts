import type { ColumnRange, ColumnShares, GatesPatch, ScenarioPatch } from './scenario-patch.ts'

/** Fields after some layers have been applied; nothing is null any more. */
export interface DraftScenario extends Omit<ScenarioPatch, 'shares' | 'ranges' | 'isLeaf'> {
  readonly shares: ReadonlyMap<string, ColumnShares>
  readonly ranges: ReadonlyMap<string, ColumnRange>
}

const NO_GATES: GatesPatch = { fillMin: undefined, tolerance: undefined, columns: new Map(), outsideMax: undefined }

/** The draft before the first layer. */
export const EMPTY_DRAFT: DraftScenario = {
  dataset: undefined,
  rows: undefined,
  seed: undefined,
  replicates: undefined,
  format: undefined,
  partial: undefined,
  tags: undefined,
  shares: new Map(),
  ranges: new Map(),
  expect: NO_GATES,
  warn: NO_GATES,
}

/**
 * Applies a patch to a draft (study language, section 4.2). Single values, lists and numbers of gates replace. Shares
 * and ranges merge by column, and a column's map is replaced as a whole, because the shares of one column are one
 * statement. Only an axis with `set` changes one level or bound and keeps the others.
 */
export function layer(draft: DraftScenario, patch: ScenarioPatch): DraftScenario {
  return {
    dataset: patch.dataset ?? draft.dataset,
    rows: patch.rows ?? draft.rows,
    seed: patch.seed ?? draft.seed,
    replicates: patch.replicates ?? draft.replicates,
    format: patch.format ?? draft.format,
    partial: patch.partial ?? draft.partial,
    tags: patch.tags ?? draft.tags,
    shares: layerColumns(draft.shares, patch.shares, patch.isLeaf ? mergeShares : replace),
    ranges: layerColumns(draft.ranges, patch.ranges, patch.isLeaf ? mergeRange : replace),
    expect: layerGates(draft.expect, patch.expect),
    warn: layerGates(draft.warn, patch.warn),
  }
}

function layerColumns<T>(
  below: ReadonlyMap<string, T>,
  above: ReadonlyMap<string, T | null>,
  combine: (below: T | undefined, above: T) => T,
): ReadonlyMap<string, T> {
  if (above.size === 0) return below
  const merged = new Map(below)
  for (const [column, condition] of above) {
    if (condition === null) merged.delete(column)
    else merged.set(column, combine(merged.get(column), condition))
  }
  return merged
}

function replace<T>(_below: T | undefined, above: T): T {
  return above
}

function mergeShares(below: ColumnShares | undefined, above: ColumnShares): ColumnShares {
  return {
    column: above.column,
    shares: new Map([...(below?.shares ?? []), ...above.shares]),
    levels: new Map([...(below?.levels ?? []), ...above.levels]),
  }
}

function mergeRange(below: ColumnRange | undefined, above: ColumnRange): ColumnRange {
  return { column: above.column, min: above.min ?? below?.min, max: above.max ?? below?.max }
}

/** Scenarios that inherit all their gates share one object, so that caches by object work. */
function layerGates(below: GatesPatch, above: GatesPatch): GatesPatch {
  const { fillMin, tolerance, columns, outsideMax } = above
  if (fillMin === undefined && tolerance === undefined && columns.size === 0 && outsideMax === undefined) return below
  return {
    fillMin: above.fillMin ?? below.fillMin,
    tolerance: above.tolerance ?? below.tolerance,
    columns: above.columns.size === 0 ? below.columns : new Map([...below.columns, ...above.columns]),
    outsideMax: above.outsideMax ?? below.outsideMax,
  }
}
