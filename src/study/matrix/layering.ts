import { type ConditionDrafts, layerConditions, NO_CONDITIONS } from '../conditions/kinds.ts'
import type { GatesPatch, ScenarioPatch } from './scenario-patch.ts'

/** Fields after some layers have been applied; nothing is null any more. */
export interface DraftScenario extends Omit<ScenarioPatch, 'conditions' | 'isLeaf'> {
  readonly conditions: ConditionDrafts
}

const NO_GATES: GatesPatch = {
  fillMin: undefined,
  tolerance: undefined,
  columns: new Map(),
  outsideMax: undefined,
  meanTolerance: undefined,
  meanColumns: new Map(),
}

/** The draft before the first layer. */
export const EMPTY_DRAFT: DraftScenario = {
  dataset: undefined,
  rows: undefined,
  seed: undefined,
  replicates: undefined,
  format: undefined,
  partial: undefined,
  tags: undefined,
  conditions: NO_CONDITIONS,
  expect: NO_GATES,
  warn: NO_GATES,
}

/**
 * Applies a patch to a draft (study language, section 4.2). Single values, lists and numbers of gates replace.
 * Conditions merge by column.
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
    conditions: layerConditions(draft.conditions, patch.conditions, patch.isLeaf),
    expect: layerGates(draft.expect, patch.expect),
    warn: layerGates(draft.warn, patch.warn),
  }
}

/** Scenarios that inherit all their gates share one object, so that caches by object work. */
function layerGates(below: GatesPatch, above: GatesPatch): GatesPatch {
  const numbers = [above.fillMin, above.tolerance, above.outsideMax, above.meanTolerance]
  if (numbers.every((number) => number === undefined) && above.columns.size + above.meanColumns.size === 0) return below
  return {
    fillMin: above.fillMin ?? below.fillMin,
    tolerance: above.tolerance ?? below.tolerance,
    columns: above.columns.size === 0 ? below.columns : new Map([...below.columns, ...above.columns]),
    outsideMax: above.outsideMax ?? below.outsideMax,
    meanTolerance: above.meanTolerance ?? below.meanTolerance,
    meanColumns:
      above.meanColumns.size === 0 ? below.meanColumns : new Map([...below.meanColumns, ...above.meanColumns]),
  }
}
