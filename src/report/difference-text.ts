import type { NoInterval } from '../manifest/gate-kinds.ts'
import type { ComparisonResult, NoEstimates } from '../records/manifest/comparisons.ts'
import type { DifferenceCertainty, IntervalBasis } from '../records/manifest/differences.ts'
import type { GateResult } from '../records/manifest/gates.ts'

/** A difference of a comparison, in the words that reports and summaries share. */
export interface ReportedDifference {
  readonly column: string
  /** Null: the difference of means. */
  readonly level: string | null
  readonly difference: string
  /** Empty when there is none. */
  readonly interval: string
  /** What the rows show. Empty when the difference is that of the rows. */
  readonly inRows: string
  readonly marks: readonly string[]
  /** Null when there is no interval, as in manifests of earlier versions. */
  readonly basis: IntervalBasis | null
}

export const BASIS_WORDS: Readonly<Record<IntervalBasis, string>> = {
  seed: 'the seed, reweighted to both scenarios',
  effective_rows: 'bound, from effective rows',
  generation: 'noise of generation only',
}

/** Why the seed's own differences are missing. */
export const NO_ESTIMATES_WORDS: Readonly<Record<NoEstimates, string>> = {
  no_estimates_operation: 'the service does not estimate differences from the seed',
  no_segment_estimates: 'the service does not estimate differences inside segments',
  estimates_dataset_gone: 'the dataset is no longer at the service',
  estimates_other_model: 'the two sides come from different models',
  estimates_refused: 'the service refused to estimate them',
  estimates_unreadable: 'the answer of the service could not be read',
  estimates_failed: 'the service gave no answer; the next run asks again',
  estimates_not_asked: 'the service was not asked: the run ended before, or the data do not have what is named',
}

const NO_INTERVAL_WORDS = {
  too_few_rows: 'too few seed rows for an interval',
  generation_only: 'no interval: only the noise of generation is known',
  no_standard_error: 'no interval: a side has fewer than two values',
} satisfies Record<NoInterval, string>

/** All differences of a scenario of a comparison: shares of levels, then means. `isDate`: of the columns of means. */
export function reportedDifferences(
  { shares, means }: ComparisonResult,
  isDate: (column: string) => boolean = () => false,
): ReportedDifference[] {
  return [
    ...Object.entries(shares).flatMap(([column, levels]) =>
      Object.entries(levels).map(([level, pair]) => reportedDifference(column, level, pair)),
    ),
    ...Object.entries(means).map(([column, pair]) => reportedDifference(column, null, pair, isDate(column))),
  ]
}

/** The answer's difference; that of the rows where there is no answer. Null where a side has no figure. */
export const toldDifference = ({
  answer,
  delta,
}: Partial<DifferenceCertainty> & { readonly delta: number | null }): number | null => answer?.difference ?? delta

/** @param isDate figures are milliseconds, and the words say days. */
export function reportedDifference(
  column: string,
  level: string | null,
  pair: Partial<DifferenceCertainty> & { readonly delta: number | null },
  isDate = false,
): ReportedDifference {
  const { answer, interval, standard_error: error = null } = pair
  const delta = toldDifference(pair)
  const days = (value: number): number => (isDate ? value / DAY_MS : value)
  const unit = isDate ? ' days' : ''
  const scale = error === null ? null : days(error)
  return {
    column,
    level,
    difference: delta === null ? '–' : `${signedFigure(days(delta), scale)}${unit}`,
    interval: interval ? `${rangeText([days(interval[0]), days(interval[1])], scale)}${unit}` : '',
    inRows: answer === undefined || pair.delta === null ? '' : `${signedFigure(days(pair.delta), scale)}${unit}`,
    marks: [
      ...differenceMarks(pair),
      ...(answer?.with_model === undefined
        ? []
        : [withModelText(`${signedFigure(days(answer.with_model), scale)}${unit}`)]),
    ],
    basis: interval ? (pair.basis ?? null) : null,
  }
}

export const DAY_MS = 86_400_000

/** A side sets the column: the difference is what was asked for, and no finding. */
export const ASKED_FOR_MARK = 'asked for'

export const TOO_FEW_MARK = 'too few seed rows'

/** What a reader should know of a difference besides its figures. */
export const differenceMarks = ({ support, asked_for }: Partial<DifferenceCertainty>): string[] => [
  ...(asked_for === true ? [ASKED_FOR_MARK] : []),
  ...(support === 'thin' ? ['thin'] : support === 'too_few_rows' ? [TOO_FEW_MARK] : []),
]

/** Few rows of the seed support the answer: the difference in the rows helps, and is too small. */
export const withModelText = (difference: string): string =>
  `with the model’s help ${difference} (nearer on average, attenuated)`

