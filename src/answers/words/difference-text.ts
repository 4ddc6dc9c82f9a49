import { type Words, words } from '../../base/language/language.ts'
import type { ComparisonResult, NoEstimates } from '../../records/manifest/comparisons.ts'
import type { DifferenceCertainty, IntervalBasis } from '../../records/manifest/differences.ts'

export const basisWords = (basis: IntervalBasis): string => words().answers.bases[basis]

/** Why the seed's own differences are missing. */
export const noEstimatesWords = (why: NoEstimates): string => words().answers.noEstimates[why]

/** The answer's difference; that of the rows where there is no answer. Null where a side has no figure. */
export const toldDifference = ({
  answer,
  delta,
}: Partial<DifferenceCertainty> & { readonly delta: number | null }): number | null => answer?.difference ?? delta

export const DAY_MS = 86_400_000

/** What records and scripts call it; a report says it in its language (`markWords`). */
export type Mark = keyof Words['answers']['marks']

/** A side sets the column: the difference is what was asked for, and no finding. */
export const ASKED_FOR_MARK = 'asked for' as const

export const TOO_FEW_MARK = 'too few seed rows' as const

export const markWords = (mark: Mark): string => words().answers.marks[mark]

/** What a reader should know of a difference besides its figures. */
export const differenceMarks = ({
  support,
  asked_for,
}: Partial<DifferenceCertainty>): Exclude<Mark, 'another training'>[] => [
  ...(asked_for === true ? [ASKED_FOR_MARK] : []),
  ...(support === 'thin' ? ['thin' as const] : support === 'too_few_rows' ? [TOO_FEW_MARK] : []),
]

/** What every report says of its answers, a paragraph each. */
export const answerNotes = (): readonly string[] => words().answers.notes

/**
 * The basis of the intervals of a comparison's scenario, and why it is not the seed itself; empty when nothing is
 * known.
 */
export const basisText = (result: ComparisonResult): string => basisTexts(result).join('; ')

/** The same, as separate texts. */
export function basisTexts(result: ComparisonResult): string[] {
  const pairs = [
    ...Object.values(result.shares).flatMap((levels) => Object.values(levels)),
    ...Object.values(result.means),
    ...Object.values(result.quantiles ?? {}).flatMap((levels) => Object.values(levels)),
  ]
  const bases = new Set(pairs.flatMap(({ interval, basis }) => (interval && basis ? [basis] : [])))
  const texts = (['seed', 'effective_rows', 'generation'] as const).filter((basis) => bases.has(basis)).map(basisWords)
  const why = result.no_estimates === undefined ? '' : ` (${noEstimatesWords(result.no_estimates)})`
  return texts.map((text, i) => (i === texts.length - 1 ? `${text}${why}` : text))
}

/** `intervals rest on: the seed, …`: each basis once for all scenarios; or why there are none. */
export function basisLines(results: readonly ComparisonResult[]): string[] {
  const bases = [...new Set(results.flatMap(basisTexts))].join(words().figures.semicolon)
  const why = noEstimatesText(results.map((one) => one.no_estimates))
  const ofQuantiles = noEstimatesText(results.map((one) => one.no_quantiles))
  return [
    ...(bases === '' ? [] : [words().answers.restOn(bases)]),
    ...(ofQuantiles === '' ? [] : [words().answers.noQuantileIntervals(ofQuantiles)]),
    ...(bases === '' && ofQuantiles === '' && why !== '' ? [words().answers.noIntervals(why)] : []),
  ]
}

/** Reasons in words, each once; empty without any. */
export const noEstimatesText = (reasons: readonly (NoEstimates | undefined)[]): string =>
  [...new Set(reasons.flatMap((why) => (why === undefined ? [] : [noEstimatesWords(why)])))].join(
    words().figures.semicolon,
  )

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
