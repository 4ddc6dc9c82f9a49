/** The gates of this version; a manifest that is read back may hold others. */

import type { GateResult } from '../records/manifest/gates.ts'

/** Gates that are evaluated, with their subject: `shares:<column>`, `delta:<scenario>:<column>[:<level>]`. */
export type GateId = 'fill' | `shares:${string}` | 'ranges' | `delta:${string}` | 'mixed_model'

/** The part of a gate's id before its colon. */
export type GateKind = GateId extends infer Id ? (Id extends `${infer Kind}:${string}` ? Kind : Id) : never

/** Why a gate with confidence has no interval, so that it failed. */
export type NoInterval = 'too_few_rows' | 'generation_only' | 'no_standard_error'

export type EvaluatedGate = GateResult & { readonly id: GateId; readonly reason?: NoInterval }
