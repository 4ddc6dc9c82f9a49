import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { outcomeName } from '../../../answers/words/answer-text.ts'
import {
  BACKTEST_COLUMNS,
  BACKTEST_NOTE,
  BEYOND_MARK,
  backtestedText,
  predictionCells,
  verdictTexts,
  WHY_NOT_PREDICTED,
  worstFirst,
} from '../../../answers/words/backtest-words.ts'
import { NO_ESTIMATES_WORDS } from '../../../answers/words/difference-text.ts'
import { plural } from '../../../base/text/amount-text.ts'
import type { BacktestRecord } from '../../../records/backtest.ts'
import type { GroupRecord } from '../../../records/manifest/backtests.ts'
import { backtestErrors, type GroupError, MOST_GROUPS } from '../charts/backtest-errors.ts'
import { multiples } from '../charts/chart.ts'
import { legend } from '../charts/legend.ts'
import { grouped } from '../grouped.ts'
import { html, type Markup } from '../markup.ts'
import { name } from '../names.ts'
import { figure, type Section } from '../section.ts'

/** Drawings of a backtest, and rows of its table. */
const MOST_DRAWINGS = 12
const MOST_ROWS = 2_000

/** How well reweighting predicts groups that were asked; null where the study has no backtests. */
export function backtestSection({ manifest }: ReadManifest): Section | null {
  const backtests = Object.entries(manifest.backtests ?? {})
  if (backtests.length === 0) return null
  return {
    id: 'backtests',
    title: 'Was it ever right?',
    body: html`${backtests.map(
      ([id, backtest]) => html`<h3>${name(id)}</h3>
${backtest.no_estimates === undefined ? backtestBody(id, backtest) : html`<p class="bad">Nothing is known: ${NO_ESTIMATES_WORDS[backtest.no_estimates]}.</p>`}`,
    )}<p class="note">${BACKTEST_NOTE}</p>`,
  }
}

/** Its sentences, its picture with the figures, and the groups that are not predicted. */
export function backtestBody(id: string, backtest: BacktestRecord): Markup {
  const { totals, groups, by } = backtest
  const verdicts = [backtestedText(backtest), ...verdictTexts(totals)].map(sentenceOf)
  const missing = groups.filter(({ status }) => status !== 'predicted')
  // The last one says what the picture shows.
  const isDrawn = totals.predictions > 0
  const caption = isDrawn ? verdicts.at(-1)! : ''
  return html`${(isDrawn ? verdicts.slice(0, -1) : verdicts).map(
    (text) => html`<p>${name(text)}</p>
`,
  )}${isDrawn && pictureOf(id, groups, caption, by)}${missing.length > 0 && notPredicted(missing, by)}`
}

function pictureOf(id: string, groups: readonly GroupRecord[], caption: string, by: string): Markup {
  const errors = groups.flatMap(({ level: group, predictions }) =>
    predictions.map((prediction): GroupError => ({ group, prediction })),
  )
  const worst = worstFirst(errors.map(({ prediction }) => prediction))
  const titleOf = (one: GroupError['prediction']): string =>
    outcomeName({ column: one.column, level: one.level ?? null })
  const figures = [...grouped(worst, titleOf).keys()]
  const drawn = figures.slice(0, MOST_DRAWINGS)
  const left = figures.length - drawn.length
  const ofTitle = grouped(errors, ({ prediction }) => titleOf(prediction))
  const cut = Math.max(0, ...drawn.map((title) => ofTitle.get(title)!.length - MOST_GROUPS))
  const picture = html`${KEY}${multiples(
    drawn.map((title) => backtestErrors(title, (ofTitle.get(title) ?? []).slice(0, MOST_GROUPS))),
  )}${left > 0 && html`<p class="note">${plural(left, 'figure')} with smaller errors stand in the table alone.</p>`}${cut > 0 && html`<p class="note">The pictures show the first ${MOST_GROUPS} groups.</p>`}`
  return figure({ id: `backtest-${id}`, caption, picture, table: tableOf(errors, by) })
}

const KEY = legend([
  [
    html`<path class="interval" d="M3 7H27"/><circle class="mark-scenario" cx="15" cy="7" r="4"/>`,
    'error, reweighted, with its 95 % interval',
  ],
  [
    html`<path class="interval beyond" d="M3 7H27"/><circle class="mark-scenario beyond" cx="15" cy="7" r="4"/>`,
    'beyond chance',
  ],
  [html`<path class="median" d="M15 1V13"/>`, 'error of doing nothing'],
])

function tableOf(errors: readonly GroupError[], by: string): Markup {
  const shown = errors.slice(0, MOST_ROWS)
  return html`<table>
<thead><tr><th scope="col">${name(by)}</th><th scope="col" class="t">${BACKTEST_COLUMNS[0]}</th>${BACKTEST_COLUMNS.slice(1).map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${shown.map(({ group, prediction }) => {
    const [of, ...cells] = predictionCells(prediction)
    return html`<tr><th scope="row">${name(group)}</th><td class="t">${name(of)}</td>${cells.map((cell) => html`<td>${cell}</td>`)}<td class="t">${prediction.beyond_chance === true && BEYOND_MARK}</td></tr>
`
  })}</tbody></table>${errors.length > MOST_ROWS && html`<p class="note">${plural(errors.length - MOST_ROWS, 'row')} are left out here.</p>`}`
}

const notPredicted = (groups: readonly GroupRecord[], by: string): Markup =>
  html`<ul>${groups.map(({ level, status }) => html`<li>${name(`${by} ${level}`)} is not predicted: ${status !== 'predicted' && WHY_NOT_PREDICTED[status]}.</li>`)}</ul>
`

const sentenceOf = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
