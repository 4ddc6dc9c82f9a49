import { words } from '../../base/language/language.ts'
import type { ComparisonResult, ManifestComparison } from '../../records/manifest/comparisons.ts'
import type { DifferenceCertainty, IntervalBasis } from '../../records/manifest/differences.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { type Differences, type FigureIn, figuresIn, severalFirst } from '../arithmetic/figures-in.ts'
import { isDateColumn, outcomesInOrder } from './answer-order.ts'
import { DAY_MS, differenceMarks, figureText, type Mark, markWords, toldDifference } from './difference-text.ts'
import { notComparedTexts } from './not-compared-text.ts'
import { numberWord } from './quantile-text.ts'
import { end, roundingOf, signed, unsigned } from './rounded-text.ts'
import { seedRowsText, whereText, whereWords } from './where-text.ts'

/** What a comparison says about one outcome of one scenario: its figures, and whether chance explains them. */
export interface Answer {
  readonly comparison: string
  readonly against: string
  readonly scenario: string
  readonly column: string
  /** Null: the difference of means, or of a quantile. */
  readonly level: string | null
  /** The share of the rows up to the quantile, as a manifest writes it; null: no quantile. */
  readonly quantile: string | null
  /** Figures of dates are milliseconds since 1970. */
  readonly kind: 'share' | 'number' | 'date'
  /** The place of the outcome among those of its comparison: columns as in the study, levels as in the data. */
  readonly place: number
  /** The level of the comparison's column `by`; null: all rows. */
  readonly segment: string | null
  /** The rows that its comparison counts in, `region North`; null: all rows. Not escaped. */
  readonly where: string | null
  /** Of the baseline: a fraction of 1, or a mean in the column's unit. Null where a side has no value. */
  readonly from: number | null
  readonly to: number | null
  readonly difference: number | null
  /** The difference in the generated rows, where it is not the answer; null where there is no other answer, or no difference. */
  readonly inRows: number | null
  /** The seed's difference mixed with the rows', where few rows of the seed support it; null elsewhere. */
  readonly withModel: number | null
  /** With 95 % confidence. */
  readonly interval: readonly [low: number, high: number] | null
  /** Holds with 95 % confidence for all scenarios of the matrix together, or for all segments; null where it is not known. */
  readonly band: readonly [low: number, high: number] | null
  readonly standardError: number | null
  readonly basis: IntervalBasis | null
  /**
   * Whether it is beyond chance, among all questions of the study (of earlier manifests: whether the interval excludes 0). Null
   * when that is not known, because there is no interval, or it covers the noise of generation only and says nothing about the
   * population; and for a difference that was asked for.
   */
  readonly beyond: boolean | null
  /** A side sets the column. */
  readonly isAskedFor: boolean
  readonly marks: readonly Mark[]
}

export interface ComparisonAnswers {
  readonly id: string
  readonly against: string
  /** The strongest first: see `strengthOf`. */
  readonly answers: readonly Answer[]
  /** Questions, each counted once, and those beyond chance; null in manifests of earlier versions. */
  readonly questions: { readonly asked: number; readonly beyond_chance: number } | null
  /** The same inside segments; empty when the comparison has none. */
  readonly segments: readonly Answer[]
  /** The column of the segments. */
  readonly by: string | null
  /** The rows that its outcomes are counted in: `region North; age 18 to 34`; null: all rows. Not escaped. */
  readonly where: string | null
  /** The same in a sentence, with the rows of the seed behind it. */
  readonly whereNote: string | null
  /** Those rows of the seed alone: `386 to 412 rows of the seed`; null where they are not told, or all count. */
  readonly whereRows: string | null
  /** What it names and the data do not have: `spend mean`, `answer Maybe`. Not escaped. */
  readonly notCompared: readonly string[]
  /** Scenarios without a result, on either side. */
  readonly missing: readonly string[]
  /** For each side with pooled replicates, the baseline first: how many replicates have a result. */
  readonly pooled: readonly number[]
}

/** What the comparisons of a manifest answer, in its sequence. A function of the manifest alone. */
export function comparisonAnswers(manifest: Manifest): ComparisonAnswers[] {
  return Object.entries(manifest.comparisons).map(([id, comparison]) => answersOf(manifest, id, comparison))
}

