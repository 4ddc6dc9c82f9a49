import { countText, plural } from '../../base/text/amount-text.ts'
import type { Answer, ComparisonAnswers } from './answer-text.ts'
import { TOO_FEW_MARK } from './difference-text.ts'

/** The answers of a comparison that a summary shows first, and how many it does not show. */
export interface LeadingAnswers {
  /** By outcome, in the sequence of the study and the data; an outcome without a leading answer is left out. */
  readonly outcomes: readonly {
    readonly column: string
    readonly level: string | null
    readonly quantile: string | null
    readonly answers: readonly Answer[]
  }[]
  /** Leading answers that are not among `outcomes`. */
  readonly more: number
}

export interface AnswerCounts {
  readonly all: number
  readonly beyond: number
  readonly within: number
  /** Without an interval that says something about the population. */
  readonly unknown: number
  /** The part of `unknown` with too few seed rows. */
  readonly tooFew: number
}

export function countAnswers(answers: readonly Answer[]): AnswerCounts {
  const compared = answers.filter(({ difference, isAskedFor }) => difference !== null && !isAskedFor)
  const of = (beyond: boolean | null) => compared.filter((answer) => answer.beyond === beyond).length
  const tooFew = compared.filter(({ beyond, marks }) => beyond === null && marks.includes(TOO_FEW_MARK)).length
  return { all: compared.length, beyond: of(true), within: of(false), unknown: of(null), tooFew }
}

/**
 * The strongest answers of each outcome: those beyond chance or, where chance is not known of any answer, the largest
 * differences.
 *
 * @param most answers to show, of one outcome and altogether.
 */
export function leadingAnswers(
  answers: readonly Answer[],
  most: { readonly ofOutcome: number; readonly all: number },
): LeadingAnswers {
  const { all, unknown } = countAnswers(answers)
  const leading = answers.filter(({ beyond, difference }) =>
    unknown === all ? difference !== null && difference !== 0 : beyond === true,
  )
  const ofOutcome = new Map<number, Answer[]>()
  let shown = 0
  for (const answer of leading) {
    const group = ofOutcome.get(answer.place) ?? []
    if (shown === most.all || group.length === most.ofOutcome) continue
    ofOutcome.set(answer.place, [...group, answer])
    shown++
  }
  const groups = [...ofOutcome].sort(([a], [b]) => a - b).map(([, group]) => group)
  return {
    outcomes: groups.map((group) => ({
      column: group[0]!.column,
      level: group[0]!.level,
      quantile: group[0]!.quantile,
      answers: group,
    })),
    more: leading.length - shown,
  }
}

/** `11 of 20 questions are answered beyond chance`; of earlier manifests, differences. */
export function verdictText({
  answers,
  missing,
  questions,
}: Pick<ComparisonAnswers, 'answers' | 'missing' | 'questions'>): string {
  const { all, beyond, unknown, tooFew } = countAnswers(answers)
  if (all === 0) return missing.length > 0 ? 'no differences, because results are missing' : 'no differences'
  if (tooFew === all) return `${plural(all, 'difference')}; too few seed rows for an interval`
  if (unknown === all) return `${plural(all, 'difference')}; nothing is known about chance`
  if (beyond === 0 && (questions === null || all === 1))
    return all === 1 ? 'the difference is within chance' : `none of ${countText(all)} differences is beyond chance`
  if (all === 1) return 'the difference is beyond chance'
  if (questions !== null) return questionsText(questions)
  return `${countText(beyond)} of ${countText(all)} differences ${beyond === 1 ? 'is' : 'are'} beyond chance`
}

/** Each question counts once: both levels of a column of two say the same, and so do all shares of one such column. */
const questionsText = ({ asked, beyond_chance: beyond }: { readonly asked: number; readonly beyond_chance: number }) =>
  asked === 1
    ? `the question is answered ${beyond === 1 ? 'beyond' : 'within'} chance`
    : `${beyond === 0 ? 'none' : countText(beyond)} of ${countText(asked)} questions ${beyond < 2 ? 'is' : 'are'} answered beyond chance`

/** From so many differences on, the few that exceed their interval by chance alone are worth a remark. */
const MANY = 20

/** What the leading answers leave out, in sentences without a full stop. */
export function remainderTexts(comparison: ComparisonAnswers, more: number): string[] {
  const { answers, missing, segments, by, questions } = comparison
  const { all, beyond, within, unknown, tooFew } = countAnswers(answers)
  const others = unknown - tooFew
  const inSegments = { ...countAnswers(segments), isJudgedTogether: questions !== null }
  const decided = beyond + within
  return [
    ...(more > 0 ? [`${countText(more)} more ${unknown === all ? 'of them' : `${isOrAre(more)} beyond chance`}`] : []),
    ...(within > 0 && beyond > 0 ? [`${countText(within)} more ${isOrAre(within)} within chance`] : []),
    ...(tooFew > 0 && tooFew < all
      ? [`${countText(tooFew)} more ${hasOrHave(tooFew)} too few seed rows for an interval`]
      : []),
    ...(others > 0 && unknown < all ? [`nothing is known about chance in ${countText(others)} more`] : []),
    ...(questions !== null && questions.beyond_chance > 1
      ? ['about 1 in 20 of the answers that are beyond chance is chance all the same']
      : []),
    ...(decided >= MANY && questions === null
      ? [
          `if no difference were real, about ${Math.round(decided / 20)} of ${countText(decided)} would be beyond chance`,
        ]
      : []),
    ...(inSegments.all > 0 && by !== null ? [`by ${by}: ${segmentsText(inSegments)}`] : []),
    ...pooledTexts(comparison),
    ...notComparedText(comparison),
    ...(missing.length > 0 ? [`${plural(missing.length, 'scenario')} without a result on both sides`] : []),
  ]
}

/** Segments make many intervals, so what chance alone does is said with the count. */
function segmentsText({
  all,
  beyond,
  within,
  unknown,
  isJudgedTogether,
}: AnswerCounts & { readonly isJudgedTogether: boolean }): string {
  if (unknown === all) return `${plural(all, 'difference')} inside segments; nothing is known about chance`
  const judged = beyond + within
  const chance =
    judged >= MANY && !isJudgedTogether
      ? `, and about ${countText(Math.round(judged / 20))} would be if none were real`
      : ''
  return `${countText(beyond)} of ${countText(all)} differences inside segments ${isOrAre(beyond)} beyond chance${chance}`
}

/** `4 scenarios are pooled from 3 replicates each`: the baseline is one of them. */
export function pooledTexts({ pooled }: Pick<ComparisonAnswers, 'pooled'>): string[] {
  const [fewest, most] = [Math.min(...pooled), Math.max(...pooled)]
  if (pooled.length === 0) return []
  const replicates = fewest === most ? plural(most, 'replicate') : `${fewest} to ${plural(most, 'replicate')}`
  return [
    pooled.length === 1
      ? `1 scenario is pooled from ${replicates}`
      : `${countText(pooled.length)} scenarios are pooled from ${replicates} each`,
  ]
}

/** `not compared, because the data do not have it: spend mean`. Not escaped. */
const notComparedText = ({ notCompared }: ComparisonAnswers): string[] =>
  notCompared.length === 0
    ? []
    : [
        `not compared, because the data do not have ${notCompared.length === 1 ? 'it' : 'them'}: ${notCompared.join(', ')}`,
      ]

const hasOrHave = (count: number): string => (count === 1 ? 'has' : 'have')
const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are')
