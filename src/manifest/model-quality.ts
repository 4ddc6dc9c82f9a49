import type { TrainingQuality } from '../contract/training-quality.ts'
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

type Attack = NonNullable<TrainingQuality['membership']>['at'][number]

/** What is known of the risk that delivered rows tell who was trained on. */
export interface MembershipRisk {
  /** Delivered rows per row that the model was trained on. */
  readonly rowsPerRow: number
  /** The attack with the most similar number of rows, in ratio. */
  readonly attack: Attack
}

/** Null where the service does not tell. */
export function membershipRisk(quality: ModelQuality | undefined, rows: number): MembershipRisk | null {
  const { model_rows: modelRows, at = [] } = quality?.membership ?? {}
  if (!modelRows || rows <= 0) return null
  const rowsPerRow = rows / modelRows
  const distance = (attack: Attack) => Math.abs(Math.log(Math.max(attack.rows_per_row, 1e-9) / rowsPerRow))
  const [attack] = [...at].sort((a, b) => distance(a) - distance(b))
  return attack === undefined ? null : { rowsPerRow, attack }
}
