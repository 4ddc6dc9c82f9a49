import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { outcomeName } from '../../../answers/words/answer-text.ts'
import {
  BEYOND_MARK,
  backtestColumns,
  backtestNote,
  generatedCell,
  generatedColumn,
  predictionCells,
  whyNotPredicted,
  worstFirst,
} from '../../../answers/words/backtest-words.ts'
import {
  type Block,
  type Figure,
  figure,
  heading,
  note,
  paragraph,
  type Section,
  type Table,
  table,
  worded,
} from '../../../base/document/block.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { name, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import type { GroupRecord, ManifestBacktest } from '../../../records/manifest/backtests.ts'
import { backtestTexts } from '../../tables/backtest-texts.ts'
import { backtestErrors, type GroupError, MOST_GROUPS } from '../charts/backtest-errors.ts'
import { multiples } from '../charts/chart.ts'
import { legend } from '../charts/legend.ts'
import { grouped } from '../grouped.ts'

/** Drawings of a backtest, and rows of its table. */
const MOST_DRAWINGS = 12
const MOST_ROWS = 2_000

/** How well reweighting predicts groups that were asked; null where the study has no backtests. */
export function backtestSection({ manifest }: ReadManifest): Section | null {
  const backtests = Object.entries(manifest.backtests ?? {})
  if (backtests.length === 0) return null
  return {
    id: 'backtests',
    title: words().backtests.title,
    blocks: [
      ...backtests.flatMap(([id, backtest]) => [heading(name(id)), ...backtestBlocks(id, backtest)]),
      note(backtestNote()),
    ],
  }
}

/** Its sentences, its picture with the figures, and the groups that are not predicted. */
export function backtestBlocks(id: string, backtest: Omit<ManifestBacktest, 'gates'>): Block[] {
  const { totals, groups, by } = backtest
  const verdicts = backtestTexts(backtest)
  // The last one says what the picture shows.
  const caption = totals.predictions > 0 && backtest.no_estimates === undefined ? verdicts.pop() : undefined
  return [
    ...verdicts.map((verdict) => paragraph(verdict)),
    caption !== undefined && pictureOf(id, groups, caption, by),
    {
      kind: 'list',
      items: groups.flatMap(({ level, status }) =>
        status === 'predicted'
          ? []
          : [words().backtests.notPredicted<Text>(name(`${by} ${level}`), whyNotPredicted(status))],
      ),
    },
  ]
}

function pictureOf(id: string, groups: readonly GroupRecord[], caption: Text, by: string): Figure {
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
  const picture = () =>
    html`${key()}${multiples(
      drawn.map((title) => backtestErrors(title, (ofTitle.get(title) ?? []).slice(0, MOST_GROUPS))),
    )}${left > 0 && html`<p class="note">${words().backtests.smallerErrors(left)}</p>`}${cut > 0 && html`<p class="note">${words().backtests.firstGroups(MOST_GROUPS)}</p>`}`
  return figure({ id: `backtest-${id}`, caption, picture, table: tableOf(errors, by) })
}

function key(): Markup {
  const { backtests, figures } = words()
  return legend([
    [
      html`<path class="interval" d="M3 7H27"/><circle class="mark-scenario" cx="15" cy="7" r="4"/>`,
      backtests.errorMark,
    ],
    [
      html`<path class="interval beyond" d="M3 7H27"/><circle class="mark-scenario beyond" cx="15" cy="7" r="4"/>`,
      figures.beyondChance,
    ],
    [html`<path class="median" d="M15 1V13"/>`, backtests.nothingMark],
  ])
}

function tableOf(errors: readonly GroupError[], by: string): Table {
  const [figureHead, ...heads] = backtestColumns()
  const isByModel = errors.some(({ prediction }) => prediction.generated !== undefined)
  return table(
    words().backtests.errors,
    [name(by), worded(figureHead), ...heads, ...(isByModel ? [generatedColumn()] : []), worded('')],
    errors.map(({ group, prediction }) => {
      const [of, ...cells] = predictionCells(prediction)
      const generated = isByModel ? [generatedCell(prediction)] : []
      return [name(group), name(of), ...cells, ...generated, prediction.beyond_chance === true && BEYOND_MARK]
    }),
    { most: { rows: MOST_ROWS, others: words().backtests.rowsLeft } },
  )
}
