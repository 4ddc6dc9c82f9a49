import { outcomesInOrder } from '../../../answers/words/answer-order.ts'
import { type Answer, comparisonAnswers, strengthOf } from '../../../answers/words/answer-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { comparedOrder, own } from '../../scenario-names.ts'
import { grouped } from '../grouped.ts'

/** Drawings of the section. */
const MOST_DRAWINGS = 24

/** One outcome of a comparison in some of its scenarios. */
export interface DrawnColumn {
  readonly comparison: string
  readonly against: string
  /** The rows that are counted; null: all. */
  readonly where: string | null
  readonly column: string
  readonly isNumber: boolean
  /** Levels in the sequence of the data; empty for a number. */
  readonly levels: readonly string[]
  readonly scenarios: readonly string[]
}

/** Columns in the sequence of the study; the scenarios of each with the strongest difference first. */
export function comparedColumns(manifest: Manifest): DrawnColumn[] {
  return comparisonAnswers(manifest).flatMap(({ id, against, where, answers }) => {
    // The picture of a number shows its quantiles.
    const outcomes = outcomesInOrder(manifest, manifest.comparisons[id]!).filter(({ quantile }) => quantile === null)
    const columns = grouped(outcomes, ({ column, level }) => JSON.stringify([column, level === null]))
    const delivered = grouped(
      answers.filter(({ to, quantile }) => to !== null && quantile === null),
      ({ column, level }) => JSON.stringify([column, level === null]),
    )
    return [...columns].flatMap(([key, outcomes]): DrawnColumn[] => {
      const { column, level } = outcomes[0]!
      const isNumber = level === null
      const found = delivered.get(key)
      if (found === undefined) return []
      const levels = outcomes.flatMap((one) => (one.level === null ? [] : [one.level]))
      return [{ comparison: id, against, where, column, isNumber, levels, scenarios: strongest(found) }]
    })
  })
}

function strongest(answers: readonly Answer[]): string[] {
  const strength = new Map<string, number>()
  for (const answer of answers) {
    const { scenario } = answer
    strength.set(scenario, Math.max(strength.get(scenario) ?? -1, strengthOf(answer) ?? -1))
  }
  return [...strength].sort((a, b) => (a[1] === b[1] ? 0 : b[1] > a[1] ? 1 : -1)).map(([scenario]) => scenario)
}

/** The columns that are drawn. They take turns: each shows its strongest scenario before another shows a second one. */
export function fittingColumns(all: readonly DrawnColumn[]): DrawnColumn[] {
  const counts = new Map(all.slice(0, MOST_DRAWINGS).map((one) => [one, 0]))
  for (let left = MOST_DRAWINGS, grown = true; left > 0 && grown; ) {
    grown = false
    for (const [one, count] of counts) {
      if (left === 0 || count === one.scenarios.length) continue
      counts.set(one, count + 1)
      left--
      grown = true
    }
  }
  return [...counts].map(([one, count]) => ({ ...one, scenarios: one.scenarios.slice(0, count) }))
}

/** Scenarios of a column in the sequence of the study. */
export function drawnScenarios(manifest: Manifest, { scenarios }: DrawnColumn): string[] {
  const order = comparedOrder(manifest)
  return [...scenarios].sort((a, b) => (order.get(a) ?? order.size) - (order.get(b) ?? order.size))
}

const resultOf = (manifest: Manifest, { comparison }: DrawnColumn, scenario: string) =>
  own(manifest.comparisons[comparison]!.scenarios, scenario)

const sharesOf = (manifest: Manifest, one: DrawnColumn, scenario: string) =>
  own(resultOf(manifest, one, scenario)?.shares ?? {}, one.column) ?? {}

/** Whether all shares of the column are known from the seed. If not, those of the generated rows are drawn. */
export const isAnswered = (manifest: Manifest, one: DrawnColumn): boolean =>
  one.scenarios.every((id) =>
    one.levels.every((level) => own(sharesOf(manifest, one, id), level)?.answer !== undefined),
  )

/** The shares of the levels on both sides: those of the answers, or those of the rows where answers are missing. */
export function levelSides(manifest: Manifest, one: DrawnColumn, scenario: string) {
  const shares = sharesOf(manifest, one, scenario)
  const answered = isAnswered(manifest, one)
  return one.levels.map((level) => {
    const pair = own(shares, level)
    const sides = answered ? pair?.answer : pair
    return { level, before: sides?.against ?? null, after: sides?.scenario ?? null }
  })
}

/** The statistics of a number on both sides. */
export function numberSides(manifest: Manifest, one: DrawnColumn, scenario: string) {
  const pair = own(resultOf(manifest, one, scenario)?.means ?? {}, one.column)
  return { before: pair?.against ?? null, after: pair?.scenario ?? null }
}
