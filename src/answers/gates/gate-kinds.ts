/** The gates of this version; a manifest that is read back may hold others. */

import type { GateResult } from '../../records/manifest/gates.ts'

/** Gates that are evaluated, with their subject: `shares:<column>`, `means:<column>`, `delta:<scenario>:<column>[:<level>]`. */
export type GateId = 'fill' | `shares:${string}` | 'ranges' | `means:${string}` | `delta:${string}` | 'mixed_model'

/** The part of a gate's id before its colon. */
export type GateKind = GateId extends infer Id ? (Id extends `${infer Kind}:${string}` ? Kind : Id) : never

/** Whether a gate's id names a subject after its kind. */
const HAS_SUBJECT: { readonly [Kind in GateKind]: boolean } = {
  fill: false,
  shares: true,
  ranges: false,
  means: true,
  delta: true,
  mixed_model: false,
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
