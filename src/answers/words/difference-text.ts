import type { ComparisonResult, NoEstimates } from '../../records/manifest/comparisons.ts'
import type { DifferenceCertainty, IntervalBasis } from '../../records/manifest/differences.ts'

export const BASIS_WORDS: Readonly<Record<IntervalBasis, string>> = {
  seed: 'the seed, reweighted to both scenarios',
  effective_rows: 'bound, from effective rows',
  generation: 'noise of generation only',
}

/** Why the seed's own differences are missing. */
export const NO_ESTIMATES_WORDS: Readonly<Record<NoEstimates, string>> = {
  no_estimates_operation: 'the service does not estimate differences from the seed',
  no_segment_estimates: 'the service does not estimate differences inside segments',
  no_where_estimates: 'the service does not estimate differences among the rows of `where`',
  no_quantile_estimates: 'the service tells no quantiles: it protects its seeds, or does not know them',
  estimates_dataset_gone: 'the dataset is no longer at the service',
  estimates_other_model: 'the two sides come from different models',
  estimates_refused: 'the service refused to estimate them',
  estimates_unreadable: 'the answer of the service could not be read',
  estimates_failed: 'the service gave no answer; the next run asks again',
  estimates_not_asked: 'the service was not asked: the run ended before, or the data do not have what is named',
}

/** The answer's difference; that of the rows where there is no answer. Null where a side has no figure. */
export const toldDifference = ({
  answer,
  delta,
}: Partial<DifferenceCertainty> & { readonly delta: number | null }): number | null => answer?.difference ?? delta

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
  '“Thin” marks an answer with a support of fewer than 50 rows of the seed, or with fewer than 20 degrees of freedom (50 for a mean). With a support of fewer than 20 rows there is no interval. Below 50 rows of support, a figure with the model’s help stands beside it: the seed’s difference mixed with that of the rows. It is nearer to the truth on average, and attenuated: too small.',
]

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
  const words = (['seed', 'effective_rows', 'generation'] as const)
    .filter((basis) => bases.has(basis))
    .map((basis) => BASIS_WORDS[basis])
  const why = result.no_estimates === undefined ? '' : ` (${NO_ESTIMATES_WORDS[result.no_estimates]})`
  return words.map((text, i) => (i === words.length - 1 ? `${text}${why}` : text))
}

/** `intervals rest on: the seed, …`: each basis once for all scenarios; or why there are none. */
export function basisLines(results: readonly ComparisonResult[]): string[] {
  const bases = [...new Set(results.flatMap(basisTexts))].join('; ')
  const why = noEstimatesText(results.map((one) => one.no_estimates))
  const ofQuantiles = noEstimatesText(results.map((one) => one.no_quantiles))
  return [
    ...(bases === '' ? [] : [`intervals rest on: ${bases}`]),
    ...(ofQuantiles === '' ? [] : [`no intervals of quantiles: ${ofQuantiles}`]),
    ...(bases === '' && ofQuantiles === '' && why !== '' ? [`no intervals: ${why}`] : []),
  ]
}

/** Reasons in words, each once; empty without any. */
export const noEstimatesText = (reasons: readonly (NoEstimates | undefined)[]): string =>
  [...new Set(reasons.flatMap((why) => (why === undefined ? [] : [NO_ESTIMATES_WORDS[why]])))].join('; ')

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