function answersOf(manifest: Manifest, id: string, comparison: ManifestComparison): ComparisonAnswers {
  const { against, against_replicates: baseline, scenarios, by = null } = comparison
  const placeOf = placesOf(manifest, comparison)
  const where = whereWords(comparison.where)
  const kinds = new Map<string, Answer['kind']>()
  const meanKind = (column: string): Answer['kind'] => {
    const known = kinds.get(column)
    if (known !== undefined) return known
    const kind = isDateColumn(manifest, against, column) ? 'date' : 'number'
    kinds.set(column, kind)
    return kind
  }
  const found = (scenario: string, result: Result, segment: string | null): Answer[] => {
    const of: SameSubject = {
      comparison: id,
      against,
      scenario,
      segment,
      where,
      isMixed: result.status === 'mixed_model',
    }
    return severalFirst(figuresIn<Differences>(result)).map((figure) => {
      const { column, level, quantile } = figure
      const kind = level === null ? meanKind(column) : 'share'
      const outcome = { column, level, quantile, kind, place: placeOf(column, level, quantile) }
      const [from, to] = sidesOf(figure)
      return answerOf(of, outcome, from, to, figure.value)
    })
  }
  const results = Object.entries(scenarios)
  return {
    id,
    against,
    questions: comparison.questions ?? null,
    answers: strongestFirst(results.flatMap(([scenario, result]) => found(scenario, result, null))),
    segments: strongestFirst(
      results.flatMap(([scenario, result]) =>
        (result.segments ?? []).flatMap((segment) =>
          found(scenario, { ...segment, status: result.status }, segment.level),
        ),
      ),
    ),
    by,
    where,
    whereNote: whereText(comparison),
    whereRows: where === null ? null : seedRowsText(scenarios),
    notCompared: notComparedTexts(comparison),
    missing: results.flatMap(([scenario, { status }]) => (status === 'missing' ? [scenario] : [])),
    pooled: [baseline, ...results.map(([, { replicates }]) => replicates?.ids)].flatMap((ids) => ids?.length || []),
  }
}

type Result = Differences & Pick<ComparisonResult, 'status'>

/** The figures of the baseline and of the scenario. */
function sidesOf({
  value: { against, scenario },
}: FigureIn<Differences>): readonly [from: number | null, to: number | null] {
  return [figureOf(against), figureOf(scenario)]
}

/** A mean is recorded with the spread of its numbers. */
const figureOf = (side: number | { readonly mean: number } | null): number | null =>
  typeof side === 'object' ? (side?.mean ?? null) : side

/** The answers of each scenario, in the sequence of study and data. */
export function answersByScenario(answers: readonly Answer[]): ReadonlyMap<string, readonly Answer[]> {
  const found = new Map<string, Answer[]>()
  for (const answer of [...answers].sort((a, b) => a.place - b.place)) {
    const own = found.get(answer.scenario)
    if (own === undefined) found.set(answer.scenario, [answer])
    else own.push(answer)
  }
  return found
}

/** The place of an outcome in the sequence of study and data; behind the last one if no list names it. */
function placesOf(
  manifest: Manifest,
  comparison: ManifestComparison,
): (column: string, level: string | null, quantile: string | null) => number {
  const places = new Map<string, Map<string, number>>()
  const keyOf = (level: string | null, quantile: string | null): string => JSON.stringify([level, quantile])
  const outcomes = outcomesInOrder(manifest, comparison)
  for (const [i, { column, level, quantile }] of outcomes.entries()) {
    const key = keyOf(level, quantile)
    const ofColumn = places.get(column)
    if (ofColumn === undefined) places.set(column, new Map([[key, i]]))
    else ofColumn.set(key, i)
  }
  return (column, level, quantile) => places.get(column)?.get(keyOf(level, quantile)) ?? outcomes.length
}

interface SameSubject extends Pick<Answer, 'comparison' | 'against' | 'scenario' | 'segment' | 'where'> {
  readonly isMixed: boolean
}

type Pair = Partial<DifferenceCertainty> & { readonly delta: number | null }

/** Field by field: reports make tens of thousands of them. */
function answerOf(
  of: SameSubject,
  outcome: Pick<Answer, 'column' | 'level' | 'quantile' | 'kind' | 'place'>,
  from: number | null,
  to: number | null,
  pair: Pair,
): Answer {
  const delta = toldDifference(pair)
  const interval = delta === null ? null : (pair.interval ?? null)
  const basis = interval === null ? null : (pair.basis ?? null)
  const isKnown = interval !== null && basis !== 'generation'
  const marks = differenceMarks(pair)
  return {
    comparison: of.comparison,
    against: of.against,
    scenario: of.scenario,
    column: outcome.column,
    level: outcome.level,
    quantile: outcome.quantile,
    kind: outcome.kind,
    place: outcome.place,
    segment: of.segment,
    where: of.where,
    from: pair.answer?.against ?? from,
    to: pair.answer?.scenario ?? to,
    difference: delta,
    inRows: pair.answer === undefined ? null : pair.delta,
    withModel: pair.answer?.with_model ?? null,
    interval,
    band: delta === null ? null : (pair.band ?? null),
    standardError: pair.standard_error ?? null,
    basis,
    beyond: isKnown && pair.asked_for !== true ? (pair.beyond_chance ?? excludesZero(interval)) : null,
    isAskedFor: pair.asked_for === true,
    marks: of.isMixed ? [...marks, 'another training'] : marks,
  }
}

const excludesZero = ([low, high]: readonly [number, number]): boolean => low > 0 || high < 0

/** The size of a difference over its standard error; null where it has none. */
export function strengthOf({ difference, standardError }: Answer): number | null {
  if (difference === null || standardError === null) return null
  if (standardError > 0) return Math.abs(difference) / standardError
  return difference === 0 ? 0 : Number.POSITIVE_INFINITY
}

