/**
 * Which differences of a study are beyond chance: Benjamini and Hochberg (1995) at 5 % over its questions, so that about one in
 * twenty of the differences that are told is told in vain, however many are looked at.
 *
 * A question is counted once. Both levels of a column of two say the same; so does one scenario in two comparisons, and so do
 * scenarios that set nothing but the share of one column of two levels. Conditioned columns are asked for, and no question.
 */

import { dataRecord } from '../../base/data-record.ts'
import type { ComparisonResult, ManifestComparison, SegmentResult } from '../../records/manifest/comparisons.ts'
import type { DifferenceCertainty } from '../../records/manifest/differences.ts'
import { columnsOf } from '../../study/conditions/condition.ts'
import { membersOf } from '../../study/replicates.ts'
import type { Scenario, Study } from '../../study/study.ts'
import { type Differences, figuresIn, withEachFigure } from './figures-in.ts'
import { fewestOf, type SidePair } from './intervals.ts'
import { twoSidedP } from './student-t.ts'

/** The part of the told differences that may be told in vain. */
const FALSE_SHARE = 0.05

/** The largest p-value of a family of questions that is beyond chance (Benjamini and Hochberg); -1 when none is. */
export function largestBeyondChance(pValues: readonly number[]): number {
  const sorted = [...pValues].sort((a, b) => a - b)
  return sorted.findLast((p, i) => p <= ((i + 1) * FALSE_SHARE) / sorted.length) ?? -1
}

/** How many levels a column has in the rows of a scenario; undefined when that is not known. */
export type LevelCount = (scenario: string, column: string) => number | undefined

type Comparisons = Record<string, ManifestComparison>

/** Marks every difference with what is known of chance. Differences of segments are questions of their own. */
export function withVerdicts(study: Study, comparisons: Comparisons, levelCount: LevelCount): Comparisons {
  const scenarios = new Map(study.scenarios.map((scenario) => [scenario.id, scenario]))
  const scenarioOf = (name: string): Scenario | undefined => scenarios.get(membersOf(study, name)[0] ?? name)
  const whole = new Questions()
  const inside = new Questions()
  const subjects = new Map<string, Subject>()
  for (const [id, { against, where, scenarios: results }] of Object.entries(comparisons)) {
    for (const [name, result] of Object.entries(results)) {
      const found = subjectOf(name, scenarioOf(name), scenarioOf(against), (column) => levelCount(against, column))
      // The same outcome among other rows is another question.
      const subject = where === undefined ? found : { ...found, key: JSON.stringify([found.key, where]) }
      subjects.set(`${id}\n${name}`, subject)
      if (result.status !== 'compared') continue
      whole.add(id, subject, '', result)
      for (const segment of result.segments ?? []) inside.add(id, subject, segment.level, segment)
    }
  }
  const [most, mostInside] = [whole.threshold(), inside.threshold()]
  return dataRecord(
    Object.entries(comparisons).map(([id, comparison]) => {
      const results = Object.entries(comparison.scenarios).map(([name, result]) => {
        const subject = subjects.get(`${id}\n${name}`)!
        return [name, marked(result, subject, { most, mostInside })] as const
      })
      return [id, { ...comparison, scenarios: dataRecord(results), questions: whole.countsOf(id, most) }] as const
    }),
  )
}

/** What a scenario of a comparison asks, and what it asks for. */
interface Subject {
  /** Scenarios with the same key test nearly the same contrast. */
  readonly key: string
  readonly conditioned: ReadonlySet<string>
}

function subjectOf(
  name: string,
  scenario: Scenario | undefined,
  against: Scenario | undefined,
  levelCount: (column: string) => number | undefined,
): Subject {
  const sides = [scenario, against].filter((side) => side !== undefined)
  const conditions = sides.flatMap((side) => side.conditions)
  const conditioned = new Set(conditions.flatMap(columnsOf))
  const [lever] = conditioned
  const isOneLever =
    conditioned.size === 1 && conditions.every(({ kind }) => kind === 'share') && levelCount(lever!) === 2
  return {
    key: isOneLever ? JSON.stringify(['lever', scenario?.dataset, lever]) : JSON.stringify(['scenario', name]),
    conditioned,
  }
}

type Told = Differences & { readonly effective_rows?: SidePair | undefined }

/** The questions of a family, by their keys; each with the p-value of the difference that was met first. */
class Questions {
  readonly #asked = new Map<string, number>()
  /** By comparison. */
  readonly #own = new Map<string, Set<string>>()

  add(comparison: string, { key, conditioned }: Subject, segment: string, found: Told): void {
    for (const { kind, column, level, quantile, value, siblings } of figuresIn<Differences>(found)) {
      if (conditioned.has(column)) continue
      const place = [kind, level !== null && siblings === 2 ? null : level, quantile]
      this.#note(comparison, [key, segment, column, ...place], pValueOf(value, found.effective_rows))
    }
  }

  #note(comparison: string, question: readonly (string | null)[], p: number | null): void {
    const key = JSON.stringify(question)
    if (p === null) return
    if (!this.#asked.has(key)) this.#asked.set(key, p)
    const own = this.#own.get(comparison)
    if (own === undefined) this.#own.set(comparison, new Set([key]))
    else own.add(key)
  }

  threshold(): number {
    return largestBeyondChance([...this.#asked.values()])
  }

  countsOf(id: string, most: number): { asked: number; beyond_chance: number } {
    const own = [...(this.#own.get(id) ?? [])]
    return { asked: own.length, beyond_chance: own.filter((key) => this.#asked.get(key)! <= most).length }
  }
}

/** Null when nothing is known about chance: there is no interval, or one of the noise of generation alone. */
function pValueOf(pair: Recorded, effectiveRows: SidePair | undefined): number | null {
  const { answer, delta, interval, standard_error: error, basis } = pair
  const told = answer?.difference ?? delta
  if (told == null || interval == null || error == null || basis === 'generation') return null
  if (error === 0) return told === 0 ? 1 : 0
  const bound = effectiveRows === undefined ? null : fewestOf(effectiveRows)
  return twoSidedP(told / error, answer === undefined ? bound : (answer.degrees_of_freedom ?? null))
}

type Recorded = Partial<DifferenceCertainty> & { readonly delta: number | null }

function marked(
  result: ComparisonResult,
  subject: Subject,
  { most, mostInside }: { readonly most: number; readonly mostInside: number },
): ComparisonResult {
  if (result.status !== 'compared') return result
  return {
    ...result,
    ...markedDifferences(result, subject, most),
    ...(result.segments && {
      segments: result.segments.map(
        (segment): SegmentResult => ({ ...segment, ...markedDifferences(segment, subject, mostInside) }),
      ),
    }),
  }
}

function markedDifferences(found: Told, { conditioned }: Subject, most: number): Differences {
  return withEachFigure<Differences>(found, ({ column, value }) => {
    if (conditioned.has(column)) return { ...value, asked_for: true }
    const p = pValueOf(value, found.effective_rows)
    return p === null ? value : { ...value, beyond_chance: p <= most }
  }) as Differences
}
