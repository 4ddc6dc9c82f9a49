import { type ConditionDrafts, layerConditions, NO_CONDITIONS } from '../conditions/kinds.ts'
import { layerGates } from '../gates/gate.ts'
import type { ScenarioPatch } from './scenario-patch.ts'

/** Fields after some layers have been applied; nothing is null any more. */
export interface DraftScenario extends Omit<ScenarioPatch, 'conditions' | 'isLeaf'> {
  readonly conditions: ConditionDrafts
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
  margins: undefined,
  conditions: NO_CONDITIONS,
  expect: [],
  warn: [],
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
    margins: patch.margins ?? draft.margins,
    conditions: layerConditions(draft.conditions, patch.conditions, patch.isLeaf),
    expect: layerGates(draft.expect, patch.expect),
    warn: layerGates(draft.warn, patch.warn),
  }
}
