import { SCALES } from '../../../answers/words/answer-text.ts'
import { predictionCells } from '../../../answers/words/backtest-words.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { words } from '../../../base/language/language.ts'
import type { PredictionRecord } from '../../../records/manifest/backtests.ts'
import { fitLabel } from '../fit-label.ts'
import { scaleLinear } from '../scales.ts'
import { heading, rightwardAxis } from './axis.ts'
import { coordinate as at, CHART_WIDTH, chart, LETTERS, tipped } from './chart.ts'
import { tickText } from './tick-text.ts'

/** The error of one figure in a group. */
export interface GroupError {
  readonly group: string
  readonly prediction: PredictionRecord
}

/** Rows of a drawing. */
export const MOST_GROUPS = 50

const ROW = 18
const TOP = 22
const LABEL = 104
const LEFT = LABEL + 8
const RIGHT = CHART_WIDTH - 10

/** The errors of one figure, a group in each row: the reweighted one with its interval, and the unweighted one as a stroke. */
export function backtestErrors(title: string, errors: readonly GroupError[]): Markup {
  const unit = unitOf(errors[0]?.prediction)
  const scale = scaleLinear()
    .domain(extentOf(errors.map(({ prediction }) => prediction)).map((end) => end * unit) as [number, number])
    .range([LEFT, RIGHT])
    .nice(4)
  const x = (value: number): number => at(scale(value * unit))
  const bottom = TOP + errors.length * ROW + 2
  return chart({
    label: words().backtests.picture(title),
    height: bottom + 20,
    marks: html`${heading(title, CHART_WIDTH)}${rightwardAxis({ scale, count: 3, text: signedTick }, { top: TOP, bottom })}<path class="zero" d="M${x(0)} ${TOP}V${bottom}"/>${errors.map(
      ({ group, prediction }, i) => {
        const { error, interval, unweighted, actual, beyond_chance: beyond } = prediction
        const y = TOP + i * ROW
        const mid = y + ROW / 2
        const state = beyond === true ? ' beyond' : ''
        const without = x(unweighted - actual)
        return tipped(
          tipOf(group, prediction),
          html`<text x="0" y="${mid + 4}">${fitLabel(group, LABEL, LETTERS)}</text>${interval && html`<path class="interval${state}" d="M${x(interval[0])} ${mid}H${x(interval[1])}"/>`}<path class="median" d="M${without} ${mid - 5}V${mid + 5}"/><circle class="mark-scenario${state}" cx="${x(error)}" cy="${mid}" r="3.5"/>`,
        )
      },
    )}`,
  })
}

function tipOf(group: string, prediction: PredictionRecord): string {
  const [figure, predicted, actual, error, interval, unweighted] = predictionCells(prediction)
  const isBeyond = prediction.beyond_chance === true
  return words().backtests.tip({ group, figure, predicted, actual, error, interval, unweighted, isBeyond })
}

const unitOf = ({ level, kind }: Pick<PredictionRecord, 'level' | 'kind'> = {}): number =>
  SCALES[level === undefined ? (kind ?? 'number') : 'share']

/** The range of all drawn values and zero. */
function extentOf(predictions: readonly PredictionRecord[]): [number, number] {
  const values = predictions
    .flatMap(({ error, interval = [], unweighted, actual }) => [error, unweighted - actual, ...interval])
    .filter(Number.isFinite)
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  return low === high ? [-1, 1] : [low, high]
}

const signedTick = (value: number): string => (value > 0 ? `+${tickText(value)}` : tickText(value))
