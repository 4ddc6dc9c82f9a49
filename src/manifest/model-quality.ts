import type { TrainingQuality } from '../contract/datasets.ts'
import type { RecordedQuality } from '../plan/study-state.ts'
import { roundRatio } from './round.ts'

/** The figures of `training_summary.quality`, those that the service gave. */
export type ModelQuality = { readonly [Key in keyof TrainingQuality]?: TrainingQuality[Key] }

/** As it is written: numbers rounded like all others, nothing undefined. */
export function modelQuality(quality: RecordedQuality): ModelQuality {
  return rounded(quality) as ModelQuality
}

function rounded(value: unknown): unknown {
  if (typeof value === 'number') return roundRatio(value)
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [[key, rounded(member)]])),
  )
}
