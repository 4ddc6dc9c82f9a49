import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { countText } from '../../../base/text/amount-text.ts'
import { type Figure, figure, only, paragraph, type Section, type Table, table, worded } from '../../document/block.ts'
import { html, type Markup } from '../../document/markup.ts'
import { scenarioNames } from '../../document/names.ts'
import { name } from '../../document/text.ts'
import { leadingBlocks } from '../../tables/leading-answers.ts'
import { answerCells, answerHeads, outcome } from '../answer-cells.ts'
import { alerts } from './alerts.ts'
import { type ChosenAnswers, chooseAnswers, type Panel } from './choose-answers.ts'
import { forestPlot, panelTitle } from './forest-plot.ts'
import { generatedTable } from './generated-table.ts'
import { lead } from './lead.ts'

/** What was asked, what came out, and the main picture: the differences from the baseline with their intervals. */
export function answerSection({ manifest }: ReadManifest): Section {
  const chosen = chooseAnswers(manifest)
  const nameOf = scenarioNames(manifest)
  return {
    id: 'answer',
    title: 'Answer',
    blocks: [
      alerts(manifest),
      paragraph(lead(manifest, chosen, nameOf), 'lead'),
      chosen.panels.length === 0 ? only('page', generatedTable(manifest)) : picture(chosen, nameOf),
      ...leadingBlocks(manifest),
    ],
  }
}

function picture(chosen: ChosenAnswers, nameOf: (id: string) => string): Figure {
  const isOne = new Set(chosen.panels.map(({ comparison }) => comparison)).size === 1
  return figure({
    only: 'page',
    id: 'differences',
    caption: captionOf(chosen),
    picture: () =>
      html`${legend(chosen)}${chosen.panels.map(
        (panel) => html`<p class="panel">${!isOne && html`${name(panel.comparison)}: `}${panelHeading(panel)}</p>
${forestPlot(panel, nameOf)}`,
      )}`,
    table: shownTable(chosen),
  })
}

const panelHeading = (panel: Panel): Markup =>
  html`${panelTitle(panel)} <span class="muted">from ${name(panel.against)}${panel.where !== null && html`, in rows with ${name(panel.where)}${panel.whereRows !== null && ` (${panel.whereRows})`}`}</span>`

function captionOf({ shown, total, beyond, unknown, panels, isJudgedTogether }: ChosenAnswers): string {
  const against = [...new Set(panels.map((panel) => panel.against))]
  const from = against.length === 1 ? against[0] : 'their baselines'
  const what = `Differences from ${from} with 95 % intervals, the largest first.`
  const known = total - unknown
  const chance = isJudgedTogether
    ? ' Each interval stands for itself; whether a difference is beyond chance is judged over all questions of the study.'
    : known < 20
      ? ''
      : ` If no difference were real, about ${countText(Math.round(known / 20))} of ${countText(known)} would be beyond chance.`
  if (shown.length === total) return `${what}${chance}`
  const kind =
    beyond === 0
      ? known === 0
        ? 'the strongest; nothing is known about chance'
        : 'the strongest; none is beyond chance'
      : shown.length < beyond
        ? 'the strongest of those beyond chance'
        : 'those beyond chance'
  return `${what} Shown are ${countText(shown.length)} of ${countText(total)}: ${kind}.${chance}`
}

/** Explains the marks that the picture shows. */
function legend({ shown }: ChosenAnswers): Markup {
  const mark = (text: string) =>
    html`${icon(html`<path class="interval" d="M1 7H29"/><circle class="mark-scenario" cx="15" cy="7" r="4"/>`)} ${text}`
  const isWithin = shown.some(({ beyond }) => beyond === false)
  const isUnknown = shown.some(({ beyond }) => beyond === null)
  const isThin = shown.some(({ marks }) => marks.includes('thin'))
  const isGenerated = shown.some(({ basis }) => basis === 'generation')
  const entries = [
    shown.some(({ beyond }) => beyond === true) &&
      html`${icon(html`<path class="interval beyond" d="M1 7H29"/><circle class="mark-scenario beyond" cx="15" cy="7" r="4"/>`)} beyond chance`,
    (isWithin || isUnknown) &&
      mark(!isUnknown ? 'within chance' : isWithin ? 'within chance or not known' : 'chance not known'),
    (isThin || isGenerated) &&
      html`${icon(html`<path class="interval thin" d="M1 7H29"/>`)} ${[isThin && 'thin support', isGenerated && 'noise of generation only'].filter(Boolean).join(', or ')}`,
  ]
  return html`<p class="legend" aria-hidden="true">${entries.map((entry) => entry && html`<span>${entry}</span> `)}</p>
`
}

const icon = (marks: Markup): Markup => html`<svg class="icon" viewBox="0 0 30 14">${marks}</svg>`

const shownTable = ({ shown }: ChosenAnswers): Table =>
  table(
    'Differences',
    ['Scenario', worded('Outcome'), ...answerHeads(null)],
    shown.map((answer) => [
      ...[name(answer.scenario), [outcome(answer), answer.level !== null && ', points']],
      ...answerCells(answer),
    ]),
  )