/** Answers without a standard error come last; equal ones keep their sequence. */
function strongestFirst(answers: readonly Answer[]): Answer[] {
  const strengths = new Map(answers.map((answer) => [answer, strengthOf(answer) ?? -1]))
  const size = ({ difference }: Answer) => Math.abs(difference ?? 0)
  return [...answers].sort((a, b) => {
    const [first, second] = [strengths.get(a)!, strengths.get(b)!]
    if (first !== second) return second > first ? 1 : -1
    return first === -1 ? size(b) - size(a) : 0
  })
}

/** What the words of an answer are made of. */
export type WordedAnswer = Pick<
  Answer,
  'column' | 'level' | 'kind' | 'from' | 'to' | 'difference' | 'interval' | 'inRows' | 'standardError'
> &
  Partial<Pick<Answer, 'quantile'>>

/** The figures of an answer in words. Shares are percentages, and their differences points; means have their own unit. */
export interface AnswerWords {
  /** `purchase.intent Yes`, `spend mean`. Not escaped. */
  readonly of: string
  /** `34.7 %`, `21.30`, `2026-11-24`; `–` where there is no value. */
  readonly from: string
  readonly to: string
  /** `+12.6 points`, `+7.11`, `+58 days`. */
  readonly difference: string
  /** `9.1 to 16.1`, in the unit of the difference; empty when there is none. */
  readonly interval: string
  /** `+12.1`, in the unit of the difference: what the rows show. Empty when the difference is that of the rows. */
  readonly inRows: string
}

const NONE = '–'

/** In the words, shares are percentages, and differences of dates are days. */
export const SCALES = { share: 100, number: 1, date: 1 / DAY_MS } as const
/** Behind a difference, in the language in effect. */
export const unitText = (kind: Answer['kind']): string => words().figures.units[kind]

/**
 * All figures are rounded to what the standard error supports (`roundingOf`). Without one, shares have a decimal, and
 * means so many digits that their difference has two.
 */
export function answerWords(answer: WordedAnswer): AnswerWords {
  const { kind, difference, interval, inRows } = answer
  const scale = SCALES[kind]
  const step = stepOf(answer)
  const plain = (value: number): string => unsigned(figureText(value * scale, step))
  const side = (value: number | null): string =>
    value === null
      ? NONE
      : kind === 'date'
        ? dateText(value)
        : kind === 'share'
          ? percentOf(plain(value))
          : plain(value)
  const change = (value: number): string => signed(value * scale, step)
  return {
    of: outcomeName(answer),
    from: side(answer.from),
    to: side(answer.to),
    difference: difference === null ? NONE : `${change(difference)}${unitText(kind)}`,
    interval:
      interval === null ? '' : words().figures.range(end(interval[0] * scale, step), end(interval[1] * scale, step)),
    inRows: inRows === null ? '' : change(inRows),
  }
}

/** The marks of an answer, and beside an answer of few seed rows what it is with the model's help. */
export function markTexts(answer: Answer): string[] {
  const { marks, withModel, kind } = answer
  const texts = marks.map(markWords)
  if (withModel === null) return texts
  const difference = `${signed(withModel * SCALES[kind], stepOf(answer))}${unitText(kind)}`
  return [...texts, words().answers.withModel(difference)]
}

/** A figure that has been written, with the sign of percentages. */
const percentOf = (figure: string): string => `${figure}${words().numbers.percent}%`

/** `2026-11-24`; a number that is no date stays one. */
function dateText(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? String(ms) : words().numbers.date(date.toISOString().replace(/T.*/, ''))
}

/** `purchase.intent Yes`, `spend mean`. Not escaped. */
export const outcomeName = ({ column, level, quantile = null }: NamedOutcome): string =>
  `${column} ${level ?? numberWord(quantile)}`

/** What the name of an outcome is made of; without a quantile it is a share or a mean. */
export type NamedOutcome = Pick<Answer, 'column' | 'level'> & Partial<Pick<Answer, 'quantile'>>

/** `purchase.intent Yes: 34.7 % → 47.3 %, +12.6 points, 95 % 9.1 to 16.1 (thin)`. Not escaped. */
export function answerLine(answer: Answer): string {
  const { of, from, to, difference, interval } = answerWords(answer)
  const covers = answer.basis === 'generation' ? ' of generation alone' : ''
  const parts = [`${from} → ${to}`, difference, ...(interval === '' ? [] : [`95 %${covers} ${interval}`])]
  const texts = markTexts(answer)
  const marks = texts.length === 0 ? '' : ` (${texts.join(', ')})`
  return `${of}: ${parts.join(', ')}${marks}`
}

/** The standard error in the unit of the words, or what takes its place. */
function stepOf({ standardError, difference, kind }: WordedAnswer): number | null {
  if (standardError !== null && standardError > 0) return roundingOf(standardError * SCALES[kind])
  if (kind === 'share') return 1
  return difference === null || difference === 0 ? null : Math.abs(difference) * SCALES[kind]
}
