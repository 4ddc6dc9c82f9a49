/**
 * Gates that are judged together (`adjust: holm`): Holm's step-down procedure (1979) over all such gates of a study, so that the
 * chance that any of them passes without an effect stays below 1 - confidence.
 */

import { fewestOf, type SidePair } from '../arithmetic/intervals.ts'
import { twoSidedP } from '../arithmetic/student-t.ts'
import type { EvaluatedGate } from './gate-kinds.ts'
import { type DeltaBounds, evaluateWithConfidence, type RecordedDifference } from './gates.ts'

/** A gate with a confidence, as it is judged alone. */
export interface JointGate {
  readonly recorded: RecordedDifference
  readonly effectiveRows: SidePair | undefined
  readonly bounds: DeltaBounds
  readonly confidence: number
  readonly round: (figure: number) => number
}

/** A gate as it is judged alone, and what it is judged from if others are judged with it. */
export interface SingleGate {
  readonly gate: EvaluatedGate
  readonly joint: JointGate | null
}

/** The gates of each comparison, those that are judged together by their common verdict. */
export function judgedTogether(comparisons: readonly (readonly SingleGate[])[]): EvaluatedGate[][] {
  const joints = comparisons.flat().flatMap(({ joint }) => joint ?? [])
  const places = new Map(holmPlaces(joints).map((place, i) => [joints[i]!, place]))
  return comparisons.map((gates) =>
    gates.map(({ gate, joint }) => (joint === null ? gate : { ...gate, ...jointVerdict(joint, places.get(joint)!) })),
  )
}

/** The verdict on a gate at its own confidence among the others. */
export function jointVerdict(
  { recorded, effectiveRows, bounds, confidence, round }: JointGate,
  { divisor, isStopped }: JointPlace,
): Pick<EvaluatedGate, 'passed' | 'interval' | 'reason' | 'divisor'> {
  const own = 1 - (1 - confidence) / divisor
  const found = evaluateWithConfidence(recorded, effectiveRows, { bounds, confidence: own, round })
  return { ...found, passed: found.passed && !isStopped, divisor }
}

/** How a gate is judged among the others. */
export interface JointPlace {
  /** Its own confidence is 1 - (1 - confidence) / divisor. */
  readonly divisor: number
  /** A gate with a smaller p-value has failed, so this one fails too. */
  readonly isStopped: boolean
}

/** The places of the gates in their sequence. */
export function holmPlaces(gates: readonly JointGate[]): JointPlace[] {
  const ratios = gates.map((gate) => pValueOf(gate) / (1 - gate.confidence))
  const order = [...gates.keys()].sort((a, b) => ratios[a]! - ratios[b]! || a - b)
  const places = new Array<JointPlace>(gates.length)
  let isStopped = false
  for (const [rank, i] of order.entries()) {
    const divisor = gates.length - rank
    places[i] = { divisor, isStopped }
    isStopped ||= ratios[i]! > 1 / divisor
  }
  return places
}

/** The smallest 1 - confidence at which the interval lies within the bounds; 1 where there is none. */
function pValueOf({ recorded, effectiveRows, bounds }: JointGate): number {
  const { answer, delta, interval, standard_error: error, basis, support } = recorded
  const told = answer?.difference ?? delta
  const isKnown = told != null && interval != null && error != null
  if (!isKnown || basis === 'generation' || support === 'too_few_rows' || effectiveRows === undefined) return 1
  const degrees = answer === undefined ? fewestOf(effectiveRows) : (answer.degrees_of_freedom ?? null)
  const inside = Math.min(told - bounds.min, bounds.max - told)
  if (inside < 0) return 1
  if (error === 0) return 0
  return twoSidedP(inside / error, degrees)
}
