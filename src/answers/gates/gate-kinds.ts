/** The gates of this version; a manifest that is read back may hold others. */

import type { GateResult } from '../../records/manifest/gates.ts'
import type { BacktestGateKind } from '../../study/backtests.ts'
import { GATE_FORMS, GATE_KINDS, type GateKind as ScenarioGate } from '../../study/gates/gate.ts'
import type { ComparisonGate } from '../../study/study.ts'

/** Gates of scenarios, with their column: `fill`, `shares:<column>`, `ranges`, `means:<column>`. */
type ScenarioGateId = {
  [Kind in ScenarioGate]: (typeof GATE_FORMS)[Kind]['hasColumns'] extends true ? `${Kind}:${string}` : Kind
}[ScenarioGate]

/** Gates that are evaluated, with their subject; those of comparisons are `delta:<scenario>:<column>[:<level>]`, `quantile:<scenario>:<share>:<column>` and `mixed_model`; those of backtests are their kinds. */
export type GateId = ScenarioGateId | `delta:${string}` | `quantile:${string}` | 'mixed_model' | BacktestGateKind

/** The part of a gate's id before its colon. */
export type GateKind = GateId extends infer Id ? (Id extends `${infer Kind}:${string}` ? Kind : Id) : never

/** Whether a gate's id names a subject after its kind. */
const HAS_SUBJECT: { readonly [Kind in GateKind]: boolean } = {
  ...(Object.fromEntries(GATE_KINDS.map((kind) => [kind, GATE_FORMS[kind].hasColumns])) as Record<
    ScenarioGate,
    boolean
  >),
  delta: true,
  quantile: true,
  mixed_model: false,
  coverage: false,
  error: false,
  beyond_chance: false,
}

/** The id of a gate on a difference. */
export function differenceGateId({
  scenario,
  column,
  level,
  quantile,
}: Pick<ComparisonGate, 'scenario' | 'column' | 'level' | 'quantile'>): GateId {
  if (quantile !== null) return `quantile:${scenario}:${quantile}:${column}`
  return `delta:${scenario}:${column}${level === null ? '' : `:${level}`}`
}

/** The kind of a recorded gate; null where its id is not one of this version. */
export function gateKindOf(id: string): GateKind | null {
  const [kind = ''] = id.split(':')
  return isGateKind(kind) && HAS_SUBJECT[kind] === id.includes(':') ? kind : null
}

const isGateKind = (word: string): word is GateKind => Object.hasOwn(HAS_SUBJECT, word)

/** Why a gate with confidence has no interval, so that it failed. */
export type NoInterval = 'too_few_rows' | 'generation_only' | 'no_standard_error'

export type EvaluatedGate = GateResult & { readonly id: GateId; readonly reason?: NoInterval }
