import { words } from '../../base/language/language.ts'
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
  const { verdicts } = words().answers
  if (all === 0) return missing.length > 0 ? verdicts.noneAsMissing : verdicts.none
  if (tooFew === all) return verdicts.tooFew(all)
  if (unknown === all) return verdicts.unknown(all)
  if (beyond === 0 && (questions === null || all === 1))
    return all === 1 ? verdicts.oneWithin : verdicts.noneBeyond(all)
  if (all === 1) return verdicts.oneBeyond
  // Each question counts once: both levels of a column of two say the same, and so do all shares of one such column.
  if (questions !== null) return verdicts.questions(questions.beyond_chance, questions.asked)
  return verdicts.someBeyond(beyond, all)
}

/** From so many differences on, the few that exceed their interval by chance alone are worth a remark. */
const MANY = 20

/** What the leading answers leave out, in sentences without a full stop. */
export function remainderTexts(comparison: ComparisonAnswers, more: number): string[] {
  const { answers, missing, segments, by, questions } = comparison
  const { all, beyond, within, unknown, tooFew } = countAnswers(answers)
  const others = unknown - tooFew
  const inSegments = { ...countAnswers(segments), isJudgedTogether: questions !== null }
  const decided = beyond + within
  const { verdicts } = words().answers
  return [
    ...(more > 0 ? [unknown === all ? verdicts.moreOfThem(more) : verdicts.moreBeyond(more)] : []),
    ...(within > 0 && beyond > 0 ? [verdicts.moreWithin(within)] : []),
    ...(tooFew > 0 && tooFew < all ? [verdicts.moreTooFew(tooFew)] : []),
    ...(others > 0 && unknown < all ? [verdicts.moreUnknown(others)] : []),
    ...(questions !== null && questions.beyond_chance > 1 ? [verdicts.oneInTwenty] : []),
    ...(decided >= MANY && questions === null ? [verdicts.ifNone(Math.round(decided / 20), decided)] : []),
    ...(inSegments.all > 0 && by !== null ? [verdicts.bySegments(by, segmentsText(inSegments))] : []),
    ...pooledTexts(comparison),
    ...notComparedText(comparison),
    ...(missing.length > 0 ? [verdicts.withoutResult(missing.length)] : []),
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
  const { verdicts } = words().answers
  if (unknown === all) return verdicts.segmentsUnknown(all)
  const judged = beyond + within
  return verdicts.segments(beyond, all, judged >= MANY && !isJudgedTogether ? Math.round(judged / 20) : null)
}

/** `4 scenarios are pooled from 3 replicates each`: the baseline is one of them. */
export const pooledTexts = ({ pooled }: Pick<ComparisonAnswers, 'pooled'>): string[] =>
  pooled.length === 0 ? [] : [words().answers.verdicts.pooled(pooled.length, Math.min(...pooled), Math.max(...pooled))]

/** `not compared, because the data do not have it: spend mean`. Not escaped. */
const notComparedText = ({ notCompared }: ComparisonAnswers): string[] =>
  notCompared.length === 0 ? [] : [words().answers.notInData(notCompared)]