/** What every report says of its answers, a paragraph each. */
export const ANSWER_NOTES: readonly string[] = [
  'The answer is what the seed says: the difference between its own rows, reweighted to both scenarios. Its interval contains the difference in the population with 95 % confidence, if the seed is a random sample of it. Neither depends on how many rows are generated.',
  '“In the rows” is the same difference in the generated rows. They follow the answers as far as they may, and less inside segments.',
  '“Thin” marks an answer with a support of fewer than 50 rows of the seed, or with fewer than 20 degrees of freedom. With a support of fewer than 20 rows there is no interval. Below 50 rows of support, a figure with the model’s help stands beside it: the seed’s difference mixed with that of the rows. It is nearer to the truth on average, and attenuated: too small.',
]

/**
 * The basis of the intervals of a comparison's scenario, and why it is not the seed itself; empty when nothing is
 * known.
 */
export const basisText = (result: ComparisonResult): string => basisTexts(result).join('; ')

/** The same, as separate texts. */
export function basisTexts(result: ComparisonResult): string[] {
  const bases = new Set(reportedDifferences(result).map(({ basis }) => basis))
  const words = (['seed', 'effective_rows', 'generation'] as const)
    .filter((basis) => bases.has(basis))
    .map((basis) => BASIS_WORDS[basis])
  const why = result.no_estimates === undefined ? '' : ` (${NO_ESTIMATES_WORDS[result.no_estimates]})`
  return words.map((text, i) => (i === words.length - 1 ? `${text}${why}` : text))
}

/** The expectation of a gate: `delta_min 0.01, confidence 0.95`. Not escaped. */
export const expectedText = ({ expected }: Pick<GateResult, 'expected'>): string =>
  Object.entries(expected)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ')

/** The finding of a gate: `0.021, 95 % interval +0.010 to +0.032`. */
export function foundText(gate: GateResult): string {
  const { interval, reason, expected } = gate
  if (gate.actual === null) return 'nothing to evaluate'
  const actual = actualText(gate)
  if (interval !== undefined) {
    const percent =
      typeof expected.confidence === 'number' ? `${Number((expected.confidence * 100).toFixed(4))} % ` : ''
    return `${actual}, ${percent}interval ${intervalText(interval)}`
  }
  if (reason === undefined) return actual
  const isKnown = Object.hasOwn(NO_INTERVAL_WORDS, reason)
  return `${actual}, ${isKnown ? NO_INTERVAL_WORDS[reason as NoInterval] : 'no interval'}`
}

/**
 * The finding of a gate, to the digits that its interval or the noise of generation supports; without either, six
 * digits. It gets more digits when rounding would put it on the other side of the bound.
 */
export function actualText({ actual, interval, chance, expected }: GateResult): string {
  if (actual === null) return '-'
  const bounds = Object.entries(expected).flatMap(([key, bound]) =>
    typeof bound === 'number' && key !== 'confidence' ? [bound] : [],
  )
  const isTrue = (text: string) => bounds.every((b) => Math.sign(Number(text) - b) === Math.sign(actual - b))
  const scale = interval !== undefined ? (interval[1] - interval[0]) / 4 : (chance ?? 0) / 2
  const texts = [
    ...(scale > 0 ? [figureText(actual, scale), figureText(actual, scale / 10)] : []),
    ...[6, 9].map((digits) => numberText(Number(actual.toPrecision(digits)))),
  ]
  const text = texts.find(isTrue) ?? String(actual)
  // Trailing zeros without precision mean nothing.
  return text.length < String(actual).length ? text : String(actual)
}

/** An interval in the digits that its width supports. */
export const intervalText = (interval: readonly [number, number]): string =>
  rangeText(interval, (interval[1] - interval[0]) / 4)

const rangeText = ([low, high]: readonly [number, number], scale: number | null): string =>
  `${endText(low, scale)} to ${endText(high, scale)}`

/** An end that rounds to 0 keeps its sign, because readers check whether the interval contains 0. */
function endText(value: number, scale: number | null): string {
  const text = signedFigure(value, scale)
  if (value === 0 || /[1-9]/.test(text)) return text
  return `${value < 0 ? '-' : '+'}${text}`
}

/** Digits of a figure with a standard error: down to two digits of the error. Two digits when there is none. */
export function figureText(value: number, standardError: number | null): string {
  if (standardError === null || !(standardError > 0)) return numberText(Number(value.toPrecision(2)))
  const last = Math.floor(Math.log10(standardError)) - 1
  if (last < 0 && last >= -12) return value.toFixed(-last)
  const unit = 10 ** last
  return numberText(last < 0 ? value : Math.round(value / unit) * unit)
}

const numberText = (value: number): string => String(value === 0 ? 0 : Number(value.toPrecision(12)))

function signedFigure(value: number, standardError: number | null): string {
  const text = figureText(value, standardError)
  const isZero = !/[1-9]/.test(text)
  if (isZero) return text.replace('-', '')
  return value > 0 ? `+${text}` : text
}
