/** Random small surveys with what makes estimates hard: levers that determine each other, missing answers, heavy weights. */

import type { Table } from '../../../src/engine/cleaning/table.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { caseWeights } from '../../../src/engine/weighting/case-weights.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

export interface Respondent {
  readonly region: string
  /** A district lies in one region: the districts of the north together are the north. */
  readonly district: string
  readonly member: string | null
  /** Says the same as `member`. */
  readonly card: string
  readonly intent: string | null
  readonly age: number
  /** Continuous: many more values than bins. */
  readonly spend: number | null
}

export interface RandomSurvey {
  readonly rows: readonly Respondent[]
  /** Length n: mean 1; null: all rows count alike. */
  readonly weights: readonly number[] | null
  readonly table: Table
}

export function randomSurvey(n: number, seed: number, isWeighted: boolean): RandomSurvey {
  const random = new RandomStream(seed, PURPOSE.testTable)
  const rows = Array.from({ length: n }, (): Respondent => {
    const region = ['north', 'south', 'west'][random.below(3)]!
    const district = `${region} ${random.below(2)}`
    const joins = random.real() < (region === 'north' ? 0.7 : 0.3)
    const answers = random.real() < 0.93
    const age = 18 + random.below(50)
    const wants = random.real() + (joins ? 0.3 : 0) + (region === 'west' ? 0.2 : 0)
    return {
      region,
      district,
      member: joins ? 'yes' : answers ? 'no' : null,
      card: joins ? 'gold' : 'none',
      intent: random.real() < 0.05 ? null : wants > 0.9 ? 'buy' : wants > 0.4 ? 'maybe' : 'never',
      age,
      spend: random.real() < 0.1 ? null : Math.round(1e4 * (age + 60 * wants * random.real() ** 3)) / 1e4,
    }
  })
  const drawn = Float64Array.from(rows, () => Math.exp(1.2 * (random.real() + random.real() - 1)))
  const weights = isWeighted ? caseWeights(drawn)! : null
  const columns = (['region', 'district', 'member', 'card', 'intent'] as const).map((name) =>
    categorical(
      name,
      rows.map((row) => row[name]),
    ),
  )
  const table = tableOf([
    ...columns,
    numeric(
      'age',
      rows.map(({ age }) => age),
    ),
    numeric(
      'spend',
      rows.map(({ spend }) => spend),
      4,
    ),
  ])
  return {
    rows,
    weights: weights && Array.from(weights),
    table: weights === null ? table : { ...table, weights },
  }
}
