import { escapeText } from '../../base/text/escape-text.ts'
import type { LeverRecord, SensitivityRecord } from '../../records/sensitivity.ts'
import { type AnswerWords, answerWords } from './answer-text.ts'
import { TOO_FEW_MARK } from './difference-text.ts'

/** `loyalty.member Yes`, `age above median`. */
export const leverName = ({ column, level }: LeverRecord): string =>
  escapeText(level === undefined ? `${column} above median` : `${column} ${level}`)

/** The share before and after; of numbers how far it is moved. */
export function leverMove({ from, to, moved, support }: LeverRecord): string {
  if (support === 'too_few_rows') return TOO_FEW_MARK
  const points = (share: number): string => (share * 100).toFixed(1)
  return from === undefined || to === undefined ? `+${points(moved)} points` : `${points(from)} → ${points(to)} %`
}

/** What moving a lever does to the figure. */
export function leverWords({ figure }: Pick<SensitivityRecord, 'figure'>, moved: Partial<LeverRecord>): AnswerWords {
  const { column, level = null, quantile, value } = figure
  return answerWords({
    ...(quantile !== undefined && { quantile: String(quantile) }),
    ...{ column, level, kind: level === null ? (figure.kind ?? 'number') : 'share', from: value, inRows: null },
    to: moved.scenario ?? null,
    difference: moved.difference ?? null,
    interval: moved.interval ?? null,
    standardError: moved.standard_error ?? null,
  })
}
