import { type Answer, type ComparisonAnswers, comparisonAnswers } from '../../../answers/words/answer-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { grouped } from '../grouped.ts'

/** Up to this many differences are all shown; of more, those beyond chance. */
const MOST_OF_ALL = 12
const MOST_BEYOND = 24

/** Differences with one axis: shares of a comparison, or the means of one column. */
export interface Panel {
  readonly comparison: string
  readonly against: string
  /** The rows that its outcomes are counted in; null: all. */
  readonly where: string | null
  readonly whereRows: string | null
  /** Null: shares, in points. */
  readonly meanOf: string | null
  /** Of numbers, in place of the mean; see `Answer.quantile`. */
  readonly quantile: string | null
  readonly groups: readonly (readonly Answer[])[]
}

/** What the first picture shows, and what it leaves to the tables. */
export interface ChosenAnswers {
  readonly comparisons: readonly ComparisonAnswers[]
  readonly panels: readonly Panel[]
  readonly shown: readonly Answer[]
  /** Differences that have a value. */
  readonly total: number
  readonly beyond: number
  /** Differences without an interval that says anything about the population. */
  readonly unknown: number
  /** Whether chance was judged over all questions of the study; not in manifests of earlier versions. */
  readonly isJudgedTogether: boolean
}

/** The strongest answers of all comparisons: at most 24. */
export function chooseAnswers(manifest: Manifest): ChosenAnswers {
  const comparisons = comparisonAnswers(manifest)
  const all = comparisons.flatMap(({ answers }) =>
    answers.filter(({ difference, isAskedFor }) => difference !== null && !isAskedFor),
  )
  const beyond = all.filter((answer) => answer.beyond === true)
  const shown =
    all.length <= MOST_OF_ALL ? all : beyond.length > 0 ? strongest(beyond, MOST_BEYOND) : strongest(all, MOST_OF_ALL)
  return {
    comparisons,
    panels: panelsOf(comparisons, new Set(shown)),
    shown,
    total: all.length,
    beyond: beyond.length,
    unknown: all.filter((answer) => answer.beyond === null).length,
    isJudgedTogether: comparisons.some(({ questions }) => questions !== null),
  }
}

/** Comparisons take turns, because each has its strongest first. */
function strongest(answers: readonly Answer[], most: number): Answer[] {
  const queues = grouped(answers, ({ comparison }) => comparison)
  const chosen: Answer[] = []
  for (let i = 0; chosen.length < most; i++) {
    const round = [...queues.values()].flatMap((queue) => queue.slice(i, i + 1))
    if (round.length === 0) break
    chosen.push(...round.slice(0, most - chosen.length))
  }
  return chosen
}

function panelsOf(comparisons: readonly ComparisonAnswers[], shown: ReadonlySet<Answer>): Panel[] {
  return comparisons.flatMap(({ id, against, where, whereRows, answers }) => {
    const chosen = answers.filter((answer) => shown.has(answer))
    const shares = chosen.filter(({ level }) => level !== null)
    const means = grouped(
      chosen.filter(({ level }) => level === null),
      ({ column, quantile }) => JSON.stringify([column, quantile]),
    )
    const panel = (meanOf: string | null, panelAnswers: readonly Answer[]): Panel => ({
      comparison: id,
      against,
      where,
      whereRows,
      meanOf,
      quantile: panelAnswers[0]?.quantile ?? null,
      groups: groupsOf(panelAnswers),
    })
    return [
      ...(shares.length === 0 ? [] : [panel(null, shares)]),
      ...[...means.values()].map((one) => panel(one[0]!.column, one)),
    ]
  })
}

/** The outcomes in the sequence of their strongest difference; inside each, the furthest in the common direction first. */
function groupsOf(answers: readonly Answer[]): Answer[][] {
  const groups = grouped(answers, ({ column, level, quantile }) => JSON.stringify([column, level, quantile]))
  return [...groups.values()].map((group) => {
    const sum = group.reduce((all, { difference }) => all + (difference ?? 0), 0)
    const direction = sum < 0 ? -1 : 1
    return [...group].sort((a, b) => direction * ((b.difference ?? 0) - (a.difference ?? 0)))
  })
}
