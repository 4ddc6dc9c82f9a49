import { isDense, MEMBERSHIP_RISKS, MOST_ROWS_PER_SEED_ROW } from '../../contract/row-density.ts'
import type { TrainingQuality } from '../../contract/training-quality.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ModelQuality } from '../../records/manifest/model-quality.ts'
import type { RecordedQuality } from '../../records/state/datasets.ts'
import { roundRatio } from '../arithmetic/figures.ts'

/** As it is written: numbers rounded like all others, without undefined values. */
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

/** The risk that delivered rows reveal who was in the training data. */
export interface MembershipRisk {
  /** Delivered rows per row that the model was trained on. */
  readonly rowsPerRow: number
  /** The attack with the most similar number of rows, in ratio. */
  readonly attack: Attack
}

/** Null when the service does not report it. */
export function membershipRisk(quality: ModelQuality | undefined, rows: number): MembershipRisk | null {
  const { model_rows: modelRows, at = [] } = quality?.membership ?? {}
  if (!modelRows || rows <= 0) return null
  const rowsPerRow = rows / modelRows
  const distance = (attack: Attack) => Math.abs(Math.log(Math.max(attack.rows_per_row, 1e-9) / rowsPerRow))
  const [attack] = [...at].sort((a, b) => distance(a) - distance(b))
  return attack === undefined ? null : { rowsPerRow, attack }
}

/** A scenario that delivered more rows than its seed can support. */
export interface DenseScenario {
  readonly dataset: string
  readonly scenario: string
  readonly rows: number
  /** Rows that cleaning left of the seed file. */
  readonly seedRows: number
}

/** Leaves out datasets whose rows the service did not report. */
export function denseScenarios({ datasets, scenarios }: Manifest): DenseScenario[] {
  return Object.entries(scenarios).flatMap(([scenario, { dataset, rows }]) => {
    const seedRows = datasets[dataset]?.cleaning?.clean_rows ?? null
    return rows.counted !== null && isDense(rows.counted, seedRows)
      ? [{ dataset, scenario, rows: rows.counted, seedRows }]
      : []
  })
}

export { MEMBERSHIP_RISKS, MOST_ROWS_PER_SEED_ROW }
